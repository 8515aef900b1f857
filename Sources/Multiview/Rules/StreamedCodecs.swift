// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Track {
  /// The codecs of its samples that HLS players do not play, in the order of their first samples: of video, all but those of
  /// the HLS authoring specification for Apple devices, 1.1; of sound, those that are known to be of other uses (2.1).
  package var codecsNotForHLS: [String] {
    var found: [String] = []
    for codec in variants.compactMap(\.mainDescription?.codec) where !isForHLS(codec) {
      if !found.contains("\(codec)") { found.append("\(codec)") }
    }
    return found
  }

  private func isForHLS(_ codec: FourCC) -> Bool {
    if mediaType.isVisual { return Self.videoOfHLS.contains(codec) }
    return mediaType != .audio || !Self.soundOfOthers.contains(codec)
  }

  /// H.264, HEVC, Dolby Vision and AV1.
  private static let videoOfHLS: Set<FourCC> = [
    "avc1", "avc3", "hvc1", "hev1", "dvh1", "dvhe", "dva1", "dvav", "av01", "dav1",
  ]

  /// Samples without compression, ADPCM, and the codecs of telephones.
  private static let soundOfOthers: Set<FourCC> = [
    "sowt", "twos", "in24", "in32", "fl32", "fl64", "lpcm", "raw ", "NONE", "ipcm", "fpcm", "ulaw", "alaw",
    "ima4", "MAC3", "MAC6", "QDM2", "QDMC", "agsm", "samr", "sawb", "sawp", "sevc", "sqcp", "ssmv",
  ]
}
