// swift-multiview · SPDX-License-Identifier: Apache-2.0

import BoxCatalogue
public import ISOBMFF

/// The boxes that need knowledge of stereo video and of HEVC.
let appleBoxes: [BoxRegistration] = [
  videoExtendedUsageBoxes, configurationBoxes,
].flatMap { $0 }

extension BoxRegistry {
  /// All boxes that this library knows: those of the ISO and QuickTime formats with their catalogue, of HEVC, and of
  /// stereo video.
  public static let standard = BoxRegistry.iso.joined(catalogueBoxes + appleBoxes, catalogueUserTypes)
}
