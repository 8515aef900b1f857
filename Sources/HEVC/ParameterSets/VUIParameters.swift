// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `vui_parameters()`: how the decoded pictures are meant to be shown.
public struct VUIParameters: FieldLayout {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, E.2.1"

  /// The number of temporal sub-layers, less 1, on which the HRD parameters depend; `nil` if it comes from an
  /// unknown video parameter set (`sps_max_sub_layers_minus1`). Set before coding.
  public var maxSubLayersMinus1: UInt8? = 0

  /// The aspect ratio of a luma sample; `nil` if `aspect_ratio_info_present_flag` is 0.
  public var aspectRatio: AspectRatio?
  /// Whether the pictures may be shown with overscan; `nil` if `overscan_info_present_flag` is 0
  /// (`overscan_appropriate_flag`).
  public var overscanAppropriateFlag: Bool?
  /// How the component values are to be interpreted; `nil` if `video_signal_type_present_flag` is 0.
  public var videoSignalType: VideoSignalType?
  /// The location of chroma samples; `nil` if `chroma_loc_info_present_flag` is 0.
  public var chromaLocation: ChromaLocation?
  /// Whether all chroma samples are neutral (`neutral_chroma_indication_flag`).
  public var neutralChromaIndicationFlag = false
  /// Whether the pictures are fields (`field_seq_flag`).
  public var fieldSeqFlag = false
  /// Whether picture timing messages say how to show frames and fields (`frame_field_info_present_flag`).
  public var frameFieldInfoPresentFlag = false
  /// The part of a picture to show by default, in units of chroma samples; `nil` if `default_display_window_flag`
  /// is 0.
  public var defaultDisplayWindow: DefaultDisplayWindow?
  /// The clock of the video; `nil` if `vui_timing_info_present_flag` is 0.
  public var timing: VUITiming?
  /// Restrictions that the stream observes; `nil` if `bitstream_restriction_flag` is 0.
  public var bitstreamRestriction: BitstreamRestriction?

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.announced("aspect_ratio_info_present_flag", "aspect_ratio_info", &aspectRatio)
    var hasOverscan = overscanAppropriateFlag != nil
    try c.flag("overscan_info_present_flag", &hasOverscan)
    try c.flag("overscan_appropriate_flag", &overscanAppropriateFlag, if: hasOverscan)
    try c.announced("video_signal_type_present_flag", "video_signal_type", &videoSignalType)
    try c.announced("chroma_loc_info_present_flag", "chroma_loc_info", &chromaLocation)
    try c.flag("neutral_chroma_indication_flag", &neutralChromaIndicationFlag)
    try c.flag("field_seq_flag", &fieldSeqFlag)
    try c.flag("frame_field_info_present_flag", &frameFieldInfoPresentFlag)
    try c.announced("default_display_window_flag", "default_display_window", &defaultDisplayWindow)
    var hasTiming = timing != nil
    try c.flag("vui_timing_info_present_flag", &hasTiming)
    let subLayers = maxSubLayersMinus1
    try c.group("vui_timing_info", &timing, if: hasTiming) { $0.maxSubLayersMinus1 = subLayers }
    try c.announced("bitstream_restriction_flag", "bitstream_restriction", &bitstreamRestriction)
  }
}

/// The aspect ratio of a luma sample. ISO/IEC 23008-2, Table E.1
public struct AspectRatio: FieldLayout {
  /// The code of the ratio; 255 means that it is written out (`aspect_ratio_idc`).
  public var aspectRatioIdc: UInt8 = 0
  /// The width of a sample, in any unit; `nil` unless the ratio is written out (`sar_width`).
  public var sarWidth: UInt16?
  /// The height of a sample, in the same unit; `nil` unless the ratio is written out (`sar_height`).
  public var sarHeight: UInt16?

  public init() {}

  /// Makes a ratio that is written out.
  public init(width: UInt16, height: UInt16) {
    (aspectRatioIdc, sarWidth, sarHeight) = (255, width, height)
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u8("aspect_ratio_idc", &aspectRatioIdc, in: nil, .named(Self.name))
    try c.u("sar_width", &sarWidth, 16, if: aspectRatioIdc == 255)
    try c.u("sar_height", &sarHeight, 16, if: aspectRatioIdc == 255)
  }

