// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import MovieEditing
import Multiview

/// The options of `mvedit tag` that say what to change.
enum TagOptions {
  /// An option for each tag.
  static let tags = StereoTag.all.map { tag in
    var option = Option(
      tag.name,
      tag.isOpen
        ? .text(tag.placeholder, hint: tag.words.isEmpty ? .nothing : .words(tag.words))
        : .choice(tag.placeholder, tag.words), tag.summary)
    option.foreignNames = tag.aliases
    return option
  }
  static let set = Option(
    "set", .text("NAME=VALUE", hint: .nothing),
    "Set a tag by its name in the spatial tool: vexu:cameraBaseline=63",
    isRepeatable: true)
  static let key = Option(
    "key", .text("KEY=VALUE", hint: .nothing), "Set a metadata key of the movie", isRepeatable: true)
  static let creationDate = Option(
    "creation-date", .text("DATE", hint: .nothing), "Set the creation date: 2024-05-01T12:30:00Z")
  static let remove = Option(
    "remove",
    .text(
      "NAME",
      hint: .words(["all"] + StereoTag.all.map(\.name) + PersonalDataName.allCases.map(\.rawValue))),
    "Remove tags (option names, metadata keys or all, separated by commas) or personal data: location, "
      + "timed-location, personal, names, devices, dates", isRepeatable: true)
  static let swapEyes = Option("swap-eyes", "Reverse the order of the eyes")
  static let rewriteMessage = Option(
    "rewrite-message",
    "With --swap-eyes: also swap the eyes in the message of the configuration record (SEI 176)")
  static let copyFrom = Option(
    "copy-from", .text("MOVIE", hint: .file),
    "Copy all tags from another movie, and also lhvC if it was lost and the stream is the same"
  )
  .called("tags-from", "from")
  static let track = Option("track", .number("ID", 1...Int(UInt32.max)), "Only this track")
  static let entry = Option(
    "entry", .number("N", 1...65_535), "Only this sample entry of each track, counted from 1")
  static let forceValues = Option(
    "force-values", "Write values even if they contradict each other or the bitstream")
  static let undo = Option("undo", "Undo the last change in place")

  static let all =
    tags + [set, key, creationDate, remove, swapEyes, rewriteMessage, copyFrom, track, entry, forceValues]
  /// The options for encoded pictures: their eyes are named before encoding, not swapped afterwards.
  static let ofNewPictures =
    tags + [set, key, creationDate, remove, copyFrom, track, entry, forceValues]
  /// The options that request a change.
  static let changes = tags + [set, key, creationDate, remove, swapEyes, copyFrom]
}

/// What `--remove` calls personal data.
enum PersonalDataName: String, CaseIterable {
  case location
  case timedLocation = "timed-location"
  case personal, names, devices, dates

  var kinds: Set<PersonalDataKind> {
    switch self {
    case .location, .timedLocation: [.location]
    case .personal: [.name, .device]
    case .names: [.name]
    case .devices: [.device]
    case .dates: [.date]
    }
  }

  /// The name for data of one kind, outside samples.
  init(_ kind: PersonalDataKind) {
    switch kind {
    case .location: self = .location
    case .name: self = .names
    case .device: self = .devices
    case .date: self = .dates
    }
  }

  /// Whether values in the samples of tracks are removed, too.
  var includesSamples: Bool { self == .timedLocation }

  /// How a message begins that says that there is none.
  var absence: String {
    switch self {
    case .location: "no location"
    case .timedLocation: "no track with positions"
    case .personal: "no name or device"
    case .names: "no name"
    case .devices: "no device"
    case .dates: "no date"
    }
  }
}
