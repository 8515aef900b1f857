// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// The NAL units of a byte stream in memory, each preceded by a start code. ISO/IEC 23008-2, annex B
///
/// Bytes other than zeros before the first start code, and units that are too short for a header, produce an error
/// and are skipped. For streams of any length see ``AnnexBScanner``.
public struct AnnexBNALUnits: Sequence, Sendable {
  /// The stream.
  public let bytes: ByteView

  /// The units in `bytes`.
  public init(_ bytes: ByteView) { self.bytes = bytes }

  public func makeIterator() -> Iterator { Iterator(bytes) }

  /// Walks the units of a stream.
  public struct Iterator: IteratorProtocol, Sendable {
    private let bytes: ByteView
    /// Where the next unit starts; `nil` after the last one.
    private var nextStart: Int?
    private var leading: ParseError?

    init(_ bytes: ByteView) {
      self.bytes = bytes
      let code = bytes.startCode(from: 0)
      nextStart = code.map { $0 + 3 }
      let zeros = bytes.zeroBytes(from: 0)
      if zeros < (code ?? bytes.count) {
        leading = ParseError(
          .invalid(code == nil ? "has no start code" : "has other bytes before the first start code"),
          offset: bytes.fileOffset(at: zeros), field: "byte_stream")
      }
    }

    public mutating func next() -> Result<NALUnit, ParseError>? {
      if let error = leading {
        leading = nil
        return .failure(error)
      }
      var short: (count: Int, offset: Int)?
      while let start = nextStart {
        let code = bytes.startCode(from: start)
        let end = code ?? bytes.count
        // Zeros at the end belong to the stream: a NAL unit never ends in one.
        let length = Swift.max(0, end - bytes.zeroBytes(before: end) - start)
        if let unit = bytes.slice(start..<(start + length)).flatMap(NALUnit.init) {
          if let short { return .failure(Self.tooShort(short.count, at: short.offset)) }
          nextStart = code.map { $0 + 3 }
          return .success(unit)
        }
        short = (count: (short?.count ?? 0) + 1, offset: short?.offset ?? bytes.fileOffset(at: start))
        nextStart = code.map { $0 + 3 }
      }
      return short.map { .failure(Self.tooShort($0.count, at: $0.offset)) }
    }

    private static func tooShort(_ count: Int, at offset: Int) -> ParseError {
      ParseError(
        .invalid(
          count == 1 ? "is too short for its header" : "\(count) in a row are too short for their headers"),
        offset: offset, field: "nal_unit")
    }
  }
}

extension AnnexBNALUnits {
  /// The units in order, each preceded by a start code.
  ///
  /// Parameter sets, and units that begin an access unit, get the long start code. B.2.2
  public static func join(_ units: some Sequence<NALUnit>, longStartCodes: Bool = true) -> [UInt8] {
    var bytes: [UInt8] = []
    for unit in units {
      if longStartCodes || bytes.isEmpty || unit.type.isParameterSet { bytes.append(0) }
      bytes.append(contentsOf: [0, 0, 1])
      bytes.append(contentsOf: unit.bytes.array)
    }
    return bytes
  }
}
