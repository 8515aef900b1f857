// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import HEVC
public import Multiview

/// How the samples of a picture become colours: what the file says, and where it says nothing, what is customary.
public struct ColourInterpretation: Hashable, Sendable {
  /// How red, green and blue are made of the planes.
  public var matrix: ColourMatrix
  /// Whether samples use all of their numbers: otherwise black is 16 and white 235, in 8 bits.
  public var isFullRange: Bool
  /// Where chroma samples of 4:2:0 lie between the luma samples, 0 to 5. `chroma_sample_loc_type`
  public var chromaLocation: Int
  /// The colours of red, green, blue and white, as a code point of ISO/IEC 23091-2; `nil` where nothing is said.
  public var primaries: Int?
  /// From light to numbers, as a code point of ISO/IEC 23091-2; `nil` where nothing is said.
  public var transfer: Int?
  /// Whether the matrix was chosen by custom, because the file leaves it open.
  public var isMatrixAssumed = false

  /// An interpretation of which all is known.
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

  /// What a file says, completed by custom: limited range, and chroma as in MPEG-2 (location 0). Where the matrix is open, it
  /// is the one that belongs to the primaries; without those BT.601 up to 576 rows, else BT.709.
  ///
  /// - Throws: ``PictureError/unsupportedColour(_:)`` for a matrix that is not linear in the samples.
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
    isMatrixAssumed = colour.matrix == nil
  }

  /// The samples of a colour: luma, and two of chroma. Red, green and blue are from 0 to 1. ISO/IEC 23091-2, 8.3
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
