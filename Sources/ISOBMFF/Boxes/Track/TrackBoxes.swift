// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

let trackBoxes: [BoxRegistration] = [
  BoxRegistration(
    container: "trak", name: "TrackBox", in: [.box("moov")], "ISO/IEC 14496-12, 8.3.1",
    "One track of the presentation."),
  BoxRegistration(TrackHeaderBox.self),
  BoxRegistration(
    container: "tref", name: "TrackReferenceBox", in: [.box("trak")], "ISO/IEC 14496-12, 8.3.3",
    "References to other tracks, one box for each kind."),
  BoxRegistration(TrackReferenceTypeBox.self),
  BoxRegistration(
    container: "trgr", name: "TrackGroupBox", in: [.box("trak")], "ISO/IEC 14496-12, 8.3.4",
    "The groups of tracks to which this one belongs."),
  BoxRegistration(TrackGroupTypeBox.self),
  BoxRegistration(StereoVideoGroupBox.self),
  BoxRegistration(
    container: "edts", name: "EditBox", in: [.box("trak")], "ISO/IEC 14496-12, 8.6.5",
    "Holds the edit list."),
  BoxRegistration(EditListBox.self),
  BoxRegistration(
    container: "udta", name: "UserDataBox",
    in: [.box("moov"), .box("trak"), .box("moof"), .box("traf"), .file],
    "ISO/IEC 14496-12, 8.10.1", "What users and programs have to say about the box around it."),
]
