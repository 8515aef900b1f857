// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ISOBMFF

/// The boxes that need knowledge of stereo video and of HEVC, on top of those of the ISO and QuickTime formats.
let appleBoxes: [BoxRegistration] = [
  videoExtendedUsageBoxes
].flatMap { $0 }

extension BoxRegistry {
  /// Everything this library knows: the boxes of ISO/IEC 14496-12 and QuickTime, of HEVC, and of stereo video.
  public static let standard = BoxRegistry.iso.adding(appleBoxes)
}
