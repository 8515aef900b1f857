// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import HEVC
import HEVCEncoding

/// The options of `mvedit encode` that say what samples mean as colour and light.
enum EncodeColour {
  static let colour = Option(
    "colour", .text("NAME", hint: .words(named.map(\.name))),
    "The colour space: \(named.map(\.name).joined(separator: ", ")), or the numbers of primaries, transfer and matrix (9/16/9); "
      + "by default, that of the source"
  )
  .called("color")
  static let range = Option(
    "range", .choice("RANGE", ["limited", "full"]),
    "The range of sample values; by default, that of the source")
  static let masteringDisplay = Option(
    "mastering-display", .text("VALUES", hint: .nothing),
    "The mastering display, in the notation of x265: "
      + "G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1)"
  )
  .called("master-display")
  static let lightLevel = Option(
    "light-level", .text("MAX,AVERAGE", hint: .nothing),
    "The light level of the brightest pixel, and the average of the brightest picture, in cd/m²: 1000,400"
  )
  .called("max-cll")

  static let all = [colour, range, masteringDisplay, lightLevel]

  /// ISO/IEC 23091-2: primaries, transfer characteristics, matrix.
  private static let named: [(name: String, codes: [UInt8])] = [
    ("bt709", [1, 1, 1]), ("bt601", [6, 6, 6]), ("p3", [12, 1, 1]),
    ("bt2020", [9, 14, 9]), ("hlg", [9, 18, 9]), ("pq", [9, 16, 9]),
  ]

  static func meaning(_ arguments: ParsedArguments) throws(UsageError) -> SampleMeaning {
    var meaning = SampleMeaning()
    if let text = arguments.text(colour) {
      let codes =
        named.first { $0.name == text }?.codes
        ?? text.split(separator: "/", omittingEmptySubsequences: false).map { UInt8($0) ?? 0 }
      guard codes.count == 3, !codes.contains(0) else {
        throw UsageError(
          "--colour needs \(listed(named.map(\.name), "or")), or three numbers such as 9/16/9, not '\(text)'")
      }
      let (primaries, transfer, matrix) = (Int64(codes[0]), Int64(codes[1]), Int64(codes[2]))
      guard ColourCodes.primaries(primaries) != nil, ColourCodes.transfer(transfer) != nil,
        ColourCodes.matrix(matrix) != nil
      else { throw UsageError("--colour \(text) has a number that is reserved in ISO/IEC 23091-2") }
      meaning.colour = ColourDescription(primaries: codes[0], transfer: codes[1], matrix: codes[2])
    }
    meaning.isFullRange = arguments.text(range).map { $0 == "full" }
    if let text = arguments.text(masteringDisplay) { meaning.masteringDisplay = try display(text) }
    if let text = arguments.text(lightLevel) {
      let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { UInt16($0) }
      guard numbers.count == 2, let most = numbers[0], let average = numbers[1] else {
        throw UsageError("--light-level needs two whole numbers such as 1000,400, not '\(text)'")
      }
      guard most == 0 || average <= most else {
        throw UsageError(
          "--light-level needs the maximum first: an average of \(average) cd/m² cannot be more than \(most)")
      }
      var level = ContentLightLevelInfo()
      (level.maxCLL, level.maxFALL) = (most, average)
      meaning.contentLightLevel = level
    }
    return meaning
  }

  /// Reads `G(x,y)B(x,y)R(x,y)WP(x,y)L(max,min)`.
  private static func display(_ text: String) throws(UsageError) -> MasteringDisplayColourVolume {
    var values: [Substring: (UInt32, UInt32)] = [:]
    let parts = text.split(separator: ")", omittingEmptySubsequences: false)
    for part in parts.dropLast() {
      let words = part.split(separator: "(", omittingEmptySubsequences: false)
      let numbers =
        words.last?.split(separator: ",", omittingEmptySubsequences: false).map { UInt32($0) } ?? []
      guard words.count == 2, numbers.count == 2, let first = numbers[0], let second = numbers[1] else {
        break
      }
      values[words[0]] = (first, second)
    }
    func chromaticity(_ name: Substring) -> Chromaticity? {
      values[name].flatMap { pair in
        // In units of 0.00002. ISO/IEC 23008-2, D.3.28
        guard pair.0 <= 50_000, pair.1 <= 50_000 else { return nil }
        return Chromaticity(x: UInt16(pair.0), y: UInt16(pair.1))
      }
    }
    guard parts.count == 6, parts[5].isEmpty, values.count == 5, let green = chromaticity("G"),
      let blue = chromaticity("B"), let red = chromaticity("R"), let white = chromaticity("WP"),
      let luminance = values["L"], luminance.0 > luminance.1
    else {
      throw UsageError(
        "--mastering-display needs G(x,y)B(x,y)R(x,y)WP(x,y)L(max,min) in whole numbers, coordinates up to 50000, "
          + "not '\(text)'")
    }
    var display = MasteringDisplayColourVolume()
    display.primaries = [green, blue, red]
    (display.whiteX, display.whiteY) = (white.x, white.y)
    (display.maximumLuminance, display.minimumLuminance) = luminance
    return display
  }
}
