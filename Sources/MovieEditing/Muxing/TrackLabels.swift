// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
package import Multiview

/// What people call a track: its language and its names.
package struct TrackLabels {
  /// Three letters of ISO 639-2, packed.
  private(set) var language = MediaHeaderBox().language
  /// The box with the tag of the language; empty for none.
  private(set) var extendedLanguage: [Box] = []
  /// The name of the handler; `nil` for the usual one.
  private(set) var handlerName: String?
  /// The boxes of user data with names.
  private(set) var names: [Box] = []

  /// Makes the labels of a track that has none.
  package init() {}

  /// Takes the labels of a track.
  package init(_ track: Track, isQuickTime: Bool) {
    if let code = track.mediaHeader?.language { language = packedLanguage(code, isQuickTime: isQuickTime) }
    let media = track.box?.first("mdia")
    extendedLanguage = media?.children.filter { $0.type == "elng" } ?? []
    let name = media?.first(HandlerBox.self)?.name.text ?? ""
    if !name.isEmpty, name.utf8.count < 256 { handlerName = name }
    names = track.box?.first("udta")?.children.filter { $0.type == "name" } ?? []
  }
}

/// A language as media headers of MP4 have it: three letters of ISO 639-2, packed. ISO/IEC 14496-12, 8.4.2.3
///
/// - Parameters:
///   - code: that of another media header.
///   - isQuickTime: whether that may be a code of the classic Mac OS.
func packedLanguage(_ code: UInt16, isQuickTime: Bool) -> UInt16 {
  guard isQuickTime, code < 0x400 || code == 0x7FFF else { return code }
  guard let letters = MacintoshLanguage.code(code) else { return MediaHeaderBox().language }
  return letters.utf8.reduce(0) { $0 << 5 | UInt16($1 & 31) }
}

extension Box {
  /// Gives a media box of a QuickTime movie the form of MP4: its handler has a name that ends with a zero byte, the one of the
  /// data is missing, and its language has letters. ISO/IEC 14496-12, 8.4.2 and 8.4.3
  mutating func leaveQuickTime() throws {
    try editAll(MediaHeaderBox.self) { header in
      header.language = packedLanguage(header.language, isQuickTime: true)
      header.quality = 0
    }
    try editAll(HandlerBox.self) { handler in
      handler = HandlerBox(handler.handlerType, name: handler.name.text)
    }
    editAll("minf") { $0.children.removeAll { $0.type == "hdlr" } }
  }
}
