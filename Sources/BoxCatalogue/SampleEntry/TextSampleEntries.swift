// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `stpp`: subtitles in XML, such as TTML.
public struct XMLSubtitleSampleEntry: BoxPayload {
  public static let info = BoxInfo(
    ["stpp"], name: "XML subtitle sample entry", in: [.otherSampleDescription], "ISO/IEC 14496-12, 12.6.3",
    "Subtitles in XML, such as TTML.", childrenFollow: true, childScope: .otherSampleEntry)

  /// The data reference that holds the samples, counted from 1.
  public var dataReferenceIndex: UInt16 = 1
  /// The XML namespaces, separated by spaces.
  public var namespace: TerminatedString? = TerminatedString()
  /// The locations of their schemas.
  public var schemaLocation: TerminatedString? = TerminatedString()
  /// The MIME types of images and fonts.
  public var auxiliaryMIMETypes: TerminatedString? = TerminatedString()
  var reserved: UInt64 = 0

  public init() {}

  public mutating func prepare(for context: BoxContext, payload: ByteView) {
    let count = payload.stringsBeforeBoxes(from: 8, maximum: 3)
    if count < 3 { auxiliaryMIMETypes = nil }
    if count < 2 { schemaLocation = nil }
    if count < 1 { namespace = nil }
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.sampleEntry(&reserved, &dataReferenceIndex)
    try c.terminatedString("namespace", &namespace, if: namespace != nil)
    try c.terminatedString("schema_location", &schemaLocation, if: schemaLocation != nil)
    try c.terminatedString("auxiliary_mime_types", &auxiliaryMIMETypes, if: auxiliaryMIMETypes != nil)
  }
}

/// `metx`: timed metadata in XML.
public struct XMLMetadataSampleEntry: BoxPayload {
  public static let info = BoxInfo(
    ["metx"], name: "XML metadata sample entry", in: [.otherSampleDescription], "ISO/IEC 14496-12, 12.3.3",
    "Timed metadata in XML.", childrenFollow: true, childScope: .otherSampleEntry)

  /// The data reference that holds the samples, counted from 1.
  public var dataReferenceIndex: UInt16 = 1
  /// How the text is compressed, such as `application/zip`; usually empty.
  public var contentEncoding: TerminatedString? = TerminatedString()
  /// The XML namespaces, separated by spaces.
  public var namespace: TerminatedString? = TerminatedString()
  /// The locations of their schemas.
  public var schemaLocation: TerminatedString? = TerminatedString()
  var reserved: UInt64 = 0

  public init() {}

  public mutating func prepare(for context: BoxContext, payload: ByteView) {
    let count = payload.stringsBeforeBoxes(from: 8, maximum: 3)
    if count < 3 { schemaLocation = nil }
    if count < 2 { namespace = nil }
    if count < 1 { contentEncoding = nil }
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.sampleEntry(&reserved, &dataReferenceIndex)
    try c.terminatedString("content_encoding", &contentEncoding, if: contentEncoding != nil)
    try c.terminatedString("namespace", &namespace, if: namespace != nil)
    try c.terminatedString("schema_location", &schemaLocation, if: schemaLocation != nil)
  }
}

/// `sbtt`, `stxt`, `mett`: text other than XML, as subtitles, as plain text, or as metadata.
public struct PlainTextSampleEntry: BoxPayload {
  public static let info = BoxInfo(
    ["sbtt", "stxt", "mett"], name: "plain text sample entry", in: [.otherSampleDescription],
    "ISO/IEC 14496-12, 12.3.3, 12.5.3, 12.6.3",
    "Text other than XML, as subtitles, as plain text, or as metadata.",
    childrenFollow: true, childScope: .otherSampleEntry)

  /// The data reference that holds the samples, counted from 1.
  public var dataReferenceIndex: UInt16 = 1
  /// How the text is compressed, such as `application/zip`; usually empty.
  public var contentEncoding: TerminatedString? = TerminatedString()
  /// The MIME type of the text.
  public var mimeFormat: TerminatedString? = TerminatedString()
  var reserved: UInt64 = 0

  public init() {}

  public mutating func prepare(for context: BoxContext, payload: ByteView) {
    let count = payload.stringsBeforeBoxes(from: 8, maximum: 2)
    if count < 2 { mimeFormat = nil }
    if count < 1 { contentEncoding = nil }
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.sampleEntry(&reserved, &dataReferenceIndex)
    try c.terminatedString("content_encoding", &contentEncoding, if: contentEncoding != nil)
    try c.terminatedString("mime_format", &mimeFormat, if: mimeFormat != nil)
  }
}

/// `txtC`, `uri `: the header that precedes the text of each sample, or the URI that identifies the metadata.
public struct TextConfigBox: FullBox {
  public static let info = BoxInfo(
    ["txtC", "uri "], name: "text config", in: [.otherSampleEntry], "ISO/IEC 14496-12, 12.5.3.2 and 12.3.3.2",
    "The header that precedes the text of each sample, or the URI that identifies the metadata.",
    versions: 0...0)

  public var flags: UInt32 = 0
  /// The text.
  public var text = TerminatedString()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.terminatedString("text", &text)
  }
}

/// `uriI`: the initialisation data of metadata that is identified by a URI.
public struct URIInitBox: FullBox {
  public static let info = BoxInfo(
    ["uriI"], name: "URI init", in: [.otherSampleEntry], "ISO/IEC 14496-12, 12.3.3.2",
    "The initialisation data of metadata that is identified by a URI.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The data.
  public var uriInitializationData = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.remainder("uri_initialization_data", &uriInitializationData)
  }
}

/// `vttC` and `vlab`: the header of a WebVTT file, or the source of the file.
public struct WebVTTTextBox: BoxPayload {
  public static let info = BoxInfo(
    ["vttC", "vlab"], name: "WebVTT text", in: [.otherSampleEntry], "ISO/IEC 14496-30, 7.5",
    "The header of a WebVTT file, or the source of the file.")

  /// The text, without a terminator.
  public var text = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.remainder("text", &text, .text)
  }
}
