// swift-multiview · SPDX-License-Identifier: Apache-2.0

import BoxCatalogue
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
    mirror.axis = 0
    let quarter = try #require(PictureOrientation(rotation: 270))
    let flip = try #require(PictureOrientation(rotation: 0, isMirrored: true))
    let turned = try Self.photo([Box("irot", rotation)])
    #expect(turned == plain.oriented(quarter))
    #expect(try Self.photo([Box("imir", mirror)]) == plain.oriented(flip))
    #expect(
      try Self.photo([Box("irot", rotation), Box("imir", mirror)]) == plain.oriented(quarter).oriented(flip))
    #expect(
      try Self.photo([Box("imir", mirror), Box("irot", rotation)]) == plain.oriented(flip).oriented(quarter))
    mirror.axis = 1
    let over = try #require(PictureOrientation(rotation: 180, isMirrored: true))
    #expect(try Self.photo([Box("imir", mirror)]) == plain.oriented(over))
    let part = plain.cropped(to: .init(x: 2, y: 1, width: plain.width - 4, height: plain.height - 2))
    #expect(try Self.photo([Box("clap", aperture), Box("irot", rotation)]) == part.oriented(quarter))
    #expect(throws: PictureError.self) { try Self.photo([Box("irot", rotation), Box("clap", aperture)]) }
  }

  /// The primary image of the fixture with more properties.
  static func photo(_ properties: [Box]) throws -> RGBPicture {
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
    return try #require(try MovieFile(edited: tree).photo().layers.first).rgb()
  }
}
