// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `esds`: the decoder of an MPEG-4 stream, as descriptors of MPEG-4 systems.
public struct ElementaryStreamDescriptorBox: BoxPayload {
  public static let name: StaticString = "elementary stream descriptor"
  public static let types: [FourCC] = ["esds"]
  public static let specification: StaticString = "ISO/IEC 14496-14, 5.6"
  public static let summary: StaticString =
    "The decoder of an MPEG-4 stream and what it must know beforehand."
  public static let versions: ClosedRange<UInt8>? = 0...0

  /// The flags of the full box.
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

  public static var samples: [ElementaryStreamDescriptorBox] {
    let info = Descriptor(.decoderSpecificInfo, .decoderSpecificInfo(ByteView([0x11, 0x90])))
    var config = DecoderConfigDescriptor()
    config.averageBitrate = 128_000
    config.descriptors = [info]
    let decoder = Descriptor(.decoderConfig, .decoderConfig(config))
    var packing = Descriptor(.syncLayer, .syncLayer(SyncLayerConfigDescriptor()))
    var stream = ElementaryStreamDescriptor()
    stream.descriptors = [decoder, packing]
    var plain = ElementaryStreamDescriptorBox()
    plain.descriptors = [Descriptor(.elementaryStream, .elementaryStream(stream))]

    // Lengths of four bytes, every optional field, a packing that is not predefined, an unknown tag.
    stream.dependsOnStreamID = 1
    stream.url = ByteView("https://example.com/a".utf8)
    stream.clockStreamID = 2
    var custom = SyncLayerConfigDescriptor()
    custom.predefined = 0
    custom.fields = ByteView([1, 2, 3])
    packing = Descriptor(.syncLayer, .syncLayer(custom), lengthByteCount: 4)
    let other = Descriptor(Descriptor.Tag(rawValue: 0x14), .other(ByteView([9])), lengthByteCount: 2)
    stream.descriptors = [packing, other]
    var full = ElementaryStreamDescriptorBox()
    full.descriptors = [Descriptor(.elementaryStream, .elementaryStream(stream), lengthByteCount: 4)]
    return [ElementaryStreamDescriptorBox(), plain, full]
  }
}
