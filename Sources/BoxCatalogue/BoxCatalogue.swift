// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
public import ISOBMFF

extension BoxRegistry {
  /// The boxes that movies are made of, and all kinds of the catalogue.
  public static let complete = iso.joined(catalogueBoxes, catalogueUserTypes)

  /// The kinds of the catalogue, family by family.
  package static let catalogueBoxes: [BoxRegistration] = [
    fileBoxes, movieBoxes, trackBoxes, sampleTableBoxes, sampleEntryBoxes, otherSampleEntryBoxes,
    fragmentBoxes, metadataBoxes, quickTimeBoxes, itemBoxes, protectionBoxes, audioBoxes, sampleGroupBoxes,
    scalableVideoBoxes,
  ].flatMap { $0 }

  /// The kinds of `uuid` boxes.
  package static var catalogueUserTypes: [(uuid: String, registration: BoxRegistration)] { userTypeBoxes }
}

// One line per kind, by family. The order is that of `mvdump explain`. The contents of sample groups are listed
// beside their boxes, in ScalableVideo, and the kinds of `uuid` boxes in Metadata.

private let fileBoxes: [BoxRegistration] = [
  BoxRegistration(
    container: "etyp", name: "extended type", in: [.file, .box("ipco"), .box("otyp")],
    "ISO/IEC 14496-12, 8.17.2", "Combinations of brands that a reader must support."),
  BoxRegistration(TypeCombinationBox.self),
  BoxRegistration(
    container: "otyp", name: "original file type", in: [.file, .box("otyp")], "ISO/IEC 14496-12, 8.17.4",
    "The file type that the content had before it was transformed."),
  BoxRegistration(
    container: "meco", name: "additional metadata container", in: [.file, .box("moov"), .box("trak")],
    "ISO/IEC 14496-12, 8.11.7", "More metadata boxes than the one that each level may have."),
  BoxRegistration(MetaboxRelationBox.self),
  BoxRegistration(
    container: "axte", name: "auxiliary tracks", in: [.file], "Android, auxiliary tracks extension",
    "Another movie, with tracks that go with those of the movie around it.", childScope: .file),
]

private let movieBoxes: [BoxRegistration] = [
  BoxRegistration(IPMPControlBox.self),
  BoxRegistration(IPMPInfoBox.self),
]

private let trackBoxes: [BoxRegistration] = [
  BoxRegistration(
    container: "trgr", name: "track group", in: [.box("trak")], "ISO/IEC 14496-12, 8.3.4",
    "The groups of tracks to which this one belongs."),
  BoxRegistration(TrackGroupTypeBox.self),
  BoxRegistration(StereoVideoGroupBox.self),
]

private let sampleTableBoxes: [BoxRegistration] = [
  BoxRegistration(PaddingBitsBox.self),
  BoxRegistration(DegradationPriorityBox.self),
  BoxRegistration(SubSampleInformationBox.self),
]

private let sampleEntryBoxes: [BoxRegistration] = [
  BoxRegistration(BitRateBox.self),
  BoxRegistration(FieldHandlingBox.self),
  BoxRegistration(ChromaLocationBox.self),
  BoxRegistration(GammaLevelBox.self),
  BoxRegistration(AlphaModeBox.self),
  BoxRegistration(AmbientViewingEnvironmentBox.self),
  BoxRegistration(ContentColourVolumeBox.self),
  BoxRegistration(VPMasteringDisplayBox.self),
  BoxRegistration(VPContentLightLevelBox.self),
  BoxRegistration(CodingConstraintsBox.self),
  BoxRegistration(AuxiliaryTypeInfoBox.self),
  BoxRegistration(SampleScaleBox.self),
  BoxRegistration(AVCConfigurationBox.self),
  BoxRegistration(VVCConfigurationBox.self),
  BoxRegistration(H263SpecificBox.self),
  BoxRegistration(H263BitrateBox.self),
  BoxRegistration(GlobalHeaderBox.self),
  BoxRegistration(LocalIDDependencyBox.self),
  BoxRegistration(
    container: "sv3d", name: "spherical video", in: [.visualSampleEntry], "Spherical Video V2 RFC",
    "How the picture maps to directions of view."),
  BoxRegistration(SphericalVideoHeaderBox.self),
  BoxRegistration(
    container: "proj", name: "spherical projection", in: [.box("sv3d")], "Spherical Video V2 RFC",
    "The projection of a spherical picture."),
  BoxRegistration(ProjectionHeaderBox.self),
  BoxRegistration(EquirectangularProjectionBox.self),
  BoxRegistration(CubemapProjectionBox.self),
  BoxRegistration(MeshProjectionBox.self),
]

