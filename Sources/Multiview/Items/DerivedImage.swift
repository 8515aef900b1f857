// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import FileAccess
import ISOBMFF

/// An image that is derived from others. ISO/IEC 23008-12, 6.6.2
public struct DerivedImage: Sendable, Hashable {
  /// How the image is derived.
  public enum Composition: Sendable, Hashable {
    /// Another image, with properties of its own (`iden`).
    case identity
    /// Images of one size in rows and columns (`grid`).
    case grid(ImageGrid)
    /// Images on a canvas, later ones over earlier ones (`iovl`).
    case overlay(ImageOverlay)
  }

  /// The item ID.
  public let id: UInt32
  /// How the image is derived.
  public let composition: Composition
  /// The images that it is derived from, in order; one may be listed several times.
  public let inputs: [UInt32]
}

/// The body of a `grid` item. ISO/IEC 23008-12, 6.6.2.3.2
public struct ImageGrid: FieldLayout {
  /// The version of the structure: 0. `version`
  public var version: UInt8 = 0
  /// 1 if sizes and offsets have 32 bits instead of 16. `flags`
  public var flags: UInt8 = 0
  /// The number of rows, less 1. `rows_minus_one`
  public var rowsMinus1: UInt8 = 0
  /// The number of columns, less 1. `columns_minus_one`
  public var columnsMinus1: UInt8 = 0
  /// The width of the derived image in pixels. `output_width`
  public var outputWidth: UInt32 = 1
  /// The height of the derived image in pixels. `output_height`
  public var outputHeight: UInt32 = 1

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u8("version", &version, in: 0...0)
    try c.u8("flags", &flags, .hexadecimal)
    try c.u8("rows_minus_one", &rowsMinus1)
    try c.u8("columns_minus_one", &columnsMinus1)
    let bits = flags & 1 == 1 ? 32 : 16
    try c.u("output_width", &outputWidth, bits, in: 1...UInt32.max)
    try c.u("output_height", &outputHeight, bits, in: 1...UInt32.max)
  }
}

/// The body of an `iovl` item. ISO/IEC 23008-12, 6.6.2.2.2
public struct ImageOverlay: FieldLayout {
  /// The position of the top left pixel of an image on the canvas.
  public struct Offset: Hashable, Sendable {
    /// Pixels to the right of the left edge of the canvas; negative to the left of it. `horizontal_offset`
    public var horizontal: Int32 = 0
    /// Pixels below the upper edge of the canvas; negative above it. `vertical_offset`
    public var vertical: Int32 = 0

    /// An offset of 0.
    public init() {}
  }

  /// The version of the structure: 0. `version`
  public var version: UInt8 = 0
  /// 1 if sizes and offsets have 32 bits instead of 16. `flags`
  public var flags: UInt8 = 0
  /// Red, green, blue and opacity of areas without an image, in units of 1/65 535. `canvas_fill_value`
  public var fill: [UInt16] = [0, 0, 0, 0]
  /// The width of the canvas in pixels. `output_width`
  public var outputWidth: UInt32 = 1
  /// The height of the canvas in pixels. `output_height`
  public var outputHeight: UInt32 = 1
  /// The position of each image, in the order of ``DerivedImage/inputs``.
  public var offsets: [Offset] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u8("version", &version, in: 0...0)
    try c.u8("flags", &flags, .hexadecimal)
    try c.array("canvas_fill_value", &fill, count: 4, bits: 16)
    let bits = flags & 1 == 1 ? 32 : 16
    try c.u("output_width", &outputWidth, bits, in: 1...UInt32.max)
    try c.u("output_height", &outputHeight, bits, in: 1...UInt32.max)
    try c.array(
      "offsets", &offsets, count: c.bitsLeft.map { $0 / (2 * bits) } ?? offsets.count, minimumBits: 2 * bits,
      new: Offset()
    ) { c, offset throws(ParseError) in
      try c.signed("horizontal_offset", &offset.horizontal, bits: bits, in: nil, .decimal)
      try c.signed("vertical_offset", &offset.vertical, bits: bits, in: nil, .decimal)
    }
  }
}

extension MovieFile {
  /// Returns how an image is derived from others; `nil` for an item that is not derived.
  ///
  /// - Throws: `SourceError` if its body cannot be read, or is invalid.
  public func derivedImage(_ item: ItemCollection.Item) throws(SourceError) -> DerivedImage? {
    guard let items else { return nil }
    return try derivedImage(item, of: items)
  }

  /// The same with ``items`` that are known already.
  package func derivedImage(
    _ item: ItemCollection.Item, of items: ItemCollection
  ) throws(SourceError) -> DerivedImage? {
    guard let tree, let meta = tree.first("meta"), let type = item.type else { return nil }
    func body<Layout: FieldLayout>(_ initial: Layout) throws(SourceError) -> Layout {
      let bytes = ItemLocations(meta, in: tree, of: self)[item.id]
      if let obstacle = bytes.obstacle { throw SourceError(.other("item \(item.id) \(obstacle)")) }
      let content = ByteView(try bytes.read())
      do { return try content.decoded(initial) } catch {
        throw SourceError(
          .other("item \(item.id) ('\(type)'): \(error)"), offset: bytes.pieces.first?.lowerBound)
      }
    }
    let composition: DerivedImage.Composition
    switch type {
    case "iden": composition = .identity
    case "grid": composition = .grid(try body(ImageGrid()))
    case "iovl": composition = .overlay(try body(ImageOverlay()))
    default: return nil
    }
    return DerivedImage(
      id: item.id, composition: composition, inputs: items.references("dimg", from: item.id))
  }
}
