// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import BoxCatalogue
import ByteCoding
import ISOBMFF

extension CreatorBox: ExampleProviding {
  package static var examples: [CreatorBox] {
    var sample = CreatorBox()
    sample.creatorCode = FourCC("PPro").rawValue
    sample.fileExtension = ByteView(Array(".prproj".utf8) + repeatElement(0, count: 9))
    return [sample]
  }
}

extension AlbumBox: ExampleProviding {
  package static var examples: [AlbumBox] {
    var sample = AlbumBox()
    sample.title = TerminatedString("Both Eyes")
    var numbered = sample
    numbered.trackNumber = 3
    return [sample, numbered]
  }
}

extension RecordingYearBox: ExampleProviding {
  package static var examples: [RecordingYearBox] { [RecordingYearBox()] }
}

extension RatingBox: ExampleProviding {
  package static var examples: [RatingBox] {
    var sample = RatingBox()
    sample.entity = "MPAA"
    sample.information = UnicodeText("G")
    return [sample]
  }
}

extension ClassificationBox: ExampleProviding {
  package static var examples: [ClassificationBox] {
    var sample = ClassificationBox()
    sample.information = UnicodeText("Documentary")
    return [sample]
  }
}

extension KeywordsBox: ExampleProviding {
  package static var examples: [KeywordsBox] {
    var word = Keyword()
    word.text = ByteView("stereo\0".utf8)
    var sample = KeywordsBox()
    sample.keywords = [word, Keyword()]
    return [sample]
  }
}

extension TrackSDPBox: ExampleProviding {
  package static var examples: [TrackSDPBox] {
    var sample = TrackSDPBox()
    sample.text = ByteView("m=video 0 RTP/AVP 96\r\n".utf8)
    return [sample]
  }
}

extension MovieSDPBox: ExampleProviding {
  package static var examples: [MovieSDPBox] {
    var sample = MovieSDPBox()
    sample.text = ByteView("v=0\r\n".utf8)
    return [sample]
  }
}

extension HintCounterBox: ExampleProviding {
  package static var examples: [HintCounterBox] {
    var sample = HintCounterBox()
    sample.count = 5_000_000_000
    return [sample]
  }
}

extension HintFigureBox: ExampleProviding {
  package static var examples: [HintFigureBox] {
    var sample = HintFigureBox()
    sample.value = 1_450
    return [sample]
  }
}

extension HintTransmissionTimeBox: ExampleProviding {
  package static var examples: [HintTransmissionTimeBox] {
    var sample = HintTransmissionTimeBox()
    sample.time = -5
    return [sample]
  }
}

extension HintMaximumRateBox: ExampleProviding {
  package static var examples: [HintMaximumRateBox] { [HintMaximumRateBox()] }
}

extension HintPayloadTypeBox: ExampleProviding {
  package static var examples: [HintPayloadTypeBox] {
    var sample = HintPayloadTypeBox()
    sample.rtpMap = ByteView("H265/90000".utf8)
    return [sample]
  }
}

extension KindBox: ExampleProviding {
  package static var examples: [KindBox] {
    var sample = KindBox()
    sample.schemeURI = TerminatedString("urn:mpeg:dash:role:2011")
    sample.value = TerminatedString("main")
    return [sample]
  }
}

extension TrackSelectionBox: ExampleProviding {
  package static var examples: [TrackSelectionBox] {
    var sample = TrackSelectionBox()
    sample.switchGroup = 1
    sample.attributes = ["bitr", "nvws"]
    return [TrackSelectionBox(), sample]
  }
}

extension SubTrackInformationBox: ExampleProviding {
  package static var examples: [SubTrackInformationBox] {
    var sample = SubTrackInformationBox()
    sample.subTrackID = 2
    sample.attributes = ["nvws"]
    return [SubTrackInformationBox(), sample]
  }
}

extension SubTrackSampleGroupBox: ExampleProviding {
  package static var examples: [SubTrackSampleGroupBox] {
    var sample = SubTrackSampleGroupBox()
    sample.groupDescriptionIndices = [1, 2]
    return [sample]
  }
}

extension ChapterListBox: ExampleProviding {
  package static var examples: [ChapterListBox] {
    var sample = ChapterListBox()
    sample.chapters = [Chapter(start: 0, title: "Start"), Chapter(start: 10_000_000, title: "Ende")]
    var old = sample
    old.version = 0
    return [sample, old]
  }
}

