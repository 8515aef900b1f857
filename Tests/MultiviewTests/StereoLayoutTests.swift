// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ISOBMFF
import MovieCases
import Multiview
import TestSupport
import Testing

@Suite struct StereoLayoutTests {
  /// The sample entries of video in a movie, with the ways to them.
  static func layouts(_ bytes: ByteView) -> [StereoLayout] {
    let tree = BoxTree(bytes, registry: .standard)
    return tree.matches("moov/trak/mdia/minf/stbl/stsd/hvc1").map {
      StereoLayout(sampleEntry: $0.box, path: $0.path)
    }
  }

  @Test func nothingIsAbsentAndNotZero() {
    let layout = SampleEntryBytes([]).layout
    #expect(!layout.hasVideoExtendedUsage && !layout.hasEyes && layout.viewInformation == nil)
    #expect(layout.hasLeftEyeView == nil && layout.hasRightEyeView == nil)
    #expect(layout.hasAdditionalViews == nil && layout.eyeViewsReversed == nil && layout.stereoView == nil)
    #expect(layout.heroEye == nil && layout.baseline == nil && layout.disparityAdjustment == nil)
    #expect(layout.horizontalFieldOfView == nil && layout.projection == nil && layout.packing == nil)
    #expect(!layout.hasLensCollection && layout.lenses == [] && layout.requiredBoxTypes == nil)
    #expect(layout.isRectilinear && !layout.hasBothEyeViews)
    #expect(layout.diagnostics.isEmpty)
    #expect(FormatDescriptionExtensions(layout).entries == [])
    #expect(layout.tags == [.mediaType(.video)])
  }

