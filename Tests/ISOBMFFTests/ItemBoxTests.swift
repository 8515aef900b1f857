// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import TestSupport
import Testing

/// Bytes written by hand from ISO/IEC 14496-12 and 23008-12.
@Suite struct ItemBoxTests {
  typealias Extent = ItemLocationBox.Extent

  @Test func locationsOfVersion0() throws {
    // Four bytes for offset, length and base; two items, the second with two extents.
    let iloc = try payload(
      "iloc", in: .box("meta"),
      """
      00000000 4440 0002
      0001 0000 00000100 0001 00000010 00000020
      0002 0001 00000000 0002 00000000 00000005 00000009 00000000
      """, as: ItemLocationBox.self)
    #expect(iloc.items.map(\.itemID) == [1, 2])
    #expect(iloc.items.map(\.baseOffset) == [256, 0])
    #expect(iloc.items.map(\.dataReferenceIndex) == [0, 1])
    #expect(iloc.items.first?.extents == [Extent(offset: 16, length: 32)])
    #expect(iloc.items.last?.extents == [Extent(offset: 0, length: 5), Extent(offset: 9, length: 0)])
  }

  @Test func locationsOfVersion1() throws {
    // No base; eight bytes of offset, four of length, four of index; built from the item data.
    let iloc = try payload(
      "iloc", in: .box("meta"),
      "01000000 8404 0001 0003 0001 0000 0001 00000002 0000000100000000 00000008", as: ItemLocationBox.self)
    #expect(iloc.items.first?.constructionMethod == .itemData)
    #expect(iloc.items.first?.extents == [Extent(offset: 1 << 32, length: 8, itemReferenceIndex: 2)])
  }

  @Test func locationsOfVersion2() throws {
    let iloc = try payload(
      "iloc", in: .box("meta"), "02000000 4400 00000001 00011170 F002 0000 0001 00000000 00000008",
      as: ItemLocationBox.self)
    #expect(iloc.items.first?.itemID == 70_000)
    #expect(iloc.items.first?.constructionMethod == .item && iloc.items.first?.reserved == 0xF00)
    #expect(iloc.items.first?.extents == [Extent(offset: 0, length: 8)])
  }

  @Test func locationsWithoutAnyWidth() throws {
    // All sizes 0: an extent takes no bits, even as many as can be.
    let iloc = try payload(
      "iloc", in: .box("meta"), "00000000 0000 0001 0001 0000 FFFF", as: ItemLocationBox.self)
    #expect(iloc.items.first?.extents.isEmpty == true && iloc.items.first?.bareExtentCount == 0xFFFF)
  }

