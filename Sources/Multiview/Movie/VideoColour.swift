// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import HEVC
package import ISOBMFF

/// How the samples of a track are to be interpreted as colour, by code points of ISO/IEC 23091-2 (H.273).
///
/// Each value is that of `colr`; if the box is absent or does not specify it, that of the bitstream. A value that the
/// standard reserves specifies nothing, as 2 does.
public struct VideoColour: Hashable, Sendable {
  /// The colour primaries; `nil` if not specified.
  public var primaries: Int?
  /// The transfer function; `nil` if not specified. If the bitstream prefers another one to a curve of SDR, as
  /// broadcasts in HLG do, the preferred one.
  public var transfer: Int?
  /// The matrix from red, green and blue to luma and chroma; `nil` if not specified.
  public var matrix: Int?
  /// Whether the full range of values is used; `nil` if not specified.
  public var isFullRange: Bool?
  /// The ICC profile that says what red, green and blue mean, more exactly than primaries and transfer function do; `nil`
  /// without one.
  public var iccProfile: [UInt8]?

  /// Makes a colour of which nothing is specified.
  public init() {}

  package init(_ box: ColourInformationBox?, _ signal: VideoSignalType?, profile: [UInt8]? = nil) {
    iccProfile = profile
    let coded = signal?.colour
    func known(_ box: UInt16?, _ coded: UInt8?, _ name: (Int64) -> String?) -> Int? {
      [box.map { Int($0) }, coded.map { Int($0) }].lazy.compactMap { $0 }
        .first { Self.isSpecified($0, name) }
    }
    primaries = known(box?.colourPrimaries, coded?.colourPrimaries, ColourCodes.primaries)
    transfer = known(box?.transferCharacteristics, coded?.transferCharacteristics, ColourCodes.transfer)
    matrix = known(box?.matrixCoefficients, coded?.matrixCoeffs, ColourCodes.matrix)
    isFullRange = box?.isFullRange ?? signal?.videoFullRangeFlag
  }

  /// Whether a code point says something: it is not 2, "unspecified", and not reserved. ISO/IEC 23008-2, E.3.1
  private static func isSpecified(_ code: Int, _ name: (Int64) -> String?) -> Bool {
    code != 2 && name(Int64(code)) != nil
  }

  /// Takes what code points specify; what they do not specify stays as it is.
  package mutating func note(primaries: Int, transfer: Int, matrix: Int) {
    if Self.isSpecified(primaries, ColourCodes.primaries) { self.primaries = primaries }
    if Self.isSpecified(transfer, ColourCodes.transfer) { self.transfer = transfer }
    if Self.isSpecified(matrix, ColourCodes.matrix) { self.matrix = matrix }
  }

  /// Takes what nothing else says from the record of a VP9 stream; drafts of the record have other code points.
  fileprivate mutating func complete(_ record: VPCodecConfigurationBox) {
    guard record.version == 1 else { return }
    var recorded = VideoColour()
    recorded.note(
      primaries: Int(record.colourPrimaries), transfer: Int(record.transferCharacteristics),
      matrix: Int(record.matrixCoefficients))
    primaries = primaries ?? recorded.primaries
    transfer = transfer ?? recorded.transfer
    matrix = matrix ?? recorded.matrix
    isFullRange = isFullRange ?? record.isFullRange
  }

  /// The colour of pictures in a chroma format. Green, blue and red (matrix 0) have planes of one size: with others, that is a
  /// mistake. ISO/IEC 23008-2, E.3.1
  package func ofPictures(chromaArrayType: Int) -> VideoColour {
    var colour = self
    if matrix == 0, chromaArrayType != 3 { colour.matrix = nil }
    return colour
  }

  /// Applies the transfer function that a message of the bitstream prefers to a curve of SDR, which is signalled
  /// for players that know no other. ISO/IEC 23008-2, D.3.38
  package mutating func prefer(_ preferred: Int) {
    if preferred != 2, mayPreferAnother { transfer = preferred }
  }

  /// Whether a message may prefer another transfer function: it is that of SDR, or not specified.
  var mayPreferAnother: Bool { transfer.map(Self.ordinaryCurves.contains) ?? true }

