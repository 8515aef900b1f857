// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import FileAccess

/// A plan for writing a tree: ranges to be copied from sources, and bytes in memory between them.
///
/// All sizes are known, and every absolute offset points to its new position. A plan can be written, in constant
/// memory however large the movie is, and it can be read like the file that it describes: it is a `ByteSource`.
public struct WritePlan: ByteSource {
  /// A part of the output.
  public enum Piece: Sendable {
    /// Bytes in memory.
    case bytes(ByteView)
    /// A range of a source, copied unchanged.
    case range(Range<UInt64>, of: any ByteSource)

    /// The number of bytes in the piece.
    public var count: UInt64 {
      switch self {
      case .bytes(let bytes): UInt64(bytes.count)
      case .range(let range, _): range.upperBound - range.lowerBound
      }
    }
  }

  /// The pieces in order; none is empty.
  public let pieces: [Piece]
  /// Where each piece begins in the output.
  private let starts: [UInt64]
  /// The number of bytes in the output.
  public let byteCount: UInt64

  /// Makes a plan of pieces; empty ones are omitted.
  package init(pieces: [Piece]) throws(ParseError) {
    try self.init(pieces.filter { $0.count > 0 })
  }

  init(_ pieces: [Piece]) throws(ParseError) {
    var starts: [UInt64] = []
    starts.reserveCapacity(pieces.count)
    var end: UInt64 = 0
    for piece in pieces {
      starts.append(end)
      let (next, overflow) = end.addingReportingOverflow(piece.count)
      guard !overflow, next <= UInt64(Int64.max) else {
        throw ParseError(.invalidSize(next, reason: "exceeds the maximum file size"), offset: 0)
      }
      end = next
    }
    self.pieces = pieces
    self.starts = starts
    byteCount = end
  }

  public var size: UInt64? { byteCount }

  /// How many bytes are copied from sources; all others are in memory.
  public var copiedByteCount: UInt64 {
    pieces.reduce(0) { sum, piece in
      if case .range = piece { sum &+ piece.count } else { sum }
    }
  }

  public func read(_ range: Range<UInt64>) throws(SourceError) -> ByteView {
    var parts: [ByteView] = []
    try forEachPart(of: range) { (piece, _) throws(SourceError) in
      switch piece {
      case .bytes(let bytes): parts.append(bytes)
      case .range(let range, let source): parts.append(try source.read(range))
      }
      // A source that has become shorter ends the data: whatever follows would be at the wrong place.
      return UInt64(parts.last?.count ?? 0) == piece.count
    }
    guard let first = parts.first else { return .empty(at: range.lowerBound) }
    guard parts.count > 1 else { return first.copy(at: range.lowerBound) }
    return ByteView(joining: parts, fileOffset: Int(clamping: range.lowerBound))
  }

  /// Writes the pieces in order.
  public func write(to output: inout some ByteOutput) throws(SourceError) {
    try write(0..<byteCount, to: &output)
  }

  /// Writes a part of the output. Bytes from another plan are copied from its sources, so that they can be copied
  /// from file to file.
  private func write(_ range: Range<UInt64>, to output: inout some ByteOutput) throws(SourceError) {
    try forEachPart(of: range) { (part, _) throws(SourceError) in
      switch part {
      case .bytes(let bytes): try output.write(bytes)
      case .range(let range, let source): try output.copy(range, of: source)
      }
      return true
    }
  }

  /// Calls `body` with what a range consists of, and with where each part is in the output, as long as it returns `true`. Of
  /// other plans, their parts are passed.
  ///
  /// - Returns: whether `body` always returned `true`.
  @discardableResult
  func forEachPart(
    of range: Range<UInt64>, _ body: (Piece, UInt64) throws(SourceError) -> Bool
  ) throws(SourceError) -> Bool {
    var index = max(0, starts.partitionIndex { $0 <= range.lowerBound } - 1)
    while index < pieces.count, starts[index] < range.upperBound {
      let first = max(range.lowerBound, starts[index]) - starts[index]
      let last = min(range.upperBound - starts[index], pieces[index].count)
      let place = starts[index] + first
      index += 1
      guard first < last else { continue }
      switch pieces[index - 1] {
      case .bytes(let bytes):
        let part = bytes.suffix(from: Int(clamping: first)).prefix(Int(clamping: last - first))
        guard try body(.bytes(part), place) else { return false }
      case .range(let copied, let source):
        let part = (copied.lowerBound + first)..<(copied.lowerBound + last)
        guard let plan = source.exactly(WritePlan.self) else {
          guard try body(.range(part, of: source), place) else { return false }
          continue
        }
        let goesOn = try plan.forEachPart(of: part) { (piece, offset) throws(SourceError) in
          try body(piece, place + (offset - part.lowerBound))
        }
        guard goesOn else { return false }
      }
    }
    return true
  }

