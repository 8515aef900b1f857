// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Views that own their memory.
extension ByteView {
  /// Allocates `capacity` bytes and lets `fill` write them; `fill` returns how many it wrote. What a system call
  /// reads arrives without a copy.
  @unsafe
  package init<E: Error>(
    capacity: Int, fileOffset: Int, filledBy fill: (UnsafeMutableRawBufferPointer) throws(E) -> Int
  ) throws(E) {
    let storage = try unsafe ByteStorage(capacity: capacity, origin: fileOffset) { buffer throws(E) in
      (try unsafe fill(buffer), [])
    }
    self.init(storage: storage, start: 0, end: storage.count)
  }

  /// The same bytes in memory of their own, so that a few bytes do not keep many alive.
  package func copy() -> ByteView { unsafe ByteView(rawBuffer, fileOffset: fileOffset) }

  /// The same bytes in memory of their own, at another file offset.
  package func copy(at offset: UInt64) -> ByteView {
    unsafe ByteView(rawBuffer, fileOffset: Int(clamping: offset))
  }

  /// The bytes of all `pieces`, concatenated.
  package init(joining pieces: [ByteView], fileOffset: Int) {
    let count = pieces.reduce(0) { $0 + $1.count }
    unsafe self.init(capacity: count, fileOffset: fileOffset) { memory in
      var position = 0
      for piece in pieces {
        unsafe piece.withUnsafeBytes { bytes in
          // In bounds: there is room for the sum of all.
          unsafe UnsafeMutableRawBufferPointer(rebasing: memory[position...]).copyMemory(from: bytes)
        }
        position += piece.count
      }
      return position
    }
  }

  /// The memory that the bytes are in, and the place of each in it: bytes at the same place are the same.
  package var place: (memory: ObjectIdentifier, range: Range<Int>) {
    (ObjectIdentifier(storage), start..<end)
  }

  /// An empty view at an offset in a file.
  package static func empty(at offset: UInt64) -> ByteView { ByteView([], fileOffset: Int(clamping: offset)) }
}

extension [UInt8] {
  /// Appends the bytes of a view.
  package mutating func append(contentsOf view: ByteView) { unsafe append(contentsOf: view.rawBuffer) }
}
