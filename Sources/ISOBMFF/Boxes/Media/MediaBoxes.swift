// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

let mediaBoxes: [BoxRegistration] = [
  BoxRegistration(
    container: "mdia", name: "MediaBox", in: [.box("trak")], "ISO/IEC 14496-12, 8.4.1",
    "What a track's media are and where."),
  BoxRegistration(MediaHeaderBox.self),
  BoxRegistration(HandlerBox.self),
  BoxRegistration(
    container: "minf", name: "MediaInformationBox", in: [.box("mdia")], "ISO/IEC 14496-12, 8.4.4",
    "What is particular to the kind of media."),
  BoxRegistration(ExtendedLanguageBox.self),
  BoxRegistration(VideoMediaHeaderBox.self),
  BoxRegistration(SoundMediaHeaderBox.self),
  BoxRegistration(HintMediaHeaderBox.self),
  BoxRegistration(SubtitleMediaHeaderBox.self),
  BoxRegistration(NullMediaHeaderBox.self),
  BoxRegistration(
    container: "dinf", name: "DataInformationBox", in: [.box("minf"), .box("meta")],
    "ISO/IEC 14496-12, 8.7.1", "Holds the places of media data."),
  BoxRegistration(DataReferenceBox.self),
  BoxRegistration(DataEntryURLBox.self),
  BoxRegistration(DataEntryURNBox.self),
  BoxRegistration(DataEntryIMDABox.self),
  BoxRegistration(DataEntrySeqNumIMDABox.self),
  BoxRegistration(DataEntryAliasBox.self),
]
