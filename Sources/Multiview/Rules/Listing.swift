// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Collection {
  /// The first eight in words, and how many more there are: what a file repeats without end makes no text without end.
  func listed(_ words: (Element) -> String) -> String {
    let more = count > 8 ? ", and \(count - 8) more" : ""
    return prefix(8).map(words).joined(separator: ", ") + more
  }
}

extension Sequence<FourCC> {
  /// Each once, in their order.
  func unique() -> [FourCC] {
    var known: Set<FourCC> = []
    return filter { known.insert($0).inserted }
  }
}

extension String {
  /// The text, cut after a number of bytes of UTF-8 if it is longer.
  package func shortened(to limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var end = utf8.index(startIndex, offsetBy: limit)
    while end > startIndex, end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return String(self[..<end]) + "…"
  }
}
