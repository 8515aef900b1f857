// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

let protectionBoxes: [BoxRegistration] = [
  BoxRegistration(
    container: "sinf", name: "ProtectionSchemeInfoBox", in: [.anywhere], "ISO/IEC 14496-12, 8.12.2",
    "How the samples are protected, and what they are without that."),
  BoxRegistration(
    container: "rinf", name: "RestrictedSchemeInfoBox", in: [.anywhere], "ISO/IEC 14496-12, 8.15.3",
    "What a player must do with the decoded pictures, and what they are without that."),
  BoxRegistration(
    container: "schi", name: "SchemeInformationBox", in: [.anywhere], "ISO/IEC 14496-12, 8.12.7",
    "What the scheme needs to know."),
  BoxRegistration(
    container: "cinf", name: "CompleteTrackInfoBox",
    in: [.visualSampleEntry, .audioSampleEntry, .otherSampleEntry],
    "ISO/IEC 14496-12, 8.16.3", "What the samples would be if the track were complete."),
  BoxRegistration(
    container: "scrb", name: "ScrambleSchemeInfoBox",
    in: [.visualSampleEntry, .audioSampleEntry, .otherSampleEntry, .box("ipco")], "ISO/IEC 14496-12, 8.12.9",
    "How the samples are scrambled."),
  BoxRegistration(OriginalFormatBox.self),
  BoxRegistration(SchemeTypeBox.self),
  BoxRegistration(TrackEncryptionBox.self),
  BoxRegistration(SampleEncryptionBox.self),
  BoxRegistration(ProtectionSystemSpecificHeaderBox.self),
  BoxRegistration(SampleAuxiliaryInformationSizesBox.self),
  BoxRegistration(SampleAuxiliaryInformationOffsetsBox.self),
  BoxRegistration(StereoVideoBox.self),
  BoxRegistration(SEIInformationBox.self),
]
