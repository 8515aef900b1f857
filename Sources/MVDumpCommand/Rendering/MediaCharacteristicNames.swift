// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Multiview

extension MediaCharacteristic {
  /// The name as programs of this library know it.
  var shortName: String {
    switch self {
    case .visual: "visual"
    case .audible: "audible"
    case .legible: "legible"
    case .frameBased: "frameBased"
    case .containsAlphaChannel: "containsAlphaChannel"
    case .containsHDRVideo: "containsHDRVideo"
    case .usesWideGamutColorSpace: "usesWideGamutColorSpace"
    case .containsStereoMultiviewVideo: "containsStereoMultiviewVideo"
    case .carriesVideoStereoMetadata: "carriesVideoStereoMetadata"
    case .indicatesHorizontalFieldOfView: "indicatesHorizontalFieldOfView"
    case .indicatesNonRectilinearProjection: "indicatesNonRectilinearProjection"
    default: rawValue
    }
  }

  /// The general ones first.
  static func order(_ left: String, _ right: String) -> Bool {
    func rank(_ name: String) -> Int {
      ["visual", "audible", "legible", "frameBased", "containsStereoMultiviewVideo"].firstIndex(of: name) ?? 9
    }
    return (rank(left), left) < (rank(right), right)
  }
}
