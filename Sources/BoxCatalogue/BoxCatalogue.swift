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

// One line per kind, by family. Lists of all kinds have this order. The contents of sample groups are listed
// beside their boxes, in ScalableVideo, and the kinds of `uuid` boxes in Metadata.

private let fileBoxes: [BoxRegistration] = [
  BoxRegistration(
    container: "etyp", name: "extended type", in: [.file, .box("ipco"), .box("otyp")],
    "ISO/IEC 14496-12, 4.4", "Combinations of brands that a reader must support."),
  BoxRegistration(rare: TypeCombinationBox.self),
  BoxRegistration(
    container: "otyp", name: "original file type", in: [.file, .box("otyp")], "ISO/IEC 14496-12, 8.17.4",
    "The file type that the content had before it was transformed."),
  BoxRegistration(
    container: "meco", name: "additional metadata container", in: [.file, .box("moov"), .box("trak")],
    "ISO/IEC 14496-12, 8.11.7", "Additional metadata boxes, beyond the one that each level may have."),
  BoxRegistration(rare: MetaboxRelationBox.self),
  BoxRegistration(
    container: "axte", name: "auxiliary tracks", in: [.file], "Android, auxiliary tracks extension",
    "Another movie, whose tracks accompany those of the enclosing movie.", childScope: .file),
]

private let movieBoxes: [BoxRegistration] = [
  BoxRegistration(rare: IPMPControlBox.self),
  BoxRegistration(rare: IPMPInfoBox.self),
]

private let trackBoxes: [BoxRegistration] = [
  BoxRegistration(
    container: "trgr", name: "track group", in: [.box("trak")], "ISO/IEC 14496-12, 8.3.4",
    "The groups of tracks to which this one belongs."),
  BoxRegistration(rare: TrackGroupTypeBox.self),
  BoxRegistration(rare: StereoVideoGroupBox.self),
]

private let sampleTableBoxes: [BoxRegistration] = [
  BoxRegistration(rare: PaddingBitsBox.self),
  BoxRegistration(rare: DegradationPriorityBox.self),
  BoxRegistration(rare: SubSampleInformationBox.self),
]

private let sampleEntryBoxes: [BoxRegistration] = [
  BoxRegistration(rare: BitRateBox.self),
  BoxRegistration(rare: FieldHandlingBox.self),
  BoxRegistration(rare: ChromaLocationBox.self),
  BoxRegistration(rare: GammaLevelBox.self),
  BoxRegistration(rare: AlphaModeBox.self),
  BoxRegistration(rare: AmbientViewingEnvironmentBox.self),
  BoxRegistration(rare: ContentColourVolumeBox.self),
  BoxRegistration(rare: VPMasteringDisplayBox.self),
  BoxRegistration(rare: VPContentLightLevelBox.self),
  BoxRegistration(rare: CodingConstraintsBox.self),
  BoxRegistration(rare: AuxiliaryTypeInfoBox.self),
  BoxRegistration(rare: SampleScaleBox.self),
  BoxRegistration(rare: AVCConfigurationBox.self),
  BoxRegistration(rare: VVCConfigurationBox.self),
  BoxRegistration(rare: H263SpecificBox.self),
  BoxRegistration(rare: H263BitrateBox.self),
  BoxRegistration(rare: GlobalHeaderBox.self),
  BoxRegistration(rare: LocalIDDependencyBox.self),
  BoxRegistration(
    container: "sv3d", name: "spherical video", in: [.visualSampleEntry], "Spherical Video V2 RFC",
    "How the picture maps to directions of view."),
  BoxRegistration(rare: SphericalVideoHeaderBox.self),
  BoxRegistration(
    container: "proj", name: "spherical projection", in: [.box("sv3d")], "Spherical Video V2 RFC",
    "The projection of a spherical picture."),
  BoxRegistration(rare: ProjectionHeaderBox.self),
  BoxRegistration(rare: EquirectangularProjectionBox.self),
  BoxRegistration(rare: CubemapProjectionBox.self),
  BoxRegistration(rare: MeshProjectionBox.self),
]

