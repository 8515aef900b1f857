// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// How video samples are coded: the size of the picture, and the codec's configuration.
///
/// The type of the box is the codec, and its children configure it.
public struct VisualSampleEntry: BoxPayload {
  // In other tracks, too: one whose handler is damaged or missing still has pictures if its codec is one of these.
  public static let info = BoxInfo(
    visualCodecs, name: "visual sample entry", in: [.visualSampleDescription, .otherSampleDescription],
    "ISO/IEC 14496-12, 12.1.3",
    "How video samples are coded: the size of the picture, and the codec's configuration.",
    childrenFollow: true, childScope: .visualSampleEntry)

  /// The data reference that holds the samples, counted from 1.
  public var dataReferenceIndex: UInt16 = 1
  /// In QuickTime, the version of the compressor's data; otherwise 0.
  public var version: UInt16 = 0
  /// In QuickTime, the revision of the compressor's data; otherwise 0.
  public var revisionLevel: UInt16 = 0
  /// In QuickTime, the vendor of the compressor; otherwise 0.
  public var vendor: UInt32 = 0
  /// In QuickTime, the degree of temporal compression, 0 to 1023; otherwise 0.
  public var temporalQuality: UInt32 = 0
  /// In QuickTime, the degree of spatial compression, 0 to 1024; otherwise 0.
  public var spatialQuality: UInt32 = 0
  /// The width of the coded picture in pixels.
  public var width: UInt16 = 0
  /// The height of the coded picture in pixels.
  public var height: UInt16 = 0
  /// The horizontal resolution in pixels per inch, as a 16.16 fixed-point number.
  public var horizontalResolution: UInt32 = 0x0048_0000
  /// The vertical resolution in pixels per inch, as a 16.16 fixed-point number.
  public var verticalResolution: UInt32 = 0x0048_0000
  /// The number of pictures in a sample.
  public var frameCount: UInt16 = 1
  /// The 32 bytes of the compressor's name: its length, the text, and padding.
  public var compressorNameField = VisualSampleEntry.noName
  /// The colour depth: 24 colour without alpha, 32 with alpha, 33 to 40 grey.
  public var depth: UInt16 = 24
  /// In QuickTime, the colour table: -1 none, 0 the one that follows in this entry.
  public var colorTableID: Int16 = -1
  /// The colour table; `nil` if it is not in this entry.
  public var colorTable: InlineColorTable? {
    didSet { hasColorTable = colorTable != nil }
  }
  /// Bytes before the boxes, in entries of one writer whose form no standard describes.
  public var privateData = ByteView() {
    didSet { privateDataCount = privateData.count }
  }
  var reserved1: UInt64 = 0
  var dataSize: UInt32 = 0
  var hasColorTable = false
  var privateDataCount = 0

  static let noName = ByteView([UInt8](repeating: 0, count: 32))

  public init() {}

  /// An entry for pictures of this size.
  public init(width: UInt16, height: UInt16, compressorName: String = "") {
    self.width = width
    self.height = height
    self.compressorName = compressorName
  }

  public mutating func prepare(for context: BoxContext, payload: ByteView) {
    if !visualCodecs.contains(context.type) { privateDataCount = payload.countBeforeBoxes(from: 78) }
    // A colour table follows only for pictures of up to 8 bits per pixel, and only if no box begins here instead.
    guard payload.bigEndian(at: 76, width: 2) == 0, let depth = payload.bigEndian(at: 74, width: 2),
      depth & 0x1F <= 8, depth & 0x1F > 0, let last = payload.bigEndian(at: 84, width: 2), last < 256,
      let seed = payload.bigEndian(at: 78, width: 4)
    else { return }
    let startsBox = seed >= 8 && (payload.fourCC(at: 82)?.isPrintable ?? false)
    hasColorTable = !startsBox && payload.count >= 86 + 8 * (Int(last) + 1)
    if hasColorTable { privateDataCount = 0 }
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.reserved("reserved", &reserved1, bits: 48, expecting: 0)
    try c.u16("data_reference_index", &dataReferenceIndex)
    try c.reserved("version", &version, bits: 16, expecting: 0)
    try c.reserved("revision_level", &revisionLevel, bits: 16, expecting: 0)
    try c.optionalCode("vendor", &vendor)
    try c.u32("temporal_quality", &temporalQuality)
    try c.u32("spatial_quality", &spatialQuality)
    try c.u16("width", &width)
    try c.u16("height", &height)
    try c.u32("horizresolution", &horizontalResolution, in: nil, .fixedPoint(fractionBits: 16))
    try c.u32("vertresolution", &verticalResolution, in: nil, .fixedPoint(fractionBits: 16))
    try c.reserved("data_size", &dataSize, bits: 32, expecting: 0)
    try c.u16("frame_count", &frameCount)
    try c.bytes("compressorname", &compressorNameField, count: 32, .pascalText)
    try c.u16("depth", &depth)
    try c.i16("color_table_ID", &colorTableID)
    try c.group("color_table", &colorTable, if: hasColorTable)
    if privateDataCount > 0 { try c.bytes("private_data", &privateData, count: privateDataCount) }
  }
}

