// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// How a coded picture is oriented for display: first mirrored, if at all, then rotated by quarter turns.
public struct PictureOrientation: Hashable, Sendable, Codable {
  /// By how many degrees the picture is rotated clockwise: 0, 90, 180 or 270.
  public let rotation: Int
  /// Whether left and right are swapped before the picture is rotated. A picture that is flipped top to bottom is
  /// mirrored and rotated by 180°.
  public let isMirrored: Bool

  /// Makes an orientation; `nil` if the rotation is not a multiple of 90.
  public init?(rotation: Int, isMirrored: Bool = false) {
    guard rotation % 90 == 0 else { return nil }
    self.rotation = (rotation % 360 + 360) % 360
    self.isMirrored = isMirrored
  }

  /// The orientation of the coded picture.
  public static let upright = PictureOrientation(quarterTurns: 0, isMirrored: false)

  private init(quarterTurns: Int, isMirrored: Bool) {
    rotation = quarterTurns * 90
    self.isMirrored = isMirrored
  }

  /// The quarter turns of a matrix; `nil` for one that does anything else. Scaling and translation are ignored.
  init?(_ matrix: TransformationMatrix) {
    guard matrix.u == 0, matrix.v == 0 else { return nil }
    switch (matrix.a.signum(), matrix.b.signum(), matrix.c.signum(), matrix.d.signum()) {
    case (1, 0, 0, 1): self.init(quarterTurns: 0, isMirrored: false)
    case (0, 1, -1, 0): self.init(quarterTurns: 1, isMirrored: false)
    case (-1, 0, 0, -1): self.init(quarterTurns: 2, isMirrored: false)
    case (0, -1, 1, 0): self.init(quarterTurns: 3, isMirrored: false)
    case (-1, 0, 0, 1): self.init(quarterTurns: 0, isMirrored: true)
    case (0, -1, -1, 0): self.init(quarterTurns: 1, isMirrored: true)
    case (1, 0, 0, -1): self.init(quarterTurns: 2, isMirrored: true)
    case (0, 1, 1, 0): self.init(quarterTurns: 3, isMirrored: true)
    default: return nil
    }
  }

  /// Whether width and height are swapped.
  public var swapsSides: Bool { rotation == 90 || rotation == 270 }
}

extension PictureOrientation: CustomStringConvertible {
  /// `90°`, or `mirrored, 90°`.
  public var description: String { isMirrored ? "mirrored, \(rotation)°" : "\(rotation)°" }
}

extension TransformationMatrix {
  /// How the matrix rotates and mirrors pictures; `nil` if it does more than quarter turns.
  public var orientation: PictureOrientation? { PictureOrientation(self) }
}
