// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `esds`: the decoder that an MPEG-4 stream requires, and its configuration.
///
/// They are stored as descriptors of MPEG-4 systems.
public struct ElementaryStreamDescriptorBox: FullBox {
  public static let info = BoxInfo(
    ["esds"], name: "elementary stream descriptor", "ISO/IEC 14496-14, 5.6",
    "The decoder that an MPEG-4 stream requires, and its configuration.", versions: 0...0)

  public var flags: UInt32 = 0
  /// One ES_Descriptor.
  public var descriptors: [Descriptor] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.descriptorsToEnd(&descriptors, depth: NestingDepth())
  }

  /// The descriptor of the decoder; `nil` if there is none.
  public var decoderConfig: DecoderConfigDescriptor? {
    for descriptor in descriptors {
      if case .decoderConfig(let config)? = descriptor.first(.decoderConfig)?.content { return config }
    }
    return nil
  }

  /// The configuration of the decoder, for MPEG-4 audio the AudioSpecificConfig; `nil` if there is none.
  public var decoderSpecificInfo: ByteView? {
    for descriptor in descriptors {
      if case .decoderSpecificInfo(let info)? = descriptor.first(.decoderSpecificInfo)?.content {
        return info
      }
    }
    return nil
  }
}
