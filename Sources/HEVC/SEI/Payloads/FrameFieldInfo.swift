// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `frame_field_info` (168): whether a picture is a frame or a field, and which field. ISO/IEC 23008-2, F.14.2.9
public struct FrameFieldInfo: SEIPayload {
  public static let payloadType = SEIPayloadType(168)
  public static let specification: StaticString = "ISO/IEC 23008-2, F.14.2.9"
  public static let summary: StaticString = "Whether a picture is a frame or a field, and which field."

  /// Whether the picture is a frame or a field, and which (`ffinfo_pic_struct`).
  public var structure: UInt8 = 0
  /// How the source was scanned: 0 interlaced, 1 progressive, 2 unknown (`ffinfo_source_scan_type`).
  public var sourceScanType: UInt8 = 0
  /// Whether the picture duplicates the previous one (`ffinfo_duplicate_flag`).
  public var isDuplicate = false

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u("ffinfo_pic_struct", &structure, 4, .named(Self.structureName(_:)))
    try c.u("ffinfo_source_scan_type", &sourceScanType, 2, .named(Self.scanName(_:)))
    try c.flag("ffinfo_duplicate_flag", &isDuplicate)
  }

  /// The name of a value of `pic_struct`. Table D.2
  @Sendable
  static func structureName(_ value: Int64) -> String? {
    let names = [
      "frame", "top field", "bottom field", "top and bottom field", "bottom and top field",
      "top, bottom, top field", "bottom, top, bottom field", "frame doubled", "frame tripled",
      "top field after a bottom field", "bottom field after a top field", "top field before a bottom field",
      "bottom field before a top field",
    ]
    return names.indices.contains(Int(clamping: value)) ? names[Int(clamping: value)] : nil
  }

  /// The name of a value of `source_scan_type`.
  @Sendable
  static func scanName(_ value: Int64) -> String? {
    switch value {
    case 0: "interlaced"
    case 1: "progressive"
    case 2: "unknown"
    default: nil
    }
  }
}
