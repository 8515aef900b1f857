// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

let scalableVideoBoxes: [BoxRegistration] = [
  BoxRegistration(ScalableConfigurationBox.self),
  BoxRegistration(OpaqueScalableConfigurationBox.self),
  BoxRegistration(PriorityAssignmentBox.self),
  BoxRegistration(MPEG4ExtensionDescriptorsBox.self),
  BoxRegistration(PriorityLayerInfoBox.self),
  BoxRegistration(SVCMetadataConfigBox.self),
  BoxRegistration(VVCNALUnitConfigBox.self),
  BoxRegistration(DefaultExtractorConstructorBox.self),
  BoxRegistration(ViewIdentifierBox.self),
  BoxRegistration(MultiviewInformationBox.self),
  BoxRegistration(MultiviewGroupBox.self),
  BoxRegistration(MultiviewGroupRelationBox.self),
  BoxRegistration(MultiviewRelationAttributeBox.self),
  BoxRegistration(MultiviewSceneInfoBox.self),
  BoxRegistration(TierInfoBox.self),
  BoxRegistration(TierBitRateBox.self),
  BoxRegistration(BufferingBox.self),
  BoxRegistration(SampleDependencyBox.self),
  BoxRegistration(SubTrackViewBox.self),
  BoxRegistration(SubTrackLayerBox.self),
  BoxRegistration(SubTrackMultiviewGroupBox.self),
  BoxRegistration(SubTrackTierBox.self),
]
