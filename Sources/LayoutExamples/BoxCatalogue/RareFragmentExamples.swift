// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import BoxCatalogue
import ByteCoding
import ISOBMFF

extension ProducerReferenceTimeBox: ExampleProviding {
  package static var examples: [ProducerReferenceTimeBox] {
    var short = ProducerReferenceTimeBox()
    short.ntpTimestamp = 0xE8F0_A1B2_8000_0000
    short.mediaTime = 90_000
    var wide = short
    wide.version = 1
    wide.flags = 0x18
    wide.mediaTime = 0x1_0000_0000
    return [short, wide]
  }
}

extension EventMessageBox: ExampleProviding {
  package static var examples: [EventMessageBox] {
    var relative = EventMessageBox()
    relative.schemeIDURI = TerminatedString("urn:scte:scte35:2013:bin")
    relative.value = TerminatedString("1001")
    relative.timescale = 90_000
    relative.presentationTime = 45_000
    relative.eventDuration = 0xFFFF_FFFF
    relative.id = 3
    relative.messageData = ByteView([0xFC, 0x30])
    var absolute = relative
    absolute.version = 1
    absolute.presentationTime = 0x1_0000_0000
    return [relative, absolute]
  }
}

extension LevelAssignmentBox: ExampleProviding {
  package static var examples: [LevelAssignmentBox] {
    var sample = LevelAssignmentBox()
    var grouped = Level()
    grouped.trackID = 1
    grouped.assignmentType = 0
    grouped.groupingType = "tele"
    var parameterised = grouped
    parameterised.isPadded = true
    parameterised.assignmentType = 1
    parameterised.groupingTypeParameter = 3
    var whole = Level()
    whole.trackID = 2
    var part = whole
    part.assignmentType = 4
    part.subTrackID = 9
    sample.levels = [grouped, parameterised, whole, part]
    return [sample]
  }
}

extension TrackExtensionPropertiesBox: ExampleProviding {
  package static var examples: [TrackExtensionPropertiesBox] { [TrackExtensionPropertiesBox()] }
}

extension AlternativeStartupSequencePropertiesBox: ExampleProviding {
  package static var examples: [AlternativeStartupSequencePropertiesBox] {
    var one = AlternativeStartupSequencePropertiesBox()
    one.minInitialAltStartupOffset = -3_003
    var several = AlternativeStartupSequencePropertiesBox()
    several.version = 1
    var entry = Entry()
    entry.groupingTypeParameter = 1
    entry.minInitialAltStartupOffset = -1_001
    several.entries = [entry, Entry()]
    return [one, several]
  }
}
