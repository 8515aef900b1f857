// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

/// The parameter sets of a stream with two views: VPS with extension, and SPS and PPS of either layer.
func parameterSetBenchmarks() -> [Benchmark] {
  // Payloads of fixtures/two-views.hevc, emulation prevention removed.
  let vps = payload(
    "0c11ffff01600000009000000000003c92815b3c20001828b2e0c040000013f1000000000791a02800171403dc212ba4")
  let sps0 = payload("0101600000009000000000003ca00a080b9f7964a924cae01000003e80000753014040")
  let sps1 = payload("0e85924cae005030")
  let pps0 = payload("c572b462a014")
  let pps1 = payload("48572b062a0140")

  func subject() -> UInt64 {
    var sum: UInt64 = 0
    for _ in 0..<1_000 {
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
  return [
    Benchmark(
      "hevc/parameter-sets", work: 1_000, unit: "streams",
      goal: "under 10 µs and 60 allocations a stream", run: subject)
  ]
}

private func payload(_ hexadecimal: String) -> ByteView {
  let digits = hexadecimal.compactMap(\.hexDigitValue)
  return ByteView(stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
}
