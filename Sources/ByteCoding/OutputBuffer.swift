// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Collects text as UTF-8 and hands it on in large pieces, so that output of any length takes constant memory.
public final class OutputBuffer {
  private var pending: [UInt8] = []
  private let pieceSize: Int
  private let write: (([UInt8]) -> Void)?

  /// A buffer that keeps everything, for `text`.
  public init() {
    pieceSize = .max
    write = nil
  }

  /// A buffer that calls `write` with each full piece.
  public init(pieceSize: Int = 1 << 16, write: @escaping ([UInt8]) -> Void) {
    self.pieceSize = pieceSize
    self.write = write
    pending.reserveCapacity(pieceSize + 512)
  }

  /// What has been collected and not yet handed on.
  public var text: String { String(decoding: pending, as: UTF8.self) }

  /// Hands on what is left.
  public func flush() {
    guard let write, !pending.isEmpty else { return }
    write(pending)
    pending.removeAll(keepingCapacity: true)
  }

  @inline(__always)
  private func flushIfFull() {
    if pending.count >= pieceSize { flush() }
  }

  /// Appends text.
  public func append(_ text: String) {
    pending.append(contentsOf: text.utf8)
    flushIfFull()
  }

  /// Appends text.
  public func append(_ text: StaticString) {
    if text.hasPointerRepresentation {
      unsafe pending.append(
        contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    } else {
      pending.append(contentsOf: text.description.utf8)
    }
    flushIfFull()
  }

  /// Appends one byte of text.
  public func append(byte: UInt8) {
    pending.append(byte)
    flushIfFull()
  }

  /// Appends bytes that are no text.
  public func append(raw bytes: [UInt8]) {
    pending.append(contentsOf: bytes)
    flushIfFull()
  }

  /// Appends a number in decimal digits.
  public func append(_ value: Int64) {
    if value < 0 { pending.append(0x2D) }
    append(value.magnitude)
  }

  /// Appends a number in decimal digits.
  public func append(_ value: UInt64) {
    if value < 10 {
      pending.append(0x30 + UInt8(truncatingIfNeeded: value))
      return flushIfFull()
    }
    var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)  // 20 digits at most
    var left = value
    var count = 0
    unsafe withUnsafeMutableBytes(of: &digits) { buffer in
      while left > 0 {
        let (quotient, remainder) = left.quotientAndRemainder(dividingBy: 10)
        unsafe buffer[23 - count] = 0x30 + UInt8(truncatingIfNeeded: remainder)
        left = quotient
        count += 1
      }
      unsafe pending.append(contentsOf: buffer[(24 - count)...])
    }
    flushIfFull()
  }

  /// Appends that many spaces.
  public func append(spaces count: Int) {
    for _ in 0..<max(0, count) { pending.append(0x20) }
  }

  /// Appends at most `limit` bytes in hexadecimal.
  public func append(hexadecimal bytes: ByteView, limit: Int) {
    unsafe bytes.withUnsafeBytes { buffer in
      for index in 0..<min(buffer.count, max(0, limit)) {
        let byte = unsafe buffer[index]
        pending.append(hexadecimalDigit(byte &>> 4))
        pending.append(hexadecimalDigit(byte & 15))
      }
    }
    flushIfFull()
  }
}
