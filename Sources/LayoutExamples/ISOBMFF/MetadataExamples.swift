// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import ISOBMFF

extension LocalizedTextBox: ExampleProviding {
  package static var examples: [LocalizedTextBox] {
    var sample = LocalizedTextBox()
    sample.language = 0x15C7
    sample.notice = UnicodeText("© 2024")
    var wide = LocalizedTextBox()
    wide.notice.utf16 = ByteView([0xFE, 0xFF, 0x00, 0xA9, 0x00, 0x00])
    return [sample, wide]
  }
}

extension LocationInformationBox: ExampleProviding {
  package static var examples: [LocationInformationBox] {
    var sample = LocationInformationBox()
    sample.name = TerminatedString("Paris")
    sample.longitude = 0x0002_4B85
    sample.latitude = 0x0030_DB92
    sample.astronomicalBody = TerminatedString("earth")
    return [sample]
  }
}

extension MetaBox: ExampleProviding {
  package static var examples: [MetaBox] {
    var plain = MetaBox()
    plain.isFullBox = false
    return [MetaBox(), plain]
  }
}

extension MetadataHeaderBox: ExampleProviding {
  package static var examples: [MetadataHeaderBox] { [MetadataHeaderBox()] }
}

extension XMLBox: ExampleProviding {
  package static var examples: [XMLBox] {
    var sample = XMLBox()
    sample.xml = ByteView("<mpeg7/>\0".utf8)
    return [sample]
  }
}

extension BinaryXMLBox: ExampleProviding {
  package static var examples: [BinaryXMLBox] {
    var sample = BinaryXMLBox()
    sample.data = ByteView([0x80, 0x01, 0x02])
    return [sample]
  }
}

extension ID3v2Box: ExampleProviding {
  package static var examples: [ID3v2Box] {
    var sample = ID3v2Box()
    sample.id3v2Data = ByteView([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 0])
    return [sample]
  }
}

extension MetadataKeysBox: ExampleProviding {
  package static var examples: [MetadataKeysBox] {
    var sample = MetadataKeysBox()
    sample.keys = [Key("com.apple.quicktime.software"), Key("titl", namespace: "udta")]
    return [MetadataKeysBox(), sample]
  }
}

extension MetadataItemBox: ExampleProviding {
  package static var examples: [MetadataItemBox] { [MetadataItemBox()] }
}

extension MetadataItemInformationBox: ExampleProviding {
  package static var examples: [MetadataItemInformationBox] { [MetadataItemInformationBox()] }
}

extension MetadataNameBox: ExampleProviding {
  package static var examples: [MetadataNameBox] {
    var sample = MetadataNameBox()
    sample.name = ByteView("com.apple.iTunes".utf8)
    return [sample]
  }
}

extension MetadataLocaleListBox: ExampleProviding {
  package static var examples: [MetadataLocaleListBox] {
    var sample = MetadataLocaleListBox()
    var list = List()
    list.codes = [0x5553, 0x4742]
    sample.lists = [list, List()]
    return [sample]
  }
}

extension MetadataValueBox: ExampleProviding {
  package static var examples: [MetadataValueBox] {
    [
      MetadataValueBox(.utf8, ByteView("swift-multiview".utf8)),
      MetadataValueBox(.unsignedInteger, ByteView([1, 0])),
      MetadataValueBox(.float32, ByteView([0x42, 0x7E, 0x00, 0x00])),
      MetadataValueBox(.binary, ByteView([0, 0, 0, 1, 0, 2, 0, 0])),
    ]
  }
}

extension TimedMetadataKeysBox: ExampleProviding {
  package static var examples: [TimedMetadataKeysBox] {
    var full = TimedMetadataKeysBox()
    full.isFullBox = true
    return [TimedMetadataKeysBox(), full]
  }
}

extension TimedMetadataKeyBox: ExampleProviding {
  package static var examples: [TimedMetadataKeyBox] { [TimedMetadataKeyBox()] }
}

extension MetadataKeyDeclarationBox: ExampleProviding {
  package static var examples: [MetadataKeyDeclarationBox] {
    var sample = MetadataKeyDeclarationBox()
    sample.value = ByteView("com.apple.quicktime.video-orientation".utf8)
    return [sample]
  }
}

extension MetadataDatatypeBox: ExampleProviding {
  package static var examples: [MetadataDatatypeBox] {
    var known = MetadataDatatypeBox()
    known.wellKnownType = WellKnownType(rawValue: 66)
    var custom = MetadataDatatypeBox()
    custom.namespace = 1
    custom.datatype = ByteView("com.example.pose".utf8)
    return [known, custom]
  }
}

extension MetadataLocaleBox: ExampleProviding {
  package static var examples: [MetadataLocaleBox] {
    var sample = MetadataLocaleBox()
    sample.locale = TerminatedString("de-AT")
    return [sample]
  }
}

extension MetadataSetupBox: ExampleProviding {
  package static var examples: [MetadataSetupBox] {
    var sample = MetadataSetupBox()
    sample.data = ByteView([1, 2, 3])
    return [sample]
  }
}

extension MetadataStructuralDependencyBox: ExampleProviding {
  package static var examples: [MetadataStructuralDependencyBox] {
    var sample = MetadataStructuralDependencyBox()
    sample.data = ByteView([0, 0, 0, 1])
    return [sample]
  }
}

extension MetadataDependencyValidityBox: ExampleProviding {
  package static var examples: [MetadataDependencyValidityBox] { [MetadataDependencyValidityBox()] }
}

extension UserDataTextBox: ExampleProviding {
  package static var examples: [UserDataTextBox] {
    var sample = UserDataTextBox()
    sample.entries = [Entry("+48.8577+002.2950/"), Entry("Lavf", language: 0)]
    return [UserDataTextBox(), sample]
  }
}

extension UserDataNameBox: ExampleProviding {
  package static var examples: [UserDataNameBox] {
    var sample = UserDataNameBox()
    sample.name = ByteView("Stereo".utf8)
    return [sample]
  }
}

extension XMPUserDataBox: ExampleProviding {
  package static var examples: [XMPUserDataBox] {
    var sample = XMPUserDataBox()
    sample.packet = ByteView("<?xpacket begin=\"\"?><?xpacket end=\"w\"?>".utf8)
    return [sample]
  }
}
