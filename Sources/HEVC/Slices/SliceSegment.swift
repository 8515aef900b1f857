// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// A slice segment: its header, and where its coded blocks are. ISO/IEC 23008-2, 7.3.2.9
public struct SliceSegment: Sendable, Hashable {
  /// The NAL unit.
  public let unit: NALUnit
  /// The header; where `error` is set, as far as it could be read.
  public let header: SliceSegmentHeader
  /// What stopped the reading.
  public let error: ParseError?
  /// Where the coded blocks begin in the bytes of the unit, emulation prevention included; `nil` where the header
  /// could not be read.
  public let dataOffset: Int?

  /// The parts of the coded blocks that can be decoded side by side, as ranges of the bytes of the unit. Empty where
  /// the entry points do not fit into the unit.
  public var substreams: [Range<Int>] {
    guard var start = dataOffset else { return [] }
    var ranges: [Range<Int>] = []
    for offset in header.entryPointOffsetMinus1 {
      let end = start + Int(clamping: offset) + 1
      guard end <= unit.bytes.count else { return [] }
      ranges.append(start..<end)
      start = end
    }
    ranges.append(start..<unit.bytes.count)
    return ranges
  }
}

extension ParameterSetStore {
  /// Reads the header of a slice segment; `nil` for other NAL units.
  ///
  /// No more of the unit is looked at than the header takes.
  ///
  /// - Parameters:
  ///   - unit: the NAL unit.
  ///   - previous: the header of the slice segment of the same picture before this one, of which a dependent slice
  ///     segment takes over the most.
  public mutating func sliceSegment(
    _ unit: NALUnit, after previous: SliceSegmentHeader? = nil
  ) -> SliceSegment? {
    guard unit.type.isSliceSegment, unit.header.isValid else { return nil }
    let initial = initialHeader(unit, previous)
    var length = 256
    while true {
      let rbsp = unit.rbsp(prefix: length)
      let (header, unread, error) = rbsp.decode(initial)
      if error?.isShortage == true, length < unit.payload.count {
        length *= 8
        continue
      }
      return SliceSegment(
        unit: unit, header: header, error: error,
        dataOffset: error == nil ? unread.fileOffset - unit.bytes.fileOffset : nil)
    }
  }

  /// Reads the header of a slice segment and describes each field as it is read.
  public mutating func traceSliceSegment<Sink: FieldSink>(
    _ unit: NALUnit, after previous: SliceSegmentHeader? = nil, into sink: inout Sink
  ) -> SliceSegment? {
    // How much the header takes is known only when it has been read.
    guard let segment = sliceSegment(unit, after: previous) else { return nil }
    var header = initialHeader(unit, previous)
    let bytes = segment.dataOffset.map { unit.bytes.prefix($0).suffix(from: NALUnitHeader.byteCount) }
    (bytes ?? unit.payload).removingEmulationPrevention().trace(&header, into: &sink)
    return segment
  }

  /// A header with what its layout depends on. The id of the picture parameter set stands near its start.
  private mutating func initialHeader(
    _ unit: NALUnit, _ previous: SliceSegmentHeader?
  ) -> SliceSegmentHeader {
    let (start, _, _) = unit.rbsp(prefix: 16).decode(SliceSegmentHeader(in: unit.header, nil))
    return SliceSegmentHeader(
      in: unit.header,
      sliceParameters(pictureParameterSet: start.slicePicParameterSetID, layerID: unit.layerID),
      after: previous)
  }
}

extension ParseError {
  /// Whether more bytes might have prevented it.
  fileprivate var isShortage: Bool {
    switch code {
    case .truncated, .countExceedsData: true
    default: false
    }
  }
}
