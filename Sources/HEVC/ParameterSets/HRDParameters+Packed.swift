// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

// A video parameter set may have a thousand of these structures, each in six bits.

extension VPSTiming.HRD: Packable {
  func pack(into numbers: inout PackedNumbers) {
    numbers.append(UInt64(layerSetIdx))
    parameters.pack(into: &numbers)
  }

  init(unpacking numbers: PackedNumbers, at place: inout Int) {
    layerSetIdx = UInt32(truncatingIfNeeded: numbers.next(&place) ?? 0)
    parameters = HRDParameters(unpacking: numbers, at: &place)
  }
}

extension HRDParameters: Packable {
  func pack(into numbers: inout PackedNumbers) {
    numbers.append(
      flags: [commonInfPresentFlag, inheritedCommon != nil, common != nil], UInt64(maxNumSubLayersMinus1))
    inheritedCommon?.pack(into: &numbers)
    common?.pack(into: &numbers)
    numbers.append(UInt64(subLayers.count))
    for subLayer in subLayers { subLayer.pack(into: &numbers) }
  }

  init(unpacking numbers: PackedNumbers, at place: inout Int) {
    let (flags, subLayersMinus1) = numbers.next(flags: 3, &place)
    commonInfPresentFlag = flags.bit(0)
    maxNumSubLayersMinus1 = UInt8(truncatingIfNeeded: subLayersMinus1)
    if flags.bit(1) { inheritedCommon = HRDCommon(unpacking: numbers, at: &place) }
    if flags.bit(2) { common = HRDCommon(unpacking: numbers, at: &place) }
    subLayers = numbers.list(&place)
  }
}

extension HRDCommon: Packable {
  func pack(into numbers: inout PackedNumbers) {
    var bare = HRDCommon()
    bare.nalHrdParametersPresentFlag = nalHrdParametersPresentFlag
    bare.vclHrdParametersPresentFlag = vclHrdParametersPresentFlag
    let saysMore = self != bare
    numbers.append(
      flags: [nalHrdParametersPresentFlag, vclHrdParametersPresentFlag, saysMore, subPicture != nil],
      UInt64(bitRateScale))
    guard saysMore else { return }
    if let subPicture {
      numbers.append(UInt64(subPicture.tickDivisorMinus2))
      numbers.append(UInt64(subPicture.duCpbRemovalDelayIncrementLengthMinus1))
      numbers.append(
        flags: [subPicture.subPicCpbParamsInPicTimingSEIFlag], UInt64(subPicture.dpbOutputDelayDuLengthMinus1)
      )
    }
    numbers.append(UInt64(cpbSizeScale))
    numbers.append(optional: cpbSizeDuScale)
    numbers.append(UInt64(initialCpbRemovalDelayLengthMinus1))
    numbers.append(UInt64(auCpbRemovalDelayLengthMinus1))
    numbers.append(UInt64(dpbOutputDelayLengthMinus1))
  }

  init(unpacking numbers: PackedNumbers, at place: inout Int) {
    func byte() -> UInt8 { UInt8(truncatingIfNeeded: numbers.next(&place) ?? 0) }
    let (flags, bitRateScale) = numbers.next(flags: 4, &place)
    nalHrdParametersPresentFlag = flags.bit(0)
    vclHrdParametersPresentFlag = flags.bit(1)
    guard flags.bit(2) else { return }
    self.bitRateScale = UInt8(truncatingIfNeeded: bitRateScale)
    if flags.bit(3) {
      var subPicture = SubPicture()
      subPicture.tickDivisorMinus2 = byte()
      subPicture.duCpbRemovalDelayIncrementLengthMinus1 = byte()
      let (inPicTiming, length) = numbers.next(flags: 1, &place)
      subPicture.subPicCpbParamsInPicTimingSEIFlag = inPicTiming.bit(0)
      subPicture.dpbOutputDelayDuLengthMinus1 = UInt8(truncatingIfNeeded: length)
      self.subPicture = subPicture
    }
    cpbSizeScale = byte()
    cpbSizeDuScale = numbers.nextOptional(&place)
    initialCpbRemovalDelayLengthMinus1 = byte()
    auCpbRemovalDelayLengthMinus1 = byte()
    dpbOutputDelayLengthMinus1 = byte()
  }
}

