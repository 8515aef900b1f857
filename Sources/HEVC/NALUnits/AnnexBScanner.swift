// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// Finds the NAL units of a byte stream of any length, chunk by chunk, in constant memory.
///
/// Feed it the stream from its start with ``scan(_:_:)``, in chunks of any size, then call ``finish(_:)``. It
/// reports where each unit is, and its header; read the bytes from there if you need them. ISO/IEC 23008-2, annex
/// B
public struct AnnexBScanner: Sendable {
  /// A NAL unit found in the stream.
  public struct Unit: NALUnitDescription, Sendable, Hashable {
    /// The position of the unit in the stream, without its start code and the zeros after it.
    public let range: Range<Int>
    public let header: NALUnitHeader
    public let startsPicture: Bool
  }

  /// How many bytes have been scanned.
  public private(set) var position: Int
  /// Whether bytes other than zeros precede the first start code.
  public private(set) var hasLeadingBytes = false
  /// How many units were skipped because they are too short for a header.
  public private(set) var shortUnits = 0

  private var unitStart: Int?
  /// The first bytes of the unit, three at most.
  private var head: (UInt8, UInt8, UInt8) = (0, 0, 0)
  private var headCount = 0
  /// How many zeros immediately precede `position`.
  private var zeros = 0

  /// Starts at the beginning of a stream; `offset` is its position in the file.
  public init(offset: Int = 0) { position = offset }

  /// Scans the next chunk and passes on every unit that ends in it.
  public mutating func scan<E: Error>(
    _ chunk: ByteView, _ found: (Unit) throws(E) -> Void
  ) throws(E) {
    guard !chunk.isEmpty else { return }
    let chunkStart = position
    fillHead(from: chunk, at: 0)
    var index = 0
    // A start code may have begun in the previous chunk.
    let leading = chunk.zeroBytes(from: 0)
    if leading < 2, zeros + leading >= 2, chunk[leading] == 1 {
      try endUnit(at: chunkStart - zeros, found)
      index = leading + 1
      beginUnit(at: chunkStart + index, in: chunk, index)
    }
    while let code = chunk.startCode(from: index) {
      if unitStart == nil { noteLeading(chunk.prefix(code)) }
      let run = chunk.zeroBytes(before: code)
      try endUnit(at: chunkStart + code - run - (run == code ? zeros : 0), found)
      index = code + 3
      beginUnit(at: chunkStart + index, in: chunk, index)
    }
    if unitStart == nil { noteLeading(chunk) }
    let trailing = chunk.zeroBytes(before: chunk.count)
    zeros = trailing == chunk.count ? zeros + trailing : trailing
    position = chunkStart + chunk.count
  }

  /// Passes on the last unit.
  public mutating func finish<E: Error>(_ found: (Unit) throws(E) -> Void) throws(E) {
    try endUnit(at: position - zeros, found)
    unitStart = nil
  }

  private mutating func noteLeading(_ bytes: ByteView) {
    if !hasLeadingBytes { hasLeadingBytes = !bytes.isAllZero }
  }

  private mutating func beginUnit(at start: Int, in chunk: ByteView, _ index: Int) {
    unitStart = start
    headCount = 0
    fillHead(from: chunk, at: index)
  }

  private mutating func fillHead(from chunk: ByteView, at index: Int) {
    guard unitStart != nil else { return }
    var index = index
    while headCount < 3, let byte = chunk[index] {
      switch headCount {
      case 0: head.0 = byte
      case 1: head.1 = byte
      default: head.2 = byte
      }
      headCount += 1
      index += 1
    }
  }

  private mutating func endUnit<E: Error>(
    at end: Int, _ found: (Unit) throws(E) -> Void
  ) throws(E) {
    guard let start = unitStart else { return }
    guard end - start >= NALUnitHeader.byteCount else { return shortUnits += 1 }
    try found(
      Unit(
        range: start..<end, header: NALUnitHeader(first: head.0, second: head.1),
        startsPicture: end - start > NALUnitHeader.byteCount && head.2 & 0x80 != 0))
  }
}