extension LoudnessBox: ExampleProviding {
  package static var examples: [LoudnessBox] {
    var base = Base()
    base.samplePeakLevel = 640
    base.truePeakLevel = -32
    base.measurements = [Measurement()]
    var sample = LoudnessBox()
    sample.bases = [base]
    var newer = LoudnessBox()
    newer.version = 1
    base.version = 1
    base.equalizerSetID = 2
    newer.bases = [base, base]
    return [sample, newer]
  }
}

extension SamsungRecordingBox: ExampleProviding {
  package static var examples: [SamsungRecordingBox] {
    var phone = SamsungRecordingBox()
    phone.mode = nil
    return [SamsungRecordingBox(), phone]
  }
}

extension SamsungFrameRateBox: ExampleProviding {
  package static var examples: [SamsungFrameRateBox] { [SamsungFrameRateBox()] }
}

extension SamsungTrailerBox: ExampleProviding {
  package static var examples: [SamsungTrailerBox] {
    var sample = SamsungTrailerBox()
    sample.data = ByteView("SEFT".utf8)
    return [sample]
  }
}

extension MotionPhotoVideoBox: ExampleProviding {
  package static var examples: [MotionPhotoVideoBox] {
    var sample = MotionPhotoVideoBox()
    sample.movie = ByteView([0, 0, 0, 16] + Array("ftypmp42".utf8) + [0, 0, 0, 0])
    return [sample]
  }
}

extension FragmentTimeBox: ExampleProviding {
  package static var examples: [FragmentTimeBox] {
    var sample = FragmentTimeBox()
    sample.absoluteTime = 20_000_000
    sample.duration = 10_000_000
    var old = sample
    old.version = 0
    return [sample, old]
  }
}

extension FragmentLookAheadBox: ExampleProviding {
  package static var examples: [FragmentLookAheadBox] {
    var sample = FragmentLookAheadBox()
    sample.fragments = [Fragment(absoluteTime: 30_000_000, duration: 10_000_000), Fragment()]
    var old = sample
    old.version = 0
    return [sample, old]
  }
}

extension PIFFSampleEncryptionBox: ExampleProviding {
  package static var examples: [PIFFSampleEncryptionBox] {
    var sample = PIFFSampleEncryptionBox()
    sample.sampleCount = 1
    sample.entries = ByteView([1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 0, 16, 0, 0, 0, 64])
    var keyed = sample
    keyed.flags = 3
    keyed.override = Override()
    return [sample, keyed]
  }
}

extension PIFFTrackEncryptionBox: ExampleProviding {
  package static var examples: [PIFFTrackEncryptionBox] { [PIFFTrackEncryptionBox()] }
}

extension PIFFProtectionSystemBox: ExampleProviding {
  package static var examples: [PIFFProtectionSystemBox] {
    var sample = PIFFProtectionSystemBox()
    sample.data = ByteView([1, 2, 3])
    return [sample]
  }
}

extension XMPBox: ExampleProviding {
  package static var examples: [XMPBox] {
    var sample = XMPBox()
    sample.packet = ByteView("<?xpacket begin=\"\"?><?xpacket end=\"w\"?>".utf8)
    return [sample]
  }
}

extension SphericalVideoV1Box: ExampleProviding {
  package static var examples: [SphericalVideoV1Box] {
    var sample = SphericalVideoV1Box()
    sample.xml = ByteView("<rdf:SphericalVideo/>".utf8)
    return [sample]
  }
}

extension IPodBox: ExampleProviding {
  package static var examples: [IPodBox] { [IPodBox()] }
}

extension WindowsMediaAttributesBox: ExampleProviding {
  package static var examples: [WindowsMediaAttributesBox] {
    var value = Value()
    value.valueType = 19
    value.data = ByteView([0x32, 0, 0, 0, 0, 0, 0, 0])
    var attribute = Attribute()
    attribute.name = ByteView("WM/SharedUserRating".utf8)
    attribute.values = [value]
    var padded = Attribute()
    padded.rest = ByteView([0, 0])
    var sample = WindowsMediaAttributesBox()
    sample.attributes = [attribute, padded]
    return [sample]
  }
}

extension SamsungMetadataBox: ExampleProviding {
  package static var examples: [SamsungMetadataBox] { [SamsungMetadataBox()] }
}

extension SamsungModeBox: ExampleProviding {
  package static var examples: [SamsungModeBox] {
    var sample = SamsungModeBox()
    sample.text = ByteView("SEQ_PLAY".utf8)
    return [sample]
  }
}
