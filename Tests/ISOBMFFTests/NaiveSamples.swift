// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import TestSupport

@testable import ISOBMFF

/// Tables and what they mean, expanded without any cleverness.
struct NaiveTable {
  var deltas: [(count: Int, delta: Int)] = []
  var offsets: [(count: Int, offset: Int)]?
  var sizes: [Int] = []
  var chunkRows: [(first: Int, samples: Int, description: Int)] = []
  var chunkOffsets: [UInt64] = []
  var sync: [Int]?
  var dependencies: [UInt8]?

  /// Every sample, in full.
  var samples: [Sample] {
    let times = deltas.flatMap { Array(repeating: $0.delta, count: $0.count) }
    let shifts = offsets?.flatMap { Array(repeating: $0.offset, count: $0.count) }
    var places: [(chunk: Int, description: Int)] = []
    for chunk in chunkOffsets.indices {
      if let row = chunkRows.last(where: { $0.first - 1 <= chunk }) {
        places += Array(repeating: (chunk, row.description), count: row.samples)
      }
    }
    let count = min(times.count, shifts?.count ?? .max, sizes.count, places.count)
    var samples: [Sample] = []
    var (time, position, last) = (0, UInt64(0), -1)
    for index in 0..<count {
      if places[index].chunk != last {
        last = places[index].chunk
        position = chunkOffsets[last]
      }
      var flags = UInt32(dependencies.map { index < $0.count ? $0[index] : 0 } ?? 0) << 20
      if let sync, !sync.contains(index + 1) { flags |= 0x10000 }
      samples.append(
        Sample(
          index: index, decodeTime: Int64(time), compositionOffset: Int64(shifts?[index] ?? 0),
          duration: Int64(times[index]), offset: position, size: UInt32(sizes[index]),
          flags: SampleFlags(rawValue: flags), descriptionIndex: UInt32(places[index].description)))
      time += times[index]
      position += UInt64(sizes[index])
    }
    return samples
  }

  var contents: SampleTableContents {
    var contents = SampleTableContents()
    var stts = TimeToSampleBox()
    stts.entries = .of(deltas.map { .init(sampleCount: UInt32($0.count), sampleDelta: UInt32($0.delta)) })
    contents.timeToSample = stts
    if let offsets {
      var ctts = CompositionOffsetBox()
      ctts.entries = .of(offsets.map { .init(sampleCount: UInt32($0.count), sampleOffset: Int32($0.offset)) })
      contents.compositionOffset = ctts
    }
    if let size = sizes.first, sizes.allSatisfy({ $0 == size }), size > 0 {
      contents.sampleSize = SampleSizeBox(sampleSize: UInt32(size), sampleCount: UInt32(sizes.count))
    } else if (sizes.max() ?? 0) < 65_536, sizes.count % 2 == 0 {
      var compact = CompactSampleSizeBox()
      let width: UInt8 = (sizes.max() ?? 0) < 16 ? 4 : (sizes.max() ?? 0) < 256 ? 8 : 16
      compact.entries = .of(sizes.map { .init(UInt16($0)) }, as: width)
      contents.compactSampleSize = compact
    } else {
      contents.sampleSize = SampleSizeBox(sizes.map { UInt32($0) })
    }
    var stsc = SampleToChunkBox()
    stsc.entries = .of(
      chunkRows.map {
        .init(
          firstChunk: UInt32($0.first), samplesPerChunk: UInt32($0.samples),
          sampleDescriptionIndex: UInt32($0.description))
      })
    contents.sampleToChunk = stsc
    if (chunkOffsets.max() ?? 0) > UInt64(UInt32.max) {
      var co64 = ChunkLargeOffsetBox()
      co64.entries = .of(chunkOffsets.map { UInt64Record($0) })
      contents.chunkLargeOffset = co64
    } else {
      var stco = ChunkOffsetBox()
      stco.entries = .of(chunkOffsets.map { UInt32Record(UInt32($0)) })
      contents.chunkOffset = stco
    }
    if let sync {
      var stss = SyncSampleBox()
      stss.entries = .of(sync.map { UInt32Record(UInt32($0)) })
      contents.syncSample = stss
    }
    if let dependencies {
      var sdtp = SampleDependencyTypeBox()
      sdtp.entries = PackedTable(ByteView(dependencies))
      contents.sampleDependencyType = sdtp
    }
    return contents
  }

  /// Tables that agree about `count` samples.
  static func random(count: Int, using generator: inout SeededGenerator) -> NaiveTable {
    var table = NaiveTable()
    func runs(_ limit: Int, _ value: (inout SeededGenerator) -> Int) -> [(Int, Int)] {
      var left = count
      var runs: [(Int, Int)] = []
      while left > 0 {
        let run = min(left, Int.random(in: 0...limit, using: &generator))
        runs.append((run, value(&generator)))
        left -= run
      }
      return runs
    }
    table.deltas = runs([1, 3, 1_000].randomElement(using: &generator) ?? 1) {
      Int.random(in: 0...50, using: &$0)
    }
    if Bool.random(using: &generator) {
      table.offsets = runs(2) { Int.random(in: -90...120, using: &$0) }
    }
    let largest = [15, 200, 60_000, 1 << 20].randomElement(using: &generator) ?? 15
    let isUniform = Int.random(in: 0..<5, using: &generator) == 0
    table.sizes = (0..<count).map { _ in isUniform ? largest : Int.random(in: 0...largest, using: &generator)
    }
    let perChunk = [1, 7, 3_000].randomElement(using: &generator) ?? 1
    var left = count
    var position: UInt64 = Bool.random(using: &generator) ? 48 : 1 << 33
    while left > 0 {
      let samples = Int.random(in: 0...perChunk, using: &generator)
      let description = Int.random(in: 1...2, using: &generator)
      table.chunkRows.append((table.chunkOffsets.count + 1, samples, description))
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        table.chunkOffsets.append(position)
        position += UInt64.random(in: 0...10_000, using: &generator)
        left -= samples
      }
    }
    if Bool.random(using: &generator) {
      table.sync = (1...max(1, count)).filter { _ in Int.random(in: 0..<6, using: &generator) == 0 }
    }
    if Bool.random(using: &generator) {
      table.dependencies = (0..<Int.random(in: 0...count, using: &generator))
        .map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
    return table
  }
}
