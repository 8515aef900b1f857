// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import MovieCases
import Multiview
import TestSupport
import Testing

/// A file with a pair of images of which a test may change anything.
struct MadePhoto {
  var items: [UInt16] = [10, 20]
  var members: [UInt32] = [10, 20]
  var sizes: [[UInt32]] = [[1_280, 720], [1_280, 720]]
  /// The fields of `cmin`: those of a photo that Apple's frameworks wrote, of 1280 pixels in a row.
  var intrinsics: [[UInt8]?] = Array(
    repeating: u32(0x1C00) + u32(0x2492_6E7E) + u32(0x0800_0000) + u32(0x0800_0000), count: 2)
  /// The fields of `cmex`.
  var extrinsics: [[UInt8]?] = [u32(0), u32(1) + u32(63_000)]
  var disparity: [UInt8]? = u32(200)
  /// Whether the disparity adjustment has the box of the standard, `dadj`.
  var hasStandardDisparity = false
  /// Groups of alternatives: their numbers and members.
  var alternatives: [(UInt32, [UInt32])] = []
  /// The kind of group.
  var group: FourCC = "ster"
  /// Whether the boxes have the names that they had before there was a standard.
  var isEarly = false

  func opened() throws -> MovieFile {
    var properties: [[UInt8]] = [], associations: [(id: UInt16, indices: [UInt8])] = []
    func property(_ type: FourCC, _ user: String, _ fields: [UInt8]) -> [UInt8] {
      isEarly ? box("uuid", ByteView(hex: user).array, fields) : box(type, fields)
    }
    for (index, item) in items.enumerated() {
      var own = [fullBox("ispe", u32(sizes[index][0]), u32(sizes[index][1]))]
      if let fields = intrinsics[index] {
        own.append(property("cmin", "22cc04c7d6d94e079d904eb6ecbaf3a3", fields))
      }
      if let fields = extrinsics[index] {
        own.append(property("cmex", "4363e9145b7d4aab97aebea69803b434", fields))
      }
      associations.append((item, own.indices.map { UInt8(properties.count + $0 + 1) }))
      properties += own
    }
    if let disparity {
      properties.append(
        hasStandardDisparity
          ? fullBox("dadj", disparity)
          : box("uuid", ByteView(hex: "de22508536cb436587432f8705e7c78a").array, disparity))
      associations.append((30, [UInt8(properties.count)]))
    }
    let table = associations.flatMap { u16($0.id) + [UInt8($0.indices.count)] + $0.indices }
    let meta = fullBox(
      "meta", fullBox("hdlr", u32(0), code("pict"), u32(0), u32(0), u32(0), [0]),
      fullBox("pitm", u16(items[0])),
      fullBox(
        "iinf", u16(UInt16(items.count)),
        items.flatMap { box("infe", u32(2 << 24), u16($0), u16(0), code("hvc1"), [0]) }),
      box(
        "iprp", box("ipco", properties.flatMap { $0 }),
        fullBox("ipma", u32(UInt32(associations.count)), table)),
      box(
        "grpl", fullBox(group, u32(30), u32(UInt32(members.count)), members.flatMap(u32)),
        alternatives.flatMap { fullBox("altr", u32($0.0), u32(UInt32($0.1.count)), $0.1.flatMap(u32)) }))
    return try MovieFile(bytes: box("ftyp", code("heic"), u32(0), code("heic")) + meta)
  }
}

