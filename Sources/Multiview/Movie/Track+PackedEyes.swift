// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import HEVC

extension Track {
  /// Which half of the picture is which eye's; `nil` if the eyes do not share pictures.
  public var packedEyes: PackedEyes? {
    guard classificationReport.stereoKind == .packed, let packing = stereo.packing else { return nil }
    return PackedEyes(packing, isReversed: stereo.eyeViewsReversed == true)
  }

  /// The size of what one eye sees: of a picture that two eyes share, the half.
  public var viewSize: PictureSize? {
    guard let size = displaySize else { return nil }
    return packedEyes?.viewSize(in: size) ?? size
  }
}
