// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// A descriptor that cannot seek, such as standard input connected to a pipe.
///
/// It is read forward, only as far as requested. A read that starts at or after the last byte received always
/// succeeds; reading earlier bytes works if they were kept. While one thread waits for the pipe, others wait too.
public final class PipeBytes: ByteSource {
  /// Which bytes are kept after they have passed, so that they can be read again.
  public enum Policy: Sendable, Hashable {
    /// The top-level boxes with metadata, in memory; of media data and free space, the first 256 KiB in all and
    /// the most recent bytes. Data that does not begin with a box is kept whole, in a temporary file.
    case metadata
    /// Everything, in an unnamed temporary file.
    case everything
    /// Only the most recent bytes: for readers that go forward once.
    case recent
  }

  private struct State {
    /// Bytes that have arrived but not yet been consumed.
    var pending = ByteView()
    /// How many bytes have been consumed.
    var position: UInt64 = 0
    var isAtEnd = false
    var hasStarted = false
    /// The most recent bytes, kept or not: readers that use windows come back to the ends of them.
    var recent = PieceList()
    var kept = PieceList()
    var keptBytes = 0
    var walk = TopLevelWalk()
    var spool: FileBytes?
    var spoolDescriptor: Int32 = -1
    var failure: SourceError?
  }

  /// Which bytes are kept.
  public let policy: Policy
  private let descriptor: Int32
  private let ownsDescriptor: Bool
  private let label: String
  private let limit: Int
  private let calls: SystemCalls
  private let state = Locked(State())

  private static let recentPieces = 4
  /// The least number of bytes for which a reader that only moves forward gets the memory that was read into,
  /// without a copy.
  private static let directBytes = PieceList.pieceBytes
  /// The largest number of bytes that are read like that at a time.
  private static let poolBytes = 1 << 20
  private let pool = BytePool(blockBytes: PipeBytes.poolBytes)
  private static let spoolName = " (temporary file)"

  /// Reads `descriptor`, which must be open for reading.
  ///
  /// - Parameters:
  ///   - descriptor: the descriptor to read.
  ///   - name: its name in errors.
  ///   - owned: whether the descriptor is closed when this object is released.
  ///   - policy: which bytes are kept after they have passed.
  ///   - limit: how many bytes may be kept in memory.
  public convenience init(
    descriptor: Int32, name: String = "pipe", owned: Bool = false, keeping policy: Policy,
    limit: Int = Limits.standard.maximumBoxBytes
  ) {
    self.init(
      descriptor: descriptor, name: name, owned: owned, keeping: policy, limit: limit, calls: .standard)
  }

  init(
    descriptor: Int32, name: String, owned: Bool, keeping policy: Policy, limit: Int, calls: SystemCalls
  ) {
    self.descriptor = descriptor
    label = name
    self.policy = policy
    self.limit = limit
    self.calls = calls
    ownsDescriptor = owned
  }

  deinit { if ownsDescriptor { closeDescriptor(descriptor) } }

  public var name: String? { label }

  /// `nil` until the pipe has ended.
  public var size: UInt64? { state.withLock { $0.isAtEnd ? $0.position : nil } }

  public func read(_ range: Range<UInt64>) throws(SourceError) -> ByteView {
    try state.withLock { state throws(SourceError) in
      do throws(SourceError) { return try read(&state, range) } catch {
        switch error.code {
        case .notKept, .tooLong: break
        default: state.failure = state.failure ?? error
        }
        throw error
      }
    }
  }

  private func read(_ state: inout State, _ range: Range<UInt64>) throws(SourceError) -> ByteView {
    let end = min(range.upperBound, UInt64(Int.max))
    guard range.lowerBound < end else { return .empty(at: range.lowerBound) }
    if let bytes = try readDirectly(&state, range.lowerBound..<end) { return bytes }
    let before = state.position
    var passing: [UInt8] = []
    try advance(&state, to: end, collectingFrom: range.lowerBound, &passing)
    if let spool = state.spool {
      return try spool.read(range.lowerBound..<max(range.lowerBound, min(end, state.position)))
    }
    guard range.lowerBound < before else {
      return ByteView(passing, fileOffset: Int(clamping: range.lowerBound))
    }
    var pieces = try keptPieces(state, range.lowerBound..<min(end, before))
    if pieces.count == 1, passing.isEmpty { return pieces[0] }
    pieces.append(ByteView(passing))
    return ByteView(joining: pieces, fileOffset: Int(clamping: range.lowerBound))
  }

  /// The first error other than that bytes were not kept, or too many; `nil` without one.
  var firstFailure: SourceError? { state.withLock { $0.failure } }

  /// Reads the next bytes into separate memory, if nothing else is requested; otherwise `nil`.
  private func readDirectly(_ state: inout State, _ range: Range<UInt64>) throws(SourceError) -> ByteView? {
    guard policy == .recent, state.hasStarted, state.pending.isEmpty, !state.isAtEnd,
      range.lowerBound == state.position, range.length >= Self.directBytes, range.length <= Self.poolBytes
    else { return nil }
    let bytes: ByteView
    let count = Int(range.length)
    do {
      bytes = try unsafe ByteView(of: pool, capacity: count, fileOffset: Int(clamping: range.lowerBound)) {
        buffer throws(SystemError) in
        var done = 0
        while done < buffer.count {
          let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
          let count = try unsafe calls.next(rest, from: descriptor)
          if count == 0 { break }
          done += count
        }
        return done
      }
    } catch { throw error.sourceError(offset: state.position, path: label) }
    state.isAtEnd = bytes.count < count
    state.position += UInt64(bytes.count)
    state.recent.append(bytes, copying: false)
    state.recent.dropFirst(keeping: Self.recentPieces)
    return bytes
  }

