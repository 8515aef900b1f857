// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// How values of a type are written and read as text.
struct StereoTagForm<Content: Sendable>: Sendable {
  /// The words to offer.
  var words: [String] = []
  /// Whether other texts are values, too.
  var isOpen = true
  /// Returns a value in the forms of reports.
  let value: @Sendable (Content) -> StereoTag.Value
  /// Makes a value of a text.
  let parse: @Sendable (String) throws(StereoTag.Problem) -> Content
}

extension StereoTagForm {
  /// A form for values that have names.
  ///
  /// - Parameters:
  ///   - names: the names to offer.
  ///   - synonyms: further names that are understood.
  ///   - other: makes a value of a text that is none of the names; `nil` if there is none.
  ///   - value: returns a value in the forms of reports.
  private init(
    _ names: KeyValuePairs<String, Content>, synonyms: KeyValuePairs<String, Content> = [:],
    other: (@Sendable (String) -> Content?)? = nil,
    value: @escaping @Sendable (Content) -> StereoTag.Value
  ) {
    let known = Array(names) + Array(synonyms)
    self.init(words: names.map(\.key), isOpen: other != nil, value: value) { text throws(StereoTag.Problem) in
      if let value = known.first(where: { $0.key == text })?.value ?? other?(text) { return value }
      throw StereoTag.Problem(reason: "cannot be '\(text)'", words: known.map(\.key))
    }
  }
}

extension StereoTagForm<StereoViewComponents> {
  static var eyes: Self {
    Self(["left,right": [.leftEye, .rightEye], "left": .leftEye, "right": .rightEye]) { eyes in
      let names = [eyes.contains(.leftEye) ? "left" : nil, eyes.contains(.rightEye) ? "right" : nil]
        .compactMap(\.self)
      return .init(names.isEmpty ? "none" : names.joined(separator: ","))
    }
  }
}

extension StereoTagForm<Bool> {
  static var truth: Self {
    Self(
      ["yes": true, "no": false], synonyms: ["true": true, "false": false, "1": true, "0": false]
    ) { .init($0 ? "yes" : "no", json: .boolean($0)) }
  }
}

extension StereoTagForm<HeroEye> {
  static var hero: Self {
    Self(["left": .left, "right": .right, "none": .noPreference]) { hero in
      .init("\(hero)", coreMedia: { hero.eye.map { .string($0 == .left ? "Left" : "Right") } })
    }
  }
}

extension StereoTagForm<Projection> {
  static var projection: Self {
    Self(
      [
        "rect": .rectilinear, "equi": .equirectangular, "hequ": .halfEquirectangular,
        "prim": .parametricImmersive, "fish": .fisheye,
      ],
      synonyms: [
        "rectilinear": .rectilinear, "equirect": .equirectangular, "equirectangular": .equirectangular,
        "halfEquirect": .halfEquirectangular, "halfEquirectangular": .halfEquirectangular,
        "fisheye": .fisheye,
      ],
      other: { FourCC($0).map(Projection.init) }
    ) { projection in
      let code = "\(projection.rawValue)"
      return .init(
        code, words: "\(projection)", coreMedia: { .string(projection.formatDescriptionValue ?? code) })
    }
  }
}

extension StereoTagForm<ViewPacking> {
  static var packing: Self {
    Self(["side": .sideBySide, "over": .overUnder, "none": .oneView]) { packing in
      let code = "\(packing.rawValue)"
      return .init(code, words: "\(packing)", coreMedia: { .string(packing.formatDescriptionValue ?? code) })
    }
  }
}

extension StereoTagForm where Content: RawRepresentable<UInt32> & CustomStringConvertible {
  /// A form for values that are counted in thousandths of a unit.
  ///
  /// - Parameters:
  ///   - sign: what stands behind a number.
  ///   - unit: the unit in words.
  ///   - make: makes a value of a number of units.
  fileprivate static func thousandths(
    _ sign: String, _ unit: String, _ make: @escaping @Sendable (Double) -> Content
  ) -> Self {
    Self { content in
      let number = Int64(content.rawValue)
      return .init(decimal(number, over: 1_000) + sign, stored: "\(content)", json: .integer(number))
    } parse: { text throws(StereoTag.Problem) in
      make(try Decimal.measure(text, unit))
    }
  }
}

extension StereoTagForm<Micrometers> {
  static var length: Self { thousandths(" mm", "millimetres", Micrometers.millimeters) }
}

extension StereoTagForm<Millidegrees> {
  static var angle: Self { thousandths("°", "degrees", Millidegrees.degrees) }
}

extension StereoTagForm<DisparityRatio> {
  static var ratio: Self {
    Self { ratio in
      let number = Int64(ratio.rawValue)
      return .init(
        decimal(number, over: 10_000), words: (number > 0 ? "+" : "") + decimal(number, over: 100) + " %",
        stored: "\(ratio)", json: .integer(number))
    } parse: { text throws(StereoTag.Problem) in
      guard let value = Decimal.value(text) else {
        throw StereoTag.Problem(reason: "needs a fraction of the width, not '\(text)': 0.02 is 2 %")
      }
      // The range of four bytes in steps of 1/10000. Values outside −1 to 1 are refused later, with the reason.
      guard abs(value) <= 200_000 else {
        throw StereoTag.Problem(reason: "cannot be \(text): it is a fraction of the width, from -1 to 1")
      }
      let ratio = DisparityRatio.fraction(value)
      guard value == 0 || ratio.rawValue != 0 else {
        throw StereoTag.Problem(reason: "cannot be \(text): it has steps of 0.0001, and would become 0")
      }
      return ratio
    }
  }
}

private enum Decimal {
  /// A decimal number; `nil` for anything else that Swift would read as one.
  static func value(_ text: String) -> Double? {
    text.utf8.allSatisfy("0123456789.-+".utf8.contains) ? Double(text) : nil
  }

  /// A decimal number of some unit that is not negative.
  static func measure(_ text: String, _ unit: String) throws(StereoTag.Problem) -> Double {
    guard let number = value(text) else {
      throw StereoTag.Problem(reason: "needs a number of \(unit), not '\(text)'")
    }
    guard (0...4_000_000).contains(number) else {
      throw StereoTag.Problem(reason: "cannot be \(text): it is a number of \(unit), from 0 to 4000000")
    }
    return number
  }
}
