// swift-multiview · SPDX-License-Identifier: Apache-2.0

import BoxCatalogue
import ByteCoding
import CommandLineSupport
import ISOBMFF
import Multiview
import TestSupport
import Testing

/// The images of a file of images: two pictures of streams whose pictures are known.
@Suite struct ImagePicturesTests {
  private static let photo = Fixtures.path("pictures/photo.heic")

  @Test func eachImageIsDecoded() throws {
    let lines = mvdump("pictures", "--csv", Self.photo).lines
    let rows = lines.dropFirst().map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let image = try #require(PictureTruth.fixtures["intra_d"]?.first)
    let thumbnail = try #require(PictureTruth.fixtures["rx_444_8"]?.first)
    try #require(rows.count == 2)
    // No track, then the number of the item.
    #expect(rows.map { $0[1...2].joined(separator: ",") } == [",1", ",2"])
    #expect(rows.map { $0[12...14].map(String.init) } == [image.hashes, thumbnail.hashes])
    #expect(rows.allSatisfy { $0[15] == "match" })
  }

  @Test(arguments: ["pictures", "verify"]) func documents(command: String) throws {
    let schema = try #require(JSONSchema(named: command))
    let run = mvdump(command, "--json", Self.photo)
    #expect(SchemaTests.check(run, schema, command))
    #expect(run.output.contains("\"images\""))
  }

  @Test func imagesAreVerified() {
    let run = mvdump("verify", Self.photo)
    #expect(run.code == .success)
    #expect(run.lines.count == 2)
    #expect(run.lines.first?.hasPrefix("item 1  layer 0  1 picture  1 hash matches  ok") == true)
  }

  /// Where samples are chosen, images are not.
  @Test func samplesAreNoImages() {
    let run = mvdump("pictures", "--samples", "0", Self.photo)
    #expect(run.errors.contains("has no HEVC track"))
  }

  /// The photo with its images as a pair: cameras that see 90 degrees, one 63 mm to the right of the other.
  static func spatialPhoto() throws -> [UInt8] {
    var tree = BoxTree(ByteView(try #require(contents(photo))), registry: .standard)
    var lens = CameraIntrinsicMatrixProperty()
    (lens.flags, lens.focalLengthX) = (16 << 8, 1 << 15)
    var right = CameraExtrinsicMatrixProperty()
    (right.flags, right.positionX) = (1, 63_000)
    let properties = [
      (1, Box("cmin", lens)), (2, Box("cmin", lens)),
      (1, Box("cmex", CameraExtrinsicMatrixProperty())), (2, Box("cmex", right)),
    ]
    for (id, property) in properties {
      let count = try #require(tree["meta/iprp/ipco"]).children.count
      try tree.insert(property, in: "meta/iprp/ipco")
      try tree.edit("meta/iprp/ipma", ItemPropertyAssociationBox.self) { box in
        guard let place = box.entries.firstIndex(where: { $0.itemID == id }) else { return }
        box.entries[place].associations.append(.init(UInt16(count + 1)))
      }
    }
    var pair = EntityToGroupBox()
    (pair.groupID, pair.entityIDs) = (30, [1, 2])
    try tree.insert(Box("grpl", children: [Box("ster", pair)]), in: "meta")
    return try tree.encoded()
  }

  @Test func camerasOfASpatialPhoto() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("spatial.heic", try Self.spatialPhoto())
    let screen = mvdump("info", path).lines
    #expect(
      screen.last
        == "  spatial photo: left eye item 1, right eye item 2, 90° field of view, 63 mm baseline")
    let run = mvdump("info", "--json", path)
    #expect(SchemaTests.check(run, try #require(JSONSchema(named: "info")), "info"))
    let found = try #require(run.json?["items"]?["stereoPairs"]?.elements.first)
    #expect(found["horizontalFieldOfView"]?.integer == 90_000 && found["baseline"]?.integer == 63_000)
    #expect(run.json?["classification"]?.text == "spatialPhoto")
    for kind in ["spatial", "stereo"] { #expect(mvdump("probe", "--is", kind, path).code == .success) }
    for kind in ["immersive", "multiview"] { #expect(mvdump("probe", "--is", kind, path).code == .no) }
    let check = mvdump("check", path).lines
    #expect(check.contains("  spatial    pass    predicted: treated as a spatial photo [inferred]"))
    // The images of the fixture are of two sizes.
    #expect(check.contains { $0.hasPrefix("warning MV118") })
  }
}
