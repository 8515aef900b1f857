// swift-multiview · SPDX-License-Identifier: Apache-2.0

import BoxCatalogue
import HEVC
import HEVCDecoding
import ISOBMFF
import Multiview

/// Decodes the images of a file, and assembles derived images from others.
struct PhotoReader {
  /// An image before it is cropped, rotated and mirrored.
  private struct Image {
    /// The pictures, by ascending layer.
    var pictures: [DecodedPicture]
    var look: PictureLook
    /// The size. The pictures may be larger, to end with a whole chroma sample.
    var size: PictureSize

    /// The geometry of its pictures.
    var geometry: DisplayGeometry {
      var geometry = look.geometry
      if let whole = pictures.first?.size, whole != size {
        geometry.aperture = CleanApertureBox(showing: geometry.region(of: size), of: whole)
      }
      return geometry
    }
  }

  let items: ItemCollection
  let codedImages: [CodedImage]
  private let movie: MovieFile
  private let tree: BoxTree
  private let properties: ItemProperties
  /// The number of luma samples that may still be decoded or assembled, so that a small file cannot demand any
  /// number of large images.
  private var budget: Int
  /// How many pixels an image may have. Large photos are in large files.
  private let maximumPixels: Int

  /// Makes a reader; `nil` for a file without items.
  init?(_ movie: MovieFile) {
    guard let items = movie.items, let tree = movie.tree, let meta = tree.first("meta") else { return nil }
    self.items = items
    self.movie = movie
    self.tree = tree
    codedImages = movie.codedImages
    let bytes = Int(clamping: movie.source.size ?? 0)
    maximumPixels = max(RGBPicture.maximumPixels, min(bytes, 1 << 23) * 32)
    budget = 4 * maximumPixels
    properties = ItemProperties(meta, in: tree)
  }

  /// The pictures of an image, by ascending layer.
  mutating func pictures(ofItem id: UInt32, eye: StereoEye?) throws(PictureError) -> [Picture] {
    var image = try image(id, depth: 0)
    image.look.geometry = image.geometry
    let alpha = try alpha(ofItem: id)
    return image.pictures.map { picture in
      var shown = Picture(picture, eye: eye, image.look)
      shown.alpha = alpha
      return shown
    }
  }

  /// The images that are alpha planes of an image.
  private func alphaItems(ofItem id: UInt32) -> [UInt32] {
    items.references.filter { $0.type == "auxl" && $0.to.contains(id) }.map(\.from).filter {
      items[$0]?.isAlpha == true
    }
  }

  /// The alpha plane of an image; `nil` if no other image is one. ISO/IEC 23008-12, 7.5.3
  private mutating func alpha(ofItem id: UInt32) throws(PictureError) -> Picture.Alpha? {
    guard let item = alphaItems(ofItem: id).first, let picture = try image(item, depth: 0).pictures.first
    else { return nil }
    var interpretation = AlphaInterpretation()
    interpretation.isPremultiplied = items.references("prem", from: id).contains(item)
    return Picture.Alpha(decoded: picture, interpretation: interpretation)
  }

  private mutating func image(_ id: UInt32, depth: Int) throws(PictureError) -> Image {
    guard depth < 4 else {
      throw .unsupported("item \(id) is composed of images with too many levels of composition")
    }
    guard let item = items[id] else { throw .unsupported("the file has no item \(id)") }
    if let coded = codedImages.first(where: { $0.id == id }) { return try decode(coded) }
    let derived: DerivedImage?
    do { derived = try movie.derivedImage(item, of: items) } catch { throw .unreadable(error) }
    guard let derived, let first = derived.inputs.first else {
      let type = item.type.map { "'\($0)'" } ?? "of no type"
      throw .unsupported("item \(id) is \(type), neither coded as HEVC nor composed of such images")
    }
    var result: Image
    switch derived.composition {
    case .identity: result = try image(first, depth: depth + 1)
    case .grid(let grid): result = try putTogether(grid, derived, depth)
    case .overlay(let overlay): result = try putTogether(overlay, derived, depth)
    }
    try result.look.apply(properties.properties(ofItem: id).map { tree.whole($0) }, item: id)
    return result
  }