private let otherSampleEntryBoxes: [BoxRegistration] = [
  BoxRegistration(rare: XMLSubtitleSampleEntry.self),
  BoxRegistration(rare: XMLMetadataSampleEntry.self),
  BoxRegistration(rare: PlainTextSampleEntry.self),
  BoxRegistration(rare: TextConfigBox.self),
  BoxRegistration(rare: URIInitBox.self),
  BoxRegistration(rare: WebVTTTextBox.self),
  BoxRegistration(
    container: "vttc", name: "WebVTT cue", in: [.webVTTSample], "ISO/IEC 14496-30, 7.6", "A WebVTT cue."),
  BoxRegistration(
    container: "vtte", name: "WebVTT empty cue", in: [.webVTTSample], "ISO/IEC 14496-30, 7.6",
    "No cue is shown at this time."),
  BoxRegistration(rare: WebVTTCueTextBox.self),
  BoxRegistration(rare: WebVTTCueSourceBox.self),
  BoxRegistration(rare: TimedTextSampleEntry.self),
  BoxRegistration(rare: QuickTimeTextSampleEntry.self),
  BoxRegistration(rare: FontTableBox.self),
  BoxRegistration(rare: TimecodeSampleEntry.self),
  BoxRegistration(rare: RTPHintSampleEntry.self),
  BoxRegistration(rare: FDHintSampleEntry.self),
  BoxRegistration(rare: MPEG2TSSampleEntry.self),
  BoxRegistration(rare: HintTimescaleBox.self),
  BoxRegistration(rare: HintOffsetBox.self),
  BoxRegistration(rare: TimestampSynchronyBox.self),
  BoxRegistration(rare: ReceivedSSRCBox.self),
  BoxRegistration(rare: SRTPProcessBox.self),
]

private let fragmentBoxes: [BoxRegistration] = [
  BoxRegistration(rare: ProducerReferenceTimeBox.self),
  BoxRegistration(rare: EventMessageBox.self),
  BoxRegistration(rare: LevelAssignmentBox.self),
  BoxRegistration(rare: TrackExtensionPropertiesBox.self),
  BoxRegistration(rare: AlternativeStartupSequencePropertiesBox.self),
]

private let metadataBoxes: [BoxRegistration] = [
  BoxRegistration(rare: AlbumBox.self),
  BoxRegistration(rare: RecordingYearBox.self),
  BoxRegistration(rare: RatingBox.self),
  BoxRegistration(rare: ClassificationBox.self),
  BoxRegistration(rare: KeywordsBox.self),
  BoxRegistration(rare: WindowsMediaAttributesBox.self),
  BoxRegistration(rare: SamsungMetadataBox.self),
  BoxRegistration(rare: SamsungModeBox.self),
  BoxRegistration(rare: SamsungRecordingBox.self),
  BoxRegistration(rare: SamsungFrameRateBox.self),
  BoxRegistration(rare: SamsungTrailerBox.self),
  BoxRegistration(rare: MotionPhotoVideoBox.self),
  BoxRegistration(rare: CreatorBox.self),
  BoxRegistration(rare: KindBox.self),
  BoxRegistration(rare: TrackSelectionBox.self),
  BoxRegistration(rare: ChapterListBox.self),
  BoxRegistration(
    container: "strk", name: "sub track", in: [.box("udta")], "ISO/IEC 14496-12, 8.14.3",
    "A part of a track that can be selected like a track."),
  BoxRegistration(rare: SubTrackInformationBox.self),
  BoxRegistration(
    container: "strd", name: "sub track definition", in: [.box("strk")], "ISO/IEC 14496-12, 8.14.5",
    "The contents of a sub-track."),
  BoxRegistration(rare: SubTrackSampleGroupBox.self),
  BoxRegistration(
    container: "ludt", name: "loudness container", in: [.box("udta")], "ISO/IEC 14496-12, 12.2.7",
    "The loudness of the audio."),
  BoxRegistration(rare: LoudnessBox.self),

  BoxRegistration(
    container: "hnti", name: "hint information", in: [.box("udta")], "ISO/IEC 14496-12, 9.1.4",
    "What a streaming server announces."),
  BoxRegistration(rare: MovieSDPBox.self),
  BoxRegistration(rare: TrackSDPBox.self),
  BoxRegistration(
    container: "hinf", name: "hint statistics", in: [.box("udta")], "ISO/IEC 14496-12, 9.1.5",
    "Statistics of what a hint track sends."),
  BoxRegistration(rare: HintCounterBox.self),
  BoxRegistration(rare: HintFigureBox.self),
  BoxRegistration(rare: HintTransmissionTimeBox.self),
  BoxRegistration(rare: HintMaximumRateBox.self),
  BoxRegistration(rare: HintPayloadTypeBox.self),
]