  private static let table: [(UInt16, UInt16)] = [
    (1, 1), (12, 11), (10, 11), (16, 11), (40, 33), (24, 11), (20, 11), (32, 11), (80, 33), (18, 11),
    (15, 11), (64, 33), (160, 99), (4, 3), (3, 2), (2, 1),
  ]

  private static func name(_ code: Int64) -> String? {
    guard code > 0, code <= table.count else { return code == 0 ? "unspecified" : nil }
    let (width, height) = table[Int(code) - 1]
    return "\(width):\(height)"
  }

  /// The width and height of a sample, in any unit; `nil` if unspecified.
  public var ratio: (width: UInt16, height: UInt16)? {
    if let sarWidth, let sarHeight {
      return sarWidth > 0 && sarHeight > 0 ? (sarWidth, sarHeight) : nil
    }
    let index = Int(aspectRatioIdc) - 1
    return Self.table.indices.contains(index) ? Self.table[index] : nil
  }
}

/// How the component values are to be interpreted. ISO/IEC 23008-2, E.3.1
public struct VideoSignalType: FieldLayout {
  /// The television system of the source; 5 is unspecified (`video_format`).
  public var videoFormat: UInt8 = 5
  /// Whether component values use the full range (`video_full_range_flag`).
  public var videoFullRangeFlag = false
  /// The colour space; `nil` if `colour_description_present_flag` is 0.
  public var colour: ColourDescription?

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u("video_format", &videoFormat, 3, in: nil, .named(Self.formatName))
    try c.flag("video_full_range_flag", &videoFullRangeFlag)
    try c.announced("colour_description_present_flag", "colour_description", &colour)
  }

  /// The name of a value of `video_format`. Table E.2
  static func formatName(_ code: Int64) -> String? {
    switch code {
    case 0: "component"
    case 1: "PAL"
    case 2: "NTSC"
    case 3: "SECAM"
    case 4: "MAC"
    case 5: "unspecified"
    default: nil
    }
  }
}

/// A colour space by the code points of ISO/IEC 23091-2.
public struct ColourDescription: FieldLayout {
  /// The colour primaries; 2 is unspecified (`colour_primaries`).
  public var colourPrimaries: UInt8 = 2
  /// The transfer function; 2 is unspecified (`transfer_characteristics`).
  public var transferCharacteristics: UInt8 = 2
  /// The matrix coefficients; 2 is unspecified (`matrix_coeffs`).
  public var matrixCoeffs: UInt8 = 2

  public init() {}

  /// Makes a description of these codes.
  public init(primaries: UInt8, transfer: UInt8, matrix: UInt8) {
    (colourPrimaries, transferCharacteristics, matrixCoeffs) = (primaries, transfer, matrix)
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u8("colour_primaries", &colourPrimaries, in: nil, .named(ColourCodes.primaries))
    try c.u8("transfer_characteristics", &transferCharacteristics, in: nil, .named(ColourCodes.transfer))
    try c.u8("matrix_coeffs", &matrixCoeffs, in: nil, .named(ColourCodes.matrix))
  }
}

/// Where chroma samples are located between the luma samples. ISO/IEC 23008-2, Figure E.1
public struct ChromaLocation: FieldLayout {
  /// The location in the top field, or in a frame (`chroma_sample_loc_type_top_field`).
  public var topField: UInt32 = 0
  /// The location in the bottom field (`chroma_sample_loc_type_bottom_field`).
  public var bottomField: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.ue("chroma_sample_loc_type_top_field", &topField, in: 0...5)
    try c.ue("chroma_sample_loc_type_bottom_field", &bottomField, in: 0...5)
  }
}

/// The part of the cropped picture that is shown by default. ISO/IEC 23008-2, E.3.1
public struct DefaultDisplayWindow: FieldLayout {
  /// How much is hidden on the left, in chroma samples (`def_disp_win_left_offset`).
  public var leftOffset: UInt32 = 0
  /// How much is hidden on the right, in chroma samples (`def_disp_win_right_offset`).
  public var rightOffset: UInt32 = 0
  /// How much is hidden at the top, in chroma samples (`def_disp_win_top_offset`).
  public var topOffset: UInt32 = 0
  /// How much is hidden at the bottom, in chroma samples (`def_disp_win_bottom_offset`).
  public var bottomOffset: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    let any: ClosedRange<UInt32> = 0...(.max - 1)
    try c.ue("def_disp_win_left_offset", &leftOffset, in: any)
    try c.ue("def_disp_win_right_offset", &rightOffset, in: any)
    try c.ue("def_disp_win_top_offset", &topOffset, in: any)
    try c.ue("def_disp_win_bottom_offset", &bottomOffset, in: any)
  }
}