  /// Reads bytes from the pipe up to `end`, keeps those that the policy keeps, and copies those from `start` on.
  private func advance(
    _ state: inout State, to end: UInt64, collectingFrom start: UInt64, _ passing: inout [UInt8]
  ) throws(SourceError) {
    if !state.hasStarted { try begin(&state) }
    while state.position < end {
      if state.pending.isEmpty { try refill(&state) }
      if state.isAtEnd { return }
      var run = state.pending.prefix(Int(clamping: end - state.position))
      if state.spool != nil {
        try spool(state, run)
      } else {
        let (count, isKept) = policy == .recent ? (run.count, false) : state.walk.next(run)
        run = run.prefix(count)
        if isKept { try keep(&state, run) }
        if state.position + UInt64(count) > start {
          let wanted = run.suffix(from: Int(clamping: start > state.position ? start - state.position : 0))
          guard wanted.count <= limit - passing.count else { throw tooLong(state) }
          passing.append(contentsOf: wanted)
        }
      }
      state.pending = state.pending.suffix(from: run.count)
      state.position += UInt64(run.count)
    }
  }

  /// Looks at the first bytes, which show whether this is a movie at all.
  private func begin(_ state: inout State) throws(SourceError) {
    while state.pending.count < 8, !state.isAtEnd {
      let before = state.pending
      try refill(&state)
      if !before.isEmpty { state.pending = ByteView(joining: [before, state.pending], fileOffset: 0) }
    }
    state.isAtEnd = state.pending.isEmpty
    widenPipe(descriptor)
    if policy == .everything || policy == .metadata && !TopLevelWalk.looksLikeBox(state.pending) {
      let folder = temporaryFolder()
      do { state.spoolDescriptor = try openScratchFile(in: folder) } catch {
        throw SourceError(
          .other("no temporary file can be made in \(folder): \(error.reason) (\(error.name))"), path: label,
          advice: "Set TMPDIR to a folder that can be written.")
      }
      state.spool = try FileBytes(
        descriptor: state.spoolDescriptor, path: label + Self.spoolName, owned: true)
    }
    state.hasStarted = true
  }

  private func refill(_ state: inout State) throws(SourceError) {
    // Bytes are pending only at the start: the first ones are examined together.
    let origin = Int(clamping: state.position + UInt64(state.pending.count))
    do {
      state.pending = try unsafe ByteView(capacity: PieceList.pieceBytes, fileOffset: origin) {
        buffer throws(SystemError) in try unsafe calls.next(buffer, from: descriptor)
      }
    } catch {
      throw error.sourceError(offset: state.position, path: label)
    }
    state.recent.append(state.pending, copying: false)
    state.recent.dropFirst(keeping: Self.recentPieces)
    state.isAtEnd = state.pending.isEmpty
  }

  private func keep(_ state: inout State, _ bytes: ByteView) throws(SourceError) {
    guard bytes.count <= limit - state.keptBytes else { throw tooLong(state) }
    state.kept.append(bytes, copying: true)
    state.keptBytes += bytes.count
  }

  private func spool(_ state: State, _ bytes: ByteView) throws(SourceError) {
    do {
      try unsafe bytes.withUnsafeBytes { buffer throws(SystemError) in
        try unsafe calls.store(buffer, to: state.spoolDescriptor, at: state.position)
      }
    } catch {
      var reason = error.sourceError(offset: state.position, path: label + Self.spoolName)
      reason.advice = Advice(
        "It is kept in a temporary file in \(temporaryFolder()): set TMPDIR to a folder with more room.")
      throw reason
    }
  }

  private func keptPieces(_ state: State, _ range: Range<UInt64>) throws(SourceError) -> [ByteView] {
    var pieces: [ByteView] = []
    var position = Int(clamping: range.lowerBound)
    let end = Int(clamping: range.upperBound)
    while position < end {
      // The most recent bytes may be kept as well; they are the same.
      guard
        let piece = state.kept.bytes(from: position, to: end) ?? state.recent.bytes(from: position, to: end)
      else {
        throw SourceError(
          .notKept, offset: UInt64(clamping: position), path: label,
          advice: "Give the movie as a file, or let the pipe keep everything.")
      }
      pieces.append(piece)
      position = min(end, piece.fileRange.upperBound)
    }
    return pieces
  }

  private func tooLong(_ state: State) -> SourceError {
    SourceError(
      .tooLong(limit: UInt64(clamping: limit)), offset: state.position, path: label,
      advice: "Give the movie as a file, or raise the limit.")
  }

  /// How many bytes are held in memory: for tests.
  var keptBytes: Int { state.withLock { $0.keptBytes } }
  var keptPieces: Int { state.withLock { $0.kept.count } }
}
