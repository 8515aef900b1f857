// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Rule {
  static let timescale = Rule(
    "MV085", .error, "A time scale is 0",
    source: "ISO/IEC 14496-12, 8.2.2 and 8.4.2", for: [.spatial, .stereo, .immersive, .hls, .iso],
    why:
      "Times are counted in parts of a second, and the time scale says how many make one. With none of them "
      + "no time means anything; players divide by it and give up.",
    mend: "Write the number of units a second: that in which the durations are counted."
  ) { (context: RuleContext, findings: inout FindingSink) in
    guard let moov = context.movie.tree?.first("moov") else { return }
    func ask(_ header: Box?, _ timescale: UInt32?, _ path: String) {
      guard timescale == 0 else { return }
      findings.add("the time scale is 0", path: path, offset: header?.offset, found: "0", wanted: "1 or more")
    }
    ask(moov.first("mvhd"), moov.first(MovieHeaderBox.self)?.timescale, "moov/mvhd")
    BoxPath.forEachSibling(moov.children) { track, name, _ in
      guard track.type == "trak", let media = track.first("mdia") else { return }
      findings.trackID = track.first(TrackHeaderBox.self)?.trackID
      ask(media.first("mdhd"), media.first(MediaHeaderBox.self)?.timescale, "moov/\(name)/mdia/mdhd")
    }
    findings.trackID = nil
  }
}
