// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

let metadataBoxes: [BoxRegistration] = [
  BoxRegistration(MetaBox.self),
  BoxRegistration(MetadataHeaderBox.self),
  BoxRegistration(MetadataKeysBox.self),
  BoxRegistration(MetadataLocaleListBox.self),
  BoxRegistration(XMLBox.self),
  BoxRegistration(BinaryXMLBox.self),
  BoxRegistration(ID3v2Box.self),
  BoxRegistration(
    container: "ilst", name: "MetadataItemListBox", in: [.box("meta")],
    "QuickTime File Format, Metadata Item List Atom", "The metadata items."),
  BoxRegistration(MetadataItemBox.self),
  BoxRegistration(MetadataItemInformationBox.self),
  BoxRegistration(MetadataNameBox.self),
  BoxRegistration(MetadataValueBox.self),

  BoxRegistration(TimedMetadataKeysBox.self),
  BoxRegistration(TimedMetadataKeyBox.self),
  BoxRegistration(MetadataKeyDeclarationBox.self),
  BoxRegistration(MetadataDatatypeBox.self),
  BoxRegistration(MetadataLocaleBox.self),
  BoxRegistration(MetadataSetupBox.self),
  BoxRegistration(MetadataStructuralDependencyBox.self),
  BoxRegistration(
    container: "sdpd", name: "MetadataKeyDependencyBox", in: [.metadataKey], "Apple, as found in files",
    "How a key's values depend on the structure of the movie."),
  BoxRegistration(MetadataDependencyValidityBox.self),
  BoxRegistration(
    container: "ctps", name: "MetadataConformingTypesBox", in: [.metadataKey], "Apple, as found in files",
    "The known types that a key's own type conforms to."),

  BoxRegistration(UserDataTextBox.self),
  BoxRegistration(UserDataNameBox.self),
  BoxRegistration(XMPUserDataBox.self),
  BoxRegistration(LocalizedTextBox.self),
  BoxRegistration(AlbumBox.self),
  BoxRegistration(RecordingYearBox.self),
  BoxRegistration(RatingBox.self),
  BoxRegistration(ClassificationBox.self),
  BoxRegistration(KeywordsBox.self),
  BoxRegistration(LocationInformationBox.self),
  BoxRegistration(WindowsMediaAttributesBox.self),
  BoxRegistration(SamsungMetadataBox.self),
  BoxRegistration(SamsungModeBox.self),
  BoxRegistration(SamsungRecordingBox.self),
  BoxRegistration(SamsungFrameRateBox.self),
  BoxRegistration(SamsungTrailerBox.self),
  BoxRegistration(CreatorBox.self),
  BoxRegistration(KindBox.self),
  BoxRegistration(TrackSelectionBox.self),
  BoxRegistration(ChapterListBox.self),
  BoxRegistration(
    container: "strk", name: "SubTrackBox", in: [.box("udta")], "ISO/IEC 14496-12, 8.14.3",
    "A part of a track that can be selected like a track."),
  BoxRegistration(SubTrackInformationBox.self),
  BoxRegistration(
    container: "strd", name: "SubTrackDefinitionBox", in: [.box("strk")], "ISO/IEC 14496-12, 8.14.5",
    "What belongs to a sub-track."),
  BoxRegistration(SubTrackSampleGroupBox.self),
  BoxRegistration(
    container: "ludt", name: "LoudnessContainerBox", in: [.box("udta")], "ISO/IEC 14496-12, 12.2.7",
    "How loud the sound is."),
  BoxRegistration(LoudnessBox.self),

  BoxRegistration(
    container: "hnti", name: "HintInformationBox", in: [.box("udta")], "ISO/IEC 14496-12, 9.1.4",
    "What a streaming server announces."),
  BoxRegistration(MovieSDPBox.self),
  BoxRegistration(TrackSDPBox.self),
  BoxRegistration(
    container: "hinf", name: "HintStatisticsBox", in: [.box("udta")], "ISO/IEC 14496-12, 9.1.5",
    "Figures on what a hint track sends."),
  BoxRegistration(HintCounterBox.self),
  BoxRegistration(HintFigureBox.self),
  BoxRegistration(HintTransmissionTimeBox.self),
  BoxRegistration(HintMaximumRateBox.self),
  BoxRegistration(HintPayloadTypeBox.self),
]
