// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// The NAL units of one type in a configuration record. ISO/IEC 14496-15, 8.3.3.1.2
public struct NALUnitArray: FieldLayout {
  /// Whether all units of the type are in the record, and none in samples.
  public var arrayCompleteness = false
  /// The type that all units should have.
  public var nalUnitType = NALUnitType.videoParameterSet
  /// The units with headers, without lengths.
  public var units: [ByteView] = []
  @usableFromInline var reserved: UInt8 = 0

  public init() {}

  /// Makes an array of units.
  public init(_ type: NALUnitType, isComplete: Bool, _ units: [ByteView]) {
    nalUnitType = type
    arrayCompleteness = isComplete
    self.units = units
  }

  @inlinable
  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.flag("array_completeness", &arrayCompleteness)
    try c.reserved("reserved", &reserved, bits: 1, expecting: 0)
    try c.code(
      "NAL_unit_type", &nalUnitType, bits: 6, .named { NALUnitType(rawValue: UInt8(clamping: $0)).name })
    var count = UInt16(clamping: units.count)
    try c.u16("numNalus", &count)
    try c.array("nalUnits", &units, count: count, minimumBits: 16, new: ByteView()) {
      c, unit throws(ParseError) in
      c.beginStructure("nalUnit")
      var length = UInt16(clamping: unit.count)
      try c.u16("nalUnitLength", &length)
      try c.bytes("nalUnit", &unit, count: Int(length))
      c.endScope()
    }
  }

  /// The units that are long enough to have a header.
  public var nalUnits: [NALUnit] { [self].nalUnits }
}

extension [NALUnitArray] {
  /// The units of all arrays, in order, that are long enough to have a header.
  var nalUnits: [NALUnit] {
    var found: [NALUnit] = []
    found.reserveCapacity(reduce(0) { $0 + $1.units.count })
    for array in self {
      for bytes in array.units {
        if let unit = NALUnit(bytes) { found.append(unit) }
      }
    }
    return found
  }
}
