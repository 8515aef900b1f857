// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF
import MovieCases
import Multiview
import TestSupport
import Testing

/// What Google's boxes and the bitstream say of two views in one picture, and of spheres.
@Suite struct PackingRuleTests {
  private static let entry = EditedMovie.entry

  private static func findings(_ movie: EditedMovie, _ rule: RuleID) throws -> [Finding] {
    try movie.opened().check().findings.filter { $0.rule.id == rule }
  }

  /// A flat movie with a frame packing message in its record. ISO/IEC 23008-2, D.2.16: the type, whether the samples are in a
  /// quincunx pattern, which view comes first, whether one is flipped.
  private static func packed(
    _ type: Int, isQuincunx: Bool = false, interpretation: Int, isFlipped: Bool = false
  ) throws -> EditedMovie {
    let message = message(type, isQuincunx: isQuincunx, interpretation: interpretation, isFlipped: isFlipped)
    var movie = EditedMovie("hdr10.mp4")
    movie.edit("\(entry)/hvcC", HEVCConfigurationBox.self) { box in
      box.record.arrays.append(
        NALUnitArray(.prefixSEI, isComplete: false, [ByteView([0x4E, 0x01] + message)]))
    }
    return movie
  }

  /// The message without the header of its unit.
  private static func message(
    _ type: Int, isQuincunx: Bool = false, interpretation: Int, isFlipped: Bool = false
  ) -> [UInt8] {
    func bits(_ value: Int, _ count: Int) -> String {
      let text = String(value, radix: 2)
      return String(repeating: "0", count: count - text.count) + text
    }
    // frame_packing_arrangement_id 0, no cancellation, then the fields in their order.
    var text = "1" + "0" + bits(type, 7) + (isQuincunx ? "1" : "0") + bits(interpretation, 6)
    text += (isFlipped ? "1" : "0") + "00000" + (isQuincunx ? "" : bits(0, 16)) + bits(0, 8) + "1" + "0"
    text += text.count % 8 == 0 ? "" : "1" + String(repeating: "0", count: 7 - text.count % 8)
    let payload = stride(from: 0, to: text.count, by: 8).map { start in
      let from = text.index(text.startIndex, offsetBy: start)
      return UInt8(text[from..<text.index(from, offsetBy: 8)], radix: 2) ?? 0
    }
    return [45, UInt8(payload.count)] + payload + [0x80]
  }

  /// The same message in front of the first picture of H.264: type 6, then a picture of type 5. ISO/IEC 14496-10, 7.3.1
  private static func packedAVC(_ message: [UInt8], before picture: Bool = true) throws -> EditedMovie {
    var movie = EditedMovie("hdr10.mp4")
    let units = [[0x06] + message, [0x65, 0x88, 0x80]]
    let sample = (picture ? units : units.reversed()).flatMap { u16(UInt16($0.count)) + $0 }
    try movie.place([sample, sample])
    movie.remove("\(entry)/hvcC")
    // Lengths of two bytes.
    try movie.append(box("avcC", [1, 100, 0, 22, 0xFD, 0xE0, 0]), to: entry)
    try RuleCase.rename("avc1", &movie)
    return movie
  }

  @Test func messagesOfAVC() throws {
    let half = try Self.packedAVC(Self.message(3, interpretation: 2))
    let found = try #require(Self.findings(half, "MV042").first)
    #expect(found.cure == .tag([.set(.eyes, "left,right"), .set(.reversed, "yes"), .set(.packing, "side")]))
    #expect(try half.opened().check().verdict(.stereo)?.outcome == .fail)
    // 0 is a checkerboard, 5 one view after the other, 6 one view.
    for (type, count) in [(0, 1), (5, 1), (6, 0)] {
      let movie = try Self.packedAVC(Self.message(type, interpretation: 1))
      #expect(try Self.findings(movie, "MV042").map(\.cure) == Array(repeating: nil, count: count))
    }
    // A message of the next picture, and one that is cut, say nothing.
    let late = try Self.packedAVC(Self.message(3, interpretation: 1), before: false)
    #expect(try Self.findings(late, "MV042").isEmpty)
    #expect(try Self.findings(Self.packedAVC([45, 9, 0x80]), "MV042").isEmpty)
  }

