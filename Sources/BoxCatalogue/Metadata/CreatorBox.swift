// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `Cr8r`: the application that wrote a file, as recorded by Adobe's applications.
public struct CreatorBox: BoxPayload {
  public static let info = BoxInfo(
    ["Cr8r"], name: "creator", in: [.box("udta")], "XMP Toolkit, as written by Adobe's applications",
    "The application that wrote a file, as recorded by Adobe's applications.")

  /// 0xBEEFCAFE if the numbers are big-endian.
  public var magic: UInt32 = 0xBEEF_CAFE
  /// The size of the record in bytes; 84.
  public var size: UInt32 = 84
  /// The version of the record.
  public var majorVersion: UInt16 = 1, minorVersion: UInt16 = 0
  /// The Macintosh creator code of the application.
  public var creatorCode: UInt32 = 0
  /// The Macintosh Apple event code recorded with it.
  public var appleEvent: UInt32 = 0
  /// The extension of the file, padded with zeros to 16 bytes.
  public var fileExtension = ByteView.sixteenZeros
  /// The options to start the application with, padded with zeros to 16 bytes.
  public var applicationOptions = ByteView.sixteenZeros
  /// The name of the application, padded with zeros to 32 bytes.
  public var applicationName = ByteView.thirtyTwoZeros

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("magic", &magic, .hexadecimal)
    try c.u32("size", &size)
    try c.u16("majorVer", &majorVersion)
    try c.u16("minorVer", &minorVersion)
    try c.optionalCode("creatorCode", &creatorCode)
    try c.optionalCode("appleEvent", &appleEvent)
    try c.bytes("fileExt", &fileExtension, count: 16, .text)
    try c.bytes("appOptions", &applicationOptions, count: 16, .text)
    try c.bytes("appName", &applicationName, count: 32, .text)
  }
}
