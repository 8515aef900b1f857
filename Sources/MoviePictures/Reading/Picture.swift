// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import HEVC
import HEVCCoding
public import HEVCDecoding
import ISOBMFF
public import Multiview

/// The picture of one layer at one time: its samples as they were decoded, and what is needed to show them.
public struct Picture: Sendable {
  /// The picture as it was output by the decoder.
  public let decoded: DecodedPicture
  /// The eye that sees it; `nil` if not known.
  public let eye: StereoEye?
  /// What its samples mean as colour, as far as the file specifies it.
  public let colour: VideoColour
  /// Where chroma samples of 4:2:0 are located relative to the luma samples (`chroma_sample_loc_type`); `nil` if not
  /// specified.
  public let chromaLocation: Int?
  /// The part to show, the shape of pixels, and how the picture is rotated and mirrored.
  public let geometry: DisplayGeometry

  /// The brightest light of its sequence, in candelas per square metre; `nil` if not specified.
  package let peak: Double?
  /// The alpha plane; `nil` if the picture is opaque.
  var alpha: Alpha?

  /// Whether the picture has an alpha plane: another picture whose samples are its opacity.
  public var hasAlpha: Bool { alpha != nil }

  /// The alpha plane of a picture: the luma samples of another picture.
  struct Alpha: Sendable {
    let decoded: DecodedPicture
    let interpretation: AlphaInterpretation
  }

  /// The layer (`nuh_layer_id`).
  public var layerID: UInt8 { decoded.layerID }
  /// The size inside the conformance window, before rotation; of one of two eyes that share a picture, the size
  /// of its half.
  public var size: PictureSize {
    part.map { PictureSize(width: $0.width, height: $0.height) } ?? decoded.size
  }
  /// The size at which it is shown.
  public var displaySize: PictureSize { geometry.displaySize(of: size) }
  /// Whether it is one field of an interlaced picture: every other row. ISO/IEC 23008-2, E.3.1 (`field_seq_flag`)
  public var isField: Bool { (decoded.vui ?? decoded.baseVUI)?.fieldSeqFlag == true }
  /// What could not be decoded, of the alpha plane too; empty for a complete picture.
  public var problems: [PictureProblem] {
    decoded.problems + (alpha?.decoded.problems ?? []).map { .invalid("its alpha plane: \($0)") }
  }

  /// The part of the decoded picture that this eye sees, if both eyes share it; `nil` for all of it.
  public let part: DisplayGeometry.Region?

  /// Makes a picture of one that a decoder output, outside of any movie: a stream that arrives over a network, for
  /// example. Colours, chroma locations and the shape of pixels are those of its sequence parameter set.
  ///
  /// - Parameters:
  ///   - decoded: the picture.
  ///   - eye: the eye that sees it; `nil` if not known.
  ///   - base: the picture of the base layer at the same time: if `decoded` belongs to a higher layer, whose parameter
  ///     set often specifies no colours, those of the base layer apply.
  public init(_ decoded: DecodedPicture, eye: StereoEye? = nil, base: DecodedPicture? = nil) {
    self.init(decoded, eye: eye, PictureLook(decoded.vui ?? base?.vui, decoded.colourMessages))
  }

  /// Makes a picture of one that your own decoder output for a track: eye and geometry are those of the track, and colours
  /// those of its sample entry, else of the stream.
  ///
  /// If the samples of the track have several descriptions, pass the track as the sample shows it, which is what
  /// `Track.described(for:)` returns.
  public init(_ decoded: DecodedPicture, of track: Track) {
    let whole = track.joined
    let look = PictureLook(whole).look(of: decoded)
    // What both eyes share is no eye's.
    let eye = look.packedEyes == nil ? whole.eyeAssignment.eyes[decoded.layerID] : nil
    self.init(decoded, eye: eye, look)
  }

  init(
    _ decoded: DecodedPicture, eye: StereoEye?, _ look: PictureLook, part: DisplayGeometry.Region? = nil
  ) {
    self.part = part
    self.decoded = decoded
    self.eye = eye
    colour = look.colour.ofPictures(chromaArrayType: decoded.format.chromaArrayType)
    chromaLocation = look.chromaLocation
    peak = look.peak
    geometry = look.geometry
  }

  /// Returns how its samples become colours.
  ///
  /// - Throws: ``PictureError/unsupportedColour(_:)`` if the colour matrix is not supported.
  public func colourInterpretation() throws(PictureError) -> ColourInterpretation {
    // Both halves of a picture have its colours.
    try ColourInterpretation(colour, chromaLocation: chromaLocation, size: decoded.size)
  }

