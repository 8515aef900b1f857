// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import HEVC
public import HEVCDecoding
import ISOBMFF
public import Multiview

/// The picture of one layer at one time: its samples as they were decoded, and what is needed to show them.
public struct Picture: Sendable {
  /// What came out of the decoder.
  public let decoded: DecodedPicture
  /// The eye that sees it; `nil` where that is not known.
  public let eye: StereoEye?
  /// What its numbers mean as colour.
  public let colour: VideoColour
  /// Where chroma samples of 4:2:0 lie between the luma samples; `nil` where nothing is said. `chroma_sample_loc_type`
  public let chromaLocation: Int?
  /// The part that is meant to be seen, the shape of pixels, and how it is turned.
  public let geometry: DisplayGeometry

  /// The brightest light of the track, in candelas per square metre; `nil` where nothing is said.
  let peak: Double?
  /// How opaque it is, where another picture says so.
  var alpha: Alpha?

  /// Whether another picture says how opaque it is.
  public var hasAlpha: Bool { alpha != nil }

  /// How opaque a picture is: the luma samples of another one.
  struct Alpha: Sendable {
    let decoded: DecodedPicture
    let interpretation: AlphaInterpretation
  }

  /// The layer. `nuh_layer_id`
  public var layerID: UInt8 { decoded.layerID }
  /// The size inside the conformance window, before it is turned.
  public var size: PictureSize {
    part.map { PictureSize(width: $0.width, height: $0.height) } ?? decoded.size
  }
  /// The size at which it is shown.
  public var displaySize: PictureSize { geometry.displaySize(of: size) }
  /// What could not be decoded: empty for a picture that is whole.
  public var problems: [PictureProblem] {
    decoded.problems + (alpha?.decoded.problems ?? []).map { .invalid("its alpha plane: \($0)") }
  }

  /// Which part of the decoded picture it is, where two eyes share one; `nil` for all of it.
  public let part: DisplayGeometry.Region?

  init(
    _ decoded: DecodedPicture, eye: StereoEye?, _ look: PictureLook, part: DisplayGeometry.Region? = nil
  ) {
    self.part = part
    self.decoded = decoded
    self.eye = eye
    colour = look.colour
    chromaLocation = look.chromaLocation
    peak = look.peak
    geometry = look.geometry
  }

  /// How its samples become colours.
  ///
  /// - Throws: ``PictureError/unsupportedColour(_:)``.
  public func colourInterpretation() throws(PictureError) -> ColourInterpretation {
    try ColourInterpretation(colour, chromaLocation: chromaLocation, size: size)
  }

  /// Red, green and blue, upright, with the clean aperture and the shape of pixels applied; and an alpha channel, where another
  /// layer of the movie, or another image of the file, says how opaque it is.
  ///
  /// - Parameters:
  ///   - depth: how large the numbers are. What is made to fit for ordinary displays has 8 bits.
  ///   - range: whether a picture of high dynamic range stays as it is coded.
  ///   - isUpright: whether the picture is made as it is shown; otherwise it stays as it is coded.
  /// - Throws: ``PictureError`` where the colour matrix is not supported, or the picture would be too large.
  public func rgb(
    depth: RGBPicture.Depth = .eight, range: DynamicRange = .coded, isUpright: Bool = true
  ) throws(PictureError) -> RGBPicture {
    try colours(depth, range, isUpright: isUpright, reducedBy: 1)
  }

  /// Red, green and blue as with ``rgb(depth:range:isUpright:)``, so many pixels wide, in the same shape. A picture that becomes
  /// much smaller is made smaller before it is converted, which is quicker than to scale what that gives.
  ///
  /// - Throws: as ``rgb(depth:range:isUpright:)`` does.
  public func rgb(
    width: Int, depth: RGBPicture.Depth = .eight, range: DynamicRange = .coded
  ) throws(PictureError) -> RGBPicture {
    // The filter that ends it has twice as many samples as it needs, at least.
    let most = max(1, displaySize.width / max(1, width) / 2)
    let isWhole = alpha == nil && geometry.aperture == nil
    let factor =
      isWhole
      ? stride(from: min(most, 16), to: 1, by: -1).first { ReducedPlanes.divides(planes, by: $0) } : nil
    return try colours(depth, range, isUpright: true, reducedBy: factor ?? 1).scaled(width: max(1, width))
  }

  private func colours(
    _ depth: RGBPicture.Depth, _ range: DynamicRange, isUpright: Bool, reducedBy factor: Int
  ) throws(PictureError) -> RGBPicture {
    var colour = try colourInterpretation()
    let mapping =
      range == .standard
      ? ToneMapping.shared(transfer: colour.transfer, primaries: colour.primaries, peak: peak) : nil
    let depth = mapping == nil ? depth : .sixteen
    var picture: RGBPicture
    if let small = ReducedPlanes(planes, factor: factor) {
      // The mean of several chroma samples lies between those of luma.
      colour.chromaLocation = 1
      picture = RGBConverter(colour, depth: depth).convert(small)
    } else {
      picture = RGBConverter(colour, depth: depth).convert(planes)
    }
    if let alpha {
      let part = alpha.decoded.size == decoded.size ? part : nil
      picture = try picture.withAlpha(CroppedPlanes(alpha.decoded, part), alpha.interpretation)
    }
    if let mapping { picture = mapping.apply(to: picture) }
    return isUpright ? try picture.shown(by: geometry) : picture
  }

