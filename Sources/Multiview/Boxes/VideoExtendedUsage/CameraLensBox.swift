// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `lens`: one lens of a camera system.
///
/// A full box; if a writer omitted version and flags, the boxes in it are still found.
public struct CameraLensBox: FullBox {
  public static let info = BoxInfo(
    ["lens"], name: "camera lens", in: [.box("lnsc")],
    "Apple Spatial and Immersive Media – Format additions, 1.9.8", "One lens of a camera system.",
    versions: 0...0, childrenFollow: true)

  /// Whether version and flags come first. Not in the file: found by looking ahead.
  public var isFullBox = true
  /// The flags of the full box; none are defined.
  public var flags: UInt32 = 0

  public init() {}

  public mutating func prepare(for context: BoxContext, payload: ByteView) {
    isFullBox = !payload.isEmpty && !Self.startsWithBox(payload)
  }

  /// Whether a box that belongs in a lens begins with the first byte, where version and flags should be.
  static func startsWithBox(_ payload: ByteView) -> Bool {
    let known: [FourCC] = ["lnhd", "rdim", "lnin", "ldst", "lfad", "lnex"]
    return payload.fourCC(at: 4).map(known.contains) ?? false
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    if isFullBox { try c.fullBox(&flags) }
  }
}
