// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// How values of a type are written and read as text.
struct StereoTagForm<Value: Sendable>: Sendable {
  /// The words to offer.
  var words: [String] = []
  /// Whether other texts are values, too.
  var isOpen = true
  /// Returns a value with its unit.
  let text: @Sendable (Value) -> String
  /// Makes a value of a text.
  let parse: @Sendable (String) throws(StereoTag.Problem) -> Value
}

extension StereoTagForm {
  /// A form for values that have names.
  ///
  /// - Parameters:
  ///   - names: the names to offer.
  ///   - synonyms: further names that are understood.
  ///   - text: returns a value as text.
  ///   - other: makes a value of a text that is none of the names; `nil` if there is none.
  private init(
    _ names: KeyValuePairs<String, Value>, synonyms: KeyValuePairs<String, Value> = [:],
    text: @escaping @Sendable (Value) -> String, other: (@Sendable (String) -> Value?)? = nil
  ) {
    let known = Array(names) + Array(synonyms)
    self.init(words: names.map(\.key), isOpen: other != nil, text: text) { text throws(StereoTag.Problem) in
      if let value = known.first(where: { $0.key == text })?.value ?? other?(text) { return value }
      throw StereoTag.Problem(reason: "cannot be '\(text)'", words: known.map(\.key))
    }
  }
}

extension StereoTagForm<StereoViewComponents> {
  static var eyes: Self {
    Self(["left,right": [.leftEye, .rightEye], "left": .leftEye, "right": .rightEye]) { eyes in
      let names = [eyes.contains(.leftEye) ? "left" : nil, eyes.contains(.rightEye) ? "right" : nil]
      return eyes.isDisjoint(with: [.leftEye, .rightEye])
        ? "none" : names.compactMap(\.self).joined(separator: ",")
    }
  }
}

extension StereoTagForm<Bool> {
  static var truth: Self {
    Self(
      ["yes": true, "no": false], synonyms: ["true": true, "false": false, "1": true, "0": false],
      text: { $0 ? "yes" : "no" })
  }
}

extension StereoTagForm<HeroEye> {
  static var hero: Self { Self(["left": .left, "right": .right, "none": .noPreference]) { "\($0)" } }
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
      text: { "\($0.rawValue)" }, other: { FourCC($0).map(Projection.init) })
  }
}

extension StereoTagForm<ViewPacking> {
  static var packing: Self {
    Self(["side": .sideBySide, "over": .overUnder, "none": .oneView]) { "\($0.rawValue)" }
  }
}

extension StereoTagForm<Micrometers> {
  static var length: Self {
    Self(text: { decimal(Int64($0.rawValue), over: 1_000) + " mm" }) { text throws(StereoTag.Problem) in
      .millimeters(try Decimal.measure(text, "millimetres"))
    }
  }
}

extension StereoTagForm<Millidegrees> {
  static var angle: Self {
    Self(text: { decimal(Int64($0.rawValue), over: 1_000) + "°" }) { text throws(StereoTag.Problem) in
      .degrees(try Decimal.measure(text, "degrees"))
    }
  }
}

extension StereoTagForm<DisparityRatio> {
  static var ratio: Self {
    Self(text: { decimal(Int64($0.rawValue), over: 10_000) }) { text throws(StereoTag.Problem) in
      guard let value = Decimal.value(text) else {
        throw StereoTag.Problem(reason: "needs a fraction of the width, not '\(text)': 0.02 is 2 %")
      }
      // The range of four bytes in steps of 1/10000. Values outside −1 to 1 are refused later, with the reason.
      guard abs(value) <= 200_000 else {
        throw StereoTag.Problem(reason: "cannot be \(text): it is a fraction of the width, from -1 to 1")
      }
      return .fraction(value)
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
