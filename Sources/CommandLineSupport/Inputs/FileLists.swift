// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess

extension ParsedArguments {
  /// Adds the files that a list names: a line each, or, if the list has zero bytes, with one after each, as `find -print0`
  /// writes them.
  mutating func addFiles(listedIn path: String, _ surroundings: Surroundings) throws(InputError) {
    let limit = 64 << 20
    let bytes: ByteView
    do throws(SourceError) {
      let source: any ByteSource =
        try path == "-"
        ? surroundings.openStandardInput(.everything) : openInput(path: path, keeping: .everything)
      bytes = try source.read(at: 0, count: limit + 1)
    } catch { throw InputError(error) }
    guard bytes.count <= limit else {
      throw InputError("is longer than \(limit) bytes. Split the list.")
    }
    let separator: UInt8 = bytes.array.contains(0) ? 0 : UInt8(ascii: "\n")
    for name in bytes.array.split(separator: separator) {
      let line = separator == 0 || name.last != UInt8(ascii: "\r") ? name : name.dropLast()
      guard let text = SystemName(line).text else {
        throw InputError(
          "names a file whose name is not UTF-8. Rename it, or send it through a pipe.")
      }
      guard text != "-" || path != "-" else {
        throw InputError("standard input cannot be both the list and a file in it.")
      }
      if !text.isEmpty { add(operand: text) }
    }
  }
}
