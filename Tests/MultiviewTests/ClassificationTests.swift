// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ISOBMFF
import MovieCases
import Multiview
import TestSupport
import Testing

@Suite struct ClassificationTests {
  // MARK: Every combination

  /// One combination of what a sample entry can say. `nil` is absent.
  struct Row: CustomStringConvertible {
    var hfov: UInt32?
    var blin: UInt32?
    var dadj: Int32?
    var prji: String?
    var pkin: String?
    var stri: UInt8?
    var lhvC: Bool
    var description: String {
      "hfov \(hfov as Any) blin \(blin as Any) dadj \(dadj as Any) prji \(prji ?? "-") pkin \(pkin ?? "-") "
        + "stri \(stri as Any) lhvC \(lhvC)"
    }

    /// The row as bytes, read again: so the boxes are tested with it.
    var facts: ClassificationFacts {
      var eyes = stri.map { fullBox("stri", [$0]) } ?? []
      if stri != nil {
        if let blin { eyes += box("cams", fullBox("blin", u32(blin))) }
        if let dadj { eyes += box("cmfy", fullBox("dadj", i32(dadj))) }
      }
      var vexu = stri == nil ? [] : box("eyes", eyes)
      if let prji { vexu += box("proj", fullBox("prji", Array(prji.utf8))) }
      if let pkin { vexu += box("pack", fullBox("pkin", Array(pkin.utf8))) }
      let children = (vexu.isEmpty ? [] : box("vexu", vexu)) + (hfov.map { box("hfov", u32($0)) } ?? [])
      var facts = ClassificationFacts()
      facts.codec = "hvc1"
      facts.hasLayeredConfiguration = lhvC
      facts.layout = SampleEntryBytes(children).layout
      return facts
    }

    /// What the rules say of the row, straight from their text.
    var expected: (class: String, kind: String) {
      // No eyes, or neither eye signalled: mono. One eye alone needs another track, which there is not.
      let bothEyes = stri == 3 || stri == 11 || stri == 7
      // Stereo, multiview: HEVC with lhvC and both eyes. Stereo, packed: both eyes, side or over, one layer.
      let kind =
        !bothEyes ? "none" : lhvC ? "multiview" : pkin == "side" || pkin == "over" ? "packed" : "none"
      // Projected media, mono or stereo. Parametric needs lenses, immersive needs a venue: neither is here.
      if prji == "hequ" { return ("180", kind) }
      if prji == "equi" { return ("360", kind) }
      // Spatial: MV-HEVC stereo, rectilinear by word or by default, and all three values; zero is a value.
      if kind == "multiview", prji == nil || prji == "rect", hfov != nil, blin != nil, dadj != nil {
        return ("spatial", kind)
      }
      return (kind == "none" ? "mono" : "stereo", kind)
    }
  }

  static var rows: [Row] {
    var rows: [Row] = []
    for hfov in [nil, 0, 63_400] as [UInt32?] {
      for prji in [nil, "rect", "equi", "hequ", "prim", "fish", "zzzz"] as [String?] {
        for pkin in [nil, "none", "side", "over"] as [String?] {
          for lhvC in [false, true] {
            // Without `eyes` there is no place for a baseline or an adjustment.
            rows.append(
              Row(hfov: hfov, blin: nil, dadj: nil, prji: prji, pkin: pkin, stri: nil, lhvC: lhvC))
            for stri in [0, 1, 2, 3, 4, 7, 8, 11] as [UInt8] {
              for blin in [nil, 0, 19_240] as [UInt32?] {
                for dadj in [nil, 0, 200, -200] as [Int32?] {
                  rows.append(
                    Row(hfov: hfov, blin: blin, dadj: dadj, prji: prji, pkin: pkin, stri: stri, lhvC: lhvC))
                }
              }
            }
          }
        }
      }
    }
    return rows
  }

