// swift-multiview · SPDX-License-Identifier: Apache-2.0

extension Rule {
  /// All rules, by their names. A number is never used twice.
  public static let all: [Rule] =
    [
      .boxesFit, .fieldsReadable, .movieBoxPresent, .fileTypePresent, .sampleEntryType,
      .recordLacksParameterSets, .enhancementSetsInBaseRecord, .layeredRecordFirst,
      .lengthSizesDiffer, .lengthSizeThree, .arraysHoldTheirType, .layerNotInSamples,
      .layerInSomeSamples, .layerNotConfigured, .secondViewLost, .viewsNotSignalled, .recordProfile,
      .recordSampleFormat, .operatingPointsAbsent, .layersInTwoTracks, .moreThanTwoViews,
      .fieldOfViewAbsent, .baselineAbsent, .disparityAbsent, .noCameraValues, .fieldOfViewZero,
      .baselineZero, .fieldOfViewRange, .disparityRange, .projectionAgainstSpatial,
      .oneEyeForTwoLayers, .requiredBoxUnknown, .boxSizes, .misplacedBox, .fullBoxHeader, .boxVersion,
      .duplicateBox, .striUnreadable, .unknownCode, .auxiliaryLayerAsEye, .packedWithoutPacking,
      .packingNotSignalled, .googleDisagrees, .googleOnly, .lensesAbsent, .referenceDisplaysAbsent,
      .eyeViewUnknown, .eyesContradict, .layerSizesDiffer, .representationFormat, .setsBetweenLayers,
      .layerOrder, .sampleFraming, .displayOrder, .orderCountsDiffer, .syncSample, .sampleTables,
      .samplesOutsideFile, .decodeTimes, .editsOfEyesDiffer, .unevenShift, .colourOfHDRAbsent,
      .colourContradicts, .entrySize, .trackExtendsAbsent, .samplesInInitSegment, .streamingLimits,
      .streamingSampleEntry, .fragmentDecodeTime, .fragmentAddressing, .streamingBrand,
      .movieExtendsFirst, .layerUnknown, .enhancementAlone, .packedLayers, .otherEyeAbsent,
      .packedEyes, .fisheyeUndescribed, .lensesUnused, .notLayers, .mediaSegment, .videoUndecided,
      .mandatoryBoxes, .trackNumbers, .timescale, .externalMedia, .eyesShareView, .lensIncomplete,
      .arrayIncomplete, .secondRecord, .entryCount, .baselineRange, .additionalViews,
      .layerSetsAbsent, .fragmentOfNoTrack, .secondBox, .referenceToNoTrack,
      .displaysDiffer, .dolbyVisionAbsent, .limitReached, .pictureSetsAbsent, .sliceUnreadable,
      .purposeNotMet,
    ] + ofPlaylists + ofPhotos + [
      .referenceToItself, .messagesInRecord, .headerDurations, .headerSize, .quickTimeSound,
    ]
}
