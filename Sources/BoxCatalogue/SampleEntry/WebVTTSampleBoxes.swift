// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `iden`, `ctim`, `sttg`, `payl` and `vtta`: the identifier, time, settings or text of a WebVTT cue in a sample, or
/// text between cues.
public struct WebVTTCueTextBox: BoxPayload {
  public static let info = BoxInfo(
    ["iden", "ctim", "sttg", "payl", "vtta"], name: "WebVTT cue text", in: [.webVTTSample, .box("vttc")],
    "ISO/IEC 14496-30, 7.6",
    "The identifier, time, settings or text of a WebVTT cue in a sample, or text between cues.")

  /// The text, without a terminator.
  public var text = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.remainder("text", &text, .text)
  }
}

/// `vsid`: identifies cues in several samples that are one cue in the WebVTT file.
public struct WebVTTCueSourceBox: BoxPayload {
  public static let info = BoxInfo(
    ["vsid"], name: "WebVTT cue source", in: [.box("vttc")], "ISO/IEC 14496-30, 7.6",
    "Identifies cues in several samples that are one cue in the WebVTT file.")

  /// The number that such cues share.
  public var sourceID: Int32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.i32("source_ID", &sourceID) }
}
