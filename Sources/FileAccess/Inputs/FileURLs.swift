// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// The path that a `file:` URL names, or the text itself if it is not a URL. RFC 8089
///
/// The URL of a server throws an error that says so: taken as a path, it would only be reported as a file that
/// does not exist.
package func filePath(ofPathOrURL text: String) throws(SourceError) -> String {
  guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return text }
  let scheme = text[..<colon].lowercased()
  let rest = text.utf8[text.utf8.index(after: colon)...]
  guard rest.starts(with: "//".utf8), pathKind(text) == nil else { return text }
  guard scheme == "file" else {
    guard !scheme.isEmpty, scheme.utf8.allSatisfy(isSchemeByte) else { return text }
    throw SourceError(
      .notAFile(kind: "a URL with the scheme '\(scheme)'"), path: text,
      advice: "Use a custom source: see AsyncByteSource and ByteSource.")
  }
  let named = rest.dropFirst(2)
  guard let slash = named.firstIndex(of: UInt8(ascii: "/")) else {
    throw SourceError(.notAFile(kind: "a URL without a path"), path: text)
  }
  let host = String(decoding: named[..<slash], as: UTF8.self)
  guard host.isEmpty || host.lowercased() == "localhost" else {
    throw SourceError(
      .notAFile(kind: "a URL with the host '\(host)'"), path: text, advice: "Name a file on this computer.")
  }
  guard let path = percentDecoded(named[slash...]) else {
    throw SourceError(
      .notAFile(kind: "a URL with an invalid escape"), path: text,
      advice: "% must be followed by two hexadecimal digits other than 00.")
  }
  return path
}

/// Whether a byte may appear in the scheme of a URL. RFC 3986, 3.1
private func isSchemeByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"),
    UInt8(ascii: "-"), UInt8(ascii: "."):
    true
  default: false
  }
}

/// The bytes that percent escapes represent; `nil` if an escape is incomplete, or encodes a byte that would end
/// the path.
private func percentDecoded(_ text: Substring.UTF8View) -> String? {
  var bytes: [UInt8] = []
  var rest = text[...]
  while let byte = rest.popFirst() {
    guard byte == UInt8(ascii: "%") else {
      bytes.append(byte)
      continue
    }
    guard let high = rest.popFirst().flatMap(hexadecimalDigit),
      let low = rest.popFirst().flatMap(hexadecimalDigit), high | low != 0
    else { return nil }
    bytes.append(high << 4 | low)
  }
  return String(decoding: bytes, as: UTF8.self)
}

private func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}
