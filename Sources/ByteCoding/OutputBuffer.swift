// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Collects text as UTF-8 and hands it on in large pieces, so that output of any length takes constant memory.
///
/// Tables of a million rows pass through it field by field. That is why it manages its own memory: an array in a
/// class would be checked for exclusive access and for other owners at every byte.
@safe
public final class OutputBuffer {
  private var memory: UnsafeMutableRawPointer
  private var capacity: Int
  private var count = 0
  private var handedOn = 0
  private let pieceSize: Int
  private let write: (([UInt8]) -> Void)?

  /// A buffer that keeps everything, for `text`.
  public init() {
    pieceSize = .max
    write = nil
    capacity = 512
    unsafe memory = .allocate(byteCount: capacity, alignment: 16)
  }

  /// A buffer that calls `write` with each full piece.
  public init(pieceSize: Int = 1 << 16, write: @escaping ([UInt8]) -> Void) {
    self.pieceSize = max(1, pieceSize)
    self.write = write
    capacity = max(1, pieceSize) + 512
    unsafe memory = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit { unsafe memory.deallocate() }

  private var pending: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: memory, count: count) }

  /// How many bytes have been collected, including those already handed on.
  public var total: Int { handedOn &+ count }

  /// What has been collected but not yet handed on.
  public var text: String { unsafe String(decoding: pending, as: UTF8.self) }

  /// Passes on the remaining bytes.
  public func flush() {
    guard let write, count > 0 else { return }
    let piece = unsafe [UInt8](pending)
    handedOn &+= count
    count = 0
    write(piece)
  }

  @inline(__always)
  private func flushIfFull() {
    if count >= pieceSize { flush() }
  }

  /// Makes room for another `count` bytes.
  @inline(__always)
  private func reserve(_ more: Int) {
    if more > capacity &- count { grow(by: more) }
  }

  @inline(never)
  private func grow(by more: Int) {
    let larger = max(2 * capacity, count + more)
    let new = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
    unsafe new.copyMemory(from: memory, byteCount: count)
    unsafe memory.deallocate()
    unsafe memory = new
    capacity = larger
  }

  @inline(__always)
  private func put(_ byte: UInt8) {
    unsafe memory.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count &+= 1
  }

  private func append(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    reserve(bytes.count)
    unsafe (memory + count).copyMemory(from: start, byteCount: bytes.count)
    count &+= bytes.count
    flushIfFull()
  }

  /// Appends text. A literal is not made a string for it: the other function takes it.
  @_disfavoredOverload
  public func append(_ text: String) {
    if text.isEmpty { return }
    let appended: Void? = unsafe text.utf8.withContiguousStorageIfAvailable {
      unsafe append(UnsafeRawBufferPointer($0))
    }
    if appended == nil { append(raw: Array(text.utf8)) }
  }

  /// Appends text.
  public func append(_ text: StaticString) {
    guard text.hasPointerRepresentation else { return append(text.description) }
    if text.utf8CodeUnitCount == 0 { return }
    unsafe append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends text between quotation marks, without escaping any of it.
  package func append(quoted text: StaticString) {
    guard text.hasPointerRepresentation else { return append("\"" + text.description + "\"") }
    unsafe append(quoted: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends text between quotation marks if no character of it has to be escaped there, which is nearly always so.
  /// - Returns: whether the text was appended.
  package func append(quotedIfPlain text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      let isPlain = unsafe bytes.allSatisfy { (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }
      if isPlain { unsafe append(quoted: UnsafeRawBufferPointer(bytes)) }
      return isPlain
    }
  }

  private func append(quoted bytes: UnsafeRawBufferPointer) {
    reserve(bytes.count &+ 2)
    put(0x22)
    if let start = bytes.baseAddress {
      unsafe (memory + count).copyMemory(from: start, byteCount: bytes.count)
      count &+= bytes.count
    }
    put(0x22)
    flushIfFull()
  }

  /// Appends a line break and spaces, after a comma if there is one to write.
  package func append(lineBreakAfterComma hasComma: Bool, spaces: Int) {
    reserve(spaces &+ 2)
    if hasComma { put(0x2C) }
    put(0x0A)
    unsafe (memory + count).initializeMemory(as: UInt8.self, repeating: 0x20, count: spaces)
    count &+= spaces
    flushIfFull()
  }

  /// Appends one byte of text.
  public func append(byte: UInt8) {
    reserve(1)
    put(byte)
    flushIfFull()
  }

  /// Appends bytes without treating them as text.
  public func append(raw bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe append($0) }
  }

  /// Appends a number in decimal digits.
  public func append(_ value: Int64) {
    if value < 0 { append(byte: 0x2D) }
    append(value.magnitude)
  }

  /// Appends a number in decimal digits, right-aligned in `width` columns, after at least one space.
  package func append(_ value: Int64, width: Int) {
    let length = value.magnitude.decimalDigits &+ (value < 0 ? 1 : 0)
    append(spaces: max(1, width &- length))
    append(value)
  }

  /// Appends a number in decimal digits.
  public func append(_ value: UInt64) {
    reserve(20)  // The largest number of digits.
    count &+= value.decimalDigits
    var place = count
    var left = value
    repeat {
      place &-= 1
      let (quotient, digit) = left.quotientAndRemainder(dividingBy: 10)
      unsafe memory.storeBytes(
        of: 0x30 &+ UInt8(truncatingIfNeeded: digit), toByteOffset: place, as: UInt8.self)
      left = quotient
    } while left > 0
    flushIfFull()
  }

  /// Appends a number in lower-case hexadecimal, padded with zeros to at least `digits`.
  package func append(hexadecimal value: UInt64, digits: Int = 1) {
    let digits = max(1, min(digits, 16), (67 - value.leadingZeroBitCount) / 4)
    reserve(digits)
    for left in (0..<digits).reversed() {
      put(hexadecimalDigit(UInt8(truncatingIfNeeded: value &>> UInt64(4 * left)) & 15))
    }
    flushIfFull()
  }

  /// Appends a four-character code.
  package func append(code: FourCC) {
    guard code.isASCII else { return append(code.description) }
    reserve(4)
    unsafe memory.storeBytes(of: code.rawValue.bigEndian, toByteOffset: count, as: UInt32.self)
    count &+= 4
    flushIfFull()
  }

  /// Appends `count` spaces.
  public func append(spaces count: Int) {
    guard count > 0 else { return }
    // Few are stored at once, with others after them that are written over: most indentations are few.
    reserve(max(count, 32))
    if count <= 32 {
      unsafe memory.storeBytes(
        of: SIMD32(repeating: 0x20), toByteOffset: self.count, as: SIMD32<UInt8>.self)
    } else {
      unsafe (memory + self.count).initializeMemory(as: UInt8.self, repeating: 0x20, count: count)
    }
    self.count &+= count
    flushIfFull()
  }

  /// Appends the first `limit` bytes in hexadecimal.
  public func append(hexadecimal bytes: ByteView, limit: Int) {
    let shown = min(bytes.count, max(0, limit))
    reserve(2 * shown)
    unsafe bytes.withUnsafeBytes { buffer in
      for index in 0..<shown {
        let byte = unsafe buffer[index]
        put(hexadecimalDigit(byte &>> 4))
        put(hexadecimalDigit(byte & 15))
      }
    }
    flushIfFull()
  }
}

extension OutputBuffer {
  /// Appends text, right-aligned in `width` columns, after at least one space.
  package func append(_ text: String, width: Int) {
    append(spaces: max(1, width - text.utf8.count))
    append(text)
  }

  /// Appends a number, right-aligned in `width` columns, after at least one space.
  package func append(_ number: Int, width: Int) { append(Int64(number), width: width) }
}

extension UInt64 {
  /// How many decimal digits the number has.
  package var decimalDigits: Int {
    var digits = 1
    var bound: UInt64 = 10
    while self >= bound {
      digits &+= 1
      let (next, overflow) = bound.multipliedReportingOverflow(by: 10)
      if overflow { break }
      bound = next
    }
    return digits
  }
}