  /// Returns the picture in red, green and blue, with the clean aperture, the shape of pixels and the rotation
  /// applied, and with an alpha channel if it ``hasAlpha``.
  ///
  /// - Parameters:
  ///   - depth: the number of bits of a value. A picture that is mapped to standard dynamic range has 8 bits.
  ///   - range: whether a picture of high dynamic range stays as it is coded.
  ///   - isUpright: whether the clean aperture, the shape of pixels and the rotation are applied.
  /// - Throws: ``PictureError`` if the colour matrix is not supported, or the picture would be too large.
  public func rgb(
    depth: RGBPicture.Depth = .eight, range: DynamicRange = .coded, isUpright: Bool = true
  ) throws(PictureError) -> RGBPicture {
    try colours(depth, range, isUpright: isUpright, reducedBy: 1)
  }

  /// Returns the picture as ``rgb(depth:range:isUpright:)`` does, scaled to `width` pixels with the same proportions.
  ///
  /// A picture that becomes much smaller is reduced before its colours are converted, which is faster than to
  /// convert it at full size.
  ///
  /// - Throws: as ``rgb(depth:range:isUpright:)`` does.
  public func rgb(
    width: Int, depth: RGBPicture.Depth = .eight, range: DynamicRange = .coded
  ) throws(PictureError) -> RGBPicture {
    // Leaves the final filter at least twice the pixels of the result in each row.
    let most = max(1, displaySize.width / max(1, width) / 2)
    let isWhole = alpha == nil && geometry.aperture == nil && hasOwnChroma
    let factor =
      isWhole
      ? stride(from: min(most, 16), to: 1, by: -1).first { ReducedPlanes.divides(planes, by: $0) } : nil
    return try colours(depth, range, isUpright: true, reducedBy: factor ?? 1).scaled(width: max(1, width))
  }

  private func colours(
    _ depth: RGBPicture.Depth, _ range: DynamicRange, isUpright: Bool, reducedBy factor: Int
  ) throws(PictureError) -> RGBPicture {
    let colour = try colourInterpretation()
    let mapping =
      range == .standard
      ? ToneMapping.shared(transfer: colour.transfer, primaries: colour.primaries, peak: peak) : nil
    let depth = mapping == nil ? depth : .sixteen
    // Where a chroma sample belongs to both halves, the whole picture is converted.
    let source = hasOwnChroma ? planes : CroppedPlanes(decoded)
    var picture: RGBPicture
    if let small = ReducedPlanes(source, factor: factor) {
      picture = RGBConverter(colour, depth: depth).convert(small)
    } else {
      picture = RGBConverter(colour, depth: depth).convert(source)
    }
    if let alpha {
      let part = hasOwnChroma && alpha.decoded.size == decoded.size ? part : nil
      picture = try picture.withAlpha(CroppedPlanes(alpha.decoded, part), alpha.interpretation)
    }
    if !hasOwnChroma, let part { picture = picture.cropped(to: part) }
    if let mapping { picture = mapping.apply(to: picture) }
    return isUpright ? try picture.shown(by: geometry) : picture
  }

  /// Returns the samples of a plane inside the conformance window, row by row: one byte per sample of up to 8
  /// bits, else two, least significant first. `nil` if the picture does not have the plane, and for chroma that both halves of
  /// a picture share.
  public func bytes(ofPlane component: Int) -> [UInt8]? {
    guard decoded.planeCount > component, component >= 0, component == 0 || hasOwnChroma else { return nil }
    return planes.bytes(component)
  }

  /// Whether no chroma sample of the part belongs to another part: halves of an odd size share some.
  var hasOwnChroma: Bool {
    guard let part, decoded.planeCount == 3 else { return true }
    let (width, height) = (decoded.format.subWidthC, decoded.format.subHeightC)
    return part.x % width == 0 && part.y % height == 0
      && (part.x > 0 || part.width % width == 0) && (part.y > 0 || part.height % height == 0)
  }

  var planes: CroppedPlanes { CroppedPlanes(decoded, part) }
}

/// How pictures of high dynamic range (PQ, HLG) are converted.
public enum DynamicRange: Hashable, Sendable {
  /// They stay as they are coded: for displays of high dynamic range, and for programs that know what the
  /// values mean.
  case coded
  /// They are mapped to standard dynamic range, for ordinary displays: see ``ToneMapping``.
  case standard
}

