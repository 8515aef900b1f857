// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Memory for bytes that come and go in blocks of one size: what is no longer looked at is used for the next ones.
///
/// To take a megabyte from the system, page by page, and to give it back takes as long as to fill it. A view that is kept keeps its
/// block; the pool has as many as are in use at a time, and a few more.
@safe
package final class BytePool: @unchecked Sendable {
  // `@unchecked`: blocks that are free are touched under the lock only. `@safe`: each is in one place, free or in one storage.

  /// How many bytes a block holds.
  package let blockBytes: Int
  private let free = Locked<[Block]>([])

  /// Memory that is in one place at a time.
  @safe
  private struct Block: @unchecked Sendable {
    // `@unchecked`, `@safe`: it is handed from one place to the other.
    let memory: UnsafeMutableRawPointer
  }

  /// How many blocks are kept for later; others go back to the system.
  private static let keptBlocks = 4

  /// A pool without memory.
  package init(blockBytes: Int) { self.blockBytes = max(1, blockBytes) }

  deinit {
    free.withLock { blocks in
      for block in blocks { unsafe block.memory.deallocate() }
    }
  }

  /// Memory for a block, and the padding after it.
  func take() -> UnsafeMutableRawPointer {
    if let block = free.withLock({ $0.popLast() }) { return unsafe block.memory }
    return .allocate(byteCount: blockBytes + ByteStorage.padding, alignment: 4096)
  }

  /// Takes back what ``take()`` gave.
  func giveBack(_ memory: UnsafeMutableRawPointer) {
    let block = unsafe Block(memory: memory)
    let isKept = free.withLock { blocks in
      guard blocks.count < Self.keptBlocks else { return false }
      blocks.append(block)
      return true
    }
    if !isKept { unsafe memory.deallocate() }
  }
}

/// Collects bytes in a block of a pool, and hands them on as a view without copying them once more.
@safe
package final class ByteCollector {
  private let pool: BytePool
  private var block: UnsafeMutableRawPointer?
  /// How many bytes there are.
  package private(set) var count = 0

  /// Collects at most as many bytes as a block of the pool holds.
  package init(_ pool: BytePool) { self.pool = pool }

  deinit { if let block = unsafe block { unsafe pool.giveBack(block) } }

  /// How many bytes fit in.
  package var room: Int { pool.blockBytes - count }

  /// Appends as many of the bytes as fit in; answers how many.
  package func append(_ bytes: ByteView) -> Int {
    let taken = min(bytes.count, room)
    guard taken > 0 else { return 0 }
    let memory: UnsafeMutableRawPointer
    if let block = unsafe block {
      unsafe memory = block
    } else {
      unsafe memory = pool.take()
      unsafe block = memory
    }
    unsafe bytes.withUnsafeBytes { buffer in
      // In bounds: there is room for as many, and there are as many.
      guard let start = buffer.baseAddress else { return }
      unsafe (memory + count).copyMemory(from: start, byteCount: taken)
    }
    count += taken
    return taken
  }

  /// All bytes, whose memory goes back to the pool when nobody looks at them any more; afterwards there are none.
  package func takeView() -> ByteView {
    guard let taken = unsafe block else { return ByteView() }
    defer {
      unsafe block = nil
      count = 0
    }
    return unsafe ByteView(adopting: taken, count: count, of: pool, fileOffset: 0)
  }
}

extension ByteView {
  /// Takes a block of a pool and lets `fill` write into the first `capacity` bytes of it; it answers how many it wrote. More than a
  /// block holds is memory of its own.
  @unsafe
  package init<E: Error>(
    of pool: BytePool, capacity: Int, fileOffset: Int,
    filledBy fill: (UnsafeMutableRawBufferPointer) throws(E) -> Int
  ) throws(E) {
    guard capacity <= pool.blockBytes else {
      try unsafe self.init(capacity: capacity, fileOffset: fileOffset, filledBy: fill)
      return
    }
    let block = unsafe pool.take()
    let count: Int
    do { count = try unsafe fill(UnsafeMutableRawBufferPointer(start: block, count: capacity)) } catch {
      unsafe pool.giveBack(block)
      throw error
    }
    unsafe self.init(adopting: block, count: count, of: pool, fileOffset: fileOffset)
  }

  @unsafe
  fileprivate init(
    adopting block: UnsafeMutableRawPointer, count: Int, of pool: BytePool, fileOffset: Int
  ) {
    let storage = unsafe ByteStorage(adopting: block, count: count, of: pool, origin: fileOffset)
    self.init(storage: storage, start: 0, end: count)
  }
}
