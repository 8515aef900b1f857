// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import HEVC
public import Multiview

/// How the samples of a picture become colours: as the file specifies, and by the usual defaults where it
/// specifies nothing.
public struct ColourInterpretation: Hashable, Sendable {
  /// How red, green and blue are computed from the planes.
  public var matrix: ColourMatrix
  /// Whether samples use the full range of values; otherwise, with 8 bits, black is 16 and white is 235.
  public var isFullRange: Bool
  /// Where chroma samples of 4:2:0 are located relative to the luma samples, 0 to 5 (`chroma_sample_loc_type`).
  public var chromaLocation: Int
  /// The colour primaries, as a code point of ISO/IEC 23091-2; `nil` if not specified.
  public var primaries: Int?
  /// The transfer function, as a code point of ISO/IEC 23091-2; `nil` if not specified.
  public var transfer: Int?
  /// The ICC profile that red, green and blue have instead of these; `nil` without one.
  public var iccProfile: [UInt8]?
  /// Whether the matrix is a default, because the file does not specify one.
  public var isMatrixAssumed = false

  /// Makes an interpretation from known values. A chroma location outside 0 to 5 becomes 0.
  public init(
    matrix: ColourMatrix, isFullRange: Bool = false, chromaLocation: Int = 0, primaries: Int? = nil,
    transfer: Int? = nil
  ) {
    self.matrix = matrix
    self.isFullRange = isFullRange
    self.chromaLocation = (0...5).contains(chromaLocation) ? chromaLocation : 0
    self.primaries = primaries
    self.transfer = transfer
  }

  /// Makes an interpretation from what a file specifies, with defaults for the rest: limited range, and chroma as in
  /// MPEG-2 (location 0). A missing matrix is chosen by the primaries if these are of BT.709, BT.601 or BT.2020;
  /// otherwise it is that of BT.601 for up to 576 rows, and that of BT.709 for more.
  ///
  /// - Throws: ``PictureError/unsupportedColour(_:)`` if the file names a matrix that
  ///   ``ColourMatrix/init(code:)`` does not have.
  public init(
    _ colour: VideoColour, chromaLocation: Int? = nil, size: PictureSize
  ) throws(PictureError) {
    let found: ColourMatrix
    if let code = colour.matrix {
      guard let known = ColourMatrix(code: code) else { throw .unsupportedColour(code) }
      found = known
    } else {
      switch colour.primaries {
      case 1: found = .bt709
      case 5, 6: found = .bt601
      case 9: found = .bt2020
      default: found = size.height <= 576 ? .bt601 : .bt709
      }
    }
    self.init(
      matrix: found, isFullRange: colour.isFullRange ?? false, chromaLocation: chromaLocation ?? 0,
      primaries: colour.primaries, transfer: colour.transfer)
    iccProfile = colour.iccProfile
    isMatrixAssumed = colour.matrix == nil
  }

  /// Returns the luma sample and the two chroma samples of a colour. Red, green and blue are from 0 to 1.
  /// ISO/IEC 23091-2, 8.3
  func samples(red: Double, green: Double, blue: Double, bitDepthLuma: Int, bitDepthChroma: Int) -> [Int] {
    let (luma, first, second) = matrix.components(red: red, green: green, blue: blue)
    func sample(_ value: Double, _ depth: Int, isChroma: Bool) -> Int {
      let top = Double((1 << depth) - 1), step = Double(1 << (depth - 8))
      let range = isFullRange ? top : (isChroma ? 224 : 219) * step
      let zero = isChroma ? Double(1 << (depth - 1)) : isFullRange ? 0 : 16 * step
      return Int(max(0, min(top, (value * range + zero).rounded())))
    }
    let isChroma = matrix != .identity
    return [
      sample(luma, bitDepthLuma, isChroma: false), sample(first, bitDepthChroma, isChroma: isChroma),
      sample(second, bitDepthChroma, isChroma: isChroma),
    ]
  }
}
