// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// A name or an argument as the system stores it: bytes, which need not be UTF-8.
package struct SystemName: Sendable, Equatable {
  /// The bytes.
  package let bytes: [UInt8]

  /// Makes a name from bytes without the terminating zero.
  package init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// The bytes as text; `nil` if they are not valid UTF-8. Repaired text would name another file.
  package var text: String? {
    let text = String(decoding: bytes, as: UTF8.self)
    return text.utf8.elementsEqual(bytes) ? text : nil
  }

  /// The name for messages: bytes that are not UTF-8 are shown as `\xFF`.
  package var shown: String {
    var shown = ""
    var rest = bytes[...]
    while !rest.isEmpty {
      var parser = Unicode.UTF8.ForwardParser()
      var iterator = rest.makeIterator()
      switch parser.parseScalar(from: &iterator) {
      case .valid(let encoded):
        shown.unicodeScalars.append(Unicode.UTF8.decode(encoded))
        rest = rest.dropFirst(encoded.count)
      case .error(let length):
        for byte in rest.prefix(max(1, length)) {
          shown += "\\x" + hexadecimal(UInt64(byte), digits: 2).uppercased()
        }
        rest = rest.dropFirst(max(1, length))
      case .emptyInput: return shown
      }
    }
    return shown
  }
}