private let otherSampleEntryBoxes: [BoxRegistration] = [
  BoxRegistration(XMLSubtitleSampleEntry.self),
  BoxRegistration(XMLMetadataSampleEntry.self),
  BoxRegistration(PlainTextSampleEntry.self),
  BoxRegistration(TextConfigBox.self),
  BoxRegistration(URIInitBox.self),
  BoxRegistration(WebVTTTextBox.self),
  BoxRegistration(
    container: "vttc", name: "WebVTT cue", in: [.webVTTSample], "ISO/IEC 14496-30, 7.6", "A WebVTT cue."),
  BoxRegistration(
    container: "vtte", name: "WebVTT empty cue", in: [.webVTTSample], "ISO/IEC 14496-30, 7.6",
    "No cue is shown at this time."),
  BoxRegistration(WebVTTCueTextBox.self),
  BoxRegistration(WebVTTCueSourceBox.self),
  BoxRegistration(TimedTextSampleEntry.self),
  BoxRegistration(QuickTimeTextSampleEntry.self),
  BoxRegistration(FontTableBox.self),
  BoxRegistration(TimecodeSampleEntry.self),
  BoxRegistration(RTPHintSampleEntry.self),
  BoxRegistration(FDHintSampleEntry.self),
  BoxRegistration(MPEG2TSSampleEntry.self),
  BoxRegistration(HintTimescaleBox.self),
  BoxRegistration(HintOffsetBox.self),
  BoxRegistration(TimestampSynchronyBox.self),
  BoxRegistration(ReceivedSSRCBox.self),
  BoxRegistration(SRTPProcessBox.self),
]

private let fragmentBoxes: [BoxRegistration] = [
  BoxRegistration(ProducerReferenceTimeBox.self),
  BoxRegistration(EventMessageBox.self),
  BoxRegistration(LevelAssignmentBox.self),
  BoxRegistration(TrackExtensionPropertiesBox.self),
  BoxRegistration(AlternativeStartupSequencePropertiesBox.self),
]

private let metadataBoxes: [BoxRegistration] = [
  BoxRegistration(AlbumBox.self),
  BoxRegistration(RecordingYearBox.self),
  BoxRegistration(RatingBox.self),
  BoxRegistration(ClassificationBox.self),
  BoxRegistration(KeywordsBox.self),
  BoxRegistration(WindowsMediaAttributesBox.self),
  BoxRegistration(SamsungMetadataBox.self),
  BoxRegistration(SamsungModeBox.self),
  BoxRegistration(SamsungRecordingBox.self),
  BoxRegistration(SamsungFrameRateBox.self),
  BoxRegistration(SamsungTrailerBox.self),
  BoxRegistration(MotionPhotoVideoBox.self),
  BoxRegistration(CreatorBox.self),
  BoxRegistration(KindBox.self),
  BoxRegistration(TrackSelectionBox.self),
  BoxRegistration(ChapterListBox.self),
  BoxRegistration(
    container: "strk", name: "sub track", in: [.box("udta")], "ISO/IEC 14496-12, 8.14.3",
    "A part of a track that can be selected like a track."),
  BoxRegistration(SubTrackInformationBox.self),
  BoxRegistration(
    container: "strd", name: "sub track definition", in: [.box("strk")], "ISO/IEC 14496-12, 8.14.5",
    "What belongs to a sub-track."),
  BoxRegistration(SubTrackSampleGroupBox.self),
  BoxRegistration(
    container: "ludt", name: "loudness container", in: [.box("udta")], "ISO/IEC 14496-12, 12.2.7",
    "How loud the sound is."),
  BoxRegistration(LoudnessBox.self),

  BoxRegistration(
    container: "hnti", name: "hint information", in: [.box("udta")], "ISO/IEC 14496-12, 9.1.4",
    "What a streaming server announces."),
  BoxRegistration(MovieSDPBox.self),
  BoxRegistration(TrackSDPBox.self),
  BoxRegistration(
    container: "hinf", name: "hint statistics", in: [.box("udta")], "ISO/IEC 14496-12, 9.1.5",
    "Figures on what a hint track sends."),
  BoxRegistration(HintCounterBox.self),
  BoxRegistration(HintFigureBox.self),
  BoxRegistration(HintTransmissionTimeBox.self),
  BoxRegistration(HintMaximumRateBox.self),
  BoxRegistration(HintPayloadTypeBox.self),
]

