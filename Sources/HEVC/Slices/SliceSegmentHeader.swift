// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `slice_segment_header()`: what precedes the coded blocks of a slice segment. ISO/IEC 23008-2, 7.3.6.1 and
/// F.7.3.6.1
public struct SliceSegmentHeader: FieldLayout {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, 7.3.6.1 and F.7.3.6.1"

  /// The fields before those that depend on parameter sets.
  private var start = SliceSegmentStart()
  /// Whether most of the header is that of the preceding slice segment; `nil` if absent
  /// (`dependent_slice_segment_flag`).
  public var dependentSliceSegmentFlag: Bool?
  /// The first coding tree block of the segment; `nil` for the first segment, which begins at block 0
  /// (`slice_segment_address`).
  public var sliceSegmentAddress: UInt32?
  /// The values in this header itself; `nil` in a dependent slice segment.
  public var own: SliceHeader? {
    get { sharedOwn?.value }
    set { sharedOwn = newValue.map(Shared.init) }
  }
  private var sharedOwn: Shared<SliceHeader>?
  /// The values that a dependent slice segment takes from the preceding slice segment.
  public var inherited: SliceHeader? {
    get { preceding?.value }
    set { preceding = newValue.map { Shared($0) } }
  }
  private var preceding: Shared<SliceHeader>?
  /// The number of entry points; `nil` if absent (`num_entry_point_offsets`).
  public var numEntryPointOffsets: UInt32?
  /// The number of bits of each entry point, less 1; `nil` if absent (`offset_len_minus1`).
  public var offsetLenMinus1: UInt32?
  /// The number of bytes in each part except the last, with emulation prevention bytes, less 1
  /// (`entry_point_offset_minus1`).
  public var entryPointOffsetMinus1: [UInt32] = []
  /// The extension; `nil` if there is none.
  public var headerExtension: SliceSegmentHeaderExtension?
  /// The bit that ends the header; if it is 0, the header was most likely misread (`alignment_bit_equal_to_one`).
  public var alignmentBit: UInt8 = 1
  /// The bits up to the byte boundary, the last in bit 0 (`alignment_bit_equal_to_zero`).
  public var alignmentZeroBits: UInt8 = 0

  /// The values of parameter sets; without them nothing after the ID of the picture parameter set can be read. Set
  /// before coding.
  public var parameters: SliceParameters? {
    get { sharedParameters?.value }
    set { sharedParameters = newValue.map(Shared.init) }
  }
  var sharedParameters: Shared<SliceParameters>?
  /// The header of the NAL unit. Set before coding.
  public var unit: NALUnitHeader {
    get { start.unit }
    set { start.unit = newValue }
  }

  public init() {}

  /// Makes a header that is to be read from a NAL unit.
  public init(
    in unit: NALUnitHeader, _ parameters: SliceParameters?, after previous: SliceSegmentHeader? = nil
  ) {
    self.init(in: unit, parameters.map(Shared.init), after: previous)
  }

  init(in unit: NALUnitHeader, _ parameters: Shared<SliceParameters>?, after previous: SliceSegmentHeader?) {
    self.unit = unit
    sharedParameters = parameters
    preceding = previous?.inForce
  }

  /// Whether this is the first slice segment of a picture (`first_slice_segment_in_pic_flag`).
  public var firstSliceSegmentInPicFlag: Bool {
    get { start.firstSliceSegmentInPicFlag }
    set { start.firstSliceSegmentInPicFlag = newValue }
  }
  /// Whether pictures that wait for output are discarded; `nil` if absent (`no_output_of_prior_pics_flag`).
  public var noOutputOfPriorPicsFlag: Bool? {
    get { start.noOutputOfPriorPicsFlag }
    set { start.noOutputOfPriorPicsFlag = newValue }
  }
  /// The picture parameter set that the slice refers to (`slice_pic_parameter_set_id`).
  public var slicePicParameterSetID: UInt32 {
    get { start.slicePicParameterSetID }
    set { start.slicePicParameterSetID = newValue }
  }

  /// The values in force for the slice segment, whether its own or inherited.
  public var slice: SliceHeader? { inForce?.value }
  /// ``slice``, without a copy of it.
  var inForce: Shared<SliceHeader>? { sharedOwn ?? preceding }

  /// Whether ``slice`` is there, without a copy of it.
  package var hasSlice: Bool { inForce != nil }
  /// Whether the parameter sets that it names are known, without a copy of what they say.
  package var hasParameters: Bool { sharedParameters != nil }