  private mutating func decode(_ coded: CodedImage) throws(PictureError) -> Image {
    if let obstacle = coded.obstacle { throw .unsupported("item \(coded.id) \(obstacle)") }
    let found: (pictures: [DecodedPicture], problems: [TrackDecoder.Problem])
    do { found = try ImageDecoder(coded, checksHashes: false).decode() } catch { throw .unreadable(error) }
    guard let size = found.pictures.first?.size else {
      throw .notDecoded(
        sample: Int(coded.id), reason: found.problems.first?.description ?? "the item has no picture")
    }
    try spend(size.width * size.height * found.pictures.count)
    var look = PictureLook(parameterSets: coded.configurationUnits)
    try look.apply(properties.properties(ofItem: coded.id).map { tree.whole($0) }, item: coded.id)
    let container = movie.container
    look.completeForPhotos(
      isMIAF: container.majorBrand == "miaf" || container.compatibleBrands.contains("miaf"))
    // An image may select one of several layers (lsel). 6.5.11
    let shown = found.pictures.filter { $0.layerID == coded.selectedLayer }
    return Image(
      pictures: shown.isEmpty ? found.pictures : shown, look: look, size: shown.first?.size ?? size)
  }

  private mutating func spend(_ samples: Int) throws(PictureError) {
    budget -= samples
    guard budget >= 0 else { throw .unsupported("the image is composed of too many samples") }
  }

  // MARK: Derived images

  /// Assembles a grid: the tiles fill rows from the top left, and what exceeds the output size is cropped. 6.6.2.3
  private mutating func putTogether(
    _ grid: ImageGrid, _ derived: DerivedImage, _ depth: Int
  ) throws(PictureError) -> Image {
    let columns = Int(grid.columnsMinus1) + 1, rows = Int(grid.rowsMinus1) + 1
    guard derived.inputs.count == columns * rows else {
      throw .unsupported(
        "item \(derived.id) is a grid of \(columns)x\(rows) tiles, but refers to \(derived.inputs.count)")
    }
    let size = PictureSize(width: Int(clamping: grid.outputWidth), height: Int(clamping: grid.outputHeight))
    return try putTogether(derived, size, depth, fill: nil) { index, tile in
      (index % columns * tile.width, index / columns * tile.height)
    }
  }

  /// Assembles an overlay: later images hide earlier ones. 6.6.2.2
  private mutating func putTogether(
    _ overlay: ImageOverlay, _ derived: DerivedImage, _ depth: Int
  ) throws(PictureError) -> Image {
    guard derived.inputs.count == overlay.offsets.count else {
      throw .unsupported(
        "item \(derived.id) has \(derived.inputs.count) images, but \(overlay.offsets.count) positions")
    }
    if let input = derived.inputs.first(where: { !alphaItems(ofItem: $0).isEmpty }) {
      throw .unsupported(
        "item \(input), a part of item \(derived.id), has an alpha plane, which is not supported in overlays")
    }
    let size = PictureSize(
      width: Int(clamping: overlay.outputWidth), height: Int(clamping: overlay.outputHeight))
    return try putTogether(derived, size, depth, fill: overlay.fill) { index, _ in
      (Int(overlay.offsets[index].horizontal), Int(overlay.offsets[index].vertical))
    }
  }

  private mutating func putTogether(
    _ derived: DerivedImage, _ size: PictureSize, _ depth: Int, fill: [UInt16]?,
    place: (_ index: Int, _ tile: PictureSize) -> (x: Int, y: Int)
  ) throws(PictureError) -> Image {
    let (pixels, overflow) = size.width.multipliedReportingOverflow(by: size.height)
    guard !overflow, pixels <= maximumPixels,
      max(size.width, size.height) <= RGBPicture.maximumSide
    else { throw .tooLarge(width: size.width, height: size.height) }
    var tiles: [UInt32: Image] = [:]
    for input in derived.inputs where tiles[input] == nil {
      let tile = try image(input, depth: depth + 1)
      guard tile.look.geometry == DisplayGeometry() else {
        throw .unsupported(
          "item \(derived.id) is composed of images that are rotated, cropped or scaled, which is not supported"
        )
      }
      tiles[input] = tile
    }
    guard let first = derived.inputs.first.flatMap({ tiles[$0] }) else {
      throw .unsupported("item \(derived.id) has no images to be composed of")
    }
    try spend(pixels * first.pictures.count)
    var result = Image(pictures: [], look: first.look, size: size)
    for like in first.pictures {
      var canvas = PhotoCanvas(size, like, try first.look.interpretation(of: like), fill)
      for (index, input) in derived.inputs.enumerated() {
        guard let tile = tiles[input],
          let picture = tile.pictures.first(where: { $0.layerID == like.layerID })
        else {
          throw .unsupported("item \(input), a part of item \(derived.id), has no layer \(like.layerID)")
        }
        let size = picture.size == tile.pictures.first?.size ? tile.size : picture.size
        let (x, y) = place(index, size)
        if let reason = canvas.put(picture, size, x: x, y: y) {
          throw .unsupported("item \(input), a part of item \(derived.id), \(reason)")
        }
      }
      result.pictures.append(canvas.finished(tag: Int(derived.id)))
    }
    return result
  }
}
