// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import BoxCatalogue
import ByteCoding
import ISOBMFF

extension RollRecoveryEntry: ExampleProviding {
  package static var examples: [RollRecoveryEntry] {
    var sample = RollRecoveryEntry()
    sample.rollDistance = -1
    return [sample, RollRecoveryEntry()]
  }
}

extension VisualRandomAccessEntry: ExampleProviding {
  package static var examples: [VisualRandomAccessEntry] {
    var sample = VisualRandomAccessEntry()
    sample.isNumberKnown = true
    sample.leadingSamples = 3
    return [sample]
  }
}

extension StreamAccessPointEntry: ExampleProviding {
  package static var examples: [StreamAccessPointEntry] {
    var sample = StreamAccessPointEntry()
    sample.isDependent = true
    sample.sapType = 2
    return [sample]
  }
}

extension SyncSampleEntry: ExampleProviding {
  package static var examples: [SyncSampleEntry] { [SyncSampleEntry()] }
}

extension TemporalLevelEntry: ExampleProviding {
  package static var examples: [TemporalLevelEntry] { [TemporalLevelEntry()] }
}

extension EmptySampleGroupEntry: ExampleProviding {
  package static var examples: [EmptySampleGroupEntry] { [EmptySampleGroupEntry()] }
}

extension DependentRandomAccessEntry: ExampleProviding {
  package static var examples: [DependentRandomAccessEntry] { [DependentRandomAccessEntry()] }
}

extension AlternativeStartupEntry: ExampleProviding {
  package static var examples: [AlternativeStartupEntry] {
    var sample = AlternativeStartupEntry()
    sample.sampleOffsets = [0, 0, 300]
    var rate = Rate()
    rate.outputSamples = 2
    rate.totalSamples = 3
    sample.rates = [rate]
    return [sample]
  }
}

extension RateShareEntry: ExampleProviding {
  package static var examples: [RateShareEntry] {
    var one = RateShareEntry()
    one.points = [Point(targetRateShare: 60)]
    one.maximumBitrate = 4_000
    var several = one
    several.points = [
      Point(availableBitrate: 1_000, targetRateShare: 80),
      Point(availableBitrate: 5_000, targetRateShare: 60),
    ]
    return [one, several]
  }
}

extension EncryptionInformationEntry: ExampleProviding {
  package static var examples: [EncryptionInformationEntry] {
    var clear = EncryptionInformationEntry()
    clear.isProtected = 0
    clear.perSampleIVSize = 0
    var constant = EncryptionInformationEntry()
    constant.cryptByteBlock = 1
    constant.skipByteBlock = 9
    constant.perSampleIVSize = 0
    constant.constantIV = ByteView(1...16)
    return [EncryptionInformationEntry(), clear, constant]
  }
}

extension SampleToMetadataItemEntry: ExampleProviding {
  package static var examples: [SampleToMetadataItemEntry] {
    var sample = SampleToMetadataItemEntry()
    sample.itemIDs = [1, 5]
    return [sample]
  }
}

extension PixelAspectRatioEntry: ExampleProviding {
  package static var examples: [PixelAspectRatioEntry] { [PixelAspectRatioEntry()] }
}

extension CleanApertureEntry: ExampleProviding {
  package static var examples: [CleanApertureEntry] {
    var sample = CleanApertureEntry()
    sample.widthNumerator = 1_920
    sample.heightNumerator = 1_080
    sample.horizontalOffsetNumerator = -4
    return [sample]
  }
}

extension VisualEquivalenceEntry: ExampleProviding {
  package static var examples: [VisualEquivalenceEntry] { [VisualEquivalenceEntry()] }
}

extension DirectReferenceSamplesEntry: ExampleProviding {
  package static var examples: [DirectReferenceSamplesEntry] {
    var sample = DirectReferenceSamplesEntry()
    sample.sampleID = 3
    sample.directReferenceSampleIDs = [1]
    return [sample]
  }
}

extension AutoExposureBracketingEntry: ExampleProviding {
  package static var examples: [AutoExposureBracketingEntry] {
    var sample = AutoExposureBracketingEntry()
    sample.exposureStep = -2
    return [sample]
  }
}

extension FlashExposureBracketingEntry: ExampleProviding {
  package static var examples: [FlashExposureBracketingEntry] {
    var sample = FlashExposureBracketingEntry()
    sample.numerator = -2
    return [sample]
  }
}

extension DepthOfFieldBracketingEntry: ExampleProviding {
  package static var examples: [DepthOfFieldBracketingEntry] {
    var sample = DepthOfFieldBracketingEntry()
    sample.numerator = -2
    return [sample]
  }
}

extension FocusBracketingEntry: ExampleProviding {
  package static var examples: [FocusBracketingEntry] { [FocusBracketingEntry()] }
}

extension WhiteBalanceBracketingEntry: ExampleProviding {
  package static var examples: [WhiteBalanceBracketingEntry] {
    var sample = WhiteBalanceBracketingEntry()
    sample.greenMagenta = -3
    return [sample]
  }
}

extension PanoramaEntry: ExampleProviding {
  package static var examples: [PanoramaEntry] { [PanoramaEntry()] }
}

extension SampleGroupDescriptionBox: ExampleProviding {
  package static var examples: [SampleGroupDescriptionBox] {
    var samples: [SampleGroupDescriptionBox] = []
    // Every kind of entry, each with its own length.
    for kind in SampleGroupEntryRegistry.standard.all {
      for type in kind.types {
        var box = SampleGroupDescriptionBox()
        box.groupingType = type
        box.entries = kind.examples.map { Entry($0) }
        samples.append(box)
      }
    }
    var roll = SampleGroupDescriptionBox()
    roll.entries = RollRecoveryEntry.examples.map { Entry($0) }
    var fixed = roll
    fixed.defaultLength = 2
    var old = roll
    old.version = 0
    var newer = fixed
    newer.version = 2
    newer.defaultGroupDescriptionIndex = 1
    var newest = newer
    newest.version = 3
    newest.flags = 1
    var short = newer
    short.defaultLength = 0
    short.fields = .withoutDefaultLength
    var longer = fixed
    longer.defaultLength = 4
    longer.entries[0].rest = ByteView([0, 0])
    longer.entries[1].rest = ByteView([0, 1])
    var unknown = SampleGroupDescriptionBox()
    unknown.groupingType = "abcd"
    unknown.entries = UnknownSampleGroupEntry.examples.map { Entry($0) }
    var undivided = unknown
    undivided.version = 0
    undivided.entries = []
    undivided.undividedEntryCount = 2
    undivided.undivided = ByteView([1, 2, 3, 4])
    return samples + [fixed, old, newer, newest, short, longer, unknown, undivided]
  }
}

extension UnknownSampleGroupEntry: ExampleProviding {
  package static var examples: [UnknownSampleGroupEntry] {
    [UnknownSampleGroupEntry(ByteView([1, 2, 3, 4]))]
  }
}