  /// Transfer functions that are the same curve: BT.709, BT.601, BT.2020. ISO/IEC 23091-2, table 3
  package static let ordinaryCurves: Set<Int> = [1, 6, 14, 15]

  /// The value for `VIDEO-RANGE` in a playlist: `SDR`, `HLG` or `PQ`; `nil` if not specified.
  public var videoRange: String? {
    switch transfer {
    case 16: "PQ"
    case 18: "HLG"
    case nil: nil
    default: "SDR"
    }
  }

  /// Whether light is coded for more than ordinary screens.
  public var isHDR: Bool { transfer == 16 || transfer == 18 }

  /// Whether the primaries are those of BT.2020, P3 or CIE XYZ, which reach beyond BT.709.
  public var isWideGamut: Bool { primaries.map((9...12).contains) ?? false }
}

extension FormatDescription {
  /// The first `colr` that has code points, and not an ICC profile. A sample entry may have one of each.
  package var colourBox: (box: Box, payload: ColourInformationBox)? {
    for child in box.children where child.type == "colr" {
      guard let payload = child.payload(ColourInformationBox.self) else { continue }
      if payload.colourType == "nclx" || payload.colourType == "nclc" { return (child, payload) }
    }
    return nil
  }

  /// The first ICC profile of red, green and blue in a `colr`; `nil` without one.
  package var iccProfile: [UInt8]? {
    box.children.lazy.filter { $0.type == "colr" }
      .compactMap { $0.payload(ColourInformationBox.self)?.rgbProfile }.first
  }
}

extension ColourInformationBox {
  /// The ICC profile, without what follows it; `nil` if it is not whole, larger than 4 MiB, or not one of red, green and blue.
  /// ICC.1:2022, 7.2
  package var rgbProfile: [UInt8]? {
    guard colourType == "prof" || colourType == "rICC", let size = profile.bigEndian(at: 0, width: 4),
      size >= 128, size <= 1 << 22, size <= UInt64(profile.count), profile.fourCC(at: 16) == "RGB ",
      profile.fourCC(at: 36) == "acsp"
    else { return nil }
    return profile.prefix(Int(size)).array
  }
}

extension Track {
  /// How its samples are to be interpreted as colour; empty for tracks without pictures.
  public var colour: VideoColour {
    guard mediaType.isVisual else { return VideoColour() }
    var colour = VideoColour(
      mainDescription?.colourBox?.payload, codedColour, profile: mainDescription?.iccProfile)
    if let record = sampleEntry?.first(VPCodecConfigurationBox.self) { colour.complete(record) }
    // Messages are read only where they could change something.
    if colour.mayPreferAnother, let preferredTransfer { colour.prefer(preferredTransfer) }
    return colour
  }

  /// The transfer function that a message in the configuration record or the first sample prefers to that of the
  /// VUI: 18 in broadcasts in HLG; `nil` without one.
  package var preferredTransfer: Int? {
    layerAnalysis.firstMessage(AlternativeTransferCharacteristics.self).map { Int($0.preferred) }
  }

  /// The value for `VIDEO-RANGE` in a playlist. Dolby Vision without a base layer that others can show is PQ,
  /// whether the bitstream specifies it or not. HLS authoring specification for Apple devices, 1.12
  package var videoRange: String? {
    if let range = colour.videoRange { return range }
    let vision = sampleEntry?.first(DolbyVisionConfigurationBox.self)
    return vision.map(Self.hasOwnColours) == true ? "PQ" : nil
  }

  /// The profile of Dolby Vision by which samples are not luma and chroma of red, green and blue, but intensity and two
  /// differences (IPT); `nil` for others, and where the stream says what its samples are.
  package func ownColourProfile(_ colour: VideoColour) -> UInt8? {
    guard colour.matrix == nil, let vision = sampleEntry?.first(DolbyVisionConfigurationBox.self)
    else { return nil }
    return Self.hasOwnColours(vision) ? vision.profile : nil
  }

  private static func hasOwnColours(_ vision: DolbyVisionConfigurationBox) -> Bool {
    vision.profile == 5 || vision.profile == 20
  }

  /// What the VUI of the lowest layer says.
  var codedColour: VideoSignalType? { layers.first?.sps?.vui?.videoSignalType }
}
