// swift-multiview · SPDX-License-Identifier: Apache-2.0

extension BoxRegistry {
  /// The boxes of ISO/IEC 14496-12 and of QuickTime, and the common codec boxes that need no bitstream knowledge.
  public static let iso = BoxRegistry(
    [
      fileBoxes, movieBoxes, trackBoxes, mediaBoxes, sampleTableBoxes, sampleEntryBoxes, fragmentBoxes,
      metadataBoxes, quickTimeBoxes, itemBoxes, protectionBoxes, audioBoxes, sampleGroupBoxes,
      scalableVideoBoxes,
    ].flatMap { $0 }, userTypes: userTypeBoxes)
}
