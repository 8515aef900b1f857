// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Testing

@testable import FileAccess

@Suite struct SystemNameTests {
  @Test(arguments: ["", "plain", "\u{E9}", "e\u{301}", "\u{FFFD}", "\u{1F441}.mov"])
  func textStaysAsItIs(text: String) {
    let name = SystemName(text.utf8)
    #expect(name.text?.utf8.elementsEqual(text.utf8) == true)
    #expect(name.shown.utf8.elementsEqual(text.utf8))
  }

  static let noText: [([UInt8], String)] = [
    ([0xFF], "\\xFF"), ([0x61, 0xE9], "a\\xE9"), ([0xC3, 0xA9, 0x80, 0x62], "\u{E9}\\x80b"),
    // Cut, too long, and half of a pair.
    ([0xE2, 0x82], "\\xE2\\x82"), ([0xC0, 0xAF, 0x2F], "\\xC0\\xAF/"),
    ([0xED, 0xA0, 0x80], "\\xED\\xA0\\x80"), ([0xF0, 0x9F, 0x91, 0x61], "\\xF0\\x9F\\x91a"),
  ]

  @Test(arguments: noText)
  func whatIsNoTextIsShown(bytes: [UInt8], shown: String) {
    #expect(SystemName(bytes).text == nil)
    #expect(SystemName(bytes).shown == shown)
  }
}