  @Test func locationsThatAreDamaged() throws {
    func fails(_ hex: String) throws -> ParseError? {
      try decode("iloc", in: .box("meta"), ByteView(hex: hex)).error
    }
    #expect(try fails("00000000 9440 0000")?.code == .outOfRange(value: 9, allowed: 0...8))
    #expect(try fails("03000000 4440 0000")?.code == .unsupportedVersion(3))
    #expect(
      try fails("00000000 4440 FFFF 0001 0000")?.code == .countExceedsData(count: 0xFFFF, availableBits: 32))
    #expect(try fails("00000000 4400 0001 0001 0000 0002 00000000 00000008")?.field == "items[0].extents")
  }

  @Test func informationOfEveryVersion() throws {
    func infe(_ hex: String) throws -> ItemInfoEntryBox {
      try payload("infe", in: .box("iinf"), hex, as: ItemInfoEntryBox.self)
    }
    // "a", "t", and nothing more.
    let version0 = try infe("00000000 0001 0002 6100 7400")
    #expect(version0.itemID == 1 && version0.itemProtectionIndex == 2)
    #expect(version0.itemName.text == "a" && version0.contentType.text == "t")
    #expect(version0.contentEncoding == nil)
    // The same with an encoding, and an extension with a length of 5 and group 7.
    let version1 = try infe(
      "01000000 0001 0002 6100 7400 6700 6664656C 6C00 00 0000000000000005 0000000000000006 01 00000007")
    #expect(version1.contentEncoding?.text == "g")
    #expect(version1.fileDelivery?.contentLocation.text == "l")
    #expect(version1.fileDelivery?.contentLength == 5 && version1.fileDelivery?.groupIDs == [7])
    // A hidden HEVC image.
    let version2 = try infe("02000001 0005 0000 68766331 00")
    #expect(version2.itemType == "hvc1" && version2.flags & 1 == 1)
    // A number over 65535, and a media type.
    let version3 = try infe("03000000 00011170 0000 6D696D65 00 612F6200")
    #expect(version3.itemID == 70_000 && version3.contentType.text == "a/b")
    #expect(version3.contentEncoding == nil)
    // The text is cut off without its zero byte: it is what it is.
    let open = try infe("02000000 0005 0000 6D696D65 4558 ")
    #expect(open.itemName.text == "EX" && !open.itemName.isTerminated && !open.contentType.isTerminated)
    #expect(try infe("02000000 0005 0000 75726920 00 753A00").itemURIType.text == "u:")
    #expect(try decode("infe", in: .box("iinf"), ByteView(hex: "02000000 0005 00")).error != nil)
  }

  @Test func propertiesOfItems() throws {
    // Item 1 has properties 1 (essential) and 2, item 2 none.
    let short = try payload(
      "ipma", in: .box("iprp"), "00000000 00000002 0001 02 81 02 0002 00", as: ItemPropertyAssociationBox.self
    )
    #expect(short.entries.map(\.itemID) == [1, 2])
    #expect(short.entries.first?.associations == [.init(1, isEssential: true), .init(2)])
    // Wide identifiers and wide indices: property 300, essential.
    let wide = try payload(
      "ipma", in: .box("iprp"), "01000001 00000001 00011170 01 812C", as: ItemPropertyAssociationBox.self)
    #expect(wide.entries.first?.itemID == 70_000)
    #expect(wide.entries.first?.associations == [.init(300, isEssential: true)])
    let damaged = try decode("ipma", in: .box("iprp"), ByteView(hex: "00000000 00000001 0001 03 81 02"))
    #expect(damaged.error?.field == "entries[0].associations")
    #expect(damaged.error?.code == .countExceedsData(count: 3, availableBits: 16))
  }

  @Test func referencesAreAsWideAsTheirParentSays() throws {
    let short = "0003 0002 0001 0002", long = "00011170 0001 00000001"
    let narrow = try payload("dimg", in: .box("iref"), short, as: SingleItemReferenceBox.self)
    #expect(narrow.fromItemID == 3 && narrow.toItemIDs == [1, 2])
    let wide = try payload("auxl", in: .box("iref"), long, as: SingleItemReferenceBox.self, parentVersion: 1)
    #expect(wide.fromItemID == 70_000 && wide.toItemIDs == [1])
    // The version lies: only one reading fits.
    #expect(
      try payload("dimg", in: .box("iref"), short, as: SingleItemReferenceBox.self, parentVersion: 1)
        == narrow)
    #expect(try payload("auxl", in: .box("iref"), long, as: SingleItemReferenceBox.self) == wide)
  }

  @Test func groupsAndSmallProperties() throws {
    let group = try payload(
      "ster", in: .box("grpl"), "00000000 00000009 00000002 00000001 00000002", as: EntityToGroupBox.self)
    #expect(group.groupID == 9 && group.entityIDs == [1, 2] && group.data.isEmpty)
    let size = try payload(
      "ispe", in: .box("ipco"), "00000000 00000FC0 00000BD0", as: ImageSpatialExtentsProperty.self)
    #expect(size.width == 4_032 && size.height == 3_024)
    #expect(try payload("irot", in: .box("ipco"), "03", as: ImageRotationProperty.self).angle == 3)
    #expect(try payload("irot", in: .box("ipco"), "FE", as: ImageRotationProperty.self).reserved == 0x3F)
    #expect(
      try payload("pitm", in: .box("meta"), "01000000 00011170", as: PrimaryItemBox.self).itemID == 70_000)
  }

  /// ISO/IEC 23008-12, 6.5.39 and 6.5.40
  @Test func camerasOfImages() throws {
    let simple = try payload(
      "cmin", in: .box("ipco"), "00001000 0000C350 00008000 00008000", as: CameraIntrinsicMatrixProperty.self)
    #expect(simple.focalLengthX == 50_000 && simple.principalPointX == 32_768 && simple.fractionBits == 16)
    #expect(simple.focalLengthY == nil && simple.skewFactor == nil)
    let full = try payload(
      "cmin", in: .box("ipco"), "00081001 0000C350 00008000 00008000 0001046B FFFFFFFF",
      as: CameraIntrinsicMatrixProperty.self)
    #expect(full.focalLengthY == 66_667 && full.skewFactor == -1 && full.skewFractionBits == 8)
    let shift = try payload(
      "cmex", in: .box("ipco"), "00000001 00004B28", as: CameraExtrinsicMatrixProperty.self)
    #expect(shift.positionX == 19_240 && shift.positionY == nil && shift.quaternionX == nil)
    let turned = try payload(
      "cmex", in: .box("ipco"), "00000029 FFFFB4D8 0000 FF5C 0001 00000007",
      as: CameraExtrinsicMatrixProperty.self)
    #expect(turned.positionX == -19_240 && turned.quaternionY == -164 && turned.quaternionZ == 1)
    #expect(turned.worldCoordinateSystemID == 7)
    let wide = try payload(
      "cmex", in: .box("ipco"), "00000018 00000000 20000000 00000000", as: CameraExtrinsicMatrixProperty.self)
    #expect(wide.quaternionY == 1 << 29 && wide.positionX == nil)
    let angles = try payload(
      "cmex", in: .box("ipco"), "01000008 005A0000 00000000 FFFF0000", as: CameraExtrinsicMatrixProperty.self)
    #expect(angles.angles?.yaw == 90 << 16 && angles.angles?.roll == -65_536 && angles.quaternionX == nil)
  }
}
