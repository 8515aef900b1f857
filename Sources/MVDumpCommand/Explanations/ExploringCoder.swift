// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// Runs a declaration over invented values, so that every branch of it is walked sooner or later: this is how the
/// fields of a structure are found that no example shows.
///
/// Values lie in the ranges that the declaration names, most of them small, so that loops stay short. The sequence is
/// fixed: the same declaration always gives the same catalogue.
struct ExploringCoder: FieldCoder {
  private let catalog = FieldCatalog()
  private var state: UInt64 = 0
  /// How many in a hundred flags are set: some branches need many that are, others need many that are not.
  private var setFlags: UInt64 = 50
  private var position = 0
  private var end = ExploringCoder.budget

  /// A structure is abandoned when it has become this long.
  private static let budget = 20_000

  private mutating func begin(seed: UInt64) {
    state = seed
    setFlags = [8, 50, 85][Int(seed % 3)]
    position = 0
    end = Self.budget
  }

  /// The fields of `Structure`, found in `passes` runs, each from one of `initial`.
  static func fields<Structure: FieldLayout>(of initial: [Structure], passes: Int = 300) -> [FieldDescription]
  {
    guard !initial.isEmpty else { return [] }
    var coder = ExploringCoder()
    for pass in 0..<passes {
      coder.begin(seed: UInt64(pass))
      var structure = initial[pass % initial.count]
      var isWhole = true
      do { try structure.layout(&coder) } catch { isWhole = false }
      coder.catalog.finish(isWhole: isWhole)
    }
    return coder.catalog.fields
  }

  // MARK: Values