  @Test func everyCombination() {
    var failures = 0
    let rows = Self.rows
    #expect(rows.count == 3 * 7 * 4 * 2 * (1 + 8 * 3 * 4))
    for row in rows where failures < 20 {
      let report = row.facts.classify()
      let expected = row.expected
      if report.classification.rawValue != expected.class || report.stereoKind.rawValue != expected.kind {
        failures += 1
        Issue.record("\(row): \(report.classification) \(report.stereoKind), expected \(expected)")
      }
      // Strict and loose differ by the disparity adjustment only, and neither asks for the other's class.
      let complete =
        row.hfov != nil && (row.stri != nil && row.blin != nil) && expected.kind == "multiview"
        && (row.prji == nil || row.prji == "rect")
      let strict = complete && row.dadj != nil
      if report.loose?.isSpatial != complete || report.strict?.isSpatial != strict {
        failures += 1
        Issue.record("\(row): loose \(report.loose as Any) strict \(report.strict as Any)")
      }
      if report.isUnsignalledMultiview != (row.lhvC && (row.stri ?? 0) & 3 == 0) {
        failures += 1
        Issue.record("\(row): unsignalled \(report.isUnsignalledMultiview)")
      }
      let claims = (row.stri ?? 0) & 3 == 3 && expected.kind == "none"
      if report.claimsMissingView != claims {
        failures += 1
        Issue.record("\(row): claims a missing view \(report.claimsMissingView)")
      }
      #expect(!report.facts.isEmpty)
    }
  }

  // MARK: Rules one by one

  /// A complete spatial sample entry, to be spoilt.
  static var spatial: ClassificationFacts {
    var facts = ClassificationFacts()
    facts.codec = "hvc1"
    facts.hasLayeredConfiguration = true
    facts.hasSecondViewInParameterSets = true
    facts.hasSecondViewInSamples = true
    facts.layout = SampleEntryBytes(realStereoBoxes).layout
    return facts
  }

  static func classes(_ change: (inout ClassificationFacts) -> Void) -> String {
    var facts = spatial
    change(&facts)
    let report = facts.classify()
    return "\(report.classification) \(report.stereoKind)"
  }

  @Test func onePropertyAtATime() {
    #expect(Self.classes { _ in } == "spatial multiview")
    #expect(Self.classes { $0.hasVideo = false } == "none none")
    #expect(Self.classes { $0.unreadable = "the sample entry is cut off" } == "unknown none")
    #expect(Self.classes { $0.codec = "avc1" } == "mono none")
    #expect(Self.classes { $0.codec = nil } == "mono none")
    #expect(Self.classes { $0.codec = "dvh1" } == "spatial multiview")
    #expect(Self.classes { $0.hasLayeredConfiguration = false } == "mono none")
    #expect(Self.classes { $0.hasSecondViewInParameterSets = false } == "mono none")
    #expect(Self.classes { $0.hasSecondViewInSamples = false } == "mono none")
    #expect(Self.classes { $0.hasSecondViewInParameterSets = nil } == "spatial multiview")
    #expect(Self.classes { $0.hasSecondViewInSamples = nil } == "spatial multiview")
    #expect(Self.classes { $0.layout.disparityAdjustment = nil } == "stereo multiview")
    #expect(Self.classes { $0.layout.baseline = nil } == "stereo multiview")
    #expect(Self.classes { $0.layout.horizontalFieldOfView = nil } == "stereo multiview")
    #expect(Self.classes { $0.layout.projection = .rectilinear } == "spatial multiview")
    #expect(Self.classes { $0.layout.projection = .parametricImmersive } == "stereo multiview")
    #expect(Self.classes { $0.layout.projection = .fisheye } == "stereo multiview")
    #expect(Self.classes { $0.hasGoogleSpherical = true } == "spatial multiview")
    #expect(Self.classes { $0.hasImmersiveVenue = true } == "spatial multiview")
    #expect(Self.classes { $0.layout.unknownRequiredBoxTypes = ["abcd"] } == "spatial multiview")
  }

