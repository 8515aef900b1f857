// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

let scalableVideoBoxes: [BoxRegistration] = [
  BoxRegistration(rare: ScalableConfigurationBox.self),
  BoxRegistration(rare: OpaqueScalableConfigurationBox.self),
  BoxRegistration(rare: PriorityAssignmentBox.self),
  BoxRegistration(rare: MPEG4ExtensionDescriptorsBox.self),
  BoxRegistration(rare: PriorityLayerInfoBox.self),
  BoxRegistration(rare: SVCMetadataConfigBox.self),
  BoxRegistration(rare: VVCNALUnitConfigBox.self),
  BoxRegistration(rare: DefaultExtractorConstructorBox.self),
  BoxRegistration(rare: DepthConfigurationBox.self),
  BoxRegistration(rare: DepthResolutionBox.self),
  BoxRegistration(rare: ViewIdentifierBox.self),
  BoxRegistration(rare: MultiviewInformationBox.self),
  BoxRegistration(rare: MultiviewGroupBox.self),
  BoxRegistration(rare: MultiviewGroupRelationBox.self),
  BoxRegistration(rare: MultiviewRelationAttributeBox.self),
  BoxRegistration(rare: MultiviewSceneInfoBox.self),
  BoxRegistration(rare: TierInfoBox.self),
  BoxRegistration(rare: TierBitRateBox.self),
  BoxRegistration(rare: BufferingBox.self),
  BoxRegistration(rare: TierDependencyBox.self),
  BoxRegistration(rare: SVCDependencyRangeBox.self),
  BoxRegistration(rare: InitialParameterSetBox.self),
  BoxRegistration(rare: PriorityRangeBox.self),
  BoxRegistration(rare: TranscodingInfoBox.self),
  BoxRegistration(rare: InteractiveRegionBox.self),
  BoxRegistration(rare: RectangularTierRegionBox.self),
  BoxRegistration(rare: SampleDependencyBox.self),
  BoxRegistration(rare: SubTrackViewBox.self),
  BoxRegistration(rare: SubTrackLayerBox.self),
  BoxRegistration(rare: SubTrackMultiviewGroupBox.self),
  BoxRegistration(rare: SubTrackTierBox.self),
]
