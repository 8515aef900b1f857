// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Memory in blocks of one size, which are reused when their bytes are no longer referenced.
///
/// Allocating a megabyte from the system, page by page, and freeing it takes as long as filling it. A view
/// keeps its block; the pool has as many blocks as are in use at a time, and a few more.
@safe
package final class BytePool: @unchecked Sendable {
  // `@unchecked`: blocks that are free are touched under the lock only. `@safe`: each is in one place, free or in one storage.

  /// The number of bytes of a block.
  package let blockBytes: Int
  private let free = Locked<[Block]>([])

  /// Memory that is in one place at a time.
  @safe
  private struct Block: @unchecked Sendable {
    // `@unchecked`, `@safe`: it is handed from one place to the other.
    let memory: UnsafeMutableRawPointer
  }

  /// The largest number of free blocks that are kept; others are freed.
  private static let keptBlocks = 4

  /// Makes a pool without memory.
  package init(blockBytes: Int) { self.blockBytes = max(1, blockBytes) }

  deinit {
    free.withLock { blocks in
      for block in blocks { unsafe block.memory.deallocate() }
    }
  }

  /// Returns memory for a block, and the padding after it.
  func take() -> UnsafeMutableRawPointer {
    if let block = free.withLock({ $0.popLast() }) { return unsafe block.memory }
    return .allocate(byteCount: blockBytes + ByteStorage.padding, alignment: 4096)
  }

  /// Takes back memory that ``take()`` returned.
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

/// Collects bytes in a block of a pool, and returns them as a view without another copy.
@safe
package final class ByteCollector {
  private let pool: BytePool
  private var block: UnsafeMutableRawPointer?
  /// The number of bytes so far.
  package private(set) var count = 0

  /// Makes a collector for at most one block of a pool.
  package init(_ pool: BytePool) { self.pool = pool }

  deinit { if let block = unsafe block { unsafe pool.giveBack(block) } }

  /// The number of bytes that can still be appended.
  package var room: Int { pool.blockBytes - count }

  /// Appends as many of the bytes as fit, and returns their number.
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

  /// Returns all bytes and removes them. Their memory returns to the pool when they are no longer referenced.
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
  /// Takes a block of a pool and lets `fill` write to its first `capacity` bytes; `fill` returns how many it
  /// wrote. If `capacity` exceeds a block, memory is allocated.
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