  /// Whether later slice segments may take most of their header from it.
  package var mayBeTakenOver: Bool { sharedParameters?.value.dependentSlicesEnabled ?? false }

  /// Whether it takes most of its header from the preceding slice segment.
  public var isDependent: Bool { dependentSliceSegmentFlag ?? false }

  /// Whether the bits after the header are as required.
  public var endsProperly: Bool { alignmentBit == 1 && alignmentZeroBits == 0 }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    // The fields are at the same level as the others, as in the specification.
    try start.layout(&c)
    guard let p = parameters, p.pictureParameterSetID == slicePicParameterSetID else {
      throw c.failure(
        .missing("picture parameter set \(slicePicParameterSetID)"), "slice_pic_parameter_set_id")
    }
    guard !p.is3D else {
      throw c.failure(.invalid("belongs to a layer of 3D-HEVC"), "slice_segment_header")
    }
    try c.flag(
      "dependent_slice_segment_flag", &dependentSliceSegmentFlag,
      if: !firstSliceSegmentInPicFlag && p.dependentSlicesEnabled)
    if !firstSliceSegmentInPicFlag { try layoutAddress(&c, p) } else { sliceSegmentAddress = nil }
    if isDependent {
      sharedOwn = nil
    } else {
      preceding = nil
      var header = own ?? SliceHeader()
      header.sharedParameters = sharedParameters
      header.unit = unit
      defer { own = header }
      try header.layout(&c)
    }
    if p.hasEntryPoints { try layoutEntryPoints(&c, p) }
    if p.headerExtensionPresent { try layoutExtension(&c, p) }
    try layoutAlignment(&c)
  }

  private mutating func layoutAddress(_ c: inout some Coder, _ p: SliceParameters) throws(ParseError) {
    guard let size = p.picSizeInCtbs else {
      throw c.failure(.missing("the size of the picture"), "slice_segment_address")
    }
    try c.u(
      "slice_segment_address", &sliceSegmentAddress, ceilLog2(size), if: true,
      in: 0...UInt32(clamping: max(1, size) - 1))
  }

  private mutating func layoutEntryPoints(_ c: inout some Coder, _ p: SliceParameters) throws(ParseError) {
    try c.ue("num_entry_point_offsets", &numEntryPointOffsets, if: true, in: 0...p.maximumEntryPoints)
    let count = Int(clamping: numEntryPointOffsets ?? 0)
    try c.ue("offset_len_minus1", &offsetLenMinus1, if: count > 0, in: 0...31)
    try c.array(
      "entry_point_offset_minus1", &entryPointOffsetMinus1, count: count,
      bits: Int(clamping: offsetLenMinus1 ?? 0) + 1)
  }

  private mutating func layoutExtension(_ c: inout some Coder, _ p: SliceParameters) throws(ParseError) {
    var present = headerExtension ?? SliceSegmentHeaderExtension()
    defer { headerExtension = present }
    present.hasLayers = p.video.hasLayers
    present.hasResetInfo = p.pocResetInfoPresent
    present.isPocLsbAligned = p.video.pocLsbAligned
    present.pocLsbBits = p.pocLsbBits
    // PocMsbValRequiredFlag. F.7.4.7.1
    present.isPocMsbValRequired =
      (unit.type.isCleanRandomAccess || unit.type.isBrokenLink)
      && (!p.video.pocLsbAligned || p.video.referenceLayers.isEmpty)
    try present.layout(&c)
  }

  private mutating func layoutAlignment(_ c: inout some Coder) throws(ParseError) {
    try c.reserved("alignment_bit_equal_to_one", &alignmentBit, bits: 1, expecting: 1)
    try c.alignmentZeros("alignment_bit_equal_to_zero", &alignmentZeroBits)
  }
}

/// The beginning of a slice segment header: what can be read without any parameter set. 7.3.6.1
struct SliceSegmentStart: FieldLayout {
  var firstSliceSegmentInPicFlag = true
  var noOutputOfPriorPicsFlag: Bool?
  var slicePicParameterSetID: UInt32 = 0
  /// The header of the NAL unit. Set before coding.
  var unit = NALUnitHeader()

  mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.flag("first_slice_segment_in_pic_flag", &firstSliceSegmentInPicFlag)
    try c.flag(
      "no_output_of_prior_pics_flag", &noOutputOfPriorPicsFlag, if: unit.type.isRandomAccessPoint)
    try c.ue("slice_pic_parameter_set_id", &slicePicParameterSetID, in: 0...63)
  }
}