private let quickTimeBoxes: [BoxRegistration] = [
  BoxRegistration(
    container: "gmhd", name: "generic media header", in: [.box("minf")],
    "QuickTime File Format, Base Media Information Header Atom",
    "The header of media that is neither video nor audio."),
  BoxRegistration(rare: GenericMediaInformationBox.self),
  BoxRegistration(rare: TelemetryMediaInformationBox.self),
  BoxRegistration(rare: TextMediaInformationBox.self),
  BoxRegistration(
    container: "tmcd", name: "timecode media header", in: [.box("gmhd")],
    "QuickTime File Format, Timecode Media Information Atom", "The header of timecode media."),
  BoxRegistration(rare: TimecodeMediaInformationBox.self),
  BoxRegistration(
    container: "tapt", name: "track aperture mode", in: [.box("trak")],
    "QuickTime File Format, Track Aperture Mode Dimensions", "The size of a track's pictures, in three modes."
  ),
  BoxRegistration(rare: TrackApertureDimensionsBox.self),
  BoxRegistration(rare: LoadSettingsBox.self),
  BoxRegistration(
    container: "txas", name: "track exclusion", in: [.box("trak")],
    "QuickTime File Format, Track Exclude From Autoselection Atom",
    "Excludes the track from automatic selection by players; the box is empty."),
  BoxRegistration(
    container: "clip", name: "clipping", in: [.box("moov"), .box("trak")],
    "QuickTime File Format, Clipping Atom", "The part of a movie or track that is drawn."),
  BoxRegistration(rare: ClippingRegionBox.self),
  BoxRegistration(
    container: "matt", name: "track matte", in: [.box("trak")], "QuickTime File Format, Track Matte Atom",
    "How much of a track is visible at each point."),
  BoxRegistration(rare: CompressedMatteBox.self),
  BoxRegistration(rare: ColorTableBox.self),
  BoxRegistration(rare: PreviewBox.self),
  BoxRegistration(
    container: "imap", name: "track input map", in: [.box("trak")],
    "QuickTime File Format, Track Input Map Atoms", "The changes that other tracks make to this one."),
  BoxRegistration(rare: TrackInputBox.self),
  BoxRegistration(rare: TrackInputTypeBox.self),
  BoxRegistration(rare: ObjectIDBox.self),

  BoxRegistration(
    container: "cmov", name: "compressed movie", in: [.box("moov")],
    "QuickTime File Format, Compressed Movie Resources", "A movie whose boxes are compressed."),
  BoxRegistration(rare: DataCompressionBox.self),
  BoxRegistration(rare: CompressedMovieDataBox.self),

  BoxRegistration(rare: WindowLocationBox.self),
  BoxRegistration(rare: LoopingBox.self),
  BoxRegistration(rare: PlaybackFlagBox.self),
  BoxRegistration(rare: PrintToVideoBox.self),

  BoxRegistration(
    container: "rmra", name: "reference movie", in: [.box("moov")],
    "QuickTime File Format, Reference Movies",
    "Other movies, one of which is played instead."),
  BoxRegistration(
    container: "rmda", name: "reference movie descriptor", in: [.box("rmra")],
    "QuickTime File Format, Reference Movie Descriptor Atom", "Another movie, and what it needs."),
  BoxRegistration(rare: DataReferenceAtomBox.self),
  BoxRegistration(rare: ReferenceDataRateBox.self),
  BoxRegistration(rare: ReferenceCPUSpeedBox.self),
  BoxRegistration(rare: ReferenceVersionCheckBox.self),
  BoxRegistration(rare: ReferenceComponentBox.self),
  BoxRegistration(rare: ReferenceQualityBox.self),
]

