// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

/// What a stream with two views has to read before its pictures, and at each picture.
func hevcBenchmarks() -> [Benchmark] { parameterSetBenchmarks() + sliceHeaderBenchmarks() }

/// VPS with extension, and SPS and PPS of either layer.
private func parameterSetBenchmarks() -> [Benchmark] {
  let units = TwoViews.parameterSets.map { ByteView($0.dropFirst(2)).removingEmulationPrevention() }
  let (vps, sps0, sps1, pps0, pps1) = (units[0], units[1], units[2], units[3], units[4])
  let rounds = 100

  func read() -> UInt64 {
    var sum: UInt64 = 0
    for _ in 0..<rounds {
      do {
        let video = try VideoParameterSet(rbsp: vps)
        let base = try SequenceParameterSet(rbsp: sps0, layerID: 0)
        let other = try SequenceParameterSet(rbsp: sps1, layerID: 1, vps: video)
        let first = try PictureParameterSet(rbsp: pps0)
        let second = try PictureParameterSet(rbsp: pps1)
        sum &+= UInt64(video.vpsMaxLayersMinus1) &+ UInt64(base.spsSeqParameterSetID)
        sum &+= UInt64(other.spsSeqParameterSetID) &+ UInt64(first.ppsPicParameterSetID)
        sum &+= UInt64(second.ppsPicParameterSetID)
      } catch { return 0 }
    }
    return sum
  }
  precondition(read() > 0, "the parameter sets must be readable")
  return [
    Benchmark(
      "hevc/parameter-sets", work: Double(rounds), unit: "streams", goal: "10 µs and 60 allocations a stream",
      run: read)
  ]
}

/// The headers of slices of both layers, through the store that knows their parameter sets.
private func sliceHeaderBenchmarks() -> [Benchmark] {
  var store = ParameterSetStore()
  for unit in TwoViews.parameterSets.compactMap({ NALUnit(ByteView($0)) }) { store.insert(unit) }
  let slices = TwoViews.slices.compactMap { NALUnit(ByteView($0)) }
  let rounds = 100

  func read() -> UInt64 {
    var sum: UInt64 = 0
    for _ in 0..<rounds {
      for slice in slices {
        guard let segment = store.sliceSegment(slice), segment.error == nil else { return 0 }
        sum &+= UInt64(segment.dataOffset ?? 0)
      }
    }
    return sum
  }
  precondition(read() > 0, "the slice headers must be readable")
  return [
    Benchmark("hevc/slice-headers", work: Double(rounds * slices.count), unit: "slices", run: read)
  ]
}
