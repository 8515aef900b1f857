// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// How much a ``CachedBytes`` reads ahead, and how much it keeps.
public struct CachePolicy: Sendable, Hashable {
  /// How many bytes one request asks for, at least.
  public var smallestRead: Int
  /// How many bytes requests grow to: while reading continues where it ended, each asks for twice as many as the
  /// previous one.
  public var largestRead: Int
  /// How many bytes are kept, approximately; the least recently used are discarded first.
  public var capacity: Int

  /// Makes a policy. Requests ask for at least 4 KiB, and at most a quarter of `capacity`.
  public init(smallestRead: Int = 64 << 10, largestRead: Int = 4 << 20, capacity: Int = 64 << 20) {
    self.capacity = max(64 << 10, capacity)
    self.smallestRead = min(max(4 << 10, smallestRead), self.capacity / 4)
    self.largestRead = min(max(self.smallestRead, largestRead), self.capacity / 4)
  }

  /// For a server some milliseconds away: requests of 64 KiB to 4 MiB, 64 MiB kept.
  public static let standard = CachePolicy()
}

/// A source that requests large pieces from another one, ahead of what is needed, and keeps them: for sources
/// where each request costs time, such as a server.
///
/// Reading a movie takes many small reads close together. Here they become few requests, and as long as the file
/// fits into the cache, no byte is requested twice.
public final class CachedBytes: ByteSource {
  /// How much is read ahead and kept.
  public let policy: CachePolicy
  /// Where the bytes come from.
  public let source: any ByteSource
  private let state = Locked(State())
  /// Held while a request is in progress: if two threads need the same bytes, the second finds them in the cache.
  private let gate = Locked(())
  /// Throws if the current thread must not wait for bytes.
  private let mayWait: @Sendable () throws(SourceError) -> Void

  private static let blockBytes: UInt64 = 16 << 10

  private struct Block {
    let bytes: ByteView
    var lastUse: UInt64
  }

  private struct State {
    var blocks: [UInt64: Block] = [:]
    var clock: UInt64 = 0
    /// Where the last request ended.
    var lastEnd: UInt64 = .max
    /// The number of bytes that it requested.
    var lastRead = 0
    /// Where the data was found to end; `.max` while unknown.
    var knownEnd = UInt64.max
    var requests = 0
    var bytes: UInt64 = 0
  }

  /// Reads `source` through a cache.
  public convenience init(_ source: some ByteSource, policy: CachePolicy = .standard) {
    self.init(source, policy: policy) { () throws(SourceError) in }
  }

  package init(
    _ source: some ByteSource, policy: CachePolicy,
    mayWait: @escaping @Sendable () throws(SourceError) -> Void
  ) {
    self.source = source
    self.policy = policy
    self.mayWait = mayWait
  }

  public var size: UInt64? { source.size }

  public var name: String? { source.name }

  /// How many requests the source has answered, and how many bytes they brought.
  public var statistics: (requests: Int, bytes: UInt64) { state.withLock { ($0.requests, $0.bytes) } }

  public func read(_ range: Range<UInt64>) throws(SourceError) -> ByteView {
    while true {
      let end = min(range.upperBound, source.size ?? .max, state.withLock { $0.knownEnd }, UInt64(Int.max))
      guard range.lowerBound < end else { return .empty(at: range.lowerBound) }
      if let kept = kept(range.lowerBound..<end) { return kept }
      try mayWait()
      // A range that is larger than the cache may keep is not cached.
      if end - range.lowerBound > UInt64(policy.capacity / 2) {
        let bytes = try source.read(range.lowerBound..<end)
        count(bytes)
        return bytes
      }
      try gate.withLock { _ throws(SourceError) in try fetch(range.lowerBound..<end) }
    }
  }

  /// The bytes of a range, if all are kept.
  private func kept(_ range: Range<UInt64>) -> ByteView? {
    let first = range.lowerBound / Self.blockBytes, last = (range.upperBound - 1) / Self.blockBytes
    return state.withLock { state -> ByteView? in
      var pieces: [ByteView] = []
      for index in first...last {
        guard let block = state.blocks[index] else { return nil }
        let start = index * Self.blockBytes
        let lower = max(range.lowerBound, start), upper = min(range.upperBound, start + Self.blockBytes)
        guard let piece = block.bytes.slice(Int(lower - start)..<Int(upper - start)) else { return nil }
        pieces.append(piece)
      }
      state.clock += 1
      for index in first...last { state.blocks[index]?.lastUse = state.clock }
      guard pieces.count == 1 else { return ByteView(joining: pieces, fileOffset: Int(range.lowerBound)) }
      return pieces[0].copy(at: range.lowerBound)
    }
  }

  /// Requests the first bytes of a range that are not kept, and some more.
  private func fetch(_ range: Range<UInt64>) throws(SourceError) {
    guard let wanted = nextRequest(for: range) else { return }
    let bytes = try source.read(wanted)
    keep(bytes, of: wanted)
  }

  private func nextRequest(for range: Range<UInt64>) -> Range<UInt64>? {
    let end = min(source.size ?? .max, UInt64(Int.max))
    return state.withLock { state in
      let last = (range.upperBound - 1) / Self.blockBytes
      var first = range.lowerBound / Self.blockBytes
      // The kept part of the range is in use: it is not discarded to make room for the rest.
      state.clock += 1
      for index in first...last { state.blocks[index]?.lastUse = state.clock }
      while first <= last, state.blocks[first] != nil { first += 1 }
      // Another thread has requested them in the meantime, or the data ends before them.
      guard first <= last else { return nil }
      let start = first * Self.blockBytes
      let isSequential = start == state.lastEnd
      let ahead = isSequential ? min(state.lastRead * 2, policy.largestRead) : policy.smallestRead
      let least = max(range.upperBound, start + UInt64(ahead))
      var next = first + 1
      while next * Self.blockBytes < min(least, end), state.blocks[next] == nil { next += 1 }
      return start..<min(next * Self.blockBytes, end)
    }
  }

  private func keep(_ bytes: ByteView, of wanted: Range<UInt64>) {
    state.withLock { state in
      state.requests += 1
      state.bytes &+= UInt64(bytes.count)
      state.lastEnd = wanted.upperBound
      state.lastRead = Int(wanted.upperBound - wanted.lowerBound)
      var offset = 0
      while offset < bytes.count {
        let piece = bytes.suffix(from: offset).prefix(Int(Self.blockBytes))
        let start = wanted.lowerBound + UInt64(offset)
        state.blocks[start / Self.blockBytes] = Block(bytes: piece.copy(at: start), lastUse: state.clock)
        offset += piece.count
      }
      // Fewer bytes than requested: the data ends here.
      if bytes.count < Int(wanted.upperBound - wanted.lowerBound) {
        state.knownEnd = wanted.lowerBound + UInt64(bytes.count)
      }
      evict(&state)
    }
  }

  private func count(_ bytes: ByteView) {
    state.withLock {
      $0.requests += 1
      $0.bytes &+= UInt64(bytes.count)
    }
  }

  /// Discards the least recently used blocks, a quarter of the capacity at once, so that the search for them is
  /// rare.
  private func evict(_ state: inout State) {
    let most = policy.capacity / Int(Self.blockBytes)
    guard state.blocks.count > most else { return }
    let oldest = state.blocks.sorted { $0.value.lastUse < $1.value.lastUse }.prefix(
      state.blocks.count - most * 3 / 4)
    for (index, block) in oldest where block.lastUse < state.clock { state.blocks[index] = nil }
  }
}
