// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import MovieEditing
import Multiview

/// The options of `mvedit tag` that say what to change.
enum TagOptions {
  static let eyes = Option(
    "eyes", .choice("EYES", ["left,right", "left", "right"]), "The eyes that the track has views for"
  )
  .called("stereo", "stri")
  static let reversed = Option(
    "reversed", .choice("YES", ["yes", "no"]), "Whether the right eye comes first")
  static let additionalViews = Option(
    "additional-views", .choice("YES", ["yes", "no"]), "Whether there are views for more than the two eyes")
  static let hero = Option(
    "hero", .choice("EYE", ["left", "right", "none"]), "The eye whose view is shown where only one can be"
  )
  .called("primary", "hero-eye", "primary-eye")
  static let baseline = Option(
    "baseline", .text("MM", hint: .nothing), "The distance between the cameras, in millimetres"
  )
  .called("cdist", "blin", "ipd", "camera-baseline")
  static let fieldOfView = Option(
    "field-of-view", .text("DEGREES", hint: .nothing), "How wide the picture is, as an angle"
  )
  .called("hfov", "fov", "horizontal-field-of-view")
  static let disparity = Option(
    "disparity", .text("FRACTION", hint: .nothing),
    "How far the views are shifted apart, as a fraction of the width from -1 to 1"
  )
  .called("hadjust", "dadj", "disparity-adjustment", "disparityAdjustment")
  static let projection = Option(
    "projection", .text("KIND", hint: .words(["rect", "equi", "hequ", "prim", "fish"])),
    "How the picture maps to directions: rect, equi, hequ, prim, fish, or a code of four characters"
  )
  .called("prji", "projection-kind")
  static let packing = Option(
    "packing", .choice("KIND", ["side", "over", "none"]), "How two views share a picture"
  )
  .called("pkin", "view-packing", "layout")
  static let set = Option(
    "set", .text("NAME=VALUE", hint: .nothing),
    "A tag by its name in the tool spatial: vexu:cameraBaseline=63",
    isRepeatable: true)
  static let key = Option(
    "key", .text("KEY=VALUE", hint: .nothing), "A metadata key of the movie", isRepeatable: true)
  static let creationDate = Option(
    "creation-date", .text("DATE", hint: .nothing), "When the movie was made: 2024-05-01T12:30:00Z")
  static let remove = Option(
    "remove",
    .text(
      "NAME",
      hint: .words(["all"] + StereoTagField.all.map(\.name) + PersonalDataName.allCases.map(\.rawValue))),
    "Remove tags: names of the options, separated by commas, metadata keys, or all; or personal data: location, "
      + "timed-location, personal, names, devices, dates", isRepeatable: true)
  static let swapEyes = Option("swap-eyes", "Reverse the order of the eyes")
  static let rewriteMessage = Option(
    "rewrite-message",
    "With --swap-eyes: swap the eyes in the message of the configuration record as well (SEI 176)")
  static let copyFrom = Option(
    "copy-from", .text("MOVIE", hint: .file),
    "Take all tags from another movie, and lhvC where it was lost and the stream is the same"
  )
  .called("tags-from", "from")
  static let track = Option("track", .number("ID", 1...Int(UInt32.max)), "Only this track")
  static let entry = Option(
    "entry", .number("N", 1...65_535), "Only this sample entry of each track, counted from 1")
  static let forceValues = Option(
    "force-values", "Write values that contradict each other or the bitstream, too")
  static let undo = Option("undo", "Bring back what the last change in place replaced")

  static let all = [
    eyes, reversed, additionalViews, hero, baseline, fieldOfView, disparity, projection, packing, set, key,
    creationDate, remove, swapEyes, rewriteMessage, copyFrom, track, entry, forceValues,
  ]
  /// Those that ask for a change.
  static let changes = [
    eyes, reversed, additionalViews, hero, baseline, fieldOfView, disparity, projection, packing, set, key,
    creationDate, remove, swapEyes, copyFrom,
  ]

  /// A decimal number; `nil` for anything else that Swift would read as one.
  static func decimal(_ text: String) -> Double? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2D || $0 == 0x2B })
    else {
      return nil
    }
    return Double(text)
  }

  static func number(_ text: String, _ name: String, _ unit: String, atLeast least: Double) throws(UsageError)
    -> Double
  {
    guard let value = decimal(text) else {
      throw UsageError("\(name) needs a number of \(unit), not '\(text)'")
    }
    guard value >= least, value <= 4_000_000 else {
      throw UsageError("\(name) cannot be \(text): it is a number of \(unit), from \(Int(least)) to 4000000")
    }
    return value
  }

  /// Returns the disparity that a text gives, as a fraction of the width of a picture.
  static func disparity(_ text: String, _ name: String) throws(UsageError) -> Double {
    guard let value = decimal(text) else {
      throw UsageError("\(name) needs a fraction of the width, not '\(text)': 0.02 is 2 %")
    }
    // The range of four bytes in steps of 1/10000. Values outside −1 to 1 are refused later, with the reason.
    guard abs(value) <= 200_000 else {
      throw UsageError("\(name) cannot be \(text): it is a fraction of the width, from -1 to 1")
    }
    return value
  }

  static func projection(_ text: String, _ name: String) throws(UsageError) -> Projection {
    let names: [String: Projection] = [
      "rect": .rectilinear, "rectilinear": .rectilinear, "equi": .equirectangular,
      "equirect": .equirectangular,
      "equirectangular": .equirectangular, "hequ": .halfEquirectangular, "halfEquirect": .halfEquirectangular,
      "halfEquirectangular": .halfEquirectangular, "prim": .parametricImmersive, "fish": .fisheye,
      "fisheye": .fisheye,
    ]
    if let known = names[text] { return known }
    guard let code = FourCC(text) else {
      throw UsageError(
        "\(name) cannot be '\(text)'" + didYouMean(text, among: names.keys.sorted(), orList: true))
    }
    return Projection(rawValue: code)
  }
}
