// swift-multiview · SPDX-License-Identifier: Apache-2.0

extension ByteView {
  /// These bytes without their emulation prevention bytes: every `03` that follows two zeros. ISO/IEC 23008-2,
  /// 7.3.1.1
  ///
  /// If there are none, returns the same view and copies nothing. Otherwise the new bytes remember which bytes
  /// were removed: file offsets, and with them the places of errors, stay right. To look at the beginning only,
  /// apply ``prefix(_:)`` first. Call this once: its result may legitimately contain `00 00 03`.
  public func removingEmulationPrevention() -> ByteView {
    let source = unsafe UnsafeRawPointer(storage.base)
    defer { withExtendedLifetime(storage) {} }
    guard
      let first = unsafe indexOfZeroPair(before: 3, in: source, from: start, to: end)
    else { return self }
    let (start, end) = (start, end)
    let copy = unsafe ByteStorage(capacity: count &- 1, origin: fileOffset) { memory in
      var removals: ContiguousArray<Int> = []
      var written = 0
      var next = start
      var pair: Int? = first
      while let found = pair {
        // The two zeros stay, the byte after them is removed.
        let length = found &+ 2 &- next
        unsafe UnsafeMutableRawBufferPointer(rebasing: memory[written...])
          .copyMemory(from: UnsafeRawBufferPointer(start: source + next, count: length))
        written &+= length
        removals.append(written)
        next = found &+ 3
        pair = unsafe indexOfZeroPair(before: 3, in: source, from: next, to: end)
      }
      unsafe UnsafeMutableRawBufferPointer(rebasing: memory[written...])
        .copyMemory(from: UnsafeRawBufferPointer(start: source + next, count: end &- next))
      return (written &+ (end &- next), removals)
    }
    return ByteView(storage: copy, start: 0, end: copy.count)
  }
}

extension [UInt8] {
  /// These bytes of an RBSP with emulation prevention bytes, so that no start code can appear in them.
  ///
  /// If they end in two zeros, as an RBSP with `cabac_zero_words` does, a `03` is appended.
  /// ISO/IEC 23008-2, 7.4.2
  public func insertingEmulationPrevention() -> [UInt8] {
    var escaped: [UInt8] = []
    escaped.reserveCapacity(count + count / 64 + 4)
    var zeros = 0
    for byte in self {
      if zeros >= 2, byte <= 3 {
        escaped.append(3)
        zeros = 0
      }
      escaped.append(byte)
      zeros = byte == 0 ? zeros + 1 : 0
    }
    if zeros >= 2 { escaped.append(3) }
    return escaped
  }
}
