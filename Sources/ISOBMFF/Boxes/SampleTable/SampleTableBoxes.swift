// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

let sampleTableBoxes: [BoxRegistration] = [
  BoxRegistration(
    container: "stbl", name: "SampleTableBox", in: [.box("minf")], "ISO/IEC 14496-12, 8.5.1",
    "Where, when and how large the samples are."),
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
  BoxRegistration(PaddingBitsBox.self),
  BoxRegistration(DegradationPriorityBox.self),
  BoxRegistration(SubSampleInformationBox.self),
]
