// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import TestSupport

extension FuzzTarget {
  static let nalUnits = FuzzTarget(
    "FuzzNALUnits",
    "A byte stream in chunks of any size, and the same bytes as a sample: both walks find the same units, in order.",
    seeds: { [0, 1, 2].flatMap { FuzzSeeds.streams(prefix: [$0], size: 1_500) } },
    mutator: { mutation in
      if mutation.chance(2) { mutation.mutatePlainly() } else { mutateStream(&mutation, prefix: 1) }
    }
  ) { bytes, findings in
    guard let seed = bytes.bigEndian(at: 0, width: 1) else { return }
    let stream = bytes.suffix(from: 1)
    findings.checkByteStream(stream, seed)
    for lengthSize in 1...4 { findings.checkSample(stream, lengthSize: lengthSize) }
  }
}

extension FuzzFindings {
  fileprivate mutating func checkByteStream(_ stream: ByteView, _ seed: UInt64) {
    var units: [NALUnit] = []
    var errors = 0
    var position = stream.fileOffset
    for result in AnnexBNALUnits(stream) {
      switch result {
      case .success(let unit):
        expect(
          unit.bytes.fileOffset >= position, "the unit at \(unit.bytes.fileOffset) begins before \(position)")
        position = unit.bytes.fileRange.upperBound
        expect(unit.bytes[unit.bytes.count - 1] != 0, "a unit ends in a zero byte")
        units.append(unit)
      case .failure(let error):
        checkPlace(error, stream, "byte stream")
        errors += 1
      }
    }
    expect(units.count + errors <= stream.count / 3 + 2, "\(units.count) units and \(errors) errors")
    checkScanner(stream, seed, units)
    checkJoined(units)
    checkAccessUnits(units)
  }

  private mutating func checkScanner(_ stream: ByteView, _ seed: UInt64, _ units: [NALUnit]) {
    var random = SeededGenerator(seed: seed)
    var scanner = AnnexBScanner(offset: stream.fileOffset)
    var found: [AnnexBScanner.Unit] = []
    var index = 0
    while index < stream.count {
      // Small chunks most of the time: the start codes should be cut.
      let length = Int.random(in: 1...(seed & 1 == 0 ? 4 : 64), using: &random)
      scanner.scan(stream.suffix(from: index).prefix(length)) { found.append($0) }
      index += length
    }
    scanner.finish { found.append($0) }
    expect(found.map(\.range) == units.map(\.bytes.fileRange), "in chunks other units are found")
    expect(found.map(\.header) == units.map(\.header), "in chunks other headers are found")
    expect(found.map(\.startsPicture) == units.map(\.startsPicture), "in chunks pictures begin elsewhere")
    expect(scanner.position == stream.fileRange.upperBound, "the scanner stops at \(scanner.position)")
  }

  private mutating func checkJoined(_ units: [NALUnit]) {
    let again = AnnexBNALUnits(ByteView(AnnexBNALUnits.join(units))).compactMap { result -> ByteView? in
      guard case .success(let unit) = result else { return nil }
      return unit.bytes
    }
    expect(again == units.map(\.bytes), "units joined and split are others")
    do {
      let sample = ByteView(try LengthPrefixedNALUnits.join(units, lengthSize: 4))
      let fromSample = LengthPrefixedNALUnits(sample, lengthSize: 4).compactMap { try? $0.get().bytes }
      expect(fromSample == units.map(\.bytes), "units joined with lengths and split are others")
    } catch { note("the units cannot be joined: \(error)") }
  }

  private mutating func checkAccessUnits(_ units: [NALUnit]) {
    let groups = AccessUnitGrouper<NALUnit>.group(units)
    expect(groups.flatMap(\.units) == units, "access units lose or reorder units")
    for group in groups {
      expect(!group.units.isEmpty, "an access unit is empty")
      for picture in group.pictures {
        expect(
          picture.slices.allSatisfy { group.units.indices.contains($0) }, "a slice outside its access unit")
      }
      expect(
        group.issues.allSatisfy { $0.unit == 0 || group.units.indices.contains($0.unit) }, "an issue outside")
    }
  }

  fileprivate mutating func checkSample(_ sample: ByteView, lengthSize: Int) {
    var position = sample.fileOffset
    var steps = 0
    for result in LengthPrefixedNALUnits(sample, lengthSize: lengthSize) {
      steps += 1
      switch result {
      case .success(let unit):
        expect(
          unit.bytes.fileOffset >= position + lengthSize,
          "a unit at \(unit.bytes.fileOffset), after \(position)")
        position = unit.bytes.fileRange.upperBound
      case .failure(let error):
        checkPlace(error, sample, "sample")
        expect(error.offset >= position, "an error at \(error.offset), after \(position)")
        position = max(position, error.offset)
      }
    }
    expect(steps <= sample.count / lengthSize + 1, "\(steps) steps through \(sample.count) bytes")
    expect(position <= sample.fileRange.upperBound, "the walk ends at \(position)")
  }
}