private let itemBoxes: [BoxRegistration] = [
  BoxRegistration(rare: MD5IntegrityBox.self),
  BoxRegistration(rare: FileDeliveryItemInformationBox.self),
  BoxRegistration(
    container: "paen", name: "partition entry", in: [.box("fiin")], "ISO/IEC 14496-12, 8.13.2",
    "How one file is divided and protected."),
  BoxRegistration(rare: FilePartitionBox.self),
  BoxRegistration(rare: FileReservoirBox.self),
  BoxRegistration(rare: FileDeliverySessionGroupBox.self),
  BoxRegistration(rare: GroupIDToNameBox.self),
  BoxRegistration(rare: MinimizedImageBox.self),
  BoxRegistration(rare: PixelInformationProperty.self),
  BoxRegistration(rare: ImageRotationProperty.self),
  BoxRegistration(rare: ImageMirrorProperty.self),
  BoxRegistration(rare: RelativeLocationProperty.self),
  BoxRegistration(rare: LayerSelectorProperty.self),
  BoxRegistration(rare: TargetOutputLayerSetProperty.self),
  BoxRegistration(rare: ImageScalingProperty.self),
  BoxRegistration(rare: CameraIntrinsicMatrixProperty.self),
  BoxRegistration(rare: CameraExtrinsicMatrixProperty.self),
  BoxRegistration(rare: SampleGroupProperty.self),
  BoxRegistration(rare: RequiredReferenceTypesProperty.self),
  BoxRegistration(rare: UserDescriptionProperty.self),
  BoxRegistration(rare: AccessibilityTextProperty.self),
  BoxRegistration(rare: CreationTimeProperty.self),
  BoxRegistration(rare: ModificationTimeProperty.self),
  BoxRegistration(rare: MaskConfigurationProperty.self),
  BoxRegistration(rare: JPEGConfigurationProperty.self),
  BoxRegistration(rare: BrandProperty.self),
  BoxRegistration(rare: AV1LayeredImageIndexingProperty.self),
  BoxRegistration(rare: AV1OperatingPointSelectorProperty.self),
  BoxRegistration(rare: WipeTransitionProperty.self),
  BoxRegistration(rare: ZoomTransitionProperty.self),
  BoxRegistration(rare: FadeTransitionProperty.self),
  BoxRegistration(rare: SplitTransitionProperty.self),
  BoxRegistration(rare: SuggestedTransitionPeriodProperty.self),
  BoxRegistration(rare: SuggestedDisplayDurationProperty.self),
  BoxRegistration(rare: ComponentDefinitionBox.self),
  BoxRegistration(rare: UncompressedFrameConfigBox.self),
  BoxRegistration(rare: GenericCompressionConfigBox.self),
  BoxRegistration(rare: CompressedUnitsItemBox.self),
  BoxRegistration(rare: CompressedRangesBox.self),
]

private let protectionBoxes: [BoxRegistration] = [
  BoxRegistration(
    container: "sinf", name: "protection scheme info", in: [.anywhere], "ISO/IEC 14496-12, 8.12.2",
    "How the samples are protected, and their original format."),
  BoxRegistration(
    container: "rinf", name: "restricted scheme info", in: [.anywhere], "ISO/IEC 14496-12, 8.15.3",
    "The required processing of the decoded pictures, and the original format of the samples."),
  BoxRegistration(
    container: "schi", name: "scheme information", in: [.anywhere], "ISO/IEC 14496-12, 8.12.7",
    "Data that the scheme needs."),
  BoxRegistration(
    container: "cinf", name: "complete track info",
    in: [.visualSampleEntry, .audioSampleEntry, .otherSampleEntry],
    "ISO/IEC 14496-12, 8.17.3", "The format that the samples would have if the track were complete."),
  BoxRegistration(
    container: "scrb", name: "scramble scheme info",
    in: [.visualSampleEntry, .audioSampleEntry, .otherSampleEntry, .box("ipco")], "ISO/IEC 14496-12, 8.12.9",
    "How the samples are scrambled."),
  BoxRegistration(rare: OriginalFormatBox.self),
  BoxRegistration(rare: SchemeTypeBox.self),
  BoxRegistration(rare: TrackEncryptionBox.self),
  BoxRegistration(rare: SampleEncryptionBox.self),
  BoxRegistration(rare: ProtectionSystemSpecificHeaderBox.self),
  BoxRegistration(rare: StereoVideoBox.self),
  BoxRegistration(rare: SEIInformationBox.self),
]

private let audioBoxes: [BoxRegistration] = [
  BoxRegistration(rare: ChannelLayoutBox.self),
  BoxRegistration(rare: SamplingRateBox.self),
  BoxRegistration(rare: AC4SpecificBox.self),
  BoxRegistration(rare: OpusSpecificBox.self),
  BoxRegistration(rare: FLACSpecificBox.self),
  BoxRegistration(rare: AppleLosslessSpecificBox.self),
  BoxRegistration(rare: PCMConfigBox.self),
  BoxRegistration(rare: MPEGHConfigurationBox.self),
  BoxRegistration(rare: MPEGHProfileCompatibilityBox.self),
  BoxRegistration(rare: AMRSpecificBox.self),
  BoxRegistration(rare: ImmersiveAudioConfigurationBox.self),
  BoxRegistration(rare: SpatialAudioBox.self),
  BoxRegistration(rare: DownmixInstructionsBox.self),
  BoxRegistration(rare: DynamicRangeControlBox.self),
  BoxRegistration(rare: SoundDecoderParametersBox.self),
  BoxRegistration(rare: SoundByteOrderBox.self),
  BoxRegistration(rare: AudioChannelLayoutBox.self),
]

private let sampleGroupBoxes: [BoxRegistration] = [
  BoxRegistration(SampleGroupDescriptionBox.self)
]
