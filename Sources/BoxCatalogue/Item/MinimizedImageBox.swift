// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `mini`: a whole image file in one box: size, colour, configuration and coded picture. It replaces `meta` and its
/// tables.
public struct MinimizedImageBox: BoxPayload {
  public static let info = BoxInfo(
    ["mini"], name: "minimized image", in: [.file], "ISO/IEC 23008-12, low-overhead image files",
    "A whole image file in one box: size, colour, configuration and coded picture.")

  /// The content, as bytes: drafts and the standard order its bits differently under the same version.
  public var data = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.remainder("data", &data)
  }
}