  @Test func zeroIsPresent() throws {
    let eyes = box(
      "eyes", fullBox("stri", [0]), fullBox("hero", [0]), box("cams", fullBox("blin", u32(0))),
      box("cmfy", fullBox("dadj", u32(0))))
    let layout = SampleEntryBytes(box("vexu", eyes) + box("hfov", u32(0))).layout
    #expect(layout.hasLeftEyeView == false && layout.hasRightEyeView == false)
    #expect(layout.heroEye == HeroEye.noPreference)
    #expect(layout.baseline == Micrometers(rawValue: 0))
    #expect(layout.disparityAdjustment == DisparityRatio(rawValue: 0))
    #expect(layout.horizontalFieldOfView == Millidegrees(rawValue: 0))
    #expect(layout.diagnostics.isEmpty)
    let extensions = FormatDescriptionExtensions(layout)
    #expect(extensions.heroEye == nil)
    #expect(
      extensions.entries.map(\.key) == [
        .hasLeftStereoEyeView, .hasRightStereoEyeView, .hasAdditionalViews, .stereoCameraBaseline,
        .horizontalDisparityAdjustment, .horizontalFieldOfView,
      ])
    #expect(extensions[.stereoCameraBaseline] == .integer(0))
    #expect(extensions[.hasLeftStereoEyeView] == .boolean(false))
  }

  @Test func realBytesWithPlaces() {
    let layout = SampleEntryBytes(realStereoBoxes).layout
    #expect(layout.hasBothEyeViews)
    #expect(layout.heroEye == .left)
    #expect(layout.baseline?.millimeters == 19.24)
    #expect(layout.disparityAdjustment?.fraction == 0.02)
    #expect(layout.horizontalFieldOfView?.degrees == 63.4)
    #expect(layout.projection == nil && layout.isRectilinear)
    #expect(layout.place(of: \.projection) == nil)
    // The test's own header takes the first 8 bytes.
    #expect(layout.place(of: \.hasVideoExtendedUsage) == BoxPlace(path: "hvc1/vexu", offset: 8))
    #expect(layout.place(of: \.viewInformation) == BoxPlace(path: "hvc1/vexu/eyes/stri", offset: 24))
    #expect(layout.place(of: \.heroEye) == BoxPlace(path: "hvc1/vexu/eyes/hero", offset: 37))
    #expect(layout.place(of: \.baseline) == BoxPlace(path: "hvc1/vexu/eyes/cams/blin", offset: 58))
    #expect(layout.place(of: \.disparityAdjustment) == BoxPlace(path: "hvc1/vexu/eyes/cmfy/dadj", offset: 82))
    #expect(layout.place(of: \.horizontalFieldOfView) == BoxPlace(path: "hvc1/hfov", offset: 98))
    // What is computed from a box is read from that box, and what is not in a box has no place.
    #expect(layout.place(of: \.eyeViewsReversed) == layout.place(of: \.viewInformation))
    #expect(layout.place(of: \.hasBothEyeViews) == layout.place(of: \.viewInformation))
    #expect(layout.place(of: \.diagnostics) == nil)
    #expect(layout.tags == [.mediaType(.video), .stereoView([.leftEye, .rightEye])])
    let extensions = FormatDescriptionExtensions(layout)
    #expect(
      extensions.entries == [
        .init(.hasLeftStereoEyeView, .boolean(true)), .init(.hasRightStereoEyeView, .boolean(true)),
        .init(.hasAdditionalViews, .boolean(false)), .init(.heroEye, .string("Left")),
        .init(.stereoCameraBaseline, .integer(19_240)),
        .init(.horizontalDisparityAdjustment, .integer(200)),
        .init(.horizontalFieldOfView, .integer(63_400)),
      ])
  }

  @Test func projectionAndPackingUnderTheirAppleNames() {
    let vexu = box(
      "vexu", box("proj", fullBox("prji", code("hequ")), fullBox("hequ")),
      box("pack", fullBox("pkin", code("over"))), box("eyes", fullBox("stri", [0x0F]), fullBox("hero", [2])))
    let layout = SampleEntryBytes(vexu).layout
    #expect(layout.projection == .halfEquirectangular && !layout.isRectilinear)
    #expect(layout.packing == .overUnder)
    #expect(layout.eyeViewsReversed == true && layout.hasAdditionalViews == true)
    #expect(layout.diagnostics.isEmpty)
    let extensions = FormatDescriptionExtensions(layout)
    #expect(extensions[.projectionKind] == .string("HalfEquirectangular"))
    #expect(extensions[.viewPackingKind] == .string("OverUnder"))
    #expect(extensions[.heroEye] == .string("Right"))
    #expect(
      layout.tags == [
        .mediaType(.video), .projectionType(.halfEquirectangular), .packingType(.overUnder),
        .stereoView([.leftEye, .rightEye]),
        .stereoViewInterpretation([.stereoOrderReversed, .additionalViews]),
      ])
  }

  @Test func requiredTypes() {
    let vexu = box(
      "vexu", fullBox("must", code("eyes"), code("xyzw")),
      box("eyes", fullBox("must", code("hero")), fullBox("stri", [3])))
    let layout = SampleEntryBytes(vexu).layout
    #expect(layout.requiredBoxTypes == ["eyes", "xyzw", "hero"])
    #expect(layout.unknownRequiredBoxTypes == ["xyzw"])
    #expect(layout.diagnostics.map(\.code) == ["unknown-required-box"])
    #expect(layout.stereoView == [.leftEye, .rightEye])
  }

  @Test func unknownChildrenAreKeptAndNoted() throws {
    let vexu = box("vexu", box("free", [0, 0]), box("eyes", fullBox("stri", [3]), box("zzzz", [1, 2, 3])))
    let bytes = SampleEntryBytes(vexu)
    #expect(bytes.layout.diagnostics.contains { $0.code == "unknown-box" && $0.severity == .note })
    #expect(bytes.layout.diagnostics.worst == .note)
    #expect(try bytes.tree.encoded() == box("test", vexu))
  }

  @Test func wrongPlacesAndHeaders() {
    func codes(_ children: [UInt8]) -> [Diagnostic.Code] {
      SampleEntryBytes(children).layout.diagnostics.map(\.code)
    }
    let stri = fullBox("stri", [3])
    #expect(codes(box("vexu", box("eyes", stri), box("hfov", u32(63_400)))) == ["misplaced-box"])
    #expect(codes(box("vexu", box("eyes", stri, fullBox("blin", u32(1))))) == ["misplaced-box"])
    #expect(codes(box("vexu", box("eyes"))) == ["missing-box"])
    #expect(codes(box("vexu", box("proj"))) == ["missing-box"])
    #expect(codes(box("vexu", box("pack"))) == ["missing-box"])
    #expect(codes(box("vexu", box("lnsc"))) == ["missing-box"])
    #expect(codes(box("vexu", fullBox("eyes", stri))) == ["full-box-header", "missing-box"])
    #expect(codes(fullBox("vexu", box("eyes", stri))) == ["full-box-header"])
    #expect(codes(box("vexu", box("eyes", stri, stri))) == ["duplicate-box"])
    #expect(codes(fullBox("hfov", u32(63_400))) == ["trailing-bytes"])
    #expect(codes(box("hfov", [0, 1])) == ["truncated"])
    #expect(codes(box("vexu", box("eyes", box("stri", [0, 0, 0])))) == ["truncated", "missing-box"])
    #expect(codes(box("vexu", box("proj", box("prji", [1, 0, 0, 0], code("hequ"))))).count == 2)
  }

  @Test func damagedIsAbsent() {
    let layout = SampleEntryBytes(box("vexu", box("eyes", box("stri", [0, 0, 0]))) + box("hfov", [0, 0, 0]))
      .layout
    #expect(layout.viewInformation == nil && layout.horizontalFieldOfView == nil)
    #expect(layout.hasEyes)
    #expect(layout.diagnostics.worst == .error)
  }

  @Test func randomDamageAlwaysGivesAnAnswer() throws {
    var random = SeededGenerator(seed: 0x5EED)
    let lens = fullBox(
      "lens", fullBox("lnhd", u32(1), code("prim"), code("colr"), code("left")),
      fullBox("ldst", flags: 1, u32(0), u32(0), u32(0), u32(0), u32(0)))
    let whole =
      box(
        "vexu", fullBox("must", code("eyes")), Array(realStereoBoxes[8..<90]),
        box("proj", fullBox("prji", code("prim"))), box("pack", fullBox("pkin", code("side"))),
        box("lnsc", lens)) + Array(realStereoBoxes[90...])
    var absent = 0
    for _ in 0..<3_000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
      }
      if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
      let entry = SampleEntryBytes(bytes)
      #expect(try entry.tree.encoded() == box("test", bytes))
      var facts = ClassificationFacts()
      facts.layout = entry.layout
      _ = FormatDescriptionExtensions(facts.layout).entries
      if facts.classify().facts.isEmpty { absent += 1 }
    }
    #expect(absent == 0)
  }

  // MARK: Movies

  @Test(arguments: [
    ("spatial.mov", 63_400 as UInt32?, nil as Projection?, nil as ViewPacking?),
    ("stereo-no-hfov.mov", nil, nil, nil),
    ("stereo-tags-without-lhvC.mov", 63_400, nil, nil),
    ("half-equirect-180.mov", 180_000, .halfEquirectangular, nil),
    ("side-by-side-packed.mov", 63_400, nil, .sideBySide),
  ])
  func fixtures(name: String, fieldOfView: UInt32?, projection: Projection?, packing: ViewPacking?) throws {
    let layout = try #require(Self.layouts(Fixtures.bytes(name)).first)
    #expect(layout.hasBothEyeViews && layout.eyeViewsReversed == false && layout.hasAdditionalViews == false)
    #expect(layout.heroEye == .left)
    #expect(layout.baseline?.rawValue == 63_000)
    #expect(layout.disparityAdjustment?.rawValue == 200)
    #expect(layout.horizontalFieldOfView?.rawValue == fieldOfView)
    #expect(layout.projection == projection)
    #expect(layout.packing == packing)
    #expect(layout.diagnostics.isEmpty)
    let path = "moov/trak/mdia/minf/stbl/stsd/hvc1/vexu/eyes/stri"
    #expect(layout.place(of: \.viewInformation)?.path == path)
  }

  @Test(arguments: ["two-tracks-lhv1.mp4", "cmaf-hevc-sidx.mp4", "hdr10.mp4"])
  func moviesThatSayNothing(name: String) throws {
    for layout in Self.layouts(Fixtures.bytes(name)) { #expect(layout == StereoLayout()) }
  }

  @Test(.enabled(if: Corpus.isPresent)) func realMovies() throws {
    let iPhone = try #require(Self.layouts(Corpus.bytes("apple/iphone15promax.mov")).first)
    #expect(iPhone.hasBothEyeViews && iPhone.eyeViewsReversed == false)
    #expect(iPhone.heroEye == nil)
    #expect(iPhone.baseline?.rawValue == 19_240)
    #expect(iPhone.disparityAdjustment?.rawValue == 200)
    #expect(iPhone.horizontalFieldOfView?.rawValue == 63_400)
    #expect(iPhone.projection == .rectilinear)
    #expect(iPhone.packing == nil && iPhone.requiredBoxTypes == nil && !iPhone.hasLensCollection)
    #expect(iPhone.diagnostics.isEmpty)
    #expect(iPhone.place(of: \.hasVideoExtendedUsage)?.offset == 0x23699)
    #expect(iPhone.place(of: \.horizontalFieldOfView)?.offset == 145_150)
    let written = try #require(Self.layouts(Corpus.bytes("apple/stereo_spatial.mp4")).first)
    #expect(written.hasBothEyeViews && written.heroEye == .left)
    #expect(written.baseline?.rawValue == 19_240)
    #expect(written.projection == nil)
    #expect(written.place(of: \.horizontalFieldOfView)?.offset == 4_588)
    #expect(written.diagnostics.isEmpty)
  }

  @Test(.enabled(if: Corpus.isPresent)) func damagedMoviesAnswerSomething() {
    for name in Corpus.files("broken") {
      for layout in Self.layouts(Corpus.bytes(name)) { _ = FormatDescriptionExtensions(layout).entries }
    }
  }
}
