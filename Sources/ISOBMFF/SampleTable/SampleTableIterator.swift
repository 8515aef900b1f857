// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension SampleTable {
  /// Iterates over the samples in decoding order, at a constant cost per sample.
  public struct Iterator: IteratorProtocol, Sendable {
    private let table: SampleTableStorage
    private var index: Int
    private var time: RunLengths.Position
    private var offset: RunLengths.Position
    private var chunk: ChunkRuns.Position
    private var fileOffset: UInt64
    private var syncPosition = 0
    private var nextSync = Int.max
    private var partialSyncPosition = 0
    private var nextPartialSync = Int.max

    init(_ table: SampleTableStorage, at index: Int) {
      self.table = table
      time = table.times.position(of: index)
      offset =
        table.offsets?.position(of: index)
        ?? RunLengths.Position(left: .max, value: 0, sum: 0, nextRow: 0)
      if index < table.count, let position = table.chunks.position(of: index) {
        self.index = index
        chunk = position
        fileOffset = table.fileOffset(of: index, in: position)
      } else {
        self.index = table.count
        chunk = ChunkRuns.Position(
          row: 0, endChunk: 0, chunk: 0, samplesPerChunk: 0, left: .max, descriptionIndex: 0)
        fileOffset = 0
      }
      if let sync = table.sync {
        syncPosition = sync.position(of: index)
        nextSync = sync.sample(syncPosition)
      }
      if let partial = table.partialSync {
        partialSyncPosition = partial.position(of: index)
        nextPartialSync = partial.sample(partialSyncPosition)
      }
    }

    /// The index of the next sample.
    public var nextIndex: Int { index }

    public mutating func next() -> Sample? {
      guard index < table.count else { return nil }
      let size = table.sizes.size(of: index)
      var flags = UInt32(table.dependencies[index] ?? 0) &<< 20
      if table.sync != nil {
        if index == nextSync { advanceSync() } else { flags |= SampleFlags.nonSyncBit }
      }
      var isPartial = false
      if index == nextPartialSync {
        isPartial = true
        advancePartialSync()
      }
      let sample = Sample(
        index: index, decodeTime: time.sum, compositionOffset: offset.value, duration: time.value,
        offset: fileOffset, size: size, flags: SampleFlags(rawValue: flags),
        descriptionIndex: chunk.descriptionIndex, isPartialSync: isPartial)
      index &+= 1
      table.times.advance(&time, to: index)
      if let offsets = table.offsets { offsets.advance(&offset, to: index) }
      chunk.left &-= 1
      if chunk.left == 0 { nextChunk() } else { fileOffset &+= UInt64(size) }
      return sample
    }

    /// Returns the next sample with those after it that the tables describe in the same rows.
    package mutating func nextUniform() -> UniformSamples? {
      var count = 1
      if table.sizes.width == 0, table.dependencies.isEmpty, index != nextSync, index != nextPartialSync {
        count = Swift.min(
          time.left, offset.left, chunk.left, table.count &- index, nextSync &- index,
          nextPartialSync &- index)
      }
      guard let first = next() else { return nil }
      let samples = UniformSamples(first, count: count)
      skip(samples.count &- 1)
      return samples
    }

    /// Passes over samples of the same rows and the same chunk.
    private mutating func skip(_ count: Int) {
      guard count > 0 else { return }
      index &+= count
      table.times.advance(&time, by: count, to: index)
      if let offsets = table.offsets { offsets.advance(&offset, by: count, to: index) }
      fileOffset &+= UInt64(count) &* UInt64(table.sizes.constant)
      chunk.left &-= count
      if chunk.left == 0 { nextChunk() }
    }

    @inline(__always)
    private mutating func nextChunk() {
      if table.chunks.advanceToNextChunk(&chunk, to: index) {
        fileOffset = table.chunks.offset(of: chunk.chunk)
      } else {
        chunk.left = .max
      }
    }

    private mutating func advanceSync() {
      guard let sync = table.sync else { return }
      syncPosition = sync.position(after: syncPosition)
      nextSync = sync.sample(syncPosition)
    }

    private mutating func advancePartialSync() {
      guard let partial = table.partialSync else { return }
      partialSyncPosition = partial.position(after: partialSyncPosition)
      nextPartialSync = partial.sample(partialSyncPosition)
    }
  }
}

extension SampleFlags {
  /// Set if the sample is not a sync sample.
  static let nonSyncBit: UInt32 = 0x0001_0000
}