@Suite struct PhotoRuleTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let rule: RuleID
    let edit: @Sendable (inout MadePhoto) -> Void
    var testDescription: String { rule.rawValue }
  }

  static let cases: [Case] = [
    Case(rule: "MV117") { $0.members = [10, 21] },
    Case(rule: "MV117") { $0.members = [10, 10] },
    Case(rule: "MV117") { $0.members = [10] },
    Case(rule: "MV117") { $0.members = [] },
    Case(rule: "MV117") { $0.members = [10, 20, 10] },
    Case(rule: "MV117") { ($0.group, $0.members) = ("stem", [20]) },
    Case(rule: "MV118") { $0.sizes[1] = [1_280, 960] },
    Case(rule: "MV119") { $0.intrinsics[1] = nil },
    Case(rule: "MV119") { $0.extrinsics[0] = nil },
    Case(rule: "MV120") { $0.extrinsics[1] = u32(0) },
    Case(rule: "MV120") { $0.extrinsics[0] = u32(1) + u32(126_000) },
    Case(rule: "MV121") { $0.disparity = u32(10_001) },
    Case(rule: "MV121") { $0.disparity = u32(UInt32(bitPattern: -10_001)) },
    Case(rule: "MV121") { ($0.disparity, $0.hasStandardDisparity) = (u32(20_000), true) },
    // With an image for displays of one image, which is not part of the pair.
    Case(rule: "MV118") { ($0.group, $0.members, $0.sizes[1]) = ("stem", [10, 20, 10], [1_280, 960]) },
  ]

  @Test(arguments: cases) func firesOnTheOneThing(_ item: Case) throws {
    var photo = MadePhoto()
    #expect(try photo.opened().check().findings == [])
    item.edit(&photo)
    let report = try photo.opened().check()
    // An image that is not there has no camera, and two images that are one have one place.
    let also: Set<RuleID> = item.rule == "MV117" ? ["MV119", "MV120"] : []
    let broken = Set(report.findings.map(\.rule.id))
    #expect(broken.contains(item.rule) && broken.subtracting(also).count == 1, "\(broken)")
    let finding = try #require(report.findings.first { $0.rule.id == item.rule })
    #expect(finding.path == "meta/grpl/\(photo.group)" && finding.offset ?? 0 > 0)
  }

  @Test func verdictsAndClasses() throws {
    var photo = MadePhoto()
    var movie = try photo.opened()
    #expect(movie.classification == .spatialPhoto && movie.check().classification == .spatialPhoto)
    #expect(movie.check().verdict(.spatial)?.outcome == .pass)
    #expect(movie.check().verdict(.stereo)?.outcome == .pass)
    for target in [CheckTarget.immersive, .hls] {
      #expect(movie.check().verdict(target)?.outcome == .notApplicable)
    }
    // What is not known of the shift does not keep it from being spatial.
    photo.disparity = nil
    #expect(try photo.opened().classification == .spatialPhoto)
    photo.extrinsics = [nil, nil]
    movie = try photo.opened()
    #expect(movie.classification == .stereoPhoto)
    let verdict = try #require(movie.check().verdict(.spatial))
    #expect(verdict.outcome == .fail && verdict.reasons == ["lacks extrinsics (cmex)"])
    #expect(movie.check().verdict(.stereo)?.outcome == .pass)
    for members in [[10, 21], [10], []] as [[UInt32]] {
      photo.members = members
      #expect(try photo.opened().check().verdict(.stereo)?.outcome == .fail)
    }
    photo.group = "altr"
    #expect(try photo.opened().check().verdict(.stereo)?.outcome == .notApplicable)
  }

  /// A member may be a group of alternatives: the first of them is the image. ISO/IEC 23008-12, 6.8.1
  @Test func membersThatAreGroups() throws {
    var photo = MadePhoto()
    photo.members = [50, 51]
    photo.alternatives = [(50, [10, 20]), (51, [20, 10])]
    let movie = try photo.opened()
    let pair = try #require(movie.stereoPhotos.first)
    #expect(pair.left == 10 && pair.right == 20 && pair.isSpatial)
    #expect(movie.items?.stereoPairs.map { [$0.left, $0.right] } == [[10, 20]])
    #expect(movie.check().findings == [] && movie.classification == .spatialPhoto)
  }

  /// The field of view by hand: half of it has the tangent 0.5 / (0x24926E7E / 2^28).
  @Test(arguments: [false, true]) func cameras(isEarly: Bool) throws {
    var photo = MadePhoto(isEarly: isEarly)
    // y and z without x, and a rotation after them.
    photo.extrinsics = [
      u32(0), u32(0xE) + u32(3_000) + u32(UInt32(bitPattern: -4_000)) + [UInt8](repeating: 9, count: 6),
    ]
    let pair = try #require(try photo.opened().stereoPhotos.first)
    #expect(pair.group == 30 && pair.left == 10 && pair.right == 20 && pair.isSpatial)
    #expect(pair.baseline == 5_000 && pair.rightCamera.position == [0, 3_000, -4_000])
    #expect(pair.disparityAdjustment == 200)
    // Of the early boxes it is not known in what focal lengths are counted.
    let angle = pair.leftCamera.horizontalFieldOfView
    #expect(isEarly ? angle == nil : abs((angle ?? 0) - 24.677801774227056) < 0.000_1)
    photo.intrinsics[0] = u32(0) + u32(0) + u32(0) + u32(0)
    #expect(try photo.opened().stereoPhotos.first?.leftCamera.horizontalFieldOfView == nil)
    for (focal, degrees): (UInt32, Double) in [(1, 180), (1 << 29, 90), (0x7FFF_FFFF, 28.072_486_9)] {
      photo.intrinsics[0] = u32(30 << 8) + u32(focal) + u32(0) + u32(0)
      let angle = try photo.opened().stereoPhotos.first?.leftCamera.horizontalFieldOfView
      #expect(isEarly || abs((angle ?? 0) - degrees) < 0.000_1, "\(focal)")
    }
  }

  /// Boxes that end early tell as much as they have.
  @Test func cutFieldsAreRead() throws {
    var photo = MadePhoto(isEarly: true)
    for count in 0...8 {
      photo.extrinsics[1] = Array((u32(1) + u32(63_000)).prefix(count))
      photo.disparity = Array(u32(200).prefix(count))
      let pair = try #require(try photo.opened().stereoPhotos.first)
      #expect(pair.baseline == (count < 4 ? nil : count < 8 ? 0 : 63_000))
      #expect(pair.disparityAdjustment == (count < 4 ? nil : 200))
    }
  }
}
