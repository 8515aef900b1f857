// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import ISOBMFF

extension ImageSpatialExtentsProperty: ExampleProviding {
  package static var examples: [ImageSpatialExtentsProperty] {
    var sample = ImageSpatialExtentsProperty()
    sample.width = 4_032
    sample.height = 3_024
    return [sample]
  }
}

extension AuxiliaryTypeProperty: ExampleProviding {
  package static var examples: [AuxiliaryTypeProperty] {
    var sample = AuxiliaryTypeProperty()
    sample.auxType = TerminatedString("urn:mpeg:hevc:2015:auxid:2")
    sample.auxSubtype = ByteView([0x4E, 0x01, 0xB1])
    return [sample]
  }
}

extension ItemInfoBox: ExampleProviding {
  package static var examples: [ItemInfoBox] {
    var long = ItemInfoBox()
    long.version = 1
    var odd = long
    odd.version = 2
    return [ItemInfoBox(), long, odd]
  }
}

extension ItemInfoEntryBox: ExampleProviding {
  package static var examples: [ItemInfoEntryBox] {
    var image = ItemInfoEntryBox()
    image.itemID = 1
    var hidden = image
    hidden.version = 3
    hidden.flags = 1
    hidden.itemID = 70_000
    hidden.itemName = TerminatedString("right eye")
    var mime = image
    mime.itemType = "mime"
    mime.contentType = TerminatedString("application/rdf+xml")
    var zipped = mime
    zipped.contentEncoding = TerminatedString("deflate")
    var uri = image
    uri.itemType = "uri "
    uri.itemURIType = TerminatedString("urn:com:apple:photo:2020:aux:hdrgainmap")
    var old = ItemInfoEntryBox()
    old.version = 0
    old.itemID = 2
    old.contentType = TerminatedString("text/plain")
    var file = old
    file.version = 1
    file.contentEncoding = TerminatedString("gzip")
    file.extensionType = "fdel"
    var delivery = FileDeliveryItemExtension()
    delivery.contentLength = 4_096
    delivery.groupIDs = [1, 2]
    file.fileDelivery = delivery
    var other = file
    other.extensionType = "abcd"
    other.fileDelivery = nil
    other.otherExtension = ByteView([1, 2, 3])
    var noExtension = old
    noExtension.version = 1
    return [image, hidden, mime, zipped, uri, old, noExtension, file, other]
  }
}

extension PrimaryItemBox: ExampleProviding {
  package static var examples: [PrimaryItemBox] {
    var long = PrimaryItemBox()
    long.version = 1
    long.itemID = 70_000
    return [PrimaryItemBox(), long]
  }
}

extension ItemProtectionBox: ExampleProviding {
  package static var examples: [ItemProtectionBox] { [ItemProtectionBox()] }
}

extension ItemDataBox: ExampleProviding {
  package static var examples: [ItemDataBox] {
    var sample = ItemDataBox()
    sample.data = ByteView([0, 0, 1, 1, 2, 128, 1, 224])
    return [ItemDataBox(), sample]
  }
}

extension ItemLocationBox: ExampleProviding {
  package static var examples: [ItemLocationBox] {
    var simple = ItemLocationBox()
    var item = Item()
    item.itemID = 1
    item.extents = [Extent(offset: 1_000, length: 2_000)]
    simple.items = [item]

    var constructed = ItemLocationBox()
    constructed.version = 1
    constructed.baseOffsetSize = 8
    constructed.indexSize = 4
    item.constructionMethod = .item
    item.baseOffset = 16
    item.extents = [
      Extent(offset: 0, length: 20, itemReferenceIndex: 1),
      Extent(offset: 20, length: 0, itemReferenceIndex: 2),
    ]
    constructed.items = [item]

    var long = ItemLocationBox()
    long.version = 2
    long.offsetSize = 8
    long.lengthSize = 8
    item = Item()
    item.itemID = 70_000
    item.constructionMethod = .itemData
    item.extents = [Extent(offset: 0, length: 8)]
    long.items = [item]

    var bare = ItemLocationBox()
    bare.offsetSize = 0
    bare.lengthSize = 0
    bare.baseOffsetSize = 4
    item = Item()
    item.itemID = 1
    item.baseOffset = 512
    item.bareExtentCount = 1
    bare.items = [item]
    return [simple, constructed, long, bare]
  }
}

extension ItemPropertyAssociationBox: ExampleProviding {
  package static var examples: [ItemPropertyAssociationBox] {
    var short = ItemPropertyAssociationBox()
    short.entries = [
      Entry(itemID: 1, [Association(1, isEssential: true), Association(2)]), Entry(itemID: 2, []),
    ]
    var long = ItemPropertyAssociationBox()
    long.version = 1
    long.flags = 1
    long.entries = [Entry(itemID: 70_000, [Association(300, isEssential: true), Association(127)])]
    return [short, long]
  }
}

extension ItemReferenceBox: ExampleProviding {
  package static var examples: [ItemReferenceBox] {
    var long = ItemReferenceBox()
    long.version = 1
    return [ItemReferenceBox(), long]
  }
}

extension SingleItemReferenceBox: ExampleProviding {
  package static var examples: [SingleItemReferenceBox] {
    var sample = SingleItemReferenceBox()
    sample.fromItemID = 3
    sample.toItemIDs = [1, 2]
    var long = sample
    long.hasLongIdentifiers = true
    long.fromItemID = 70_000
    return [sample, long]
  }
}

extension EntityToGroupBox: ExampleProviding {
  package static var examples: [EntityToGroupBox] {
    var sample = EntityToGroupBox()
    sample.entityIDs = [1, 2]
    var more = sample
    more.data = ByteView([0, 1])
    return [sample, more]
  }
}
