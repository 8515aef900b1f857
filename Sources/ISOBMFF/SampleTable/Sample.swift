// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The values that the tables have for one sample. Times are in units of the media's timescale.
@frozen
public struct Sample: Hashable, Sendable {
  /// The index of the sample in its track, in decoding order, counted from 0.
  public var index: Int
  /// The decoding time.
  public var decodeTime: Int64
  /// Composition time less decoding time, which may be negative.
  public var compositionOffset: Int64
  /// The duration in decoding time.
  public var duration: Int64
  /// The offset of the sample in the file, or in the external file that its description refers to.
  public var offset: UInt64
  /// The size in bytes.
  public var size: UInt32
  /// Whether decoding can begin at it, and how it depends on others.
  public var flags: SampleFlags
  /// The sample entry that describes it, counted from 1.
  public var descriptionIndex: UInt32
  /// Whether it is listed in `stps`: decoding can begin at it, but later samples may refer to earlier ones.
  public var isPartialSync: Bool

  /// Makes a sample.
  @inlinable
  public init(
    index: Int, decodeTime: Int64, compositionOffset: Int64, duration: Int64, offset: UInt64, size: UInt32,
    flags: SampleFlags, descriptionIndex: UInt32, isPartialSync: Bool = false
  ) {
    self.index = index
    self.decodeTime = decodeTime
    self.compositionOffset = compositionOffset
    self.duration = duration
    self.offset = offset
    self.size = size
    self.flags = flags
    self.descriptionIndex = descriptionIndex
    self.isPartialSync = isPartialSync
  }

  /// The composition time, which edit lists map to the presentation. For a sample that is never composed, its
  /// decoding time.
  @inlinable
  public var compositionTime: Int64 { Self.compositionTime(decodeTime, compositionOffset) }
  /// Whether it is decoded but never composed, as indicated by the lowest possible offset. ISO/IEC 14496-12,
  /// 8.6.1.3
  @inlinable
  public var isNeverComposed: Bool { compositionOffset == Self.neverComposed }

  @inlinable
  static var neverComposed: Int64 { Int64(Int32.min) }

  @inlinable
  static func compositionTime(_ decodeTime: Int64, _ offset: Int64) -> Int64 {
    offset == neverComposed ? decodeTime : decodeTime &+ offset
  }

  /// Whether decoding can begin at it.
  @inlinable
  public var isSync: Bool { flags.isSync }
  /// The range of its bytes in the file.
  @inlinable
  public var range: Range<UInt64> {
    offset..<(offset &+ UInt64(size) < offset ? .max : offset &+ UInt64(size))
  }
}
