// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// What a fault in a box of the stereo family affects: the box is the last one in the path of the finding.
struct StereoBoxNeed {
  /// The targets that need the box.
  let targets: [CheckTarget]
  /// The greatest severity of a fault in it; a rule may be less severe.
  let severity: Diagnostic.Severity

  init(path: String) {
    let type = path.split(separator: "/").last?.prefix(4) ?? ""
    targets =
      switch type {
      // Camera values are required only for spatial video: without them the movie is still stereo.
      case "cams", "blin", "cmfy", "dadj": [.spatial]
      // Without a projection, or with one that readers do not find, stereo is shown as flat stereo.
      case "hfov", "proj", "prji": [.spatial, .immersive]
      case "hero": [.spatial, .stereo]
      default: [.spatial, .stereo, .immersive]
      }
    // Nothing depends on which eye is shown in 2D.
    severity = type == "hero" ? .warning : .error
  }
}

extension FindingSink {
  /// Adds what reading found wrong in a box of the stereo family.
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
