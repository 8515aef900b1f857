// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// What the text of version 1 of Google's metadata says: a few elements of XML in a `uuid` box of the track. Spherical Video RFC
///
/// The same text is used for flat video of two views, which says that it is not spherical.
struct SphericalText: Sendable {
  /// The text of each element that has no other in it, by its name without the prefix.
  private let values: [String: String]

  init(_ bytes: ByteView) {
    var values: [String: String] = [:]
    for part in String(decoding: bytes.prefix(1 << 16).array, as: UTF8.self).split(separator: "<") {
      guard let end = part.firstIndex(of: ">"),
        let tag = part[..<end].split(whereSeparator: \.isWhitespace).first
      else { continue }
      let name = String(tag.split(separator: ":").last ?? tag)
      let text = part[end...].dropFirst().split(whereSeparator: \.isWhitespace).joined(separator: " ")
      if values[name] == nil { values[name] = text }
    }
    self.values = values
  }

  /// Whether the picture is, or belongs to, a sphere.
  var isSpherical: Bool { values["Spherical"] == "true" }

  /// How two views are packed in one picture; `nil` if there is one view.
  var packing: ViewPacking? {
    switch values["StereoMode"] {
    case "top-bottom": .overUnder
    case "left-right": .sideBySide
    default: nil
    }
  }

  /// The projection, if it is the whole sphere or its front half, and the view begins in the middle; otherwise `nil`.
  var projection: Projection? {
    guard isSpherical, values["ProjectionType"] == "equirectangular",
      ["Heading", "Pitch", "Roll"].allSatisfy({ number("InitialView\($0)Degrees") ?? 0 == 0 })
    else { return nil }
    let names = [
      "CroppedAreaImageWidthPixels", "CroppedAreaImageHeightPixels", "FullPanoWidthPixels",
      "FullPanoHeightPixels",
    ]
    guard names.contains(where: { values[$0] != nil }) else { return .equirectangular }
    let sizes = names.compactMap(number)
    guard sizes.count == 4, sizes.allSatisfy({ 1...1 << 24 ~= $0 }), sizes[1] == sizes[3] else { return nil }
    if sizes[0] == sizes[2] { return .equirectangular }
    // The front half begins a quarter of the sphere from its left edge.
    let isInMiddle = number("CroppedAreaLeftPixels").map { $0 == sizes[0] / 2 } ?? true
    return sizes[2] == 2 * sizes[0] && isInMiddle ? .halfEquirectangular : nil
  }

  private func number(_ name: String) -> Int? { values[name].flatMap { Int($0) } }
}
