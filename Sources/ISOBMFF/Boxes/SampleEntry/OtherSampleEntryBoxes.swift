// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

let otherSampleEntryBoxes: [BoxRegistration] = [
  BoxRegistration(SampleEntry.self),
  BoxRegistration(BoxedSampleEntry.self),
  BoxRegistration(ProtectedSampleEntry.self),
  BoxRegistration(XMLSubtitleSampleEntry.self),
  BoxRegistration(XMLMetadataSampleEntry.self),
  BoxRegistration(PlainTextSampleEntry.self),
  BoxRegistration(TextConfigBox.self),
  BoxRegistration(URIInitBox.self),
  BoxRegistration(WebVTTTextBox.self),
  BoxRegistration(
    container: "vttc", name: "WebVTTCueBox", in: [.webVTTSample], "ISO/IEC 14496-30, 7.6", "A WebVTT cue."),
  BoxRegistration(
    container: "vtte", name: "WebVTTEmptyCueBox", in: [.webVTTSample], "ISO/IEC 14496-30, 7.6",
    "That there is no cue at this time."),
  BoxRegistration(WebVTTCueTextBox.self),
  BoxRegistration(WebVTTCueSourceBox.self),
  BoxRegistration(TimedTextSampleEntry.self),
  BoxRegistration(QuickTimeTextSampleEntry.self),
  BoxRegistration(FontTableBox.self),
  BoxRegistration(TimecodeSampleEntry.self),
  BoxRegistration(RTPHintSampleEntry.self),
  BoxRegistration(FDHintSampleEntry.self),
  BoxRegistration(MPEG2TSSampleEntry.self),
  BoxRegistration(HintTimescaleBox.self),
  BoxRegistration(HintOffsetBox.self),
  BoxRegistration(TimestampSynchronyBox.self),
  BoxRegistration(ReceivedSSRCBox.self),
  BoxRegistration(SRTPProcessBox.self),
]
