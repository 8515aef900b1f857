// swift-multiview · SPDX-License-Identifier: Apache-2.0

extension SampleGroupEntryRegistry {
  /// The kinds that this library supports.
  public static let standard = SampleGroupEntryRegistry([
    Kind(RollRecoveryEntry.self),
    Kind(VisualRandomAccessEntry.self),
    Kind(StreamAccessPointEntry.self),
    Kind(SyncSampleEntry.self),
    Kind(TemporalLevelEntry.self),
    Kind(EmptySampleGroupEntry.self),
    Kind(DependentRandomAccessEntry.self),
    Kind(AlternativeStartupEntry.self),
    Kind(RateShareEntry.self),
    Kind(EncryptionInformationEntry.self),
    Kind(SampleToMetadataItemEntry.self),
    Kind(PixelAspectRatioEntry.self),
    Kind(CleanApertureEntry.self),

    Kind(OperatingPointsInformationEntry.self),
    Kind(LayerInformationEntry.self),
    Kind(TemporalLayerEntry.self),
    Kind(ExternalBaseLayerEntry.self),
    Kind(OperatingPointDecodeTimeHintEntry.self),

    Kind(RectangularRegionEntry.self),
    Kind(NALUnitMapEntry.self),
    Kind(AccessUnitDelimiterEntry.self),
    Kind(EndOfSequenceEntry.self),
    Kind(EndOfBitstreamEntry.self),
    Kind(ParameterSetEntry.self),
    Kind(ParameterSetPresenceEntry.self),
    Kind(ScalableNALUnitMapEntry.self),

    Kind(AVCLayerEntry.self),
    Kind(AVCSubSequenceEntry.self),
    Kind(DecodeRetimingEntry.self),
    Kind(ScalableGroupEntry.self),
    Kind(MultiviewGroupEntry.self),
    Kind(ViewPriorityEntry.self),

    Kind(VVCMixedNALUnitTypesEntry.self),
    Kind(VVCSubpictureIDEntry.self),
    Kind(VVCSubpictureOrderEntry.self),
    Kind(SubpictureLevelEntry.self),
    Kind(VVCSubpictureLayoutMapEntry.self),
    Kind(RectangularRegionOrderEntry.self),
    Kind(VVCOperatingPointsEntry.self),

    Kind(VisualEquivalenceEntry.self),
    Kind(DirectReferenceSamplesEntry.self),
    Kind(AutoExposureBracketingEntry.self),
    Kind(FlashExposureBracketingEntry.self),
    Kind(DepthOfFieldBracketingEntry.self),
    Kind(FocusBracketingEntry.self),
    Kind(WhiteBalanceBracketingEntry.self),
    Kind(PanoramaEntry.self),
  ])
}