  /// The samples of a plane inside the conformance window, row by row: one byte a sample of up to 8 bits, else two, the least
  /// significant first. `nil` for a plane that the picture lacks.
  public func bytes(ofPlane component: Int) -> [UInt8]? {
    guard decoded.planeCount > component, component >= 0 else { return nil }
    return planes.bytes(component)
  }

  var planes: CroppedPlanes { CroppedPlanes(decoded, part) }
}

/// What becomes of pictures of high dynamic range (PQ, HLG).
public enum DynamicRange: Hashable, Sendable {
  /// They stay as they are coded: for displays of high dynamic range, and for programs that know what the numbers mean.
  case coded
  /// They are made to fit for ordinary displays. ``ToneMapping``
  case standard
}

extension Track {
  /// The brightest light of its pictures, else of the display on which they were made, in candelas per square metre.
  fileprivate var peakLight: Double? {
    if let level = contentLightLevel, level.maxCLL > 0 { return Double(level.maxCLL) }
    // In units of 0.0001.
    return masteringDisplay.flatMap { $0.maxLuminance > 0 ? Double($0.maxLuminance) / 10_000 : nil }
  }
}

/// What all pictures of a track have in common.
struct PictureLook: Sendable {
  var colour = VideoColour()
  /// Which half is which eye's; `nil` where the eyes do not share pictures.
  var packedEyes: PackedEyes?
  var chromaLocation: Int?
  var geometry = DisplayGeometry()
  /// The brightest light, in candelas per square metre; `nil` where nothing is said.
  var peak: Double?

  init() {}

  init(_ track: Track) {
    colour = track.colour
    packedEyes = track.packedEyes
    if colour.isHDR { peak = track.peakLight }
    let vui = track.layers.first?.sps?.vui
    chromaLocation = vui?.chromaLocation.map { Int(clamping: $0.topField) }
    geometry.orientation = track.orientation ?? .upright
    let box = track.mainDescription?.box
    geometry.aperture = box?.first(CleanApertureBox.self)
    if let shape = box?.first(PixelAspectRatioBox.self) {
      geometry.pixelShape =
        DisplayGeometry.PixelShape(
          width: Int(clamping: shape.hSpacing), height: Int(clamping: shape.vSpacing))
        ?? .square
    } else if let ratio = vui?.aspectRatio?.ratio {
      geometry.pixelShape =
        DisplayGeometry.PixelShape(width: Int(ratio.width), height: Int(ratio.height)) ?? .square
    }
  }
}

/// The samples of a decoded picture inside the conformance window.
package struct CroppedPlanes: PlaneRows {
  private let picture: DecodedPicture
  private let windows: [(x: Int, y: Int, width: Int, height: Int)]

  /// The samples of `part` of the picture, which begins and ends with a chroma sample; all where it is `nil`.
  package init(_ picture: DecodedPicture, _ part: DisplayGeometry.Region? = nil) {
    self.picture = picture
    windows = (0..<picture.planeCount).compactMap { component in
      guard let window = picture.window(of: component), let part else { return picture.window(of: component) }
      let isChroma = component > 0
      let x = isChroma ? picture.format.subWidthC : 1, y = isChroma ? picture.format.subHeightC : 1
      return (window.x + part.x / x, window.y + part.y / y, part.width / x, part.height / y)
    }
  }

  package var width: Int { windows.first?.width ?? 0 }
  package var height: Int { windows.first?.height ?? 0 }
  package var chromaArrayType: Int { picture.planeCount == 3 ? picture.format.chromaArrayType : 0 }
  package var bitDepthLuma: Int { picture.format.bitDepthLuma }
  package var bitDepthChroma: Int { picture.format.bitDepthChroma }

  package func load(_ component: Int, row y: Int, into row: inout [Int32], from start: Int) {
    guard windows.indices.contains(component) else { return }
    let window = windows[component]
    picture.buffer.planes[component].load(
      window.y + y, from: window.x, count: min(window.width, row.count - start), into: &row, at: start)
  }

  package func add(_ component: Int, row y: Int, to sums: inout [Int32]) {
    guard windows.indices.contains(component) else { return }
    let window = windows[component]
    picture.buffer.planes[component].add(
      window.y + y, from: window.x, count: min(window.width, sums.count), to: &sums)
  }

  func bytes(_ component: Int) -> [UInt8] {
    guard windows.indices.contains(component) else { return [] }
    let window = windows[component], plane = picture.buffer.planes[component]
    let isNarrow = picture.format.bitDepthLuma <= 8 && picture.format.bitDepthChroma <= 8 || !plane.isWide
    var out: [UInt8] = []
    out.reserveCapacity(window.width * window.height * (isNarrow ? 1 : 2))
    for y in 0..<window.height {
      _ = plane.withRow(window.y + y, from: window.x, count: window.width) { bytes in
        for index in 0..<bytes.count { out.append(bytes[index]) }
      }
    }
    return out
  }
}