private let quickTimeBoxes: [BoxRegistration] = [
  BoxRegistration(
    container: "gmhd", name: "generic media header", in: [.box("minf")],
    "QuickTime File Format, Base Media Information Header Atom",
    "The header of media that are neither picture nor sound."),
  BoxRegistration(GenericMediaInformationBox.self),
  BoxRegistration(TelemetryMediaInformationBox.self),
  BoxRegistration(TextMediaInformationBox.self),
  BoxRegistration(
    container: "tmcd", name: "timecode media header", in: [.box("gmhd")],
    "QuickTime File Format, Timecode Media Information Atom", "The header of timecodes."),
  BoxRegistration(TimecodeMediaInformationBox.self),
  BoxRegistration(
    container: "tapt", name: "track aperture mode", in: [.box("trak")],
    "QuickTime File Format, Track Aperture Mode Dimensions", "The size of a track's pictures, in three modes."
  ),
  BoxRegistration(TrackApertureDimensionsBox.self),
  BoxRegistration(LoadSettingsBox.self),
  BoxRegistration(
    container: "txas", name: "track exclusion", in: [.box("trak")],
    "QuickTime File Format, Track Exclude From Autoselection Atom",
    "That a player is not to choose the track on its own; it holds nothing."),
  BoxRegistration(
    container: "clip", name: "clipping", in: [.box("moov"), .box("trak")],
    "QuickTime File Format, Clipping Atom", "The part of a movie or track that is drawn."),
  BoxRegistration(ClippingRegionBox.self),
  BoxRegistration(
    container: "matt", name: "track matte", in: [.box("trak")], "QuickTime File Format, Track Matte Atom",
    "How much of a track shows at each point."),
  BoxRegistration(CompressedMatteBox.self),
  BoxRegistration(ColorTableBox.self),
  BoxRegistration(PreviewBox.self),
  BoxRegistration(
    container: "imap", name: "track input map", in: [.box("trak")],
    "QuickTime File Format, Track Input Map Atoms", "What references to other tracks change in this one."),
  BoxRegistration(TrackInputBox.self),
  BoxRegistration(TrackInputTypeBox.self),
  BoxRegistration(ObjectIDBox.self),

  BoxRegistration(
    container: "cmov", name: "compressed movie", in: [.box("moov")],
    "QuickTime File Format, Compressed Movie Resources", "A movie whose boxes are compressed."),
  BoxRegistration(DataCompressionBox.self),
  BoxRegistration(CompressedMovieDataBox.self),

  BoxRegistration(WindowLocationBox.self),
  BoxRegistration(LoopingBox.self),
  BoxRegistration(PlaybackFlagBox.self),
  BoxRegistration(PrintToVideoBox.self),

  BoxRegistration(
    container: "rmra", name: "reference movie", in: [.box("moov")],
    "QuickTime File Format, Reference Movies",
    "Other movies of which one is to be played instead."),
  BoxRegistration(
    container: "rmda", name: "reference movie descriptor", in: [.box("rmra")],
    "QuickTime File Format, Reference Movie Descriptor Atom", "Another movie, and what it needs."),
  BoxRegistration(DataReferenceAtomBox.self),
  BoxRegistration(ReferenceDataRateBox.self),
  BoxRegistration(ReferenceCPUSpeedBox.self),
  BoxRegistration(ReferenceVersionCheckBox.self),
  BoxRegistration(ReferenceComponentBox.self),
  BoxRegistration(ReferenceQualityBox.self),
]

