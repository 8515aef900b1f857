// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

func nalUnitBenchmarks() -> [Benchmark] {
  startCodeBenchmarks() + emulationPreventionBenchmarks() + lengthPrefixBenchmarks()
}

/// What fits into a cache, gone through so often that looking at the clock does not count, and what does not fit.
private let amounts = [(name: "cached", size: 256 << 10, rounds: 64), ("from-memory", 128 << 20, 1)]

/// Searching start codes.
private func startCodeBenchmarks() -> [Benchmark] {
  amounts.flatMap { name, size, rounds in
    var generator = Generator(seed: 3)
    let view = ByteView(generator.bytes(size))
    return [
      Benchmark(
        "nal/start-codes-\(name)", work: Double(rounds * size), unit: "B", yardstick: summingWords,
        goal: "0.7", reference: { (0..<rounds).reduce(0) { $0 &+ sumOfWords(view, from: $1 & 7) } }
      ) {
        var count: UInt64 = 0
        for _ in 0..<rounds {
          var position = 0
          while let code = view.startCode(from: position) {
            count += 1
            position = code + 3
          }
        }
        return count
      }
    ]
  }
}

private func emulationPreventionBenchmarks() -> [Benchmark] {
  amounts.map { name, size, rounds in
    var generator = Generator(seed: 4)
    // What an encoder puts out has no two zeros in front of a byte below four.
    let view = ByteView(generator.bytes(size).map { $0 == 0 ? 1 : $0 })
    let copier = Copier(capacity: size)
    return Benchmark(
      "nal/emulation-prevention-\(name)", work: Double(rounds * size), unit: "B", yardstick: "memcpy",
      goal: "0.5", reference: { (0..<rounds).reduce(0) { sum, _ in sum &+ copier.copy(view) } },
      run: { (0..<rounds).reduce(0) { $0 &+ UInt64(view.removingEmulationPrevention().count) &+ UInt64($1) } }
    )
  }
}

/// Units of 100 bytes after their lengths, against a loop over a bare pointer that does the same.
private func lengthPrefixBenchmarks() -> [Benchmark] {
  let count = 10_000
  var writer = BoxWriter()
  for index in 0..<count {
    writer.u32(100)
    writer.raw([UInt8(index % 40) << 1, UInt8(index % 3) << 3 | 1])
    writer.zeros(98)
  }
  let bytes = writer.bytes
  let view = ByteView(bytes)
  return [
    Benchmark(
      "nal/length-prefixed-walk", work: Double(count), unit: "units",
      yardstick: "a hand-written pointer loop",
      goal: "50 M units/s, no allocation each",
      reference: {
        unsafe bytes.withUnsafeBytes { memory in
          var position = 0
          var sum: UInt64 = 0
          while position <= memory.count &- 6 {
            let length = Int(
              UInt32(bigEndian: unsafe memory.loadUnaligned(fromByteOffset: position, as: UInt32.self)))
            guard length >= 2, length <= memory.count &- position &- 4 else { break }
            let first = unsafe memory[position &+ 4]
            let second = unsafe memory[position &+ 5]
            sum &+= UInt64(first &>> 1 & 63) &+ UInt64((first & 1) &<< 5 | second &>> 3)
            position &+= 4 &+ length
          }
          return sum
        }
      }
    ) {
      var sum: UInt64 = 0
      for result in LengthPrefixedNALUnits(view, lengthSize: 4) {
        guard case .success(let unit) = result else { continue }
        sum &+= UInt64(unit.type.rawValue) &+ UInt64(unit.layerID)
      }
      return sum
    }
  ]
}