  /// Two views in forms for which `pkin` has no value: there is no cure, but the movie is not one of one view.
  @Test func otherFormsOfStereo() throws {
    var mesh = EditedMovie("hdr10.mp4")
    try mesh.append(fullBox("st3d", [3]), to: Self.entry)
    var group = EditedMovie("hdr10.mp4")
    try group.append(box("trgr", fullBox("ster", u32(77), u32(1 << 31))), to: "moov/trak")
    for movie in [mesh, group, try Self.packed(5, interpretation: 1)] {
      let found = try #require(Self.findings(movie, "MV042").first)
      #expect(found.cure == nil)
      let verdict = try #require(try movie.opened().check().verdict(.stereo))
      #expect(verdict.outcome == .fail)
    }
    #expect(try Self.findings(group, "MV042").first?.path == "moov/trak/trgr/ster")
    #expect(try Self.findings(group, "MV042").first?.message.contains("the left of two views") == true)
    // With eyes for Apple platforms all is said.
    try group.append(vexu(1), to: Self.entry)
    #expect(try Self.findings(group, "MV042").isEmpty)
  }

  /// ISO/IEC 14496-12, 8.15.4.2: of scheme 1 and 2 the number is 3 for side by side, 4 for one above the other.
  @Test(arguments: [
    (UInt32(1), UInt32(3), "side"), (1, 4, "over"), (2, 3, "side"), (1, 0, nil), (3, 3, nil),
  ])
  func restrictedVideo(scheme: UInt32, type: UInt32, packing: String?) throws {
    var movie = EditedMovie("hdr10.mp4")
    let restriction = box("schi", fullBox("stvi", u32(3), u32(scheme), u32(4), u32(type)))
    let scheme = fullBox("schm", code("stvi"), u32(1))
    try movie.append(box("rinf", box("frma", code("hvc1")), scheme, restriction), to: Self.entry)
    try RuleCase.rename("resv", &movie)
    let found = try #require(Self.findings(movie, "MV042").first)
    #expect(found.cure == packing.map { .tag([.set(.eyes, "left,right"), .set(.packing, $0)]) })
    #expect(found.path.hasSuffix("resv/rinf/schi/stvi"))
  }

  /// ISO/IEC 23008-2, D.2.41: no cancellation, persistence, no guard band, two reserved bits.
  @Test(arguments: [(UInt8(0b0100_0100), true), (0b1100_0000, false)]) func spheresInMessages(
    _ fields: UInt8, isSphere: Bool
  ) throws {
    var movie = EditedMovie("hdr10.mp4")
    movie.edit("\(Self.entry)/hvcC", HEVCConfigurationBox.self) { box in
      let unit: [UInt8] = [0x4E, 0x01, 150, 1, fields, 0x80]
      box.record.arrays.append(NALUnitArray(.prefixSEI, isComplete: false, [ByteView(unit)]))
    }
    #expect(try Self.findings(movie, "MV044").map(\.cure) == (isSphere ? [nil] : []))
    let outcome = try movie.opened().check().verdict(.immersive)?.outcome
    #expect(outcome == (isSphere ? .fail : .notApplicable))
  }

