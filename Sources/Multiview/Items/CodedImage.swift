// swift-multiview · SPDX-License-Identifier: Apache-2.0

import BoxCatalogue
public import ByteCoding
public import FileAccess
public import HEVC
import ISOBMFF

/// An image of a file that is coded as HEVC: an item with a configuration record, such as the primary image,
/// its thumbnail, or a tile of a larger image. ISO/IEC 23008-12, annex B
public struct CodedImage: Sendable {
  /// The item ID.
  public let id: UInt32
  /// The item type: `hvc1` for an image of one layer, `lhv1` for one of several layers.
  public let type: FourCC
  /// The eye that sees it, if it belongs to a stereo pair; otherwise `nil`.
  public let eye: StereoEye?
  /// The parameter sets that precede it, those of the base layer first.
  public let configurationUnits: [NALUnit]
  /// Why it cannot be read; `nil` if it can.
  public var obstacle: String? { bytes.obstacle }

  /// The layer that the image selects (`lsel`); `nil` if it selects none.
  package let selectedLayer: UInt8?

  private let lengthSize: Int
  private let bytes: ItemBytes

  /// Whether pictures of other layers than the base layer belong to the image.
  public var hasLayers: Bool { type == "lhv1" }

  /// The eye that sees one of its layers.
  package func eye(ofLayer layer: UInt8) -> StereoEye? { layer == selectedLayer ?? layer ? eye : nil }

  /// Returns its NAL units, and the error in their framing, if any.
  ///
  /// - Throws: `SourceError` if the file cannot be read, or the image has more bytes than the limits allow.
  public func nalUnits() throws(SourceError) -> (units: [NALUnit], error: ParseError?) {
    var units: [NALUnit] = []
    for result in LengthPrefixedNALUnits(ByteView(try bytes.read()), lengthSize: lengthSize) {
      do { units.append(try result.get()) } catch { return (units, error) }
    }
    return (units, nil)
  }
}

extension MovieFile {
  /// The images of the file that are coded as HEVC, in the order of the file, including those that others are
  /// derived from.
  public var codedImages: [CodedImage] {
    guard let tree, let meta = tree.first("meta"), let items = ItemCollection(meta, in: tree) else {
      return []
    }
    let configurations = ImageConfigurations(meta, in: tree)
    let locations = ItemLocations(meta, in: tree, of: self)
    let pairs = items.stereoPairs
    return items.items.compactMap { item in
      guard let type = item.type, let configuration = configurations[item.id] else { return nil }
      let eye: StereoEye? =
        pairs.contains { $0.left == item.id } ? .left : pairs.contains { $0.right == item.id } ? .right : nil
      return CodedImage(configuration, locations[item.id], type: type, eye: eye)
    }
  }
}

extension CodedImage {
  fileprivate init(
    _ configuration: ImageConfigurations.Configuration, _ bytes: ItemBytes, type: FourCC, eye: StereoEye?
  ) {
    id = bytes.id
    self.type = type
    self.eye = eye
    self.bytes = bytes
    selectedLayer = configuration.selectedLayer
    configurationUnits = configuration.units
    lengthSize = configuration.lengthSize
  }
}

/// The configuration records of the items of a file.
private struct ImageConfigurations {
  struct Configuration {
    var units: [NALUnit]
    /// How many bytes the length of a NAL unit has.
    var lengthSize: Int
    var selectedLayer: UInt8?
  }

  private var configurations: [UInt32: Configuration] = [:]

  subscript(id: UInt32) -> Configuration? { configurations[id] }

  init(_ meta: Box, in tree: BoxTree) {
    let properties = ItemProperties(meta, in: tree)
    // Any number of items may share a record: each is read once.
    let records = properties.all.map { ConfigurationRecord(tree.whole($0)) }
    properties.forEach { item, index in
      if let record = records[index] { take(record, item) }
    }
    let selectors = properties.all.map { tree.whole($0).payload(LayerSelectorProperty.self)?.layerID }
    properties.forEach { item, index in
      if let layer = selectors[index] { configurations[item]?.selectedLayer = UInt8(exactly: layer) }
    }
  }

  private mutating func take(_ record: ConfigurationRecord, _ id: UInt32) {
    guard var configuration = configurations[id] else {
      configurations[id] = Configuration(units: record.units, lengthSize: record.lengthSize)
      return
    }
    if record.isOfBase {
      configuration.lengthSize = record.lengthSize
      configuration.units = record.units + configuration.units
    } else {
      configuration.units += record.units
    }
    configurations[id] = configuration
  }
}

/// A configuration record among the properties.
private struct ConfigurationRecord {
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
