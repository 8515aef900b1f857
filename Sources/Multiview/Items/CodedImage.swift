// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import FileAccess
public import HEVC
import ISOBMFF

/// An image of a file whose samples are coded as HEVC: an item with a configuration record, such as the image to show first,
/// its thumbnail, or a tile of a larger one. ISO/IEC 23008-12, annex B
public struct CodedImage: Sendable {
  /// The number by which the file knows the item.
  public let id: UInt32
  /// What it is: `hvc1` is an image of one layer, `lhv1` one of several.
  public let type: FourCC
  /// The eye that sees it, where it belongs to a stereo pair.
  public let eye: StereoEye?
  /// The parameter sets that precede it, those of the base layer first.
  public let configurationUnits: [NALUnit]
  /// Why it cannot be read; `nil` where it can.
  public let obstacle: String?

  private let lengthSize: Int
  private let pieces: [Range<UInt64>]
  private let source: any ByteSource
  private let limit: Int

  /// Whether pictures of other layers than the base layer belong to the image.
  public var hasLayers: Bool { type == "lhv1" }

  /// Its NAL units, and what is wrong with their framing.
  ///
  /// - Throws: `SourceError` where the file cannot be read, or the image has more bytes than the limits allow.
  public func nalUnits() throws(SourceError) -> (units: [NALUnit], error: ParseError?) {
    var bytes: [UInt8] = []
    for piece in pieces {
      guard piece.count <= limit - bytes.count else {
        throw SourceError(
          .other("item \(id) has more than \(limit) bytes (maximumSampleBytes)"), offset: piece.lowerBound)
      }
      let found = try source.read(piece)
      bytes += found.array
      guard found.count == piece.count else { break }
    }
    var units: [NALUnit] = []
    for result in LengthPrefixedNALUnits(ByteView(bytes), lengthSize: lengthSize) {
      do { units.append(try result.get()) } catch { return (units, error) }
    }
    return (units, nil)
  }
}

extension MovieFile {
  /// The images of the file that are coded as HEVC, in the order of the file: those that others are made of, too.
  public var codedImages: [CodedImage] {
    guard let tree, let meta = tree.first("meta"), let items = ItemCollection(meta, in: tree) else {
      return []
    }
    let records = ItemRecords(meta, in: tree)
    let pairs = items.stereoPairs
    return items.items.compactMap { item in
      guard let type = item.type, let record = records[item.id], record.lengthSize != nil else { return nil }
      let eye: StereoEye? =
        pairs.contains { $0.left == item.id } ? .left : pairs.contains { $0.right == item.id } ? .right : nil
      return CodedImage(record, id: item.id, type: type, eye: eye, in: self)
    }
  }
}

extension CodedImage {
  fileprivate init(
    _ record: ItemRecords.Record, id: UInt32, type: FourCC, eye: StereoEye?, in movie: MovieFile
  ) {
    self.id = id
    self.type = type
    self.eye = eye
    configurationUnits = record.units
    lengthSize = record.lengthSize ?? 4
    source = movie.source
    limit = movie.limits.maximumSampleBytes
    (pieces, obstacle) = record.places(fileSize: movie.source.size)
  }
}

/// What a file says of how its items are coded, and where they are.
private struct ItemRecords {
  struct Record {
    var units: [NALUnit] = []
    /// How many bytes the length of a NAL unit has; `nil` for an item without a configuration record.
    var lengthSize: Int?
    var isProtected = false
    var location: ItemLocationBox.Item?
    /// Where the bytes of `idat` are.
    var itemData: Range<UInt64>?

    /// The bytes of the item in the file, or why they are not there.
    func places(fileSize: UInt64?) -> ([Range<UInt64>], String?) {
      if isProtected { return ([], "is encrypted") }
      guard let location else { return ([], "has no place in the file (iloc)") }
      guard location.dataReferenceIndex == 0 else { return ([], "is in another file") }
      let room: Range<UInt64>
      switch location.constructionMethod {
      case .file: room = 0..<min(fileSize ?? .max, UInt64(Int64.max))
      case .itemData:
        guard let itemData else { return ([], "is in an idat box that is missing") }
        room = itemData
      default: return ([], "is put together from other items")
      }
      var extents = location.extents
      if extents.isEmpty, location.bareExtentCount > 0 { extents = [ItemLocationBox.Extent()] }
      var pieces: [Range<UInt64>] = []
      for extent in extents {
        let (start, isTooFar) = location.baseOffset.addingReportingOverflow(extent.offset)
        guard !isTooFar, start <= room.upperBound - room.lowerBound else {
          return ([], "lies beyond the end of the file")
        }
        let first = room.lowerBound + start
        let length = extent.length == 0 ? room.upperBound - first : extent.length
        guard length <= room.upperBound - first else { return ([], "lies beyond the end of the file") }
        pieces.append(first..<(first + length))
      }
      return (pieces, nil)
    }
  }

  private var records: [UInt32: Record] = [:]

  subscript(id: UInt32) -> Record? { records[id] }

  init(_ meta: Box, in tree: BoxTree) {
    guard let properties = meta.first("iprp") else { return }
    // Any number of items may share a record: each is read once.
    let all = (properties.first("ipco")?.children ?? []).map { Configuration(tree.whole($0)) }
    for box in properties.all("ipma") {
      for entry in tree.whole(box).payload(ItemPropertyAssociationBox.self)?.entries ?? [] {
        for association in entry.associations {
          // Properties are counted from 1.
          let index = Int(association.propertyIndex) - 1
          if all.indices.contains(index), let found = all[index] { take(found, entry.itemID) }
        }
      }
    }
    let itemData = meta.first("idat").map { box -> Range<UInt64> in
      let range = box.fileRange, start = min(range.upperBound, range.lowerBound + box.headerSize)
      return UInt64(clamping: start)..<UInt64(clamping: range.upperBound)
    }
    for location in tree.first(ItemLocationBox.self, in: meta)?.items ?? [] {
      guard records[location.itemID]?.location == nil else { continue }
      records[location.itemID]?.location = location
      records[location.itemID]?.itemData = itemData
    }
    for box in meta.first("iinf")?.all("infe") ?? [] {
      guard let entry = tree.whole(box).payload(ItemInfoEntryBox.self) else { continue }
      records[entry.itemID]?.isProtected = entry.itemProtectionIndex != 0
    }
  }

  private mutating func take(_ found: Configuration, _ id: UInt32) {
    var record = records[id] ?? Record()
    if found.isOfBase {
      record.lengthSize = found.lengthSize
      record.units = found.units + record.units
    } else {
      record.lengthSize = record.lengthSize ?? found.lengthSize
      record.units += found.units
    }
    records[id] = record
  }
}

/// A configuration record among the properties.
private struct Configuration {
  let isOfBase: Bool
  let lengthSize: Int
  let units: [NALUnit]

  /// `nil` for another property.
  init?(_ property: Box) {
    if let box = property.payload(HEVCConfigurationBox.self) {
      (isOfBase, lengthSize, units) = (true, box.record.lengthSize, box.record.nalUnits)
    } else if let box = property.payload(LHEVCConfigurationBox.self) {
      (isOfBase, lengthSize, units) = (false, box.record.lengthSize, box.record.nalUnits)
    } else {
      return nil
    }
  }
}
