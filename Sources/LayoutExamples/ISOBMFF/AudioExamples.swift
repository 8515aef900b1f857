// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import ISOBMFF

extension AudioSampleEntry: ExampleProviding {
  package static var examples: [AudioSampleEntry] {
    var plain = AudioSampleEntry()
    plain.sampleRate = 48_000 << 16
    var isoVersion1 = plain
    isoVersion1.entryVersion = 1
    isoVersion1.sampleRate = 1 << 16
    var version1 = plain
    version1.entryVersion = 1
    version1.form = .quickTimeVersion1
    version1.compressionID = -2
    var sizes = PacketSizes()
    sizes.samplesPerPacket = 1_024
    sizes.bytesPerSample = 2
    version1.packetSizes = sizes
    var version2 = plain
    version2.entryVersion = 2
    version2.form = .quickTimeVersion2
    version2.channelCount = 3
    version2.compressionID = -2
    version2.sampleRate = 0x0001_0000
    var linear = LinearFormat()
    linear.sampleRateBits = (96_000 as Double).bitPattern
    linear.channelCount = 4
    linear.bitsPerChannel = 24
    linear.formatFlags = 12
    linear.bytesPerPacket = 12
    linear.framesPerPacket = 1
    version2.linearFormat = linear
    var extended = version2
    linear.sizeOfStruct = 76
    linear.codecExtension = ByteView([1, 2, 3, 4])
    extended.linearFormat = linear
    return [plain, isoVersion1, version1, version2, extended]
  }
}

extension AC3SpecificBox: ExampleProviding {
  package static var examples: [AC3SpecificBox] { [AC3SpecificBox()] }
}

extension EnhancedAC3SpecificBox: ExampleProviding {
  package static var examples: [EnhancedAC3SpecificBox] {
    var plain = EnhancedAC3SpecificBox()
    plain.dataRate = 640
    var atmos = plain
    atmos.objectExtension = ObjectExtension()
    var dependent = Substream()
    dependent.dependentSubstreams = 1
    dependent.channelLocations = 2
    atmos.substreams = [dependent]
    return [plain, atmos]
  }
}

extension ElementaryStreamDescriptorBox: ExampleProviding {
  package static var examples: [ElementaryStreamDescriptorBox] {
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
