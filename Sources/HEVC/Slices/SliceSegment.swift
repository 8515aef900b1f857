// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// A slice segment: its header, and the position of its coded blocks. ISO/IEC 23008-2, 7.3.2.9
public struct SliceSegment: Sendable, Hashable {
  /// The NAL unit.
  public let unit: NALUnit
  /// The header; if `error` is set, as far as it could be read.
  public let header: SliceSegmentHeader
  /// The error that stopped reading; `nil` if there was none.
  public let error: ParseError?
  /// The offset of the coded blocks in the bytes of the unit, with emulation prevention bytes; `nil` if the header
  /// could not be read.
  public let dataOffset: Int?

  /// The parts of the coded blocks that can be decoded in parallel, as ranges of the bytes of the unit. Empty if
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
  /// Reads the header of a slice segment; returns `nil` for other NAL units.
  ///
  /// Reads only as much of the unit as the header takes.
  ///
  /// - Parameters:
  ///   - unit: the NAL unit.
  ///   - previous: the header of the preceding slice segment of the same picture, from which a dependent slice
  ///     segment takes most of its values.
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
    // The length of the header is known only once it has been read.
    guard let segment = sliceSegment(unit, after: previous) else { return nil }
    let bytes = segment.dataOffset.map { unit.bytes.prefix($0).suffix(from: NALUnitHeader.byteCount) }
    _ = (bytes ?? unit.payload).removingEmulationPrevention().traceOne(
      initialHeader(unit, previous), into: sink)
    return segment
  }

  /// Adds the name of the missing set to the error of a header without parameters.
  private func naming(_ error: ParseError?, _ header: SliceSegmentHeader) -> ParseError? {
    guard let error, case .missing = error.code,
      let pps = pictureParameterSet(header.slicePicParameterSetID, layerID: header.unit.layerID)
    else { return error }
    return ParseError(
      .missing("sequence parameter set \(pps.content.ppsSeqParameterSetID)"), offset: error.offset,
      bit: error.bit, field: error.field, path: error.path)
  }

  /// A header with the values that its layout depends on.
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
  /// The picture parameter set that a slice segment refers to; it is so near the start that it can be read without
  /// any parameter set. `nil` if it cannot be read, and for other units (`slice_pic_parameter_set_id`). 7.3.6.1
  public var slicePicParameterSetID: UInt32? {
    guard type.isSliceSegment else { return nil }
    var start = SliceSegmentStart()
    start.unit = header
    let (found, _, error) = rbsp(prefix: 16).decode(start)
    return error == nil ? found.slicePicParameterSetID : nil
  }
}

extension ParseError {
  /// Whether more bytes might have prevented the error.
  package var isShortage: Bool {
    switch code {
    case .truncated, .countExceedsData: true
    default: false
    }
  }
}