  @Test func theCureSaysWhichEyeComesFirst() throws {
    let left = try #require(Self.findings(Self.packed(3, interpretation: 1), "MV042").first)
    #expect(left.cure == .tag([.set(.eyes, "left,right"), .set(.packing, "side")]))
    let right = try #require(Self.findings(Self.packed(4, interpretation: 2), "MV042").first)
    #expect(
      right.cure == .tag([.set(.eyes, "left,right"), .set(.reversed, "yes"), .set(.packing, "over")]))
    #expect(right.message.contains("the right eye first"))
  }

  /// `pkin` has no value for views that are mirrored or in a checkerboard.
  @Test func otherArrangementsHaveNoCure() throws {
    for movie in [
      try Self.packed(3, isQuincunx: true, interpretation: 1),
      try Self.packed(3, interpretation: 1, isFlipped: true),
    ] {
      let found = try #require(Self.findings(movie, "MV042").first)
      #expect(found.cure == nil)
    }
  }

  /// If a box and the bitstream signal something else, there is no telling what is right.
  @Test(arguments: [(UInt8(2), true), (1, false)]) func sourcesThatDifferHaveNoCure(mode: UInt8, isSame: Bool)
    throws
  {
    var movie = try Self.packed(3, interpretation: 1)
    try movie.append(fullBox("st3d", [mode]), to: Self.entry)
    let found = try #require(Self.findings(movie, "MV042").first)
    #expect((found.cure != nil) == isSame, "\(String(describing: found.cure))")
  }

  /// Spherical Video V2 in its later versions: mode 4 has the right view on the left.
  @Test func modeFourIsRightFirst() throws {
    var movie = EditedMovie("hdr10.mp4")
    try movie.append(fullBox("st3d", [4]), to: Self.entry)
    let found = try #require(Self.findings(movie, "MV042").first)
    #expect(
      found.cure == .tag([.set(.eyes, "left,right"), .set(.reversed, "yes"), .set(.packing, "side")]))
  }

  /// Version 1 of Google's metadata is a text in a `uuid` box of the track. Spherical Video RFC
  @Test(arguments: [("top-bottom", "over"), ("left-right", "side"), (" \n left-right\t", "side")])
  func theTextOfVersionOneIsRead(mode: String, packing: String) throws {
    var movie = try Self.described([("Spherical", "true"), ("StereoMode", mode)])
    let found = try #require(Self.findings(movie, "MV042").first)
    #expect(found.cure == .tag([.set(.eyes, "left,right"), .set(.packing, packing)]))
    #expect(try Self.findings(movie, "MV044").count == 1)
    // A packing in the sample entry does not make the sphere flat.
    try movie.append(fullBox("st3d", [1]), to: Self.entry)
    #expect(try Self.findings(movie, "MV044").count == 1)
  }

  /// A flat movie with a text of version 1.
  private static func described(_ values: [(String, String)]) throws -> EditedMovie {
    let id: [UInt8] = [
      0xFF, 0xCC, 0x82, 0x63, 0xF8, 0x55, 0x4A, 0x93, 0x88, 0x14, 0x58, 0x7A, 0x02, 0x52, 0x1F, 0xDD,
    ]
    let elements = values.map { "<GSpherical:\($0)>\($1)</GSpherical:\($0)>" }.joined(separator: "\n")
    let text = "<?xml version=\"1.0\"?><rdf:SphericalVideo\nxmlns:rdf=\"…\">\(elements)</rdf:SphericalVideo>"
    var movie = EditedMovie("hdr10.mp4")
    try movie.append(box("uuid", id, Array(text.utf8)), to: "moov/trak")
    return movie
  }

  /// The text is used for flat video, too, and says so.
  @Test(arguments: [nil, "left-right"] as [String?]) func theTextOfFlatVideo(mode: String?) throws {
    let movie = try Self.described([("Spherical", "false"), ("StereoMode", mode ?? "mono")])
    #expect(try Self.findings(movie, "MV044").isEmpty)
    #expect(try Self.findings(movie, "MV042").count == (mode == nil ? 0 : 1))
    #expect(try movie.opened().check().verdict(.immersive)?.outcome == .notApplicable)
    let facts = try #require(try movie.opened().tracks.first).classificationFacts
    #expect(facts.hasGoogleSpherical == (mode != nil))
  }

  /// Spherical Video RFC: the picture is a part of the whole panorama, with a place in it.
  @Test(
    arguments: [
      ([:], "equi"),
      (
        [
          "CroppedAreaImageWidthPixels": "3840", "CroppedAreaImageHeightPixels": "1920",
          "FullPanoWidthPixels": "3840",
          "FullPanoHeightPixels": "1920", "CroppedAreaLeftPixels": "0",
        ], "equi"
      ),
      (
        [
          "CroppedAreaImageWidthPixels": "1920", "CroppedAreaImageHeightPixels": "1920",
          "FullPanoWidthPixels": " 3840 ",
          "FullPanoHeightPixels": "1920", "CroppedAreaLeftPixels": "960", "CroppedAreaTopPixels": "0",
        ], "hequ"
      ),
      (
        [
          "CroppedAreaImageWidthPixels": "1920", "CroppedAreaImageHeightPixels": "1920",
          "FullPanoWidthPixels": "3840",
          "FullPanoHeightPixels": "1920", "CroppedAreaLeftPixels": "0",
        ], nil
      ),
      (
        [
          "CroppedAreaImageWidthPixels": "1920", "CroppedAreaImageHeightPixels": "960",
          "FullPanoWidthPixels": "3840",
          "FullPanoHeightPixels": "1920",
        ], nil
      ),
      (["CroppedAreaImageWidthPixels": "99999999999999999999"], nil),
      (["InitialViewHeadingDegrees": "90"], nil),
      (["InitialViewHeadingDegrees": "0"], "equi"), (["ProjectionType": "cubemap"], nil),
    ] as [([String: String], String?)])
  func theCureOfTheText(_ more: [String: String], _ projection: String?) throws {
    var text: [(String, String)] = more.map { ($0, $1) }
    if !text.contains(where: { $0.0 == "ProjectionType" }) {
      text.append(("ProjectionType", "equirectangular"))
    }
    let movie = try Self.described([("Spherical", "true")] + text)
    let found = try #require(Self.findings(movie, "MV044").first)
    #expect(found.cure == projection.map { .tag([.set(.projection, $0)]) })
    #expect(found.path == "moov/trak/uuid")
    #expect(try movie.opened().check().verdict(.immersive)?.outcome == .fail)
  }

  /// Which eye is shown in 2D is a question of two views in one picture, too.
  @Test(arguments: [(UInt8(1), 0), (7, 1)]) func heroEyesOfPackedPictures(hero: UInt8, count: Int) throws {
    var movie = EditedMovie("hdr10.mp4")
    let eyes = box("eyes", fullBox("stri", [3]), fullBox("hero", [hero]))
    try movie.append(box("vexu", eyes, box("pack", fullBox("pkin", code("side")))), to: Self.entry)
    #expect(try Self.findings(movie, "MV048").count == count)
  }

  /// A track of one view may name the eye that another track has.
  @Test func heroEyesOfOneView() throws {
    var movie = EditedMovie("hdr10.mp4")
    try movie.append(box("vexu", box("eyes", fullBox("stri", [1]), fullBox("hero", [2]))), to: Self.entry)
    let codes = try movie.opened().tracks[0].eyeAssignment.contradictions.map(\.code)
    #expect(!codes.contains { "\($0)".hasPrefix("hero-") }, "\(codes)")
  }

  /// Mode 0 is one view.
  @Test(arguments: [(UInt8(0), 1), (2, 0)]) func modesAreComparedWithThePacking(mode: UInt8, count: Int)
    throws
  {
    var movie = EditedMovie("hdr10.mp4")
    let packing = box("pack", fullBox("pkin", code("side")))
    try movie.append(box("vexu", box("eyes", fullBox("stri", [3])), packing), to: Self.entry)
    try movie.append(fullBox("st3d", [mode]), to: Self.entry)
    #expect(try Self.findings(movie, "MV043").count == count)
  }

  @Test func theMessageContradictsTheBoxes() throws {
    func tagged(_ packing: FourCC, isReversed: Bool, eyes: UInt8 = 3) throws -> EditedMovie {
      var movie = try Self.packed(3, interpretation: 2)
      let stri = fullBox("stri", [isReversed ? 8 | eyes : eyes])
      try movie.append(
        box("vexu", box("eyes", stri), box("pack", fullBox("pkin", code(packing)))), to: Self.entry)
      return movie
    }
    #expect(try Self.findings(tagged("side", isReversed: true), "MV043").isEmpty)
    #expect(try Self.findings(tagged("side", isReversed: false), "MV043").count == 1)
    #expect(try Self.findings(tagged("over", isReversed: true), "MV043").count == 1)
    // Which of two eyes is first is no question where one is claimed.
    #expect(try Self.findings(tagged("side", isReversed: false, eyes: 1), "MV043").isEmpty)
  }

  /// The boxes of Google's version 2 for a sphere without so much at its left and right, in parts of 2^32.
  private static func sphere(_ edge: UInt32) -> [UInt8] {
    let bounds = fullBox("equi", u32(0), u32(0), u32(edge), u32(edge))
    return box("sv3d", fullBox("svhd", [0]), box("proj", fullBox("prhd", u32(0), u32(0), u32(0)), bounds))
  }

  /// A quarter at each side is 2^30; taggers of 180° video write one less. An eighth is neither a half nor a whole.
  @Test(arguments: [
    (UInt32(0), "equi"), (0x4000_0000, "hequ"), (0x3FFF_FFFF, "hequ"), (0x2000_0000, nil), (0x4100_0000, nil),
  ])
  func theCureNamesTheProjection(_ edge: UInt32, _ projection: String?) throws {
    var movie = EditedMovie("hdr10.mp4")
    try movie.append(Self.sphere(edge), to: Self.entry)
    let found = try #require(Self.findings(movie, "MV044").first)
    #expect(found.cure == projection.map { .tag([.set(.projection, $0)]) })
    #expect(found.path.hasSuffix("hvc1/sv3d"))
  }

  /// A whole sphere against a half, in either direction.
  @Test(arguments: [
    ("equi", UInt32(0), 0), ("hequ", 0, 1), ("equi", 0x4000_0000, 1), ("hequ", 0x4000_0000, 0),
    ("equi", 0x3FFF_FFFF, 1), ("hequ", 0x3FFF_FFFF, 0),
  ])
  func spheresAreCompared(_ projection: String, _ edge: UInt32, _ count: Int) throws {
    var movie = EditedMovie("half-equirect-180.mov")
    movie.edit("\(Self.entry)/vexu/proj/prji", ProjectionInformationBox.self) {
      $0.projection.rawValue = FourCC(projection) ?? "zzzz"
    }
    try movie.append(Self.sphere(edge), to: Self.entry)
    #expect(try Self.findings(movie, "MV043").count == count)
  }
}
