// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `dcom`: how a movie's boxes are compressed.
public struct DataCompressionBox: BoxPayload {
  public static let info = BoxInfo(
    ["dcom"], name: "data compression", in: [.box("cmov")],
    "QuickTime File Format, Compressed Movie Resources", "How a movie's boxes are compressed.")

  /// The method.
  public var method: FourCC = "zlib"

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fourCC("compression_method", &method)
  }
}

/// `cmvd`: a movie's boxes, compressed.
public struct CompressedMovieDataBox: BoxPayload {
  public static let info = BoxInfo(
    ["cmvd"], name: "compressed movie data", in: [.box("cmov")],
    "QuickTime File Format, Compressed Movie Resources", "A movie's boxes, compressed.")

  /// The number of bytes without compression.
  public var uncompressedSize: UInt32 = 0
  /// The compressed bytes.
  public var data = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("uncompressed_size", &uncompressedSize)
    try c.remainder("compressed_data", &data)
  }
}