private let itemBoxes: [BoxRegistration] = [
  BoxRegistration(MD5IntegrityBox.self),
  BoxRegistration(FileDeliveryItemInformationBox.self),
  BoxRegistration(
    container: "paen", name: "partition entry", in: [.box("fiin")], "ISO/IEC 14496-12, 8.13.2",
    "How one file is divided and protected."),
  BoxRegistration(FilePartitionBox.self),
  BoxRegistration(FileReservoirBox.self),
  BoxRegistration(FileDeliverySessionGroupBox.self),
  BoxRegistration(GroupIDToNameBox.self),
  BoxRegistration(MinimizedImageBox.self),
  BoxRegistration(PixelInformationProperty.self),
  BoxRegistration(ImageRotationProperty.self),
  BoxRegistration(ImageMirrorProperty.self),
  BoxRegistration(RelativeLocationProperty.self),
  BoxRegistration(LayerSelectorProperty.self),
  BoxRegistration(TargetOutputLayerSetProperty.self),
  BoxRegistration(ImageScalingProperty.self),
  BoxRegistration(CameraIntrinsicMatrixProperty.self),
  BoxRegistration(CameraExtrinsicMatrixProperty.self),
  BoxRegistration(SampleGroupProperty.self),
  BoxRegistration(RequiredReferenceTypesProperty.self),
  BoxRegistration(UserDescriptionProperty.self),
  BoxRegistration(AccessibilityTextProperty.self),
  BoxRegistration(CreationTimeProperty.self),
  BoxRegistration(ModificationTimeProperty.self),
  BoxRegistration(MaskConfigurationProperty.self),
  BoxRegistration(JPEGConfigurationProperty.self),
  BoxRegistration(BrandProperty.self),
  BoxRegistration(AV1LayeredImageIndexingProperty.self),
  BoxRegistration(AV1OperatingPointSelectorProperty.self),
  BoxRegistration(WipeTransitionProperty.self),
  BoxRegistration(ZoomTransitionProperty.self),
  BoxRegistration(FadeTransitionProperty.self),
  BoxRegistration(SplitTransitionProperty.self),
  BoxRegistration(SuggestedTransitionPeriodProperty.self),
  BoxRegistration(SuggestedDisplayDurationProperty.self),
  BoxRegistration(ComponentDefinitionBox.self),
  BoxRegistration(UncompressedFrameConfigBox.self),
  BoxRegistration(GenericCompressionConfigBox.self),
  BoxRegistration(CompressedUnitsItemBox.self),
  BoxRegistration(CompressedRangesBox.self),
]

private let protectionBoxes: [BoxRegistration] = [
  BoxRegistration(
    container: "sinf", name: "protection scheme info", in: [.anywhere], "ISO/IEC 14496-12, 8.12.2",
    "How the samples are protected, and what they are without that."),
  BoxRegistration(
    container: "rinf", name: "restricted scheme info", in: [.anywhere], "ISO/IEC 14496-12, 8.15.3",
    "What a player must do with the decoded pictures, and what they are without that."),
  BoxRegistration(
    container: "schi", name: "scheme information", in: [.anywhere], "ISO/IEC 14496-12, 8.12.7",
    "What the scheme needs to know."),
  BoxRegistration(
    container: "cinf", name: "complete track info",
    in: [.visualSampleEntry, .audioSampleEntry, .otherSampleEntry],
    "ISO/IEC 14496-12, 8.16.3", "What the samples would be if the track were complete."),
  BoxRegistration(
    container: "scrb", name: "scramble scheme info",
    in: [.visualSampleEntry, .audioSampleEntry, .otherSampleEntry, .box("ipco")], "ISO/IEC 14496-12, 8.12.9",
    "How the samples are scrambled."),
  BoxRegistration(OriginalFormatBox.self),
  BoxRegistration(SchemeTypeBox.self),
  BoxRegistration(TrackEncryptionBox.self),
  BoxRegistration(SampleEncryptionBox.self),
  BoxRegistration(ProtectionSystemSpecificHeaderBox.self),
  BoxRegistration(StereoVideoBox.self),
  BoxRegistration(SEIInformationBox.self),
]

private let audioBoxes: [BoxRegistration] = [
  BoxRegistration(ChannelLayoutBox.self),
  BoxRegistration(SamplingRateBox.self),
  BoxRegistration(AC4SpecificBox.self),
  BoxRegistration(OpusSpecificBox.self),
  BoxRegistration(FLACSpecificBox.self),
  BoxRegistration(AppleLosslessSpecificBox.self),
  BoxRegistration(PCMConfigBox.self),
  BoxRegistration(MPEGHConfigurationBox.self),
  BoxRegistration(MPEGHProfileCompatibilityBox.self),
  BoxRegistration(AMRSpecificBox.self),
  BoxRegistration(ImmersiveAudioConfigurationBox.self),
  BoxRegistration(SpatialAudioBox.self),
  BoxRegistration(DownmixInstructionsBox.self),
  BoxRegistration(DynamicRangeControlBox.self),
  BoxRegistration(SoundDecoderParametersBox.self),
  BoxRegistration(SoundByteOrderBox.self),
  BoxRegistration(AudioChannelLayoutBox.self),
]

private let sampleGroupBoxes: [BoxRegistration] = [
  BoxRegistration(SampleGroupDescriptionBox.self)
]