  /// The output in memory, at most `limit` bytes.
  func encoded(limit: Int) throws(ParseError) -> [UInt8] {
    guard byteCount <= UInt64(clamping: limit) else {
      throw ParseError(.limitExceeded(limit: "maximumBoxBytes", value: byteCount), offset: 0)
    }
    var output = MemoryOutput(reserving: Int(byteCount))
    do { try write(to: &output) } catch { throw ParseError(.invalid("cannot be read: \(error)"), offset: 0) }
    return output.bytes
  }
}

/// Collects the pieces of a plan, and joins those that are adjacent in the same source, or in memory.
struct PieceCollector {
  private var pieces: [WritePlan.Piece] = []
  private var memory: [UInt8] = []
  private var copied: Copied?

  /// Bytes that are contiguous in a file.
  private struct Copied {
    var origin: BoxOrigin
    var range: Range<Int>
    /// The bytes, as long as they are loaded and few.
    var loaded: [ByteView]
  }

  /// Bytes in memory of at least this size form a separate piece, and are not copied.
  private static let ownPiece = 1 << 16
  /// Loaded bytes of at most this size are not read from the source again.
  private static let small = 1 << 12

  mutating func append(_ bytes: ByteView) {
    guard !bytes.isEmpty else { return }
    finishCopied()
    guard bytes.count >= Self.ownPiece else { return memory.append(contentsOf: bytes) }
    finishMemory()
    pieces.append(.bytes(bytes))
  }

  /// Adds the bytes of a file.
  mutating func append(_ range: Range<Int>, of origin: BoxOrigin, loaded: ByteView) throws(ParseError) {
    guard !range.isEmpty else { return }
    guard origin.source != nil, range.lowerBound >= origin.start else {
      guard loaded.count == range.count else {
        throw ParseError(.missing("the source of the box"), offset: range.lowerBound)
      }
      return append(loaded)
    }
    if let last = copied, last.origin !== origin || last.range.upperBound != range.lowerBound {
      finishCopied()
    }
    var run = copied ?? Copied(origin: origin, range: range.lowerBound..<range.lowerBound, loaded: [])
    copied = nil
    let wasLoaded = run.range.isEmpty || !run.loaded.isEmpty
    run.range = run.range.lowerBound..<range.upperBound
    if wasLoaded, run.range.count <= Self.small, loaded.count == range.count {
      run.loaded.append(loaded)
    } else {
      run.loaded = []
    }
    copied = run
  }

  /// Adds all bytes of a source.
  mutating func append(allOf source: some ByteSource) {
    finishMemory()
    finishCopied()
    if let size = source.size, size > 0 { pieces.append(.range(0..<size, of: source)) }
  }

  private mutating func finishMemory() {
    guard !memory.isEmpty else { return }
    pieces.append(.bytes(ByteView(memory)))
    memory.removeAll(keepingCapacity: true)
  }

  private mutating func finishCopied() {
    guard let run = copied, let source = run.origin.source else { return }
    copied = nil
    guard run.loaded.isEmpty else {
      for bytes in run.loaded { memory.append(contentsOf: bytes) }
      return
    }
    finishMemory()
    let first = UInt64(run.range.lowerBound - run.origin.start)
    pieces.append(.range(first..<(first + UInt64(run.range.count)), of: source))
  }

  mutating func finish() throws(ParseError) -> WritePlan {
    finishCopied()
    finishMemory()
    return try WritePlan(pieces)
  }
}
