// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// The size and sample format of pictures, as in a sequence parameter set. ISO/IEC 23008-2, 7.3.2.2.1
public struct PictureFormat: FieldLayout {
  /// The chroma format: 0 for monochrome, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4 (`chroma_format_idc`).
  public var chromaFormatIdc: UInt32 = 1
  /// Whether the three components are coded as separate pictures; `nil` unless the format is 4:4:4
  /// (`separate_colour_plane_flag`).
  public var separateColourPlaneFlag: Bool?
  /// The width of a coded picture in luma samples (`pic_width_in_luma_samples`).
  public var picWidthInLumaSamples: UInt32 = 8
  /// The height of a coded picture in luma samples (`pic_height_in_luma_samples`).
  public var picHeightInLumaSamples: UInt32 = 8
  /// The part of a picture to output; `nil` for the whole picture (`conformance_window_flag` is 0).
  public var conformanceWindow: ConformanceWindow?
  /// The bits of a luma sample, less 8 (`bit_depth_luma_minus8`).
  public var bitDepthLumaMinus8: UInt32 = 0
  /// The bits of a chroma sample, less 8 (`bit_depth_chroma_minus8`).
  public var bitDepthChromaMinus8: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.ue("chroma_format_idc", &chromaFormatIdc, in: 0...3, .named(Self.chromaFormatName))
    try c.flag("separate_colour_plane_flag", &separateColourPlaneFlag, if: chromaFormatIdc == 3)
    try c.ue("pic_width_in_luma_samples", &picWidthInLumaSamples, in: 1...65535)
    try c.ue("pic_height_in_luma_samples", &picHeightInLumaSamples, in: 1...65535)
    try c.announced("conformance_window_flag", "conformance_window", &conformanceWindow)
    try c.ue("bit_depth_luma_minus8", &bitDepthLumaMinus8, in: 0...8)
    try c.ue("bit_depth_chroma_minus8", &bitDepthChromaMinus8, in: 0...8)
  }
}

extension PictureFormat {
  /// The format that a `rep_format()` describes; `nil` if it takes the sample format from another one.
  public init?(_ format: RepFormat) {
    guard let samples = format.sampleFormat else { return nil }
    chromaFormatIdc = UInt32(samples.chromaFormatIdc)
    separateColourPlaneFlag = samples.separateColourPlaneFlag
    picWidthInLumaSamples = UInt32(format.picWidthInLumaSamples)
    picHeightInLumaSamples = UInt32(format.picHeightInLumaSamples)
    conformanceWindow = format.conformanceWindow
    conformanceWindow?.isOfVPS = false
    bitDepthLumaMinus8 = UInt32(samples.bitDepthLumaMinus8)
    bitDepthChromaMinus8 = UInt32(samples.bitDepthChromaMinus8)
  }

  /// The chroma format used for decoding: 0 if colour planes are coded separately (`ChromaArrayType`).
  public var chromaArrayType: Int { separateColourPlaneFlag == true ? 0 : Int(chromaFormatIdc) }
  /// The number of bits of a luma sample (`BitDepthY`).
  public var bitDepthLuma: Int { Int(bitDepthLumaMinus8) + 8 }
  /// The number of bits of a chroma sample (`BitDepthC`).
  public var bitDepthChroma: Int { Int(bitDepthChromaMinus8) + 8 }
  /// How many luma samples are as wide as one chroma sample (`SubWidthC`).
  public var subWidthC: Int { chromaFormatIdc == 1 || chromaFormatIdc == 2 ? 2 : 1 }
  /// How many luma samples are as high as one chroma sample (`SubHeightC`).
  public var subHeightC: Int { chromaFormatIdc == 1 ? 2 : 1 }
  /// The name of the chroma format, such as `4:2:0`; `nil` if it is unknown.
  public var chromaFormatName: String? { Self.chromaFormatName(Int64(chromaFormatIdc)) }

  /// The name of a value of `chroma_format_idc`. Table 6-1
  @usableFromInline static func chromaFormatName(_ code: Int64) -> String? {
    switch code {
    case 0: "4:0:0"
    case 1: "4:2:0"
    case 2: "4:2:2"
    case 3: "4:4:4"
    default: nil
    }
  }

  /// The size of a coded picture.
  public var codedSize: PictureSize {
    PictureSize(width: Int(picWidthInLumaSamples), height: Int(picHeightInLumaSamples))
  }

  /// The size inside the conformance window; `nil` if the window is empty. The offsets may be as large as 2³²-2.
  public var croppedSize: PictureSize? {
    guard let window = conformanceWindow else { return codedSize }
    let width =
      Int64(picWidthInLumaSamples) - Int64(subWidthC)
      * (Int64(window.leftOffset) + Int64(window.rightOffset))
    let height =
      Int64(picHeightInLumaSamples) - Int64(subHeightC)
      * (Int64(window.topOffset) + Int64(window.bottomOffset))
    guard width > 0, height > 0 else { return nil }
    return PictureSize(width: Int(width), height: Int(height))
  }
}

/// A size in luma samples.
public struct PictureSize: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The number of luma samples in a row.
  public var width: Int
  /// The number of rows of luma samples.
  public var height: Int

  /// Makes a size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  public var description: String { "\(width)x\(height)" }
}
