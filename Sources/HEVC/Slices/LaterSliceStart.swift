// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding

/// The beginning of the header of a slice segment that is not the first of its picture, up to `slice_type`.
///
/// A picture may have thousands of slices. Everything else that tells of the picture is the same in all of them
/// (7.4.7.1, F.7.4.7.1), so of the others no more than this has to be read. ISO/IEC 23008-2, 7.3.6.1
package struct LaterSliceStart: Layout {
  private var start = SliceSegmentStart()
  private var isDependent = false
  private var address: UInt32 = 0
  private var extraBits: UInt8 = 0
  private var type = SliceType.i

  // What the parameter sets of the picture decide.
  private var pictureParameterSetID: UInt32 = 0
  private var dependentSlicesEnabled = false
  private var addressBits = 0
  private var numExtraSliceHeaderBits = 0

  package init() {}

  /// What later segments of the picture begin with to which `first` belongs; `nil` where its parameter sets are not known.
  package init?(after first: SliceSegmentHeader) {
    guard let parameters = first.parameters, let size = parameters.picSizeInCtbs else { return nil }
    start.unit = first.unit
    pictureParameterSetID = parameters.pictureParameterSetID
    dependentSlicesEnabled = parameters.dependentSlicesEnabled
    addressBits = ceilLog2(size)
    numExtraSliceHeaderBits = parameters.numExtraSliceHeaderBits
  }

  /// The type of the slice; `nil` for a dependent slice segment, which has that of the slice before it.
  package var sliceType: SliceType? { isDependent ? nil : type }

  /// Reads the beginning of a unit; `nil` where it is another picture's, or cannot be read.
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