  /// SplitMix64.
  private mutating func random(below limit: UInt64) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return limit == 0 ? 0 : (word ^ (word >> 31)) % limit
  }

  /// A value from 0 to `maximum`: mostly small, sometimes the greatest.
  private mutating func value(upTo maximum: UInt64) -> UInt64 {
    switch random(below: 10) {
    case 0: maximum
    case 1: random(below: min(maximum, 63) + 1)
    default: random(below: min(maximum, 3) + 1)
    }
  }

  private mutating func take(_ bits: Int, _ name: StaticString) throws(ParseError) {
    guard bits <= end - position else {
      throw failure(.truncated(neededBits: bits, availableBits: end - position), name)
    }
    position += bits
  }

  // MARK: FieldCoder

  var isDecoding: Bool { true }
  var bitsLeft: Int? { end - position }
  /// Whether extension data follow is left to chance.
  var bitsBeforeTrailing: Int? { state & 0x300 == 0 ? 3 : 0 }
  var bitPosition: Int { position }
  var tableRows: Int { 1 }

  mutating func unsigned<T: FixedWidthInteger & UnsignedInteger & Sendable>(
    _ name: StaticString, _ value: inout T, bits: Int, in allowed: ClosedRange<T>?, _ format: FieldFormat
  ) throws(ParseError) {
    try take(bits, name)
    let maximum = bits >= 64 ? UInt64.max : (1 << UInt64(max(bits, 0))) - 1
    let lower = UInt64(clamping: allowed?.lowerBound ?? 0)
    let upper = min(UInt64(clamping: allowed?.upperBound ?? .max), maximum)
    if bits == 1, allowed == nil {
      value = random(below: 100) < setFlags ? 1 : 0
    } else {
      value = T(clamping: lower + self.value(upTo: upper > lower ? upper - lower : 0))
    }
    catalog.unsigned(
      FieldNote(
        name, .unsigned(bits: bits), format,
        allowed: allowed.map { Int64(clamping: $0.lowerBound)...Int64(clamping: $0.upperBound) }), 0)
  }

  mutating func signed<T: FixedWidthInteger & SignedInteger & Sendable>(
    _ name: StaticString, _ value: inout T, bits: Int, in allowed: ClosedRange<T>?, _ format: FieldFormat
  ) throws(ParseError) {
    try take(bits, name)
    value = T(clamping: max(Int64(clamping: allowed?.lowerBound ?? 0), 0) + Int64(self.value(upTo: 3)))
    catalog.signed(
      FieldNote(
        name, .signed(bits: bits), format,
        allowed: allowed.map { Int64(clamping: $0.lowerBound)...Int64(clamping: $0.upperBound) }), 0)
  }

  mutating func expGolomb(
    _ name: StaticString, _ value: inout UInt32, in allowed: ClosedRange<UInt32>, _ format: FieldFormat
  ) throws(ParseError) {
    try take(5, name)
    let span = min(UInt64(allowed.upperBound - allowed.lowerBound), 8)
    value = allowed.lowerBound + UInt32(clamping: self.value(upTo: span))
    catalog.unsigned(
      FieldNote(name, .expGolomb, format, allowed: Int64(allowed.lowerBound)...Int64(allowed.upperBound)), 0)
  }

  mutating func signedExpGolomb(
    _ name: StaticString, _ value: inout Int32, in allowed: ClosedRange<Int32>
  ) throws(ParseError) {
    try take(5, name)
    value = min(max(Int32(clamping: Int64(random(below: 5)) - 2), allowed.lowerBound), allowed.upperBound)
    catalog.signed(
      FieldNote(
        name, .signedExpGolomb, allowed: Int64(allowed.lowerBound)...Int64(allowed.upperBound)), 0)
  }

  mutating func reserved<T: FixedWidthInteger & UnsignedInteger & Sendable>(
    _ name: StaticString, _ kept: inout T, bits: Int, expecting: T
  ) throws(ParseError) {
    try take(bits, name)
    kept = expecting
    catalog.reserved(FieldNote(name, .unsigned(bits: bits)), 0, expected: UInt64(expecting))
  }

  mutating func bytes(
    _ name: StaticString, _ value: inout ByteView, count: Int, _ format: BytesFormat
  ) throws(ParseError) {
    try take(8 * max(0, min(count, Self.budget)), name)
    value = ByteView([UInt8](repeating: 0, count: max(0, count)))
    catalog.bytes(FieldNote(name, .bytes), value, format)
  }

  mutating func terminatedString(_ name: StaticString, _ value: inout TerminatedString) throws(ParseError) {
    try take(8, name)
    value = TerminatedString()
    catalog.text(FieldNote(name, .terminatedString), value)
  }

  mutating func bitString(_ name: StaticString, _ value: inout BitString, count: Int) throws(ParseError) {
    let bits = max(0, min(count, 64))
    try take(bits, name)
    value.bytes = [UInt8](repeating: 0, count: (bits + 7) / 8)
    value.bitCount = bits
    catalog.bitString(FieldNote(name, .bitString), value)
  }

  mutating func table<Record: PackedRecord>(
    _ name: StaticString, _ value: inout PackedTable<Record>, count: UInt64
  ) throws(ParseError) {
    var record = Record()
    catalog.beginArray(name, count: 1)
    catalog.beginStructure(name)
    try record.layout(&self)
    endScope()
    endScope()
  }

  mutating func table<Record: FormattedRecord>(
    _ name: StaticString, _ value: inout FormattedTable<Record>, count: UInt64, as format: Record.Format
  ) throws(ParseError) {
    var record = Record()
    catalog.beginArray(name, count: 1)
    catalog.beginStructure(name)
    try record.layout(&self, as: format)
    endScope()
    endScope()
  }

  func require(count: UInt64, minimumBits: Int, for name: StaticString) throws(ParseError) {
    let room = UInt64(clamping: end - position) / UInt64(max(1, minimumBits))
    guard count <= room else {
      throw failure(.countExceedsData(count: count, availableBits: end - position), name)
    }
  }

  mutating func beginLimit(bytes count: Int, _ name: StaticString) throws(ParseError) -> Int {
    let outer = end
    end = min(end, position + 8 * max(0, min(count, Self.budget)))
    return outer
  }
  mutating func endLimit(_ outer: Int) { end = outer }

  mutating func beginStructure(_ name: StaticString) { catalog.beginStructure(name) }
  mutating func beginArray(_ name: StaticString, count: Int) { catalog.beginArray(name, count: count) }
  mutating func endScope() { catalog.endScope(omitted: 0) }

  func failure(_ code: ParseError.Code, _ name: StaticString) -> ParseError {
    ParseError(code, offset: 0, field: name.description)
  }
}
