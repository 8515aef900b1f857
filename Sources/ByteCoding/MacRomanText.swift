// swift-multiview · SPDX-License-Identifier: Apache-2.0

extension ByteView {
  /// The bytes decoded as Mac OS Roman, the encoding of western languages in old QuickTime movies.
  package var macRomanText: String {
    var text = ""
    for index in 0..<count {
      guard let byte = self[index] else { break }
      text.unicodeScalars.append(byte < 128 ? Unicode.Scalar(byte) : macRomanScalars[Int(byte) - 128])
    }
    return text
  }
}

/// The characters from 128 on; 240 is Apple's logo, in the private area.
private let macRomanScalars = Array(
  ("ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u{A0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ"
    + "\u{F8FF}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ").unicodeScalars)