extension VisualSampleEntry {
  /// The compressor's name, of at most 31 bytes in UTF-8.
  public var compressorName: String {
    get { compressorNameField.pascalText }
    set {
      let text = Array(newValue.utf8.prefix(31))
      let filling = [UInt8](repeating: 0, count: 31 - text.count)
      compressorNameField = ByteView([UInt8(text.count)] + text + filling)
    }
  }
}

/// A colour table inside a sample entry. QuickTime File Format, Color Table Atoms
public struct InlineColorTable: FieldLayout {
  /// One colour.
  public struct Entry: FieldLayout {
    /// The pixel value.
    public var value: UInt16 = 0
    /// The colour.
    public var color = RGBColor()
    public init() {}
    /// Makes a colour.
    public init(value: UInt16, color: RGBColor) {
      self.value = value
      self.color = color
    }
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u16("value", &value)
      try color.layout(&c)
    }
  }

  /// A number that changes whenever the table does.
  public var seed: UInt32 = 0
  /// 0x8000 if the values of colours are their positions.
  public var flags: UInt16 = 0
  /// The colours.
  public var colors: [Entry] = [Entry()]

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("seed", &seed)
    try c.u16("flags", &flags)
    var last = UInt16(clamping: colors.count - 1)
    try c.u16("size", &last)
    try c.array("colors", &colors, count: Int(last) + 1, minimumBits: 64)
  }
}

/// The codecs of video tracks with a registered or widely used type.
let visualCodecs: [FourCC] = [
  // ISO/IEC 14496-15
  "avc1", "avc2", "avc3", "avc4", "avcp", "svc1", "svc2", "mvc1", "mvc2", "mvc3", "mvc4", "mvd1", "mvd2",
  "mvd3",
  "mvd4", "a3d1", "a3d2", "a3d3", "a3d4", "hvc1", "hvc2", "hvc3", "hev1", "hev2", "hev3", "lhv1", "lhe1",
  "hvt1",
  "hvt2", "hvt3", "lht1", "vvc1", "vvi1", "vvs1", "vvcN", "evc1", "evs1", "evs2", "icpv",
  // Other standards
  "mp4v", "encv", "resv", "av01", "vp08", "vp09", "vp10", "dvh1", "dvhe", "dva1", "dvav", "dav1", "dvc1",
  "dvi1",
  "s263", "h263", "vc-1", "mjp2", "mjpg", "jpeg", "j2ki", "jxs1", "uncv", "unci", "hxvs", "apvx", "apv1",
  // QuickTime
  "muxa", "apch", "apcn", "apcs", "apco", "ap4h", "ap4x", "aprn", "aprh", "dvc ", "dvcp", "dvpp", "dv5n",
  "dv5p",
  "dvhp", "dvhq", "dvh2", "dvh3", "dvh5", "dvh6", "AVdn", "AVdh", "AVDJ", "mjpa", "mjpb", "SVQ1", "SVQ3",
  "cvid",
  "rle ", "rpza", "smc ", "raw ", "png ", "tiff", "gif ", "2vuy", "yuv2", "v210", "v216", "v308", "v408",
  "v410",
  "r210", "b64a", "b48r", "xd50", "xd5b", "xdv1", "xdv2", "xdv3", "xdva", "hdv1", "hdv2", "hdv3", "hdv5",
  "mx3n",
  "mx3p", "mx4n", "mx4p", "mx5n", "mx5p", "FFV1", "CFHD", "icod", "8BPS", "WRLE", "Hap1", "Hap5", "HapY",
]
