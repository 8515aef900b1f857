// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// A box as bytes, with its children if tests change these. It is read and written without the library, so that
/// the library is tested with changes that it did not make itself.
public struct PlainBox: Equatable, Sendable {
  /// The type: four characters.
  public var type: String
  /// The bytes before the children; the whole payload if it has none.
  public var fields: [UInt8]
  /// The children, in order.
  public var children: [PlainBox]
  /// The bytes after the children.
  public var trailing: [UInt8] = []

  /// Makes a box.
  public init(_ type: String, _ fields: [UInt8] = [], _ children: [PlainBox] = [], trailing: [UInt8] = []) {
    (self.type, self.fields, self.children, self.trailing) = (type, fields, children, trailing)
  }

  /// The number of bytes before the children, for each type whose children are read.
  private static let heads: [String: Int] = [
    "moov": 0, "trak": 0, "mdia": 0, "minf": 0, "stbl": 0, "edts": 0, "dinf": 0, "udta": 0, "mvex": 0,
    "vexu": 0,
    "eyes": 0, "cams": 0, "cmfy": 0, "proj": 0, "pack": 0, "tapt": 0, "gmhd": 0, "moof": 0, "traf": 0,
    "stsd": 8, "dref": 8, "hvc1": 78, "hev1": 78, "avc1": 78,
  ]

  /// Returns the boxes in some bytes.
  public static func boxes(_ bytes: ArraySlice<UInt8>) -> [PlainBox] {
    var boxes: [PlainBox] = []
    var position = bytes.startIndex
    while bytes.endIndex - position >= 8 {
      var size = Int(number(bytes[position..<(position + 4)]))
      let type = String(decoding: bytes[(position + 4)..<(position + 8)], as: UTF8.self)
      var head = 8
      if size == 1 {
        size = Int(number(bytes[(position + 8)..<(position + 16)]))
        head = 16
      } else if size == 0 {
        size = bytes.endIndex - position
      }
      guard size >= head, position + size <= bytes.endIndex else { break }
      let payload = bytes[(position + head)..<(position + size)]
      if let own = heads[type], payload.count >= own {
        let inner = payload.dropFirst(own)
        let children = self.boxes(inner)
        let used = children.reduce(0) { $0 + $1.bytes.count }
        boxes.append(
          PlainBox(type, Array(payload.prefix(own)), children, trailing: Array(inner.dropFirst(used))))
      } else {
        boxes.append(PlainBox(type, Array(payload)))
      }
      position += size
    }
    return boxes
  }

  /// The bytes of the box in a file.
  public var bytes: [UInt8] {
    let payload = fields + children.flatMap(\.bytes) + trailing
    return Self.bytes(UInt64(payload.count + 8), 4) + Array(type.utf8) + payload
  }

  /// Returns the big-endian number in some bytes.
  public static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

  /// Returns a number as big-endian bytes.
  public static func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
  }

  // MARK: Paths

  /// Changes the first box at a path relative to this one.
  public mutating func edit(_ path: String, _ change: (inout PlainBox) -> Void) {
    let steps = path.split(separator: "/")
    guard let first = steps.first else { return change(&self) }
    guard let place = children.firstIndex(where: { $0.type == first }) else { return }
    children[place].edit(steps.dropFirst().joined(separator: "/"), change)
  }

  /// Returns the first box at a path relative to this one; `nil` if there is none.
  public subscript(path: String) -> PlainBox? {
    path.split(separator: "/").reduce(Optional(self)) { box, step in
      box?.children.first { $0.type == step }
    }
  }

  /// Removes the children of some types from the box at a path.
  public mutating func remove(_ types: [String], in path: String) {
    edit(path) { box in box.children.removeAll { types.contains($0.type) } }
  }

  /// Writes a number to the fields of the box at a path.
  public mutating func patch(_ path: String, at offset: Int, _ number: UInt64, width: Int = 4) {
    edit(path) { box in
      box.fields.replaceSubrange(offset..<(offset + width), with: Self.bytes(number, width))
    }
  }
}
