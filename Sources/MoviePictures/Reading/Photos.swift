// swift-multiview · SPDX-License-Identifier: Apache-2.0

import BoxCatalogue
import HEVC
import HEVCDecoding
import ISOBMFF
public import Multiview

extension MovieFile {
  /// The pictures of a photo: both eyes of its first stereo pair, else the primary image, with all of its layers.
  ///
  /// The sample of the group is the number of the item; there is no time. Rotation, mirroring, clean aperture, the shape of pixels
  /// and the colours are those of the item's properties.
  ///
  /// - Throws: ``PictureError/unsupported(_:)`` where the file has no image that is coded as HEVC, or its primary image is put
  ///   together from others; ``PictureError/notDecoded(sample:reason:)``, ``PictureError/unreadable(_:)``.
  public func photo() throws(PictureError) -> PictureGroup {
    let images = codedImages
    guard !images.isEmpty else { throw .unsupported("has no image that is coded as HEVC") }
    if let left = images.first(where: { $0.eye == .left }),
      let right = images.first(where: { $0.eye == .right })
    {
      let pictures = try pictures(of: left) + pictures(of: right)
      return PictureGroup(
        presentationTime: nil, duration: nil, sample: Int(left.id), layers: pictures, halves: [])
    }
    let primary = items?.primaryItemID
    guard let image = images.first(where: { $0.id == primary }) else {
      let type = primary.flatMap { items?[$0]?.type }.map { "'\($0)'" } ?? "missing"
      throw .unsupported(
        "the primary image is \(type), put together from other images or of another codec: that is not rendered"
      )
    }
    return PictureGroup(
      presentationTime: nil, duration: nil, sample: Int(image.id), layers: try pictures(of: image), halves: []
    )
  }

  /// The pictures of an image, by ascending layer.
  private func pictures(of image: CodedImage) throws(PictureError) -> [Picture] {
    let item = Int(image.id)
    if let obstacle = image.obstacle {
      throw .unsupported("item \(image.id) \(obstacle)")
    }
    var options = HEVCDecoder.Options()
    options.checksHashes = false
    // Its data may hold further layers, which belong to another item.
    if !image.hasLayers { options.layers = [0] }
    let decoder = HEVCDecoder(options)
    decoder.insert(parameterSets: image.configurationUnits)
    let units: [NALUnit], error: (any Error)?
    do { (units, error) = try image.nalUnits() } catch { throw .unreadable(error) }
    let decoded = decoder.decode(units, tag: item) + decoder.finish()
    guard !decoded.isEmpty else {
      let reason = decoder.takeFailures().first.map { "layer \($0.layerID): \($0.problem)" }
      throw .notDecoded(sample: item, reason: reason ?? error.map { "\($0)" } ?? "the item has no picture")
    }
    let look = try PictureLook(image, in: self, decoded[0].size)
    return decoded.map { Picture($0, eye: image.eye, look) }
  }
}

extension PictureLook {
  /// What the properties of an item say; for what they leave open, what the stream says, and then what is customary for photos:
  /// BT.601 in full range. ISO/IEC 23000-22, 7.3.6.4
  fileprivate init(_ image: CodedImage, in movie: MovieFile, _ size: PictureSize) throws(PictureError) {
    var store = ParameterSetStore()
    for unit in image.configurationUnits { store.insert(unit) }
    let vui = store.firstSequenceParameterSet(ofLayer: 0)?.content.vui
    chromaLocation = vui?.chromaLocation.map { Int(clamping: $0.topField) }
    var isTurned = false
    var rotation = 0, isMirrored = false
    for property in movie.properties(ofItem: image.id) {
      if let box = property.payload(ColourInformationBox.self), box.colourType == "nclx" {
        colour.primaries = Self.known(box.colourPrimaries)
        colour.transfer = Self.known(box.transferCharacteristics)
        colour.matrix = Self.known(box.matrixCoefficients)
        colour.isFullRange = box.isFullRange
      } else if let box = property.payload(PixelAspectRatioBox.self) {
        geometry.pixelShape =
          DisplayGeometry.PixelShape(width: Int(clamping: box.hSpacing), height: Int(clamping: box.vSpacing))
          ?? .square
      } else if let box = property.payload(CleanApertureBox.self) {
        guard !isTurned else {
          throw .unsupported("item \(image.id) is turned before it is cut to its clean aperture")
        }
        geometry.aperture = box
      } else if let box = property.payload(ImageRotationProperty.self) {
        // Quarter turns against the clock.
        rotation -= 90 * Int(box.angle & 3)
        isTurned = true
      } else if let box = property.payload(ImageMirrorProperty.self) {
        // To be mirrored after a turn is to be mirrored before the opposite turn.
        rotation = -rotation
        isMirrored.toggle()
        if box.axis & 1 == 1 { rotation += 180 }
        isTurned = true
      }
    }
    geometry.orientation = PictureOrientation(rotation: rotation, isMirrored: isMirrored) ?? .upright
    let signal = vui?.videoSignalType
    colour.primaries = colour.primaries ?? signal?.colour.flatMap { Self.known(UInt16($0.colourPrimaries)) }
    colour.transfer =
      colour.transfer ?? signal?.colour.flatMap { Self.known(UInt16($0.transferCharacteristics)) }
    colour.matrix = colour.matrix ?? signal?.colour.flatMap { Self.known(UInt16($0.matrixCoeffs)) } ?? 6
    colour.isFullRange = colour.isFullRange ?? signal?.videoFullRangeFlag ?? true
  }

  /// 2 leaves it open.
  private static func known(_ code: UInt16) -> Int? { code == 2 ? nil : Int(code) }
}

extension MovieFile {
  /// The properties of an item, in the order in which they are applied.
  fileprivate func properties(ofItem id: UInt32) -> [Box] {
    guard let tree, let properties = tree.first("meta")?.first("iprp") else { return [] }
    let all = properties.first("ipco")?.children ?? []
    var found: [Box] = []
    for box in properties.all("ipma") {
      for entry in tree.whole(box).payload(ItemPropertyAssociationBox.self)?.entries ?? []
      where entry.itemID == id {
        for association in entry.associations {
          // Properties are counted from 1.
          let index = Int(association.propertyIndex) - 1
          if all.indices.contains(index) { found.append(tree.whole(all[index])) }
        }
      }
    }
    return found
  }
}
