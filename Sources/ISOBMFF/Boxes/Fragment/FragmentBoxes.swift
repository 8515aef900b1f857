// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

let fragmentBoxes: [BoxRegistration] = [
  BoxRegistration(
    container: "moof", name: "MovieFragmentBox", in: [.file], "ISO/IEC 14496-12, 8.8.4",
    "The samples of a stretch of time."),
  BoxRegistration(MovieFragmentHeaderBox.self),
  BoxRegistration(
    container: "traf", name: "TrackFragmentBox", in: [.box("moof")], "ISO/IEC 14496-12, 8.8.6",
    "The samples of one track in a movie fragment."),
  BoxRegistration(TrackFragmentHeaderBox.self),
  BoxRegistration(TrackFragmentDecodeTimeBox.self),
  BoxRegistration(TrackRunBox.self),
  BoxRegistration(
    container: "mfra", name: "MovieFragmentRandomAccessBox", in: [.file], "ISO/IEC 14496-12, 8.8.9",
    "Where in a fragmented file access is possible."),
  BoxRegistration(TrackFragmentRandomAccessBox.self),
  BoxRegistration(MovieFragmentRandomAccessOffsetBox.self),
  BoxRegistration(SegmentIndexBox.self),
  BoxRegistration(SubsegmentIndexBox.self),
  BoxRegistration(ProducerReferenceTimeBox.self),
  BoxRegistration(EventMessageBox.self),
  BoxRegistration(LevelAssignmentBox.self),
  BoxRegistration(TrackExtensionPropertiesBox.self),
  BoxRegistration(AlternativeStartupSequencePropertiesBox.self),
]
