// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Foundation
import ISOBMFF
import MovieCases
import Multiview
import TestSupport
import Testing

/// When and where a movie was taken, and how its pictures are turned.
@Suite struct CaptureFactsTests {
  // MARK: Places

  @Test func locationsAreRead() throws {
    // The three forms of each angle: degrees, degrees and minutes, degrees with minutes and seconds. ISO 6709, annex H
    let cases: [(String, Double, Double, Double?)] = [
      ("+37.3349-122.0090+020.000/", 37.3349, -122.009, 20), ("+40-075/", 40, -75, nil),
      ("+1234.5-09854.1/", 12.575, -98.901_666_67, nil),
      ("-123456.7+0985432.1-10.5/", -12.582_416_67, 98.908_916_67, -10.5),
      ("+00-025+1CRSWGS_84/", 0, -25, 1), ("+90.0+180.0/", 90, 180, nil),
      ("+48.8577+002.295", 48.8577, 2.295, nil),
    ]
    for (text, latitude, longitude, altitude) in cases {
      let location = try #require(GeographicLocation(iso6709: text), "\(text)")
      #expect(
        abs(location.latitude - latitude) < 1e-6 && abs(location.longitude - longitude) < 1e-6, "\(text)")
      #expect(location.altitude == altitude, "\(text)")
    }
  }

  @Test func whatIsNotALocationIsNone() {
    for text in [
      "", "/", "37.3-122", "+37.3349", "+91+000/", "+10+181/", "+1260.0+00000.0/", "+10.0+020.0+/",
      "+10+020x",
      "+1+020/", "+10+20/", "++10+020/", "+１0+020/", "+10+020CRS", "+10+0204",
    ] {
      #expect(
        GeographicLocation(iso6709: text)?.description ?? "none"
          == (text == "+10+020CRS" ? "10.0, 20.0" : "none"), "\(text)")
    }
  }

  private static func movie(_ parts: [UInt8]...) throws -> MovieFile {
    let header = fullBox("mvhd", u32(0), u32(0), u32(600), u32(0), [UInt8](repeating: 0, count: 80))
    return try MovieFile(
      bytes: box("ftyp", code("qt  "), u32(0), code("qt  ")) + box("moov", header, parts.flatMap { $0 }))
  }

  private static func text(_ type: FourCC, _ text: String) -> [UInt8] {
    box(type, u16(UInt16(text.utf8.count)), u16(0), Array(text.utf8))
  }

  @Test func userDataHasPlacesAndDates() throws {
    let place = FourCC(0xA978_797A), day = FourCC(0xA964_6179)
    let movie = try Self.movie(
      box("udta", Self.text(place, "+48.8577+002.2950+33/"), Self.text(day, "2024-05-01T12:30:00+0200")))
    #expect(movie.metadata[.userDataLocation]?.stringValue == "+48.8577+002.2950+33/")
    #expect(movie.location == GeographicLocation(latitude: 48.8577, longitude: 2.295, altitude: 33))
    #expect(movie.creationSecondsSince1970 == 1_714_559_400)
    let loci = fullBox(
      "loci", u16(0x55C4), [0, 0], i32(Int32(2.5 * 65_536)), i32(Int32(-48.25 * 65_536)), i32(10 << 16),
      [0, 0])
    #expect(
      try Self.movie(box("udta", loci)).location
        == GeographicLocation(latitude: -48.25, longitude: 2.5, altitude: 10))
    #expect(try Self.movie().location == nil && Self.movie().creationSecondsSince1970 == nil)
  }

  // MARK: Dates

  /// Foundation writes dates, in any zone; here they are read. (Before 1582 it counts by another calendar.)
  @Test func datesOfFoundationAreRead() throws {
    let formatter = ISO8601DateFormatter()
    var random = SystemRandomNumberGenerator()
    for _ in 0..<100 {
      let seconds = Double(Int64.random(in: -11_000_000_000...200_000_000_000, using: &random))
      let zone = Int.random(in: -47...47, using: &random) * 900
      formatter.timeZone = TimeZone(secondsFromGMT: zone)
      let text = formatter.string(from: Date(timeIntervalSince1970: seconds))
      #expect(
        try Self.movie(box("udta", Self.text(FourCC(0xA964_6179), text))).creationSecondsSince1970 == seconds,
        "\(text)")
    }
  }

  @Test func otherTextIsNoDate() throws {
    for text in [
      "", "2024", "2024-02-30", "2024-13-01", "yesterday", "2024-05-01T12:30:00", "2024-05-01T24:00:00Z",
      "2024-05-01T12:30:00+0260", "2024-05-01T12:30:00Zx", "24-05-01",
    ] {
      #expect(
        try Self.movie(box("udta", Self.text(FourCC(0xA964_6179), text))).creationSecondsSince1970 == nil,
        "\(text)")
    }
    let day = try Self.movie(box("udta", Self.text(FourCC(0xA964_6179), "2024-02-29")))
      .creationSecondsSince1970
    #expect(day == 1_709_164_800)
  }

  @Test func headersCountFrom1904() throws {
    let header = fullBox(
      "mvhd", u32(3_786_480_000), u32(0), u32(600), u32(0), [UInt8](repeating: 0, count: 80))
    let movie = try MovieFile(bytes: box("ftyp", code("isom"), u32(0)) + box("moov", header))
    let formatter = ISO8601DateFormatter()
    let epoch = try #require(formatter.date(from: "1904-01-01T00:00:00Z"))
    #expect(movie.creationSecondsSince1970 == epoch.timeIntervalSince1970 + 3_786_480_000)
  }

  // MARK: Orientation

  /// A picture of two by two pixels is mirrored and turned pixel by pixel, and by the matrix: both have the same result.
  @Test func orientationsAreWhatTheMatrixDoes() throws {
    let one: Int32 = 0x0001_0000
    var seen: Set<PictureOrientation> = []
    for values in [(one, 0), (-one, 0), (0, one), (0, -one)] as [(Int32, Int32)] {
      for sign in [1, -1] as [Int32] {
        let (a, b) = values
        let matrix = TransformationMatrix(a: a, b: b, c: -b * sign, d: a * sign)
        let orientation = try #require(matrix.orientation)
        seen.insert(orientation)
        // Pixels around the middle: x to the right, y down.
        for (x, y) in [(-1, -1), (1, -1), (1, 1), (-1, 1)] {
          var (px, py) = (orientation.isMirrored ? -x : x, y)
          for _ in 0..<orientation.rotation / 90 { (px, py) = (-py, px) }
          let (mx, my) = (
            Int(a / one) * x + Int(matrix.c / one) * y, Int(b / one) * x + Int(matrix.d / one) * y
          )
          #expect((px, py) == (mx, my), "\(orientation)")
        }
      }
    }
    #expect(seen.count == 8)
    #expect(TransformationMatrix(a: one, b: 7, c: -7, d: one).orientation == nil)
    #expect(TransformationMatrix(a: 0, b: 0, c: 0, d: 0).orientation == nil)
    #expect(TransformationMatrix(a: one / 2, b: 0, c: 0, d: one / 2, x: 99).orientation == .upright)
    #expect(PictureOrientation(rotation: -90)?.rotation == 270 && PictureOrientation(rotation: 45) == nil)
  }
}
