// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Threads

/// The memory of a picture: its samples and its motion. Its owner frees it.
package struct PictureMemory: Sendable {
  package let format: SampleFormat
  package let planes: [Plane]
  package let collocated: Memory<CollocatedMotion>

  /// How many blocks of 16x16 luma samples are in a row.
  package static func collocatedStride(_ format: SampleFormat) -> Int { (format.width &+ 15) &>> 4 }

  /// Allocates samples that are 0, and no motion.
  package init(_ format: SampleFormat) {
    self.format = format
    planes = (0..<format.planeCount).map { component in
      let shiftX = component == 0 ? 0 : format.chromaShiftX, shiftY = component == 0 ? 0 : format.chromaShiftY
      return Plane(
        width: format.width &>> shiftX, height: format.height &>> shiftY,
        bitDepth: format.bitDepth(component), isWide: format.isWide)
    }
    collocated = Memory(
      count: Self.collocatedStride(format) &* ((format.height &+ 15) &>> 4), repeating: CollocatedMotion())
  }

  /// Resets it to its initial state.
  package func clear() {
    for plane in planes { plane.fill(with: 0) }
    collocated.fill(with: CollocatedMotion())
  }

  package func free() {
    for plane in planes { plane.free() }
    collocated.free()
  }
}

/// Limits how many pictures have memory at a time.
package struct PictureMemoryLimit: Sendable {
  /// Counts the memory of a picture; waits until there may be one more if it is in progress.
  let take: @Sendable (_ number: Int?) -> Void
  /// Counts the memory of a picture as released.
  let release: @Sendable () -> Void

  package init(take: @escaping @Sendable (_ number: Int?) -> Void, release: @escaping @Sendable () -> Void) {
    (self.take, self.release) = (take, release)
  }
}

/// Keeps the memory of pictures that are no longer used for the next ones.
///
/// The blocks take megabytes: allocating them for each picture would leave holes that are never filled, and cost
/// the system more than clearing them.
package final class PicturePool: Sendable {
  /// How many are kept at most: what is freed while pictures of two layers are decoded leaves holes that other
  /// blocks then break up (two views of 1080p with four threads: 83 MB resident, with 2 of them 95 MB).
  private static let maximumSpare = 8

  private struct State: Sendable {
    package var spare: [PictureMemory] = []
    package var isClosed = false

    package mutating func freeAll() {
      spare.forEach { $0.free() }
      spare = []
    }
  }

  private let state = Monitor(State())
  private let limit: PictureMemoryLimit?
  private let undecodedSample: Int?

  /// Makes an empty pool. Its pictures take memory when `limit` lets them.
  ///
  /// - Parameters:
  ///   - limit: decides when a picture may take memory.
  ///   - undecodedSample: what the samples of memory that is not cleared are set to; `nil` to leave them.
  package init(_ limit: PictureMemoryLimit?, undecodedSample: Int? = nil) {
    (self.limit, self.undecodedSample) = (limit, undecodedSample)
  }

  deinit { close() }

  /// Frees all memory, now and when pictures are released: keeping a picture then keeps nothing else alive.
  package func close() {
    state.change { state in
      state.isClosed = true
      state.freeAll()
    }
  }

  /// Provides memory for a picture, which may have to wait for it. If it is not cleared, it may have the samples and motion
  /// of an earlier picture.
  package func memory(
    _ format: SampleFormat, for number: Int? = nil, isCleared: Bool = true
  ) -> PictureMemory {
    limit?.take(number)
    let found: PictureMemory? = state.change { state in
      if state.spare.last?.format == format { return state.spare.popLast() }
      // Memory for another format will not be needed again soon.
      state.freeAll()
      return nil
    }
    let memory = found ?? PictureMemory(format)
    if isCleared {
      if found != nil { memory.clear() }
    } else if let undecodedSample {
      for plane in memory.planes { plane.fill(with: undecodedSample) }
    }
    return memory
  }

  package func takeBack(_ memory: PictureMemory) {
    let isKept = state.change { state in
      guard !state.isClosed, state.spare.count < Self.maximumSpare else { return false }
      state.spare.append(memory)
      return true
    }
    if !isKept { memory.free() }
    limit?.release()
  }
}
