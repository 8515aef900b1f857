// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import BoxCatalogue
import ByteCoding
import ISOBMFF

extension OriginalFormatBox: ExampleProviding {
  package static var examples: [OriginalFormatBox] { [OriginalFormatBox()] }
}

extension SchemeTypeBox: ExampleProviding {
  package static var examples: [SchemeTypeBox] {
    var sample = SchemeTypeBox()
    sample.flags = 1
    sample.schemeURI = TerminatedString("https://example.com/scheme")
    return [SchemeTypeBox(), sample]
  }
}

extension TrackEncryptionBox: ExampleProviding {
  package static var examples: [TrackEncryptionBox] {
    var counter = TrackEncryptionBox()
    counter.keyID = ByteView(1...16)
    var pattern = counter
    pattern.version = 1
    pattern.cryptByteBlock = 1
    pattern.skipByteBlock = 9
    pattern.perSampleIVSize = 0
    pattern.constantIV = ByteView(repeatElement(0x42, count: 16))
    return [counter, pattern]
  }
}

extension ProtectionSystemSpecificHeaderBox: ExampleProviding {
  package static var examples: [ProtectionSystemSpecificHeaderBox] {
    var old = ProtectionSystemSpecificHeaderBox()
    old.systemID = ByteView([
      0xED, 0xEF, 0x8B, 0xA9, 0x79, 0xD6, 0x4A, 0xCE, 0xA3, 0xC8, 0x27, 0xDC, 0xD5, 0x1D, 0x21, 0xED,
    ])
    old.data = ByteView([8, 1, 18, 0])
    var common = ProtectionSystemSpecificHeaderBox()
    common.version = 1
    common.systemID = ByteView([
      0x10, 0x77, 0xEF, 0xEC, 0xC0, 0xB2, 0x4D, 0x02, 0xAC, 0xE3, 0x3C, 0x1E, 0x52, 0xE2, 0xFB, 0x4B,
    ])
    common.keyIDs = [ByteView(1...16), ByteView(17...32)]
    return [old, common]
  }
}

extension StereoVideoBox: ExampleProviding {
  package static var examples: [StereoVideoBox] {
    var sample = StereoVideoBox()
    sample.singleViewAllowed = 1
    sample.stereoIndicationType = ByteView([0, 0, 0, 3])
    return [sample]
  }
}

extension SEIInformationBox: ExampleProviding {
  package static var examples: [SEIInformationBox] {
    var sample = SEIInformationBox()
    sample.requiredSEI = [45]
    sample.notRequiredSEI = [137, 144]
    return [SEIInformationBox(), sample]
  }
}

extension SampleEncryptionBox: ExampleProviding {
  package static var examples: [SampleEncryptionBox] {
    var whole = SampleEncryptionBox()
    whole.flags = 0
    whole.sampleCount = 2
    whole.entries = ByteView(1...16)
    var parts = SampleEncryptionBox()
    parts.sampleCount = 1
    parts.entries = ByteView([1, 2, 3, 4, 5, 6, 7, 8, 0, 2, 0, 16, 0, 0, 0, 64, 0, 5, 0, 0, 1, 0])
    return [SampleEncryptionBox(), whole, parts]
  }
}
