// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// A run of samples in a fragment (`trun`), or a part of a long one, with all defaults resolved.
struct FragmentRun: Sendable {
  /// The maximum number of samples in a part of a run.
  static let maximumRows = 1024

  var firstSample = 0
  var count = 0
  var decodeTime: Int64 = 0
  var dataOffset: UInt64 = 0
  private(set) var rows = ByteView()
  /// The number of 32-bit words in a row, and the position of each field among them; -1 if the default applies.
  private(set) var rowWords = 0
  private(set) var durationAt = -1
  private(set) var sizeAt = -1
  private(set) var flagsAt = -1
  private(set) var offsetAt = -1
  private(set) var defaultDuration: UInt32 = 0
  private(set) var defaultSize: UInt32 = 0
  private(set) var defaultFlags = SampleFlags(rawValue: 0)
  private(set) var firstFlags = SampleFlags(rawValue: 0)
  private(set) var descriptionIndex: UInt32 = 1

  /// Makes an empty run.
  init() {}

  init(_ box: TrackRunBox, defaults: SampleDefaults) {
    count = box.rows.count
    rows = box.rows.bytes
    let format = box.rows.format
    var words = 0
    func place(_ field: TrackRunBox.RowFields) -> Int {
      guard format.contains(field) else { return -1 }
      words += 1
      return words - 1
    }
    durationAt = place(.duration)
    sizeAt = place(.size)
    flagsAt = place(.flags)
    offsetAt = place(.compositionTimeOffset)
    rowWords = words
    defaultDuration = defaults.duration
    defaultSize = defaults.size
    defaultFlags = defaults.flags
    firstFlags = box.firstSampleFlags ?? defaults.flags
    descriptionIndex = defaults.descriptionIndex
  }

  @inline(__always)
  func duration(_ row: Int) -> Int64 {
    Int64(durationAt < 0 ? defaultDuration : rows.word32(row &* rowWords &+ durationAt))
  }

  @inline(__always)
  func size(_ row: Int) -> UInt32 {
    sizeAt < 0 ? defaultSize : rows.word32(row &* rowWords &+ sizeAt)
  }

  /// The flags in the row take precedence, then those of the first sample, then the default.
  /// ISO/IEC 14496-12, 8.8.8
  @inline(__always)
  func flags(_ row: Int) -> SampleFlags {
    if flagsAt >= 0 { return SampleFlags(rawValue: rows.word32(row &* rowWords &+ flagsAt)) }
    return row == 0 ? firstFlags : defaultFlags
  }

  @inline(__always)
  func compositionOffset(_ row: Int) -> Int64 {
    offsetAt < 0 ? 0 : Int64(Int32(bitPattern: rows.word32(row &* rowWords &+ offsetAt)))
  }

  /// The decoding time of `row`.
  func decodeTime(_ row: Int) -> Int64 {
    guard durationAt >= 0 else { return decodeTime &+ Int64(row) &* Int64(defaultDuration) }
    return decodeTime &+ Int64(bitPattern: sum(before: row, durationAt))
  }

  /// The file offset of `row`.
  func offset(_ row: Int) -> UInt64 {
    guard sizeAt >= 0 else { return dataOffset &+ UInt64(row) &* UInt64(defaultSize) }
    return dataOffset &+ sum(before: row, sizeAt)
  }

  /// The sum of the fields at a position in the rows before `row`.
  private func sum(before row: Int, _ place: Int) -> UInt64 {
    guard row > 0 else { return 0 }
    return rows.sumOfWords32(place..<Swift.max(place, row &* rowWords), stride: rowWords)
  }

  /// How many samples there are, how long they are one after another, and at how many decoding can begin.
  var totals: SampleTotals {
    var totals = SampleTotals(count: count, duration: decodeTime(count) &- decodeTime)
    if flagsAt >= 0 {
      for row in 0..<count where flags(row).isSync { totals.syncCount &+= 1 }
    } else if count > 0 {
      totals.syncCount = (firstFlags.isSync ? 1 : 0) &+ (defaultFlags.isSync ? count &- 1 : 0)
    }
    return totals
  }

  func compositionTime(at row: Int) -> Int64 {
    Sample.compositionTime(decodeTime(row), compositionOffset(row))
  }

  /// The last row at or before `row` at which decoding can begin; `nil` if there is none.
  func syncRow(atOrBefore row: Int) -> Int? {
    guard row >= 0 else { return nil }
    if flagsAt < 0 {
      if row > 0, defaultFlags.isSync { return row }
      return firstFlags.isSync ? 0 : nil
    }
    return (0...row).last { flags($0).isSync }
  }

  /// The last row that is decoded at or before `time`; the first row if there is none.
  func lastSample(atOrBefore time: Int64) -> Int {
    let ahead = time &- decodeTime
    guard ahead > 0, count > 0 else { return 0 }
    if durationAt < 0 {
      return defaultDuration == 0 ? count &- 1 : min(count &- 1, Int(ahead / Int64(defaultDuration)))
    }
    var sum: Int64 = 0
    for row in 0..<count {
      sum &+= duration(row)
      if sum > ahead { return row }
    }
    return count &- 1
  }

  /// Splits the run, which begins at `time` and `offset`, into parts short enough for look-ups, and calls `body` with
  /// each; returns where the last part ends.
  func split(
    time: Int64, offset: UInt64, _ body: (FragmentRun) -> Void
  ) -> (time: Int64, offset: UInt64) {
    var part = self
    part.decodeTime = time
    part.dataOffset = offset
    guard durationAt >= 0 || sizeAt >= 0, count > Self.maximumRows else {
      body(part)
      return (part.decodeTime(count), part.offset(count))
    }
    var first = 0
    while first < count {
      part.count = min(Self.maximumRows, count - first)
      part.rows = rows.suffix(from: first * rowWords * 4)
      body(part)
      (part.decodeTime, part.dataOffset) = (part.decodeTime(part.count), part.offset(part.count))
      part.firstFlags = defaultFlags
      first += part.count
    }
    return (part.decodeTime, part.dataOffset)
  }
}

/// The defaults for the samples of a track in a fragment, which apply where a row has no value: `tfhd` before
/// `trex`.
struct SampleDefaults: Sendable {
  var duration: UInt32
  var size: UInt32
  var flags: SampleFlags
  var descriptionIndex: UInt32

  init(_ header: TrackFragmentHeaderBox, _ extends: TrackExtendsBox?) {
    duration = header.defaultSampleDuration ?? extends?.defaultSampleDuration ?? 0
    size = header.defaultSampleSize ?? extends?.defaultSampleSize ?? 0
    flags = header.defaultSampleFlags ?? extends?.defaultSampleFlags ?? SampleFlags(rawValue: 0)
    descriptionIndex = header.sampleDescriptionIndex ?? extends?.defaultSampleDescriptionIndex ?? 1
  }
}
