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
  var rows: ByteView
  /// The number of 32-bit words in a row, and the position of each field among them; -1 if the default applies. (Small numbers:
  /// a movie may have a run for each sample.)
  private(set) var rowWords: Int8 = 0
  private(set) var durationAt: Int8 = -1
  private(set) var sizeAt: Int8 = -1
  private(set) var flagsAt: Int8 = -1
  private(set) var offsetAt: Int8 = -1
  private(set) var defaultDuration: UInt32 = 0
  private(set) var defaultSize: UInt32 = 0
  private(set) var defaultFlags = SampleFlags(rawValue: 0)
  var firstFlags = SampleFlags(rawValue: 0)
  private(set) var descriptionIndex: UInt32 = 1

  /// Makes an empty run.
  init() { rows = ByteView() }

  init(_ box: borrowing TrackRunBox, defaults: SampleDefaults) {
    count = box.rows.count
    rows = box.rows.bytes
    let format = box.rows.format
    var words: Int8 = 0
    func place(_ field: TrackRunBox.RowFields) -> Int8 {
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

  /// Whether the rows take any bytes.
  var takesBytes: Bool { rowWords > 0 }

  /// Whether a look-up would take long, because samples are added up one by one.
  var isLong: Bool { count > Self.maximumRows && (durationAt >= 0 || sizeAt >= 0) }

  @inline(__always)
  private func word(_ place: Int8, of row: Int) -> UInt32 {
    rows.word32(row &* Int(rowWords) &+ Int(place))
  }

  @inline(__always)
  func duration(_ row: Int) -> Int64 {
    Int64(durationAt < 0 ? defaultDuration : word(durationAt, of: row))
  }

  @inline(__always)
  func size(_ row: Int) -> UInt32 {
    sizeAt < 0 ? defaultSize : word(sizeAt, of: row)
  }

  /// The flags in the row take precedence, then those of the first sample, then the default.
  /// ISO/IEC 14496-12, 8.8.8
  @inline(__always)
  func flags(_ row: Int) -> SampleFlags {
    if flagsAt >= 0 { return SampleFlags(rawValue: word(flagsAt, of: row)) }
    return row == 0 ? firstFlags : defaultFlags
  }

  @inline(__always)
  func compositionOffset(_ row: Int) -> Int64 {
    offsetAt < 0 ? 0 : Int64(Int32(bitPattern: word(offsetAt, of: row)))
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
  private func sum(before row: Int, _ place: Int8) -> UInt64 {
    guard row > 0 else { return 0 }
    let (place, width) = (Int(place), Int(rowWords))
    return rows.sumOfWords32(place..<Swift.max(place, row &* width), stride: width)
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
