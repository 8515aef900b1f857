// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Threads

/// The memory of a picture: its samples and its motion. Whoever makes it frees it.
struct PictureMemory: Sendable {
  let format: SampleFormat
  let planes: [Plane]
  let collocated: Memory<CollocatedMotion>

  /// How many blocks of 16x16 luma samples a row has.
  static func collocatedStride(_ format: SampleFormat) -> Int { (format.width &+ 15) &>> 4 }

  /// Samples that are 0, and no motion.
  init(_ format: SampleFormat) {
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

  /// Makes it as it was when it was new.
  func clear() {
    for plane in planes { plane.fill(with: 0) }
    collocated.fill(with: CollocatedMotion())
  }

  func free() {
    for plane in planes { plane.free() }
    collocated.free()
  }
}

/// Keeps the memory of pictures that nobody needs any more for the next ones.
///
/// The blocks are of megabytes: taken anew for each picture they leave holes that are never filled, and cost the system more than
/// clearing them does.
package final class PicturePool: Sendable {
  /// As many as two layers give back at once.
  private static let maximumSpare = 2

  private struct State: Sendable {
    var spare: [PictureMemory] = []
    var isClosed = false

    mutating func freeAll() {
      spare.forEach { $0.free() }
      spare = []
    }
  }

  private let state = Monitor(State())

  package init() {}

  deinit { close() }

  /// Gives all memory back, now and as pictures end: whoever keeps a picture keeps no more than that.
  func close() {
    state.change { state in
      state.isClosed = true
      state.freeAll()
    }
  }

  func memory(_ format: SampleFormat) -> PictureMemory {
    let found: PictureMemory? = state.change { state in
      if state.spare.last?.format == format { return state.spare.popLast() }
      // One of another format will not come again soon.
      state.freeAll()
      return nil
    }
    guard let found else { return PictureMemory(format) }
    found.clear()
    return found
  }

  func takeBack(_ memory: PictureMemory) {
    let isKept = state.change { state in
      guard !state.isClosed, state.spare.count < Self.maximumSpare else { return false }
      state.spare.append(memory)
      return true
    }
    if !isKept { memory.free() }
  }
}
