// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `iden`, `ctim`, `sttg`, `payl` and `vtta`: the texts of a WebVTT cue in a sample.
public struct WebVTTCueTextBox: BoxPayload {
  public static let name: StaticString = "WebVTT cue text"
  public static let types: [FourCC] = ["iden", "ctim", "sttg", "payl", "vtta"]
  public static let scopes: [BoxScope] = [.webVTTSample, .box("vttc")]
  public static let specification: StaticString = "ISO/IEC 14496-30, 7.6"
  public static let summary: StaticString =
    "The identifier, the time, the settings or the text of a WebVTT cue, or text between cues."

  /// The text, without a terminator.
  public var text = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.remainder("text", &text, .text)
  }
}

/// `vsid`: identifies cues in several samples that are one cue in the WebVTT file.
public struct WebVTTCueSourceBox: BoxPayload {
  public static let name: StaticString = "WebVTT cue source"
  public static let types: [FourCC] = ["vsid"]
  public static let scopes: [BoxScope] = [.box("vttc")]
  public static let specification: StaticString = "ISO/IEC 14496-30, 7.6"
  public static let summary: StaticString = "Which cues, in several samples, are one in the WebVTT file."

  /// The number that such cues share.
  public var sourceID: Int32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.i32("source_ID", &sourceID) }
}
