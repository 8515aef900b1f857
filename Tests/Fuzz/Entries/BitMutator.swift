// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import TestSupport

/// Changes bits from the third byte on, and now and then the two before: codes of any length are put in, taken out and
/// exchanged, and the stop bit stays after the last one.
@Sendable
func mutateBits(_ mutation: inout FuzzMutation) {
  guard mutation.bytes.count > 2, !mutation.chance(12) else { return mutation.mutatePlainly() }
  let head = Array(mutation.bytes.prefix(2))
  mutation.bytes = head + mutatedBits(of: Array(mutation.bytes.dropFirst(2)), &mutation)
}

/// Changes bits of the payload of one NAL unit of a byte stream after the first `prefix` bytes, or the order of units.
func mutateStream(_ mutation: inout FuzzMutation, prefix: Int) {
  let head = Array(mutation.bytes.prefix(prefix))
  var units = AnnexBNALUnits(ByteView(mutation.bytes).suffix(from: prefix)).compactMap { try? $0.get() }
  guard !units.isEmpty else { return mutation.mutatePlainly() }
  let index = mutation.below(units.count)
  switch mutation.below(10) {
  case 0: units.remove(at: index)
  case 1: units.insert(units[mutation.below(units.count)], at: index)
  case 2: units.swapAt(index, mutation.below(units.count))
  default:
    let bits = mutatedBits(of: units[index].rbsp.array, &mutation)
    var header = units[index].header
    if mutation.chance(12) { header.layerID = UInt8(mutation.below(64)) }
    if mutation.chance(12) { header.type = NALUnitType(rawValue: UInt8(mutation.below(64))) }
    if let unit = try? NALUnit(header, rbsp: bits) { units[index] = unit }
  }
  mutation.bytes = head + AnnexBNALUnits.join(units)
}

/// Changes one NAL unit of a configuration record, with lengths that follow.
@Sendable
func mutateRecord(_ mutation: inout FuzzMutation) {
  guard let kind = mutation.bytes.first, !mutation.chance(4) else { return mutateBits(&mutation) }
  let body = ByteView(mutation.bytes).suffix(from: 1)
  if kind & 1 == 0 {
    guard var record = try? body.decoded(DecoderConfigurationRecord()) else { return mutateBits(&mutation) }
    mutateArrays(&record.arrays, &mutation)
    if let bytes = try? record.encoded() { mutation.bytes = [kind] + bytes }
  } else {
    guard var record = try? body.decoded(LayeredConfigurationRecord()) else { return mutateBits(&mutation) }
    mutateArrays(&record.arrays, &mutation)
    if let bytes = try? record.encoded() { mutation.bytes = [kind] + bytes }
  }
}

private func mutateArrays(_ arrays: inout [NALUnitArray], _ mutation: inout FuzzMutation) {
  guard !arrays.isEmpty else { return arrays.append(NALUnitArray(.videoParameterSet, isComplete: true, [])) }
  let index = mutation.below(arrays.count)
  guard !arrays[index].units.isEmpty, !mutation.chance(8) else {
    return arrays.insert(arrays[mutation.below(arrays.count)], at: index)
  }
  let position = mutation.below(arrays[index].units.count)
  guard let unit = NALUnit(arrays[index].units[position]),
    let changed = try? NALUnit(unit.header, rbsp: mutatedBits(of: unit.rbsp.array, &mutation))
  else { return }
  arrays[index].units[position] = changed.bytes
}

/// An RBSP with some codes changed.
func mutatedBits(of rbsp: [UInt8], _ mutation: inout FuzzMutation) -> [UInt8] {
  // Of long ones the beginning: that is where the headers are.
  let kept = Array(rbsp.dropFirst(600))
  var bits: [Bool] = []
  for byte in rbsp.prefix(600) { for shift in 0..<8 { bits.append(byte >> UInt8(7 - shift) & 1 == 1) } }
  if kept.isEmpty {
    while bits.last == false { bits.removeLast() }
    if !bits.isEmpty { bits.removeLast() }
  }
  for _ in 0...mutation.below(3) {
    let index = mutation.below(bits.count + 1)
    switch mutation.below(7) {
    case 0 where index < bits.count: bits[index].toggle()
    case 1: bits.removeSubrange(index..<min(bits.count, index + 1 + mutation.below(12)))
    case 2: bits.insert(contentsOf: expGolomb(mutation.edgeValue()), at: index)
    case 3:
      // One code for another.
      var end = index
      while end < bits.count, !bits[end] { end += 1 }
      bits.replaceSubrange(
        index..<min(bits.count, 2 * end - index + 1), with: expGolomb(mutation.edgeValue()))
    case 4:
      let copied = bits[index..<min(bits.count, index + 1 + mutation.below(64))]
      bits.insert(contentsOf: copied, at: mutation.below(bits.count + 1))
    case 5:
      bits.insert(contentsOf: (0...mutation.below(16)).map { _ in mutation.chance(2) }, at: index)
    default:
      for position in index..<min(bits.count, index + 1 + mutation.below(16)) {
        bits[position] = mutation.chance(2)
      }
    }
  }
  bits.append(true)
  while bits.count & 7 != 0 { bits.append(false) }
  var bytes: [UInt8] = []
  for start in stride(from: 0, to: bits.count, by: 8) {
    bytes.append(bits[start..<(start + 8)].reduce(0) { $0 << 1 | ($1 ? 1 : 0) })
  }
  return bytes + kept
}

/// A number as `ue(v)`.
private func expGolomb(_ value: UInt64) -> [Bool] {
  let coded = (value & 0xFFFF_FFFF) + 1
  let length = 64 - coded.leadingZeroBitCount
  return [Bool](repeating: false, count: length - 1)
    + (0..<length).map { coded >> UInt64(length - 1 - $0) & 1 == 1 }
}
