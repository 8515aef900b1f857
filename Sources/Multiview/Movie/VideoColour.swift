// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import HEVC
package import ISOBMFF

/// How the samples of a track are to be interpreted as colour, by code points of ISO/IEC 23091-2 (H.273).
///
/// Each value is that of `colr`; if the box is absent or does not specify it, that of the bitstream.
public struct VideoColour: Hashable, Sendable {
  /// The colour primaries; `nil` if not specified.
  public var primaries: Int?
  /// The transfer function; `nil` if not specified.
  public var transfer: Int?
  /// The matrix from red, green and blue to luma and chroma; `nil` if not specified.
  public var matrix: Int?
  /// Whether the full range of values is used; `nil` if not specified.
  public var isFullRange: Bool?

  /// Makes a colour of which nothing is specified.
  public init() {}

  package init(_ box: ColourInformationBox?, _ signal: VideoSignalType?) {
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
}

extension Track {
  /// How its samples are to be interpreted as colour; empty for tracks without pictures.
  public var colour: VideoColour {
    guard mediaType.isVisual else { return VideoColour() }
    return VideoColour(mainDescription?.colourBox?.payload, codedColour)
  }

  /// What the VUI of the lowest layer says.
  var codedColour: VideoSignalType? { layers.first?.sps?.vui?.videoSignalType }
}
