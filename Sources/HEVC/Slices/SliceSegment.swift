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
        unit: unit, header: header, error: initial.parameters == nil ? naming(error, header) : error,
        dataOffset: error == nil ? unread.fileOffset - unit.bytes.fileOffset : nil)
    }
  }

  /// Reads the header of a slice segment and describes each field as it is read.
  public mutating func traceSliceSegment(
    _ unit: NALUnit, after previous: SliceSegmentHeader? = nil, into sink: any FieldSink
  ) -> SliceSegment? {
    // How much the header takes is known only when it has been read.
    guard let segment = sliceSegment(unit, after: previous) else { return nil }
    var header = initialHeader(unit, previous)
    let bytes = segment.dataOffset.map { unit.bytes.prefix($0).suffix(from: NALUnitHeader.byteCount) }
    (bytes ?? unit.payload).removingEmulationPrevention().trace(&header, into: sink)
    return segment
  }

  /// The error of a header without parameters, with the name of the set that is missing.
  private func naming(_ error: ParseError?, _ header: SliceSegmentHeader) -> ParseError? {
    guard let error, case .missing = error.code,
      let pps = pictureParameterSet(header.slicePicParameterSetID, layerID: header.unit.layerID)
    else { return error }
    return ParseError(
      .missing("sequence parameter set \(pps.content.ppsSeqParameterSetID)"), offset: error.offset,
      bit: error.bit, field: error.field, path: error.path)
  }

  /// A header with what its layout depends on.
  private mutating func initialHeader(
    _ unit: NALUnit, _ previous: SliceSegmentHeader?
  ) -> SliceSegmentHeader {
    SliceSegmentHeader(
      in: unit.header,
      sharedSliceParameters(pictureParameterSet: unit.slicePicParameterSetID ?? 0, layerID: unit.layerID),
      after: previous)
  }
}

extension NALUnit {
  /// `slice_pic_parameter_set_id` of a slice segment: it is so near the start that it can be read
  /// without any parameter set. `nil` where it cannot be read, and for other units. 7.3.6.1
  public var slicePicParameterSetID: UInt32? {
    guard type.isSliceSegment else { return nil }
    var start = SliceSegmentStart()
    start.unit = header
    let (found, _, error) = rbsp(prefix: 16).decode(start)
    return error == nil ? found.slicePicParameterSetID : nil
  }
}

extension ParseError {
  /// Whether more bytes might have prevented it.
  package var isShortage: Bool {
    switch code {
    case .truncated, .countExceedsData: true
    default: false
    }
  }
}
