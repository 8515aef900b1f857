// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Rule {
  static let projectionAgainstSpatial = Rule(
    "MV030", .warning, "The projection contradicts values of a flat camera",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8; Apple Projected Media Profile",
    .inferred, for: [.spatial, .immersive],
    why: "Spatial video is rectilinear. With a projection the same movie is taken for 180 or 360, and a "
      + "field of view of a flat camera does not fit that: either the projection or the value is wrong.",
    mend: "For spatial video take proj away or write rect. For 180 write hfov 180000, for 360 write 360000, "
      + "or leave hfov out."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let projection = track.stereo.projection else { return }
    if projection == .halfEquirectangular || projection == .equirectangular,
      let value = track.stereo.horizontalFieldOfView, (1..<120_000).contains(value.rawValue)
    {
      findings.add(
        "the projection is \(projection), the field of view \(value.rawValue)/1000°",
        at: track.stereo.$projection,
        found: "\(projection.rawValue)", wanted: "rect, or no proj")
    } else if !track.stereo.isRectilinear, track.shared.isSpatialCapture {
      findings.add(
        "the projection is \(projection), but the metadata calls it a spatial capture",
        at: track.stereo.$projection,
        found: "\(projection.rawValue)", wanted: "rect, or no proj")
    }
  }
}