/// What is needed to show the pictures of a track, the same for all of them.
struct PictureLook: Sendable {
  var colour = VideoColour()
  /// Which half is for which eye; `nil` if the eyes do not share pictures.
  var packedEyes: PackedEyes?
  var chromaLocation: Int?
  var geometry = DisplayGeometry()
  /// The brightest light, in candelas per square metre; `nil` if not specified.
  var peak: Double?

  init() {}

  /// What the sample entry specifies, whatever the stream does.
  private var colourBox: ColourInformationBox?
  private var iccProfile: [UInt8]?
  private var boxedShape: DisplayGeometry.PixelShape?
  private var boxedLight = ColourMessages()
  /// The messages of the configuration record, which hold for all samples.
  private var recordMessages = ColourMessages()
  /// The messages of the first sequence, and its colours.
  private var firstMessages = ColourMessages()
  private var firstSignal: VideoSignalType?

  /// What a stream specifies by itself.
  init(_ vui: VUIParameters?, _ messages: ColourMessages?) { noteStream(vui, messages) }

  /// - Parameter messages: those of the sequence; `nil` if they are not known: then those of the first one, if it has the same
  ///   colours.
  private mutating func noteStream(_ vui: VUIParameters?, _ messages: ColourMessages?) {
    let isLikeFirst = vui?.videoSignalType == firstSignal
    let messages =
      messages?.completed(by: recordMessages) ?? (isLikeFirst ? firstMessages : recordMessages)
    colour = VideoColour(colourBox, vui?.videoSignalType, profile: iccProfile)
    if let preferred = messages.preferredTransfer { colour.prefer(preferred) }
    let light = boxedLight.completed(by: messages)
    peak = light.peak
    chromaLocation = vui?.chromaLocation.map { Int(clamping: $0.topField) }
    geometry.pixelShape = boxedShape ?? DisplayGeometry.PixelShape(vui) ?? .square
  }

  /// What the sample entry specifies, else the first sample.
  init(_ track: Track) {
    packedEyes = track.packedEyes
    geometry = track.displayGeometry
    colourBox = track.mainDescription?.colourBox?.payload
    iccProfile = track.mainDescription?.iccProfile
    boxedShape = track.boxedPixelShape
    noteMessages(track)
    let vui = track.layers.first?.sps?.vui
    firstSignal = vui?.videoSignalType
    noteStream(vui, nil)
  }

  private mutating func noteMessages(_ track: Track) {
    let box = track.sampleEntry
    boxedLight.maximumLight = box?.first(ContentLightLevelBox.self).map { Int($0.maxCLL) }
    boxedLight.displayLuminance = box?.first(MasteringDisplayColourVolumeBox.self).map {
      Int($0.maxLuminance)
    }
    firstMessages.preferredTransfer = track.preferredTransfer
    firstMessages.maximumLight = track.contentLightLevel.map { Int($0.maxCLL) }
    firstMessages.displayLuminance = track.masteringDisplay.map { Int($0.maxLuminance) }
    // Most tracks have none: then nothing is read again.
    guard firstMessages != ColourMessages() else { return }
    for located in track.layerAnalysis.units where located.unit.type.isSEI && !located.isInSample {
      for message in located.unit.seiMessages().messages { recordMessages.note(message) }
    }
  }

  /// The look of a picture, whose coded video sequence may specify other colours, light and pixels than that of the first
  /// sample. Those of the base layer hold for all layers. ISO/IEC 23008-2, E.3.1
  func look(of picture: DecodedPicture) -> PictureLook {
    guard let vui = picture.layerID == 0 ? picture.vui ?? VUIParameters() : picture.baseVUI else {
      return self
    }
    var look = self
    look.noteStream(vui, picture.colourMessages)
    return look
  }
}

/// The samples of a decoded picture inside the conformance window.
package struct CroppedPlanes: PlaneRows {
  private let picture: DecodedPicture
  private let windows: [(x: Int, y: Int, width: Int, height: Int)]

  /// Makes the planes of `part` of a picture, which begins and ends with a chroma sample; `nil` for the whole
  /// picture.
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
    let window = windows[component]
    var out: [UInt8] = []
    picture.buffer.planes[component].append(
      x: window.x, y: window.y, width: window.width, height: window.height, to: &out)
    return out
  }
}
