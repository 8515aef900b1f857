// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import ISOBMFF

extension DataReferenceBox: ExampleProviding {
  package static var examples: [DataReferenceBox] {
    var sample = DataReferenceBox()
    sample.entryCount = 1
    return [sample]
  }
}

extension DataEntryURLBox: ExampleProviding {
  package static var examples: [DataEntryURLBox] {
    var external = DataEntryURLBox()
    external.flags = 0
    external.location = TerminatedString("file:///media/clip.mdat")
    return [DataEntryURLBox(), external]
  }
}

extension DataEntryURNBox: ExampleProviding {
  package static var examples: [DataEntryURNBox] {
    var named = DataEntryURNBox()
    named.name = TerminatedString("urn:example:clip")
    var placed = named
    placed.location = TerminatedString("https://example.org/clip")
    return [named, placed]
  }
}

extension DataEntryIMDABox: ExampleProviding {
  package static var examples: [DataEntryIMDABox] {
    var sample = DataEntryIMDABox()
    sample.imdaRefIdentifier = 7
    return [sample]
  }
}

extension DataEntrySeqNumIMDABox: ExampleProviding {
  package static var examples: [DataEntrySeqNumIMDABox] { [DataEntrySeqNumIMDABox()] }
}

extension DataEntryAliasBox: ExampleProviding {
  package static var examples: [DataEntryAliasBox] {
    var external = DataEntryAliasBox()
    external.flags = 0
    external.alias = ByteView([0, 0, 0, 0, 0, 10, 0, 2, 0, 0])
    return [DataEntryAliasBox(), external]
  }
}

extension HandlerBox: ExampleProviding {
  package static var examples: [HandlerBox] {
    var quickTime = HandlerBox("vide", name: "Core Media Video")
    quickTime.componentType = FourCC("mhlr").rawValue
    quickTime.manufacturer = FourCC("appl").rawValue
    quickTime.componentFlags = 0x1000_0000
    quickTime.isNamePascal = true
    var bare = HandlerBox("mdta", name: "")
    bare.name.isTerminated = false
    return [HandlerBox("soun", name: "Sound Handler"), quickTime, bare]
  }
}

extension MediaHeaderBox: ExampleProviding {
  package static var examples: [MediaHeaderBox] {
    var short = MediaHeaderBox()
    short.creationTime = 3_786_480_000
    short.modificationTime = 3_786_480_000
    short.duration = 200
    var wide = short
    wide.version = 1
    wide.timescale = 10_000_000
    wide.duration = 0x10_0000_0000
    wide.language = 0
    wide.quality = 512
    return [short, wide]
  }
}

extension VideoMediaHeaderBox: ExampleProviding {
  package static var examples: [VideoMediaHeaderBox] {
    var quickTime = VideoMediaHeaderBox()
    quickTime.graphicsMode = 64
    quickTime.opColor = RGBColor(red: 32_768, green: 32_768, blue: 32_768)
    return [VideoMediaHeaderBox(), quickTime]
  }
}

extension SoundMediaHeaderBox: ExampleProviding {
  package static var examples: [SoundMediaHeaderBox] {
    var left = SoundMediaHeaderBox()
    left.balance = -256
    return [SoundMediaHeaderBox(), left]
  }
}

extension HintMediaHeaderBox: ExampleProviding {
  package static var examples: [HintMediaHeaderBox] {
    var sample = HintMediaHeaderBox()
    sample.maxPDUSize = 1_450
    sample.avgPDUSize = 1_200
    sample.maxBitrate = 2_000_000
    sample.avgBitrate = 1_500_000
    return [sample]
  }
}

extension SubtitleMediaHeaderBox: ExampleProviding {
  package static var examples: [SubtitleMediaHeaderBox] { [SubtitleMediaHeaderBox()] }
}

extension NullMediaHeaderBox: ExampleProviding {
  package static var examples: [NullMediaHeaderBox] {
    var sample = NullMediaHeaderBox()
    sample.flags = 1
    return [NullMediaHeaderBox(), sample]
  }
}

extension ExtendedLanguageBox: ExampleProviding {
  package static var examples: [ExtendedLanguageBox] {
    var sample = ExtendedLanguageBox()
    sample.extendedLanguage = TerminatedString("zh-Hant-TW")
    var open = sample
    open.extendedLanguage = TerminatedString("en-US", isTerminated: false)
    return [sample, open]
  }
}
