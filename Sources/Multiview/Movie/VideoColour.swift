// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import ISOBMFF

/// What the numbers of a track's pixels mean as colour, in the code points of ISO/IEC 23091-2 (H.273).
///
/// Each is that of `colr`; where the box is absent or leaves it open, that of the bitstream.
public struct VideoColour: Hashable, Sendable {
  /// The colours of red, green, blue and white; `nil` if nothing is said.
  public var primaries: Int?
  /// From light to numbers; `nil` if nothing is said.
  public var transfer: Int?
  /// From red, green, blue to luma and chroma; `nil` if nothing is said.
  public var matrix: Int?
  /// Whether all numbers are used; `nil` if nothing is said.
  public var isFullRange: Bool?

  /// Nothing is said.
  public init() {}

  init(_ box: ColourInformationBox?, _ signal: VideoSignalType?) {
    let coded = signal?.colour
    /// 2 stands for "unspecified".
    func known(_ box: UInt16?, _ coded: UInt8?) -> Int? {
      [box.map { Int($0) }, coded.map { Int($0) }].lazy.compactMap { $0 }.first { $0 != 2 }
    }
    primaries = known(box?.colourPrimaries, coded?.colourPrimaries)
    transfer = known(box?.transferCharacteristics, coded?.transferCharacteristics)
    matrix = known(box?.matrixCoefficients, coded?.matrixCoeffs)
    isFullRange = box?.isFullRange ?? signal?.videoFullRangeFlag
  }

  /// What a playlist calls it: `SDR`, `HLG` or `PQ`; `nil` if nothing is said.
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
  var colourBox: (box: Box, payload: ColourInformationBox)? {
    for child in box.children where child.type == "colr" {
      guard let payload = child.payload(ColourInformationBox.self) else { continue }
      if payload.colourType == "nclx" || payload.colourType == "nclc" { return (child, payload) }
    }
    return nil
  }
}

extension Track {
  /// What the numbers of its pixels mean as colour; empty for tracks without pictures.
  public var colour: VideoColour {
    guard mediaType.isVisual else { return VideoColour() }
    return VideoColour(mainDescription?.colourBox?.payload, codedColour)
  }

  /// What the VUI of the lowest layer says.
  var codedColour: VideoSignalType? { layers.first?.sps?.vui?.videoSignalType }
}
