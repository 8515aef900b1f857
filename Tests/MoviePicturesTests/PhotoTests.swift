// swift-multiview · SPDX-License-Identifier: Apache-2.0

import BoxCatalogue
import ByteCoding
import HEVC
import HEVCDecoding
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MoviePictures

@Suite struct PhotoTests {
  static let path = Fixtures.path("pictures/photo.heic")

  /// The primary image, and not its thumbnail: the first picture of the stream that it was made from.
  @Test func primaryImage() throws {
    let movie = try MovieFile(path: Self.path)
    let group = try movie.photo()
    let picture = try #require(group.layers.first)
    #expect(group.layers.count == 1 && group.presentationTime == nil)
    #expect(group.sample == movie.items?.primaryItemID.map { Int($0) })
    let stream = try MovieFile(path: Fixtures.path("pictures/intra_d.bit"))
    let first = try #require(try stream.tracks.first?.pictures().next()?.layers.first)
    for plane in 0..<3 { #expect(picture.bytes(ofPlane: plane) == first.bytes(ofPlane: plane)) }
    #expect(picture.geometry.orientation == .upright)
    #expect(throws: PictureError.self) { try MovieFile(path: Fixtures.path("timecode.mov")).photo() }
  }

  /// Properties are applied in their order: turned against the clock, then mirrored; and a clean aperture before.
  @Test func propertiesAreApplied() throws {
    let plain = try #require(try MovieFile(path: Self.path).photo().layers.first).rgb()
    var aperture = CleanApertureBox()
    (aperture.widthN, aperture.heightN) = (UInt32(plain.width - 4), UInt32(plain.height - 2))
    var rotation = ImageRotationProperty()
    rotation.angle = 1
    var mirror = ImageMirrorProperty()
    mirror.axis = 1
    let quarter = try #require(PictureOrientation(rotation: 270))
    let flip = try #require(PictureOrientation(rotation: 0, isMirrored: true))
    let turned = try Self.photo([Box("irot", rotation)])
    #expect(turned == plain.oriented(quarter))
    #expect(try Self.photo([Box("imir", mirror)]) == plain.oriented(flip))
    #expect(
      try Self.photo([Box("irot", rotation), Box("imir", mirror)]) == plain.oriented(quarter).oriented(flip))
    #expect(
      try Self.photo([Box("imir", mirror), Box("irot", rotation)]) == plain.oriented(flip).oriented(quarter))
    mirror.axis = 0
    let over = try #require(PictureOrientation(rotation: 180, isMirrored: true))
    #expect(try Self.photo([Box("imir", mirror)]) == plain.oriented(over))
    let part = plain.cropped(to: .init(x: 2, y: 1, width: plain.width - 4, height: plain.height - 2))
    #expect(try Self.photo([Box("clap", aperture), Box("irot", rotation)]) == part.oriented(quarter))
    #expect(throws: PictureError.self) { try Self.photo([Box("irot", rotation), Box("clap", aperture)]) }
  }

  /// A profile of a photo, without what follows it, is that of its picture; one that is cut off, or of another space, is not.
  @Test func profilesOfPhotosAreKept() throws {
    var property = ColourInformationBox()
    property.colourType = "prof"
    let profile = PNGTests.profile()
    property.profile = ByteView(profile + [1, 2, 3])
    #expect(try Self.photo([Box("colr", property)]).iccProfile == profile)
    property.colourType = "rICC"
    property.profile = ByteView(profile)
    #expect(try Self.photo([Box("colr", property)]).iccProfile == profile)
    for wrong in [Array(profile.dropLast()), PNGTests.profile("GRAY"), [1, 2, 3]] {
      property.profile = ByteView(wrong)
      #expect(try Self.photo([Box("colr", property)]).iccProfile == nil)
    }
    // Of a movie, that of its sample entry.
    var tree = try #require(try MovieFile(path: Fixtures.path("spatial.mov")).tree)
    property.profile = ByteView(profile)
    try tree.insert(Box("colr", property), in: "moov/trak/mdia/minf/stbl/stsd/hvc1")
    let track = try #require(try MovieFile(edited: tree).mainVideoTrack)
    #expect(track.colour.iccProfile == profile)
    let group = try #require(try track.pictures().next())
    #expect(try group.layers.first?.rgb().iccProfile == profile)
  }

  /// The primary image of the fixture with more properties.
  static func photo(_ properties: [Box]) throws -> RGBPicture { try picture(properties).rgb() }

  static func picture(_ properties: [Box]) throws -> Picture {
    let movie = try MovieFile(path: path)
    let primary = try #require(movie.items?.primaryItemID)
    var tree = try #require(movie.tree)
    let count = try #require(tree["meta/iprp/ipco"]).children.count
    for property in properties { try tree.insert(property, in: "meta/iprp/ipco") }
    try tree.edit("meta/iprp/ipma", ItemPropertyAssociationBox.self) { box in
      let place = box.entries.firstIndex { $0.itemID == primary } ?? 0
      for index in properties.indices {
        var association = box.entries[place].associations[0]
        association.propertyIndex = UInt16(count + index + 1)
        box.entries[place].associations.append(association)
      }
    }
    return try #require(try MovieFile(edited: tree).photo().layers.first)
  }

  /// The light of a photo is that of its properties, as of a movie that of its boxes: it chooses the curve of tones.
  @Test func lightLevelsAreApplied() throws {
    func peak(_ properties: [Box]) throws -> Double? { try Self.picture(properties).peak }
    var level = ContentLightLevelBox()
    level.maxCLL = 300
    var display = MasteringDisplayColourVolumeBox()
    display.maxLuminance = 40_000_000
    #expect(try peak([]) == nil)
    #expect(try peak([Box("clli", level)]) == 300)
    #expect(try peak([Box("mdcv", display)]) == 4_000)
    #expect(try peak([Box("mdcv", display), Box("clli", level)]) == 300)
  }

  /// Code points that are reserved specify nothing, and planes of two sizes are not green, blue and red.
  /// ISO/IEC 23008-2, E.3.1
  @Test(arguments: [(2, 2, 2), (0, 0, 3), (3, 3, 255), (255, 255, 0)] as [(UInt16, UInt16, UInt16)])
  func reservedColours(primaries: UInt16, transfer: UInt16, matrix: UInt16) throws {
    var box = ColourInformationBox()
    box.colourType = "nclx"
    (box.colourPrimaries, box.transferCharacteristics, box.matrixCoefficients) = (primaries, transfer, matrix)
    let plain = try Self.picture([]), found = try Self.picture([Box("colr", box)])
    #expect(found.colour.primaries == plain.colour.primaries)
    #expect(found.colour.transfer == plain.colour.transfer)
    #expect(try found.colourInterpretation().matrix == plain.colourInterpretation().matrix)
  }

  // MARK: Images made of others

  /// An item besides the two of the fixture: what it is, its body, what it is made of.
  struct Added {
    var id: UInt32
    var type: FourCC
    var body: [UInt8] = []
    var inputs: [UInt32] = []
  }

  /// The fixture with more items: each body is in `idat`, and `references` are others than those to the inputs.
  static func movie(
    _ items: [Added], references: [(FourCC, UInt32, [UInt32])] = [], auxiliaryTypes: [UInt32: String] = [:],
    properties: [UInt32: [Box]] = [:]
  ) throws -> MovieFile {
    var tree = try #require(try MovieFile(path: path).tree)
    var bytes: [UInt8] = []
    for item in items {
      var entry = ItemInfoEntryBox()
      (entry.version, entry.itemID, entry.itemType) = (2, item.id, item.type)
      try tree.insert(Box("infe", entry), in: "meta/iinf")
      let place = bytes.count
      bytes += item.body
      try tree.edit("meta/iloc", ItemLocationBox.self) { box in
        var location = ItemLocationBox.Item()
        location.itemID = item.id
        location.constructionMethod = .itemData
        location.extents = [.init(offset: UInt64(place), length: UInt64(item.body.count))]
        (box.version, box.offsetSize) = (1, 4)
        if !item.body.isEmpty { box.items.append(location) }
      }
    }
    var data = ItemDataBox()
    data.data = ByteView(bytes)
    try tree.insert(Box("idat", data), in: "meta")
    let inputs = items.filter { !$0.inputs.isEmpty }.map { (FourCC("dimg"), $0.id, $0.inputs) }
    for (type, from, to) in inputs + references {
      var reference = SingleItemReferenceBox()
      (reference.fromItemID, reference.toItemIDs) = (from, to)
      try tree.insert(Box(type, reference), in: "meta/iref")
    }
    var added = properties
    for (id, type) in auxiliaryTypes {
      var property = AuxiliaryTypeProperty()
      property.auxType = TerminatedString(type)
      added[id, default: []].append(Box("auxC", property))
    }
    for (id, boxes) in added {
      for box in boxes {
        let count = try #require(tree["meta/iprp/ipco"]).children.count
        try tree.insert(box, in: "meta/iprp/ipco")
        try tree.edit("meta/iprp/ipma", ItemPropertyAssociationBox.self) { association in
          let place =
            association.entries.firstIndex { $0.itemID == id } ?? association.entries.endIndex
          if place == association.entries.endIndex { association.entries.append(.init(itemID: id)) }
          association.entries[place].associations.append(.init(UInt16(count + 1)))
        }
      }
    }
    return try MovieFile(edited: tree)
  }

  /// The samples of a plane, row by row.
  private struct Rows: Equatable {
    var width: Int
    var samples: [UInt8]

    init(_ picture: Picture, _ plane: Int) throws {
      width = picture.size.width / (plane > 0 ? 2 : 1)
      samples = try #require(picture.bytes(ofPlane: plane))
    }

    init(width: Int, height: Int, _ sample: (_ x: Int, _ y: Int) -> UInt8) {
      self.width = width
      samples = (0..<(width * height)).map { sample($0 % width, $0 / width) }
    }

    subscript(x: Int, y: Int) -> UInt8 { samples[y * width + x] }
    var height: Int { samples.count / width }
  }

  @Test func tilesOfAGrid() throws {
    // Two rows of two, of which the last 16 columns and 31 rows are beyond the size.
    let grid = Added(id: 9, type: "grid", body: [0, 0, 1, 1, 0, 208, 0, 161], inputs: [1, 1, 1, 1])
    let movie = try Self.movie([grid])
    let tile = try #require(try movie.photo().layers.first)
    let whole = try #require(try movie.photo(item: 9).layers.first)
    // A whole chroma sample ends the samples; the aperture cuts the odd row away.
    #expect(whole.size == PictureSize(width: 208, height: 162))
    #expect(whole.displaySize == PictureSize(width: 208, height: 161))
    for plane in 0..<3 {
      let part = try Rows(tile, plane), found = try Rows(whole, plane), divisor = plane > 0 ? 2 : 1
      let expected = Rows(width: 208 / divisor, height: 162 / divisor) {
        part[$0 % part.width, $1 % part.height]
      }
      #expect(found == expected, "plane \(plane)")
    }
    #expect(try whole.rgb().height == 161)
  }

  /// An image of odd size is cropped like any other, and may be part of another image.
  @Test func imagesOfOddSizes() throws {
    let odd = Added(id: 9, type: "grid", body: [0, 0, 1, 1, 0, 208, 0, 161], inputs: [1, 1, 1, 1])
    var aperture = CleanApertureBox()
    (aperture.widthN, aperture.heightN) = (200, 151)
    let cropped = try Self.movie(
      [odd, Added(id: 10, type: "iden", inputs: [9])], properties: [10: [Box("clap", aperture)]])
    let whole = try #require(try cropped.photo(item: 9).layers.first)
    let part = try #require(try cropped.photo(item: 10).layers.first)
    #expect(part.displaySize == PictureSize(width: 200, height: 151))
    #expect(try part.rgb() == whole.rgb().cropped(to: .init(x: 4, y: 5, width: 200, height: 151)))
    let direct = try Self.movie([odd], properties: [9: [Box("clap", aperture)]])
    #expect(try direct.photo(item: 9).layers.first?.rgb() == part.rgb())

    // Two beside one another, and one on red.
    let fill: [UInt8] = [0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF]
    let movie = try Self.movie([
      odd, Added(id: 10, type: "grid", body: [0, 0, 0, 1, 1, 160, 0, 161], inputs: [9, 9]),
      Added(
        id: 11, type: "iovl", body: [0, 0] + fill + [0, 214, 0, 170] + [0, 4, 0, 2], inputs: [9]),
      Added(id: 12, type: "grid", body: [0, 0, 1, 0, 0, 208, 1, 66], inputs: [9, 9]),
    ])
    let pair = try #require(try movie.photo(item: 10).layers.first)
    let canvas = try #require(try movie.photo(item: 11).layers.first)
    #expect(pair.displaySize == PictureSize(width: 416, height: 161))
    for plane in 0..<3 {
      let divisor = plane > 0 ? 2 : 1
      let one = try Rows(whole, plane), two = try Rows(pair, plane), all = try Rows(canvas, plane)
      for y in 0..<(162 / divisor) where plane > 0 || y < 161 {
        for x in stride(from: 0, to: 416 / divisor, by: 5) where two[x, y] != one[x % one.width, y] {
          Issue.record("plane \(plane): \(x), \(y)")
          return
        }
      }
      let expected = Rows(width: 214 / divisor, height: 170 / divisor) { x, y in
        let column = x - 4 / divisor, row = y - 2 / divisor
        let isInside = column >= 0 && row >= 0 && column < one.width && row < (161 + divisor - 1) / divisor
        return isInside ? one[column, row] : [81, 90, 240][plane]
      }
      #expect(all == expected, "plane \(plane)")
    }
    #expect(
      throws: PictureError.unsupported(
        "item 9, a part of item 12, is at (0, 161), between two chroma samples, which is not supported")
    ) { try movie.photo(item: 12) }
  }

  /// The eyes of a pair may be grids: cameras write such photos.
  @Test func pairsOfGrids() throws {
    let body: [UInt8] = [0, 0, 0, 1, 0, 200, 0, 96], upright: [UInt8] = [0, 0, 1, 0, 0, 96, 0, 160]
    var tree = try #require(
      try Self.movie([
        Added(id: 8, type: "grid", body: body, inputs: [1, 1]),
        Added(id: 9, type: "grid", body: upright, inputs: [1, 1]),
      ]).tree)
    var pair = EntityToGroupBox()
    (pair.groupID, pair.entityIDs) = (30, [9, 8])
    try tree.insert(Box("grpl", children: [Box("ster", pair)]), in: "meta")
    let movie = try MovieFile(edited: tree)
    let group = try movie.photo()
    #expect(group[.left]?.size == PictureSize(width: 96, height: 160))
    #expect(group[.right]?.size == PictureSize(width: 200, height: 96))
    #expect(try movie.photo(item: 9).layers.map(\.eye) == [.left])
    #expect(try movie.photo(item: 8).layers.map(\.eye) == [.right])
    #expect(try movie.photo(item: 1).layers.map(\.eye) == [nil])
  }

  /// The image of the right eye is a layer that is predicted from that of the left eye, and `lsel` chooses it.
  @Test func pairsOfLayers() throws {
    guard Corpus.isPresent, let folder = Corpus.folder else { return }
    let group = try MovieFile(path: folder + "/lhevc/multilayer005.heic").photo()
    #expect(group[.left]?.layerID == 0 && group[.right]?.layerID == 1 && group.layers.count == 2)
    #expect(group[.left]?.bytes(ofPlane: 0) != group[.right]?.bytes(ofPlane: 0))
  }

  @Test func wideFieldsOfAGrid() throws {
    let grid = Added(
      id: 9, type: "grid", body: [0, 1, 0, 1, 0, 0, 0, 200, 0, 0, 0, 96], inputs: [1, 1])
    let picture = try #require(try Self.movie([grid]).photo(item: 9).layers.first)
    #expect(picture.size == PictureSize(width: 200, height: 96))
  }

  @Test func imagesOnACanvas() throws {
    // Red in limited range by BT.601, which is what the stream leaves open: 81, 90, 240.
    let fill: [UInt8] = [0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF]
    let places: [(x: Int, y: Int)] = [(-20, 10), (60, 40), (50, -30)]
    var body: [UInt8] = [0, 0] + fill + [0, 140, 0, 120]
    for place in places {
      for value in [place.x, place.y] {
        body += [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
      }
    }
    let movie = try Self.movie([Added(id: 9, type: "iovl", body: body, inputs: [1, 1, 1])])
    let part = try #require(try movie.photo().layers.first)
    let whole = try #require(try movie.photo(item: 9).layers.first)
    for plane in 0..<3 {
      let rows = try Rows(part, plane), divisor = plane > 0 ? 2 : 1
      let expected = Rows(width: 140 / divisor, height: 120 / divisor) { x, y in
        for place in places.reversed() {
          let column = x - place.x / divisor, row = y - place.y / divisor
          if column >= 0, row >= 0, column < rows.width, row < rows.height { return rows[column, row] }
        }
        return [81, 90, 240][plane]
      }
      #expect(try Rows(whole, plane) == expected, "plane \(plane)")
    }
  }

  /// The properties of the image are applied first, then those of the one that is made of it.
  @Test func anImageWithPropertiesOfItsOwn() throws {
    var rotation = ImageRotationProperty()
    rotation.angle = 1
    var mirror = ImageMirrorProperty()
    mirror.axis = 1
    let movie = try Self.movie(
      [Added(id: 9, type: "iden", inputs: [1])],
      properties: [1: [Box("imir", mirror)], 9: [Box("irot", rotation)]])
    let plain = try #require(try MovieFile(path: Self.path).photo().layers.first).rgb()
    let flip = try #require(PictureOrientation(rotation: 0, isMirrored: true))
    let quarter = try #require(PictureOrientation(rotation: 270))
    #expect(try movie.photo(item: 9).layers.first?.rgb() == plain.oriented(flip).oriented(quarter))
  }

  @Test func whatIsRefused() throws {
    func reason(_ items: [Added], _ properties: [UInt32: [Box]] = [:]) throws -> String {
      let movie = try Self.movie(items, properties: properties)
      do {
        _ = try movie.photo(item: 9)
        return "nothing"
      } catch { return error.description }
    }
    let size: [UInt8] = [0, 200, 0, 96]
    #expect(
      try reason([Added(id: 9, type: "grid", body: [0, 0, 0, 1] + size, inputs: [1])])
        == "item 9 is a grid of 2x1 tiles, but refers to 1")
    #expect(
      try reason([Added(id: 9, type: "grid", body: [0, 0, 0, 1] + size, inputs: [1, 2])])
        == "item 2, a part of item 9, has another sample format than the first part")
    #expect(
      try reason([Added(id: 9, type: "grid", body: [0, 0, 0, 0, 255, 255, 255, 255], inputs: [1])])
        == "a picture of 65535x65535 exceeds the maximum size")
    #expect(
      try reason([
        Added(
          id: 9, type: "iovl", body: [0, 0] + [UInt8](repeating: 0, count: 8) + size + [0, 3, 0, 0],
          inputs: [1])
      ]) == "item 1, a part of item 9, is at (3, 0), between two chroma samples, which is not supported")
    #expect(
      try reason([Added(id: 9, type: "iden", inputs: [9])])
        == "item 9 is composed of images with too many levels of composition")
    #expect(try reason([Added(id: 9, type: "iden", inputs: [7])]) == "the file has no item 7")
    #expect(try reason([Added(id: 9, type: "grid", inputs: [1])]).contains("item 9 has no location"))
    #expect(
      try reason([Added(id: 9, type: "grid", body: [0, 0, 0], inputs: [1])]).contains("item 9 ('grid')"))
    #expect(
      try reason([Added(id: 9, type: "av01", body: [1])])
        == "item 9 is 'av01', neither coded as HEVC nor composed of such images")
    var rotation = ImageRotationProperty()
    rotation.angle = 1
    #expect(
      try reason(
        [Added(id: 9, type: "grid", body: [0, 0, 0, 0] + size, inputs: [1])], [1: [Box("irot", rotation)]])
        == "item 9 is composed of images that are rotated, cropped or scaled, which is not supported")
  }

  // MARK: Alpha

  /// An image that hides others where it is opaque is not put over them as if it were opaque everywhere.
  @Test func transparentImagesOfAnOverlayAreRefused() throws {
    let body: [UInt8] = [0, 0] + [UInt8](repeating: 0, count: 8) + [0, 200, 0, 96, 0, 0, 0, 0]
    for isTransparent in [false, true] {
      let movie = try Self.movie(
        [Added(id: 9, type: "iden", inputs: [1]), Added(id: 10, type: "iovl", body: body, inputs: [1])],
        references: isTransparent ? [("auxl", 9, [1])] : [],
        auxiliaryTypes: isTransparent ? [9: "urn:mpeg:hevc:2015:auxid:1"] : [:])
      do {
        _ = try movie.photo(item: 10)
        #expect(!isTransparent)
      } catch { #expect(isTransparent && "\(error)".contains("alpha plane"), "\(error)") }
    }
  }

  /// Luma of the other image, brought to the size of the first, says how opaque it is.
  @Test(arguments: [false, true]) func alpha(isPremultiplied: Bool) throws {
    let plain = try #require(try MovieFile(path: Self.path).photo().layers.first).rgb()
    let references: [(FourCC, UInt32, [UInt32])] =
      [("auxl", 9, [1])] + (isPremultiplied ? [("prem", 1, [9])] : [])
    let movie = try Self.movie(
      [Added(id: 9, type: "iden", inputs: [1])], references: references,
      auxiliaryTypes: [9: "urn:mpeg:hevc:2015:auxid:1"])
    let picture = try #require(try movie.photo().layers.first)
    let luma = try #require(picture.bytes(ofPlane: 0)), found = try picture.rgb()
    #expect(found.hasAlpha && found.channels == 4)
    var opaque = 0
    for pixel in luma.indices {
      let alpha = Double(luma[pixel])
      #expect(found.samples[4 * pixel + 3] == UInt16(luma[pixel]))
      for channel in 0..<3 {
        let colour = Double(plain.samples[3 * pixel + channel])
        let expected = isPremultiplied ? (alpha == 0 ? 0 : min(255, colour * 255 / alpha)) : colour
        #expect(abs(Double(found.samples[4 * pixel + channel]) - expected) <= 0.5)
      }
      if alpha > 0 { opaque += 1 }
    }
    #expect(opaque > 1000)
  }

  @Test func composition() throws {
    let picture = try #require(
      RGBPicture(
        width: 3, height: 1, hasAlpha: true, samples: [200, 100, 0, 255, 200, 100, 0, 0, 200, 100, 0, 51]))
    #expect(
      picture.composed(onRed: 0, green: 50, blue: 255).samples == [200, 100, 0, 0, 50, 255, 40, 60, 204])
    // What cannot be seen does not colour what can: all of the one pixel's weight is the first one's.
    let two = try #require(
      RGBPicture(width: 2, height: 1, hasAlpha: true, samples: [200, 100, 40, 255, 0, 255, 255, 0]))
    let one = try two.scaled(width: 1, height: 1)
    #expect(one.samples[3] == 128 && one.samples[0] == 200 && one.samples[1] <= 101 && one.samples[2] <= 41)
    let left = try #require(RGBPicture(width: 1, height: 1, hasAlpha: true, samples: [1, 2, 3, 4]))
    let right = try #require(RGBPicture(width: 1, height: 1, hasAlpha: true, samples: [5, 6, 7, 8]))
    #expect(try RGBPicture.combining(left: left, right: right, .anaglyph).samples == [1, 6, 7, 8])
    #expect(
      try RGBPicture.combining(left: left, right: right, .sideBySide).samples == [1, 2, 3, 4, 5, 6, 7, 8])
    let flip = try #require(PictureOrientation(rotation: 180))
    #expect(two.oriented(flip).samples == [0, 255, 255, 0, 200, 100, 40, 255])
    #expect(throws: PictureError.self) {
      try RGBPicture.combining(left: left, right: right.composed(onRed: 0, green: 0, blue: 0), .overUnder)
    }
  }
}