  @Test func lensesAndVenues() {
    #expect(
      Self.classes {
        $0.layout.projection = .parametricImmersive
        $0.layout.hasLensCollection = true
      } == "wide multiview")
    #expect(
      Self.classes {
        $0.layout.projection = .parametricImmersive
        $0.layout.hasLensCollection = true
        $0.layout.viewInformation = nil
        $0.hasLayeredConfiguration = false
      } == "wide none")
    #expect(
      Self.classes {
        $0.layout.projection = .fisheye
        $0.hasImmersiveVenue = true
      } == "immersive multiview")
    #expect(
      Self.classes {
        $0.layout.projection = .fisheye
        $0.hasImmersivePresentation = true
      } == "stereo multiview")
    // Lenses alone make no projection.
    #expect(Self.classes { $0.layout.hasLensCollection = true } == "spatial multiview")
  }

  @Test func eyesInTwoTracks() {
    func two(_ eyes: StereoViewComponents, other: StereoEye?) -> String {
      Self.classes {
        $0.hasLayeredConfiguration = false
        $0.layout.viewInformation = StereoViewInformationBox(eyes: eyes)
        $0.eyeOfAnotherTrack = other
      }
    }
    #expect(two(.leftEye, other: .right) == "stereo twoTrack")
    #expect(two(.rightEye, other: .left) == "stereo twoTrack")
    #expect(two(.leftEye, other: .left) == "mono none")
    #expect(two(.rightEye, other: .right) == "mono none")
    #expect(two(.leftEye, other: nil) == "mono none")
    #expect(two([], other: .right) == "mono none")
    #expect(
      Self.classes {
        $0.hasLayeredConfiguration = false
        $0.hasSecondViewInAnotherTrack = true
      } == "stereo twoTrack")
  }

  @Test func packingBesideLayersDoesNotHideThem() {
    #expect(Self.classes { $0.layout.packing = .sideBySide } == "spatial multiview")
    #expect(
      Self.classes {
        $0.layout.packing = .overUnder
        $0.hasLayeredConfiguration = false
      } == "stereo packed")
  }

  @Test func whatCannotBeReadIsNotGuessed() {
    func of(_ children: [UInt8]) -> String {
      Self.classes { $0.layout = SampleEntryBytes(children).layout }
    }
    let stri = fullBox("stri", [3])
    #expect(of(box("vexu", box("eyes", box("stri", [0, 0, 0])))) == "unknown none")
    #expect(of(box("vexu", box("eyes"))) == "unknown none")
    #expect(of(box("vexu", box("eyes", stri), box("proj"))) == "unknown none")
    #expect(
      of(box("vexu", box("eyes", stri), box("proj", box("prji", [9, 0, 0, 0], code("hequ")))))
        == "unknown none")
    // A damaged field of view leaves two eyes.
    #expect(of(box("vexu", box("eyes", stri)) + box("hfov", [0])) == "stereo multiview")
    #expect(of([]) == "mono none")
    var facts = Self.spatial
    facts.unreadable = "cut off"
    #expect(facts.classify().strict == nil && facts.classify().loose == nil)
  }

  @Test func unsignalledViewsAreToldApart() {
    var facts = ClassificationFacts()
    facts.codec = "hvc1"
    facts.hasSecondViewInParameterSets = true
    #expect(facts.classify().classification == .mono)
    #expect(facts.classify().isUnsignalledMultiview)
    facts.hasSecondViewInParameterSets = nil
    #expect(!facts.classify().isUnsignalledMultiview)
    facts.hasLayeredConfiguration = true
    #expect(facts.classify().isUnsignalledMultiview)
    facts.hasSecondViewInParameterSets = false
    #expect(!facts.classify().isUnsignalledMultiview)
  }

  @Test func factsTellPlacesAndZeros() {
    var facts = Self.spatial
    let texts = facts.classify().facts
    #expect(texts.contains { $0.text == "hfov is 63.4°" && $0.place?.path == "hvc1/hfov" })
    #expect(texts.contains { $0.text == "blin is 19.24 mm" })
    #expect(
      texts.contains { $0.text == "proj is missing, so the projection is rectilinear" && $0.place == nil })
    facts.layout.baseline = Micrometers(rawValue: 0)
    #expect(facts.classify().facts.contains { $0.text.hasPrefix("blin is 0: present") })
    #expect(facts.classify().classification == .spatial)
  }

  @Test func lackingIsNamed() {
    var facts = Self.spatial
    facts.layout.horizontalFieldOfView = nil
    facts.layout.disparityAdjustment = nil
    facts.layout.projection = .halfEquirectangular
    let report = facts.classify()
    #expect(report.loose?.lacking == [.rectilinear, .fieldOfView])
    #expect(report.strict?.lacking == [.rectilinear, .fieldOfView, .disparityAdjustment])
  }

  @Test func playlistLayouts() {
    func layout(_ change: (inout ClassificationFacts) -> Void) -> String? {
      var facts = Self.spatial
      change(&facts)
      return facts.classify().requiredVideoLayout
    }
    #expect(layout { _ in } == "CH-STEREO")
    #expect(layout { $0.layout.projection = .halfEquirectangular } == "CH-STEREO/PROJ-HEQU")
    #expect(layout { $0.layout = StereoLayout() } == nil)
    #expect(
      layout {
        $0.layout = StereoLayout()
        $0.layout.projection = .equirectangular
      } == "CH-MONO/PROJ-EQUI")
  }

  @Test func characteristics() {
    #expect(
      Self.spatial.mediaCharacteristics == [
        .visual, .frameBased, .containsStereoMultiviewVideo, .carriesVideoStereoMetadata,
        .indicatesHorizontalFieldOfView,
      ])
    var facts = ClassificationFacts()
    #expect(facts.mediaCharacteristics == [.visual, .frameBased])
    facts.layout.projection = .equirectangular
    #expect(facts.mediaCharacteristics == [.visual, .frameBased, .indicatesNonRectilinearProjection])
    facts.hasVideo = false
    #expect(facts.mediaCharacteristics == [])
  }

  @Test func rawValues() {
    let all: [Classification] = [
      .mono, .stereo, .spatial, .degrees180, .degrees360, .wide, .immersive, .unknown, .noVideo,
    ]
    #expect(
      all.map(\.rawValue) == [
        "mono", "stereo", "spatial", "180", "360", "wide", "immersive", "unknown", "none",
      ])
    let kinds: [StereoKind] = [.multiview, .packed, .twoTrack, .notStereo]
    #expect(kinds.map(\.rawValue) == ["multiview", "packed", "twoTrack", "none"])
  }

  // MARK: Movies

  /// The facts that boxes alone tell: what is in parameter sets and samples is not looked at.
  static func facts(_ bytes: ByteView) throws -> ClassificationFacts {
    let tree = BoxTree(bytes, registry: .standard)
    let entry = try #require(tree.matches("moov/trak/mdia/minf/stbl/stsd/hvc1").first)
    return ClassificationFacts(sampleEntry: entry.box, path: entry.path)
  }

  @Test(arguments: [
    ("spatial.mov", "spatial multiview"), ("stereo-no-hfov.mov", "stereo multiview"),
    ("stereo-tags-without-lhvC.mov", "mono none"), ("half-equirect-180.mov", "180 multiview"),
    ("side-by-side-packed.mov", "stereo packed"), ("two-views-fragmented.mp4", "stereo multiview"),
  ])
  func fixtures(name: String, expected: String) throws {
    let report = try Self.facts(Fixtures.bytes(name)).classify()
    #expect("\(report.classification) \(report.stereoKind)" == expected)
    #expect(report.claimsMissingView == (name == "stereo-tags-without-lhvC.mov"))
  }

  @Test func protectedVideoKeepsItsCodec() {
    let protection = box("sinf", box("frma", code("hvc1")))
    let entry = SampleEntryBytes(
      protection + box("lhvC", [1, 0xF0, 0, 0xFC, 0xCF, 0]) + box("st3d", [0, 0, 0, 0, 2]))
    let facts = ClassificationFacts(sampleEntry: entry.entry)
    #expect(facts.codec == "hvc1" && facts.codecIsHEVC && facts.hasLayeredConfiguration)
    #expect(facts.hasGoogleSpherical)
    #expect(facts.layout.googleSphericalBoxes.map(\.path) == ["test/st3d"])
    #expect(facts.classify().isUnsignalledMultiview)
  }

  @Test(.enabled(if: Corpus.isPresent), arguments: ["apple/iphone15promax.mov", "apple/stereo_spatial.mp4"])
  func realMovies(name: String) throws {
    let report = try Self.facts(Corpus.bytes(name)).classify()
    #expect(report.classification == .spatial && report.stereoKind == .multiview)
    #expect(report.strict?.lacking == [])
  }
}
