// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension BoxRegistry {
  /// The boxes that movies are made of. `BoxCatalogue` has those that are not needed to find samples, and
  /// `BoxRegistry.complete`, which includes both.
  public static let iso = BoxRegistry(
    [
      fileBoxes, movieBoxes, trackBoxes, mediaBoxes, sampleTableBoxes, sampleEntryBoxes, fragmentBoxes,
      metadataBoxes, itemBoxes, protectionBoxes, audioBoxes, sampleGroupBoxes,
    ].flatMap { $0 })
}

// One line per kind, by family. Lists of all kinds have this order.

private let fileBoxes: [BoxRegistration] = [
  BoxRegistration(FileTypeBox.self),
  BoxRegistration(MediaDataBox.self),
  BoxRegistration(IdentifiedMediaDataBox.self),
  BoxRegistration(FreeSpaceBox.self),
  BoxRegistration(CompressedBox.self),
  BoxRegistration(ProgressiveDownloadInfoBox.self),
]

private let movieBoxes: [BoxRegistration] = [
  BoxRegistration(
    container: "moov", name: "movie", in: [.file], "ISO/IEC 14496-12, 8.2.1",
    "Everything about the presentation except its media data."),
  BoxRegistration(MovieHeaderBox.self),
  BoxRegistration(ObjectDescriptorBox.self),
  BoxRegistration(
    container: "mvex", name: "movie extends", in: [.box("moov")], "ISO/IEC 14496-12, 8.8.1",
    "Signals that movie fragments may follow, and holds their defaults."),
  BoxRegistration(MovieExtendsHeaderBox.self),
  BoxRegistration(TrackExtendsBox.self),
]

private let trackBoxes: [BoxRegistration] = [
  BoxRegistration(
    container: "trak", name: "track", in: [.box("moov")], "ISO/IEC 14496-12, 8.3.1",
    "One track of the presentation."),
  BoxRegistration(TrackHeaderBox.self),
  BoxRegistration(
    container: "tref", name: "track reference", in: [.box("trak")], "ISO/IEC 14496-12, 8.3.3",
    "References to other tracks, one box for each kind."),
  BoxRegistration(TrackReferenceTypeBox.self),
  BoxRegistration(
    container: "edts", name: "edit", in: [.box("trak")], "ISO/IEC 14496-12, 8.6.5",
    "Holds the edit list."),
  BoxRegistration(EditListBox.self),
  BoxRegistration(
    container: "udta", name: "user data",
    in: [.box("moov"), .box("trak"), .box("mdia"), .box("moof"), .box("traf"), .file],
    "ISO/IEC 14496-12, 8.10.1", "Information from users and programs about the enclosing box."),
]

private let mediaBoxes: [BoxRegistration] = [
  BoxRegistration(
    container: "mdia", name: "media", in: [.box("trak")], "ISO/IEC 14496-12, 8.4.1",
    "The media of a track: its kind, and where its samples are."),
  BoxRegistration(MediaHeaderBox.self),
  BoxRegistration(HandlerBox.self),
  BoxRegistration(
    container: "minf", name: "media information", in: [.box("mdia")], "ISO/IEC 14496-12, 8.4.4",
    "Information that is specific to the kind of media."),
  BoxRegistration(ExtendedLanguageBox.self),
  BoxRegistration(VideoMediaHeaderBox.self),
  BoxRegistration(SoundMediaHeaderBox.self),
  BoxRegistration(HintMediaHeaderBox.self),
  BoxRegistration(SubtitleMediaHeaderBox.self),
  BoxRegistration(NullMediaHeaderBox.self),
  BoxRegistration(
    container: "dinf", name: "data information", in: [.box("minf"), .box("meta")],
    "ISO/IEC 14496-12, 8.7.1", "Holds the locations of the media data."),
  BoxRegistration(DataReferenceBox.self),
  BoxRegistration(DataEntryURLBox.self),
  BoxRegistration(DataEntryURNBox.self),
  BoxRegistration(DataEntryIMDABox.self),
  BoxRegistration(DataEntrySeqNumIMDABox.self),
  BoxRegistration(DataEntryAliasBox.self),
]

private let sampleTableBoxes: [BoxRegistration] = [
  BoxRegistration(
    container: "stbl", name: "sample table", in: [.box("minf")], "ISO/IEC 14496-12, 8.5.1",
    "The location, times and size of each sample."),
  BoxRegistration(SampleDescriptionBox.self),
  BoxRegistration(TimeToSampleBox.self),
  BoxRegistration(CompositionOffsetBox.self),
  BoxRegistration(CompositionToDecodeBox.self),
  BoxRegistration(SampleSizeBox.self),
  BoxRegistration(CompactSampleSizeBox.self),
  BoxRegistration(SampleToChunkBox.self),
  BoxRegistration(ChunkOffsetBox.self),
  BoxRegistration(ChunkLargeOffsetBox.self),
  BoxRegistration(SyncSampleBox.self),
  BoxRegistration(PartialSyncSampleBox.self),
  BoxRegistration(ShadowSyncSampleBox.self),
  BoxRegistration(SampleDependencyTypeBox.self),
]

