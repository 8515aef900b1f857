// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// What a fault of one box of the stereo family prevents: by the box that the path of a finding ends with.
struct StereoBoxNeed {
  /// What needs the box.
  let targets: [CheckTarget]
  /// How bad it is, at the most.
  let severity: Diagnostic.Severity

  init(path: String) {
    let type = path.split(separator: "/").last?.prefix(4) ?? ""
    targets =
      switch type {
      // The values of the cameras are required only for spatial video: without them the movie is stereo still.
      case "cams", "blin", "cmfy", "dadj": [.spatial]
      // With no projection, or none that is found, stereo is shown as flat stereo.
      case "hfov", "proj", "prji": [.spatial, .immersive]
      case "hero": [.spatial, .stereo]
      default: [.spatial, .stereo, .immersive]
      }
    // Nothing depends on which eye is shown in 2D.
    severity = type == "hero" ? .warning : .error
  }
}

extension FindingSink {
  /// Adds what the reading found wrong with a box of the stereo family.
  mutating func add(
    aboutStereoBox item: Diagnostic, found: String? = nil, wanted: String? = nil, cure: Cure? = nil
  ) {
    let need = StereoBoxNeed(path: item.path)
    add(
      item.message, path: item.path, offset: item.offset, found: found, wanted: wanted,
      severity: need.severity,
      targets: need.targets, cure: cure)
  }
}
