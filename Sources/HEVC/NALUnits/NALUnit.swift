// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// A NAL unit: its header, and all its bytes as they are in the file. ISO/IEC 23008-2, 7.3.1.1
@frozen
public struct NALUnit: Sendable, Hashable {
  /// The first two bytes, decoded.
  public let header: NALUnitHeader
  /// The whole unit, with header and emulation prevention bytes, without length or start code.
  public let bytes: ByteView

  /// Makes a unit from its bytes; `nil` if they are too few for a header.
  @inlinable
  public init?(_ bytes: ByteView) {
    guard let word = bytes.bigEndian(at: 0, width: 2) else { return nil }
    header = NALUnitHeader(
      first: UInt8(truncatingIfNeeded: word &>> 8), second: UInt8(truncatingIfNeeded: word))
    self.bytes = bytes
  }

  /// The bytes after the header, with emulation prevention bytes.
  @inlinable
  public var payload: ByteView { bytes.suffix(from: NALUnitHeader.byteCount) }

  /// The unit without zeros that may follow it in a byte stream, and that some tools keep. ISO/IEC 23008-2, B.2
  package var withoutTrailingZeros: ByteView {
    var count = bytes.count
    while count > 0, bytes[count &- 1] == 0 { count &-= 1 }
    return bytes.prefix(count)
  }

  /// The raw byte sequence payload: the bytes after the header without emulation prevention bytes. If there are
  /// none to remove, nothing is copied.
  public var rbsp: ByteView { payload.removingEmulationPrevention() }

  /// The raw byte sequence payload of the first `count` bytes after the header.
  public func rbsp(prefix count: Int) -> ByteView { payload.prefix(count).removingEmulationPrevention() }

  /// The type of the unit: what it contains.
  @inlinable
  public var type: NALUnitType { header.type }
  /// The layer it belongs to.
  @inlinable
  public var layerID: UInt8 { header.layerID }
  /// The temporal sub-layer it belongs to.
  @inlinable
  public var temporalID: UInt8 { header.temporalID }
}

extension NALUnit {
  /// Makes a unit from a header and an RBSP, inserting emulation prevention bytes as needed.
  public init(_ header: NALUnitHeader, rbsp: [UInt8]) throws(ParseError) {
    self.header = header
    bytes = ByteView(try header.encoded() + rbsp.insertingEmulationPrevention())
  }

  /// Makes a unit from a header and the structure in its RBSP, trailing bits included.
  public init(_ header: NALUnitHeader, _ content: some FieldLayout) throws(ParseError) {
    try self.init(header, rbsp: content.encoded())
  }
}

/// Something that can be grouped into access units: a NAL unit, or what a scanner knows of one.
public protocol NALUnitDescription {
  /// The header.
  var header: NALUnitHeader { get }
  /// Whether the first bit after the header is set: for a slice segment, `first_slice_segment_in_pic_flag`.
  var startsPicture: Bool { get }
}

extension NALUnit: NALUnitDescription {
  @inlinable
  public var startsPicture: Bool { (bytes[2] ?? 0) & 0x80 != 0 }
}