/// The clock of the video. ISO/IEC 23008-2, E.2.1
public struct VUITiming: FieldLayout {
  /// The number of temporal sub-layers, less 1; `nil` if unknown (`sps_max_sub_layers_minus1`). Set before coding.
  public var maxSubLayersMinus1: UInt8? = 0

  /// How many units of the time scale a clock tick takes (`vui_num_units_in_tick`).
  public var numUnitsInTick: UInt32 = 0
  /// The number of time units per second (`vui_time_scale`).
  public var timeScale: UInt32 = 0
  /// How many clock ticks a difference of order counts by 1 takes, less 1; `nil` if
  /// `vui_poc_proportional_to_timing_flag` is 0 (`vui_num_ticks_poc_diff_one_minus1`).
  public var numTicksPocDiffOneMinus1: UInt32?
  /// The parameters of the reference decoder's buffers; `nil` if `vui_hrd_parameters_present_flag` is 0.
  public var hrd: HRDParameters?

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("vui_num_units_in_tick", &numUnitsInTick)
    try c.u32("vui_time_scale", &timeScale)
    var isProportional = numTicksPocDiffOneMinus1 != nil
    try c.flag("vui_poc_proportional_to_timing_flag", &isProportional)
    try c.ue(
      "vui_num_ticks_poc_diff_one_minus1", &numTicksPocDiffOneMinus1, if: isProportional,
      in: 0...(.max - 1))
    var hasHRD = hrd != nil
    try c.flag("vui_hrd_parameters_present_flag", &hasHRD)
    let subLayers = maxSubLayersMinus1
    if hasHRD, subLayers == nil {
      throw c.failure(.missing("video parameter set"), "hrd_parameters")
    }
    try c.group("hrd_parameters", &hrd, if: hasHRD) { $0.maxNumSubLayersMinus1 = subLayers ?? 0 }
  }
}

/// Restrictions that the stream observes. ISO/IEC 23008-2, E.3.1
public struct BitstreamRestriction: FieldLayout {
  /// Whether all pictures of the sequence have the same tiles (`tiles_fixed_structure_flag`).
  public var tilesFixedStructureFlag = false
  /// Whether motion vectors may point outside the picture (`motion_vectors_over_pic_boundaries_flag`).
  public var motionVectorsOverPicBoundariesFlag = true
  /// Whether all slices of a picture have the same reference picture lists (`restricted_ref_pic_lists_flag`).
  public var restrictedRefPicListsFlag = false
  /// How small the independently decodable areas of a picture are at most; 0 for no limit
  /// (`min_spatial_segmentation_idc`).
  public var minSpatialSegmentationIdc: UInt32 = 0
  /// The ratio of raw to coded size that every picture reaches; 0 for no limit (`max_bytes_per_pic_denom`).
  public var maxBytesPerPicDenom: UInt32 = 2
  /// The ratio of raw to coded bits that every smallest coding unit reaches; 0 for no limit
  /// (`max_bits_per_min_cu_denom`).
  public var maxBitsPerMinCuDenom: UInt32 = 1
  /// Log2 of the longest horizontal motion vector, in quarter luma samples (`log2_max_mv_length_horizontal`).
  public var log2MaxMvLengthHorizontal: UInt32 = 15
  /// Log2 of the longest vertical motion vector, in quarter luma samples (`log2_max_mv_length_vertical`).
  public var log2MaxMvLengthVertical: UInt32 = 15

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.flag("tiles_fixed_structure_flag", &tilesFixedStructureFlag)
    try c.flag("motion_vectors_over_pic_boundaries_flag", &motionVectorsOverPicBoundariesFlag)
    try c.flag("restricted_ref_pic_lists_flag", &restrictedRefPicListsFlag)
    try c.ue("min_spatial_segmentation_idc", &minSpatialSegmentationIdc, in: 0...4095)
    try c.ue("max_bytes_per_pic_denom", &maxBytesPerPicDenom, in: 0...16)
    try c.ue("max_bits_per_min_cu_denom", &maxBitsPerMinCuDenom, in: 0...16)
    try c.ue("log2_max_mv_length_horizontal", &log2MaxMvLengthHorizontal, in: 0...16)
    try c.ue("log2_max_mv_length_vertical", &log2MaxMvLengthVertical, in: 0...16)
  }
}
