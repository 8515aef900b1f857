// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

/// A place on the earth, as cameras record it.
public struct GeographicLocation: Hashable, Sendable, Codable {
  /// Degrees north of the equator, -90 to 90.
  public var latitude: Double
  /// Degrees east of Greenwich, -180 to 180.
  public var longitude: Double
  /// Metres above the reference, which is sea level for most cameras; `nil` if it is not recorded.
  public var altitude: Double?

  /// Makes a location.
  public init(latitude: Double, longitude: Double, altitude: Double? = nil) {
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }

  /// Reads a location as metadata has it: `+37.3349-122.0090+020.000/`. ISO 6709, annex H
  ///
  /// Degrees may have decimals, or minutes, or minutes and seconds: `+3720.09` are 37 degrees and 20.09 minutes. `nil` for
  /// anything else, and for coordinates that are not on the earth.
  public init?(iso6709 text: String) {
    var rest = Substring(text).utf8
    guard let latitude = Self.angle(&rest, degreeDigits: 2), abs(latitude) <= 90,
      let longitude = Self.angle(&rest, degreeDigits: 3), abs(longitude) <= 180
    else { return nil }
    self.init(latitude: latitude, longitude: longitude)
    if let first = rest.first, Self.isSign(first) {
      guard let number = Self.number(&rest) else { return nil }
      altitude = number.value
    }
    // A coordinate reference system may be named; a solidus ends all.
    if rest.starts(with: "CRS".utf8) { rest = rest.drop { $0 != UInt8(ascii: "/") } }
    guard rest.isEmpty || rest.elementsEqual("/".utf8) else { return nil }
  }

  private static func isSign(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") }

  /// A sign, digits, and decimals; with the number of digits in front of the point.
  private static func number(_ rest: inout Substring.UTF8View) -> (value: Double, digits: Int)? {
    guard let sign = rest.first, isSign(sign) else { return nil }
    let body = rest.dropFirst()
    let whole = body.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    var end = whole.endIndex
    if end < body.endIndex, body[end] == UInt8(ascii: ".") {
      let decimals = body[body.index(after: end)...].prefix {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
      }
      end = decimals.endIndex
    }
    guard !whole.isEmpty, whole.count <= 9, let value = Double(String(Substring(body[..<end]))) else {
      return nil
    }
    rest = body[end...]
    return (sign == UInt8(ascii: "-") ? -value : value, whole.count)
  }

  /// An angle in degrees from its parts, rounded to a ten-thousandth of a metre, so that it is printed as it was meant.
  static func angle(_ degrees: Double, _ minutes: Double, _ seconds: Double = 0) -> Double {
    ((degrees + minutes / 60 + seconds / 3_600) * 1e9).rounded() / 1e9
  }

  /// An angle in degrees, however it is divided.
  private static func angle(_ rest: inout Substring.UTF8View, degreeDigits: Int) -> Double? {
    guard let (value, digits) = number(&rest) else { return nil }
    let magnitude = abs(value), sign = value.sign == .minus ? -1.0 : 1.0
    switch digits {
    case degreeDigits: return value
    case degreeDigits + 2:
      let degrees = (magnitude / 100).rounded(.down)
      let minutes = magnitude - degrees * 100
      return minutes < 60 ? sign * angle(degrees, minutes) : nil
    case degreeDigits + 4:
      let degrees = (magnitude / 10_000).rounded(.down)
      let minutes = ((magnitude - degrees * 10_000) / 100).rounded(.down)
      let seconds = magnitude - degrees * 10_000 - minutes * 100
      return minutes < 60 && seconds < 60 ? sign * angle(degrees, minutes, seconds) : nil
    default: return nil
    }
  }
}

extension GeographicLocation: CustomStringConvertible {
  /// Latitude, longitude and altitude: `37.3349, -122.009, 20.0 m`.
  public var description: String {
    "\(latitude), \(longitude)" + (altitude.map { ", \($0) m" } ?? "")
  }
}

extension MovieFile {
  /// The location at which the movie was taken: from the camera's metadata, otherwise from the user data of
  /// QuickTime (`©xyz`) or 3GPP (`loci`); `nil` if none can be read.
  public var location: GeographicLocation? {
    let metadata = metadata
    for key in [MetadataKey.locationISO6709, .userDataLocation] {
      for item in metadata.all(key) {
        if let location = item.stringValue.flatMap(GeographicLocation.init(iso6709:)) { return location }
      }
    }
    return tree?["moov/udta/loci"]?.payload(LocationInformationBox.self)?.location
  }
}