private let sampleEntryBoxes: [BoxRegistration] =
  [
    BoxRegistration(VisualSampleEntry.self),
    BoxRegistration(VisualSampleEntry.self, types: [], in: [.visualSampleDescription]),
    BoxRegistration(PixelAspectRatioBox.self),
    BoxRegistration(CleanApertureBox.self),
    BoxRegistration(ColourInformationBox.self),
    BoxRegistration(MasteringDisplayColourVolumeBox.self),
    BoxRegistration(ContentLightLevelBox.self),
    BoxRegistration(AV1CodecConfigurationBox.self),
    BoxRegistration(VPCodecConfigurationBox.self),
    BoxRegistration(DolbyVisionConfigurationBox.self),
    BoxRegistration(Stereoscopic3DBox.self),
  ] + otherSampleEntryBoxes

private let otherSampleEntryBoxes: [BoxRegistration] = [
  BoxRegistration(SampleEntry.self),
  BoxRegistration(BoxedSampleEntry.self),
  BoxRegistration(ProtectedSampleEntry.self),
]

private let fragmentBoxes: [BoxRegistration] = [
  BoxRegistration(
    container: "moof", name: "movie fragment", in: [.file], "ISO/IEC 14496-12, 8.8.4",
    "The samples of one period of time."),
  BoxRegistration(MovieFragmentHeaderBox.self),
  BoxRegistration(
    container: "traf", name: "track fragment", in: [.box("moof")], "ISO/IEC 14496-12, 8.8.6",
    "The samples of one track in a movie fragment."),
  BoxRegistration(TrackFragmentHeaderBox.self),
  BoxRegistration(TrackFragmentDecodeTimeBox.self),
  BoxRegistration(TrackRunBox.self),
  BoxRegistration(
    container: "mfra", name: "movie fragment random access", in: [.file], "ISO/IEC 14496-12, 8.8.9",
    "The random access points of a fragmented file."),
  BoxRegistration(TrackFragmentRandomAccessBox.self),
  BoxRegistration(MovieFragmentRandomAccessOffsetBox.self),
  BoxRegistration(SegmentIndexBox.self),
  BoxRegistration(SubsegmentIndexBox.self),
]

private let metadataBoxes: [BoxRegistration] = [
  BoxRegistration(MetaBox.self),
  BoxRegistration(MetadataHeaderBox.self),
  BoxRegistration(MetadataKeysBox.self),
  BoxRegistration(MetadataLocaleListBox.self),
  BoxRegistration(XMLBox.self),
  BoxRegistration(BinaryXMLBox.self),
  BoxRegistration(ID3v2Box.self),
  BoxRegistration(
    container: "ilst", name: "metadata item list", in: [.box("meta")],
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
    container: "sdpd", name: "metadata key dependency", in: [.metadataKey], "Apple, as found in files",
    "How a key's values depend on the structure of the movie."),
  BoxRegistration(MetadataDependencyValidityBox.self),
  BoxRegistration(
    container: "ctps", name: "metadata conforming types", in: [.metadataKey], "Apple, as found in files",
    "The known types that a key's own type conforms to."),

  BoxRegistration(UserDataTextBox.self),
  BoxRegistration(UserDataNameBox.self),
  BoxRegistration(XMPUserDataBox.self),
  BoxRegistration(LocalizedTextBox.self),
  BoxRegistration(LocationInformationBox.self),
]

private let itemBoxes: [BoxRegistration] = [
  BoxRegistration(ItemLocationBox.self),
  BoxRegistration(ItemInfoBox.self),
  BoxRegistration(ItemInfoEntryBox.self),
  BoxRegistration(PrimaryItemBox.self),
  BoxRegistration(ItemProtectionBox.self),
  BoxRegistration(ItemDataBox.self),
  BoxRegistration(ItemReferenceBox.self),
  BoxRegistration(SingleItemReferenceBox.self),
  BoxRegistration(
    container: "grpl", name: "groups list", in: [.box("meta")], "ISO/IEC 14496-12, 8.18.2",
    "Groups of items and tracks."),
  BoxRegistration(EntityToGroupBox.self),
  BoxRegistration(
    container: "iprp", name: "item properties", in: [.box("meta")], "ISO/IEC 14496-12, 8.11.14",
    "The properties of items, and which item has which."),
  BoxRegistration(
    container: "ipco", name: "item property container", in: [.box("iprp")], "ISO/IEC 14496-12, 8.11.14",
    "The properties of items, counted from 1."),
  BoxRegistration(ItemPropertyAssociationBox.self),

  BoxRegistration(ImageSpatialExtentsProperty.self),
  BoxRegistration(AuxiliaryTypeProperty.self),
]

private let protectionBoxes: [BoxRegistration] = [
  BoxRegistration(SampleAuxiliaryInformationSizesBox.self),
  BoxRegistration(SampleAuxiliaryInformationOffsetsBox.self),
]

private let audioBoxes: [BoxRegistration] = [
  BoxRegistration(AudioSampleEntry.self),
  BoxRegistration(AudioSampleEntry.self, types: []),
  BoxRegistration(ElementaryStreamDescriptorBox.self),
  BoxRegistration(AC3SpecificBox.self),
  BoxRegistration(EnhancedAC3SpecificBox.self),

  BoxRegistration(
    container: "wave", name: "sound decompression parameters", in: [.audioSampleEntry],
    "QuickTime File Format, Sound", "What the decoder of an audio track needs to know."),
]

private let sampleGroupBoxes: [BoxRegistration] = [
  BoxRegistration(SampleToGroupBox.self),
  BoxRegistration(CompactSampleToGroupBox.self),
]
