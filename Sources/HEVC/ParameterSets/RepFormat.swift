// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `rep_format()`: the size and sample format of the pictures of a layer.
public struct RepFormat: FieldLayout {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, F.7.3.2.1.2"

  /// Chroma format and bit depths.
  public struct SampleFormat: FieldLayout {
    /// The chroma format: 0 for monochrome, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4 (`chroma_format_vps_idc`).
    public var chromaFormatIdc: UInt8 = 1
    /// Whether the three components are coded as separate pictures; `nil` unless the format is 4:4:4
    /// (`separate_colour_plane_vps_flag`).
    public var separateColourPlaneFlag: Bool?
    /// The bits of a luma sample, less 8 (`bit_depth_vps_luma_minus8`).
    public var bitDepthLumaMinus8: UInt8 = 0
    /// The bits of a chroma sample, less 8 (`bit_depth_vps_chroma_minus8`).
    public var bitDepthChromaMinus8: UInt8 = 0

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u(
        "chroma_format_vps_idc", &chromaFormatIdc, 2, in: nil, .named(PictureFormat.chromaFormatName))
      try c.flag("separate_colour_plane_vps_flag", &separateColourPlaneFlag, if: chromaFormatIdc == 3)
      try c.u("bit_depth_vps_luma_minus8", &bitDepthLumaMinus8, 4, in: 0...8)
      try c.u("bit_depth_vps_chroma_minus8", &bitDepthChromaMinus8, 4, in: 0...8)
    }
  }

  /// The width of a coded picture in luma samples (`pic_width_vps_in_luma_samples`).
  public var picWidthInLumaSamples: UInt16 = 0
  /// The height of a coded picture in luma samples (`pic_height_vps_in_luma_samples`).
  public var picHeightInLumaSamples: UInt16 = 0
  /// The sample format; `nil` for that of the previous format (`chroma_and_bit_depth_vps_present_flag` is 0).
  public var sampleFormat: SampleFormat?
  /// The part of a picture to output; `nil` for the whole picture (`conformance_window_vps_flag` is 0).
  public var conformanceWindow: ConformanceWindow?

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u16("pic_width_vps_in_luma_samples", &picWidthInLumaSamples)
    try c.u16("pic_height_vps_in_luma_samples", &picHeightInLumaSamples)
    try c.announced("chroma_and_bit_depth_vps_present_flag", "sample_format", &sampleFormat)
    var hasWindow = conformanceWindow != nil
    try c.flag("conformance_window_vps_flag", &hasWindow)
    try c.group("conformance_window", &conformanceWindow, if: hasWindow) { $0.isOfVPS = true }
  }
}

/// How much of a coded picture is cropped, in units of chroma samples. ISO/IEC 23008-2, 7.4.3.2.1 and F.7.4.3.1.2
public struct ConformanceWindow: FieldLayout {
  /// Whether the window is in a video parameter set, which determines the names of the fields.
  public var isOfVPS = false

  /// How much is cropped on the left (`conf_win_left_offset`).
  public var leftOffset: UInt32 = 0
  /// How much is cropped on the right (`conf_win_right_offset`).
  public var rightOffset: UInt32 = 0
  /// How much is cropped at the top (`conf_win_top_offset`).
  public var topOffset: UInt32 = 0
  /// How much is cropped at the bottom (`conf_win_bottom_offset`).
  public var bottomOffset: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    let any: ClosedRange<UInt32> = 0...(.max - 1), vps = isOfVPS
    try c.ue(vps ? "conf_win_vps_left_offset" : "conf_win_left_offset", &leftOffset, in: any)
    try c.ue(vps ? "conf_win_vps_right_offset" : "conf_win_right_offset", &rightOffset, in: any)
    try c.ue(vps ? "conf_win_vps_top_offset" : "conf_win_top_offset", &topOffset, in: any)
    try c.ue(vps ? "conf_win_vps_bottom_offset" : "conf_win_bottom_offset", &bottomOffset, in: any)
  }
}
