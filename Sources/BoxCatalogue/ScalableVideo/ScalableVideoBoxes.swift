// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

let scalableVideoBoxes: [BoxRegistration] = [
  BoxRegistration(ScalableConfigurationBox.self),
  BoxRegistration(OpaqueScalableConfigurationBox.self),
  BoxRegistration(PriorityAssignmentBox.self),
  BoxRegistration(MPEG4ExtensionDescriptorsBox.self),
  BoxRegistration(PriorityLayerInfoBox.self),
  BoxRegistration(SVCMetadataConfigBox.self),
  BoxRegistration(VVCNALUnitConfigBox.self),
  BoxRegistration(DefaultExtractorConstructorBox.self),
  BoxRegistration(DepthConfigurationBox.self),
  BoxRegistration(DepthResolutionBox.self),
  BoxRegistration(ViewIdentifierBox.self),
  BoxRegistration(MultiviewInformationBox.self),
  BoxRegistration(MultiviewGroupBox.self),
  BoxRegistration(MultiviewGroupRelationBox.self),
  BoxRegistration(MultiviewRelationAttributeBox.self),
  BoxRegistration(MultiviewSceneInfoBox.self),
  BoxRegistration(TierInfoBox.self),
  BoxRegistration(TierBitRateBox.self),
  BoxRegistration(BufferingBox.self),
  BoxRegistration(TierDependencyBox.self),
  BoxRegistration(SVCDependencyRangeBox.self),
  BoxRegistration(InitialParameterSetBox.self),
  BoxRegistration(PriorityRangeBox.self),
  BoxRegistration(TranscodingInfoBox.self),
  BoxRegistration(InteractiveRegionBox.self),
  BoxRegistration(RectangularTierRegionBox.self),
  BoxRegistration(SampleDependencyBox.self),
  BoxRegistration(SubTrackViewBox.self),
  BoxRegistration(SubTrackLayerBox.self),
  BoxRegistration(SubTrackMultiviewGroupBox.self),
  BoxRegistration(SubTrackTierBox.self),
]
