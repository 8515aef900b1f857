// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// How a coded picture is placed to be shown: mirrored first, if at all, then turned by quarter turns.
public struct PictureOrientation: Hashable, Sendable, Codable {
  /// By how many degrees the picture is turned clockwise: 0, 90, 180 or 270.
  public let rotation: Int
  /// Whether left and right change sides, before the picture is turned. A picture that is flipped top to bottom is
  /// mirrored and turned by 180°.
  public let isMirrored: Bool

  /// Makes an orientation; `nil` for a rotation that is not a number of quarter turns.
  public init?(rotation: Int, isMirrored: Bool = false) {
    guard rotation % 90 == 0 else { return nil }
    self.rotation = (rotation % 360 + 360) % 360
    self.isMirrored = isMirrored
  }

  /// The picture as it is coded.
  public static let upright = PictureOrientation(quarterTurns: 0, isMirrored: false)

  private init(quarterTurns: Int, isMirrored: Bool) {
    rotation = quarterTurns * 90
    self.isMirrored = isMirrored
  }

  /// The quarter turns that a matrix stands for; `nil` for one that does anything else. Scaling and moving do not count.
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

  /// Whether width and height change places.
  public var swapsSides: Bool { rotation == 90 || rotation == 270 }
}

extension PictureOrientation: CustomStringConvertible {
  /// `90°`, or `mirrored, 90°`.
  public var description: String { isMirrored ? "mirrored, \(rotation)°" : "\(rotation)°" }
}

extension TransformationMatrix {
  /// How the matrix turns and mirrors pictures; `nil` where it does more than quarter turns.
  public var orientation: PictureOrientation? { PictureOrientation(self) }
}
