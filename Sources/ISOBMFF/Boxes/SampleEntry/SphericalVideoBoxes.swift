// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `st3d`: how two views are packed into a picture.
public struct Stereoscopic3DBox: FullBox {
  public static let info = BoxInfo(
    ["st3d"], name: "stereoscopic 3D", in: [.visualSampleEntry], "Spherical Video V2 RFC",
    "How two views are packed into a picture.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The packing: 0 mono, 1 one view above the other, 2 side by side, 3 according to the mesh of the projection.
  public var stereoMode: UInt8 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u8("stereo_mode", &stereoMode, in: nil, .named(Self.modeName))
  }

  private static func modeName(_ mode: Int64) -> String? {
    switch mode {
    case 0: "mono"
    case 1: "top-bottom"
    case 2: "left-right"
    case 3: "custom"
    default: nil
    }
  }
}
