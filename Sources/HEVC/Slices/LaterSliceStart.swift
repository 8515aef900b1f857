// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding

/// The beginning of the header of a slice segment that is not the first of its picture, up to `slice_type`.
///
/// A picture may have thousands of slices. All other header fields that concern the picture as a whole are the
/// same in all of them (7.4.7.1, F.7.4.7.1), so only this much of the others has to be read. ISO/IEC 23008-2,
/// 7.3.6.1
package struct LaterSliceStart: FieldLayout {
  private var start = SliceSegmentStart()
  private var isDependent = false
  private var address: UInt32 = 0
  private var extraBits: UInt8 = 0
  private var type = SliceType.i

  // Values determined by the parameter sets of the picture.
  private var pictureParameterSetID: UInt32 = 0
  private var dependentSlicesEnabled = false
  private var addressBits = 0
  private var numExtraSliceHeaderBits = 0
  /// The bits before the address, which are the same in all independent slice segments, and which of them are
  /// compared.
  private var prefix: UInt64 = 0
  private var prefixMask: UInt64 = 0
  private var prefixBits = 0

  package init() {}

  /// The beginning of later segments of the picture to which `first` belongs; `nil` if its parameter sets are
  /// unknown.
  package init?(after first: SliceSegmentHeader) {
    guard let parameters = first.parameters else { return nil }
    self.init(of: first.unit, parameters)
  }

  /// The beginning of later segments of a picture whose units have this header; `nil` if its size is unknown.
  init?(of unit: NALUnitHeader, _ parameters: SliceParameters) {
    guard let size = parameters.picSizeInCtbs else { return nil }
    start.unit = unit
    pictureParameterSetID = parameters.pictureParameterSetID
    dependentSlicesEnabled = parameters.dependentSlicesEnabled
    addressBits = ceilLog2(size)
    numExtraSliceHeaderBits = parameters.numExtraSliceHeaderBits
    // first_slice_segment_in_pic_flag is 0, like the bits before the 1 of slice_pic_parameter_set_id.
    let code = UInt64(pictureParameterSetID) + 1
    prefix = dependentSlicesEnabled ? code << 1 : code
    prefixBits = 2 * (64 - code.leadingZeroBitCount) + (dependentSlicesEnabled ? 1 : 0)
    prefixMask = .max
    if unit.type.isRandomAccessPoint {
      // Between the two is no_output_of_prior_pics_flag, on which the type does not depend.
      prefixBits += 1
      prefixMask = ~(1 << UInt64(prefixBits - 2))
    }
  }

  /// The type of the slice; `nil` for a dependent slice segment, which has the type of the preceding slice.
  package var sliceType: SliceType? { isDependent ? nil : type }

  /// The type of the slice, from the first eight bytes after the header of the unit; `nil` if they do not show it:
  /// if they belong to another picture or a dependent slice segment, or have zeros that may have needed emulation
  /// prevention.
  ///
  /// Nothing is allocated, unlike in ``reading(_:)``, and most units of a picture with many slices can be handled
  /// this way.
  package func sliceType(_ unit: NALUnitHeader, _ word: UInt64) -> SliceType? {
    let following = prefixBits + addressBits + numExtraSliceHeaderBits
    guard following <= 61, unit == start.unit, !word.hasZeroBytesInARow,
      word >> UInt64(64 - prefixBits) & prefixMask == prefix
    else { return nil }
    // ue(v): 1, 010, 011.
    switch (word << UInt64(following)) >> 61 {
    case 0b100...: return .b
    case 0b010: return .p
    case 0b011: return .i
    default: return nil
    }
  }

  /// Reads the beginning of a unit; `nil` if it belongs to another picture, or cannot be read.
  package func reading(_ unit: NALUnit) -> LaterSliceStart? {
    guard unit.header == start.unit else { return nil }
    let (found, _, error) = unit.rbsp(prefix: 16).decode(self)
    return error == nil ? found : nil
  }

  package mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try start.layout(&c)
    guard !start.firstSliceSegmentInPicFlag, start.slicePicParameterSetID == pictureParameterSetID else {
      throw c.failure(.invalid("belongs to another picture"), "slice_pic_parameter_set_id")
    }
    if dependentSlicesEnabled { try c.flag("dependent_slice_segment_flag", &isDependent) }
    try c.u("slice_segment_address", &address, addressBits)
    guard !isDependent else { return }
    try c.u("slice_reserved_flag", &extraBits, numExtraSliceHeaderBits)
    try c.ue("slice_type", &type.rawValue, in: 0...2)
  }
}

extension UInt64 {
  /// Whether two consecutive bytes are zero; may also be true if a zero follows a 1.
  fileprivate var hasZeroBytesInARow: Bool {
    let zeros = (self &- 0x0101_0101_0101_0101) & ~self & 0x8080_8080_8080_8080
    return zeros & (zeros << 8) != 0
  }
}