extension HRDSubLayer: Packable {
  func pack(into numbers: inout PackedNumbers) {
    numbers.append(
      flags: [
        fixedPicRateGeneralFlag, fixedPicRateWithinCvsFlag != nil, fixedPicRateWithinCvsFlag == true,
        lowDelayHrdFlag != nil, lowDelayHrdFlag == true, !nal.isEmpty, !vcl.isEmpty,
      ], 0)
    numbers.append(optional: elementalDurationInTcMinus1)
    numbers.append(optional: cpbCntMinus1)
    for schedules in [nal, vcl] where !schedules.isEmpty {
      numbers.append(UInt64(schedules.count))
      for schedule in schedules { schedule.pack(into: &numbers) }
    }
  }

  init(unpacking numbers: PackedNumbers, at place: inout Int) {
    let (flags, _) = numbers.next(flags: 7, &place)
    fixedPicRateGeneralFlag = flags.bit(0)
    fixedPicRateWithinCvsFlag = flags.bit(1) ? flags.bit(2) : nil
    lowDelayHrdFlag = flags.bit(3) ? flags.bit(4) : nil
    elementalDurationInTcMinus1 = numbers.nextOptional(&place)
    cpbCntMinus1 = numbers.nextOptional(&place)
    if flags.bit(5) { nal = numbers.list(&place) }
    if flags.bit(6) { vcl = numbers.list(&place) }
  }
}

extension HRDSubLayer.Schedule: Packable {
  func pack(into numbers: inout PackedNumbers) {
    numbers.append(
      flags: [cbrFlag, cpbSizeDuValueMinus1 != nil, bitRateDuValueMinus1 != nil], UInt64(bitRateValueMinus1))
    numbers.append(UInt64(cpbSizeValueMinus1))
    if let cpbSizeDuValueMinus1 { numbers.append(UInt64(cpbSizeDuValueMinus1)) }
    if let bitRateDuValueMinus1 { numbers.append(UInt64(bitRateDuValueMinus1)) }
  }

  init(unpacking numbers: PackedNumbers, at place: inout Int) {
    func number() -> UInt32 { UInt32(truncatingIfNeeded: numbers.next(&place) ?? 0) }
    let (flags, bitRate) = numbers.next(flags: 3, &place)
    cbrFlag = flags.bit(0)
    bitRateValueMinus1 = UInt32(truncatingIfNeeded: bitRate)
    cpbSizeValueMinus1 = number()
    if flags.bit(1) { cpbSizeDuValueMinus1 = number() }
    if flags.bit(2) { bitRateDuValueMinus1 = number() }
  }
}

extension PackedNumbers {
  /// Flags, the first in bit 0, and a number of at most 32 bits above them.
  fileprivate mutating func append(flags: [Bool], _ number: UInt64) {
    var packed = number &<< UInt64(flags.count)
    for (index, flag) in flags.enumerated() where flag { packed |= 1 &<< UInt64(index) }
    append(packed)
  }

  /// `count` flags, and the number above them.
  fileprivate func next(flags count: UInt64, _ place: inout Int) -> (flags: UInt64, number: UInt64) {
    let packed = next(&place) ?? 0
    return (packed, packed &>> count)
  }

  /// A count and that many elements. In a damaged structure, the numbers may end before the count says so.
  fileprivate func list<Element: Packable>(_ place: inout Int) -> [Element] {
    let count = nextCount(&place)
    var elements: [Element] = []
    while elements.count < count, place < bytes.count {
      elements.append(Element(unpacking: self, at: &place))
    }
    return elements
  }
}

extension UInt64 {
  fileprivate func bit(_ index: UInt64) -> Bool { (self &>> index) & 1 == 1 }
}
