// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import HEVC
public import ISOBMFF

/// `hvcC`: what a decoder of the base layer needs before the first sample: profile, sample format, parameter sets.
public struct HEVCConfigurationBox: BoxPayload {
  public static let info = BoxInfo(
    ["hvcC"], name: "HEVC configuration", in: [.visualSampleEntry, .box("ipco")], "ISO/IEC 14496-15, 8.4.1.1",
    "What a decoder of the base layer needs before the first sample: profile, sample format, parameter sets.")

  /// The record that the box holds.
  public var record = DecoderConfigurationRecord()

  public init() {}

  /// A box around a record.
  public init(_ record: DecoderConfigurationRecord) { self.record = record }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try record.layout(&c) }
}

/// `lhvC`: the configuration of the enhancement layers of a track. Without it, the second eye cannot be decoded.
public struct LHEVCConfigurationBox: BoxPayload {
  public static let info = BoxInfo(
    ["lhvC"], name: "L-HEVC configuration", in: [.visualSampleEntry, .box("ipco")],
    "ISO/IEC 14496-15, 9.5.3.1",
    "The configuration of the enhancement layers of a track. Without it, the second eye cannot be decoded."
  )

  /// The record that the box holds.
  public var record = LayeredConfigurationRecord()

  public init() {}

  /// A box around a record.
  public init(_ record: LayeredConfigurationRecord) { self.record = record }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try record.layout(&c) }
}

let configurationBoxes: [BoxRegistration] = [
  BoxRegistration(HEVCConfigurationBox.self),
  BoxRegistration(LHEVCConfigurationBox.self),
]
