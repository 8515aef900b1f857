// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// How samples of an unknown kind are coded.
///
/// Only the data reference that holds the samples is decoded; the rest is kept as bytes.
public struct SampleEntry: BoxPayload {
  public static let info = BoxInfo(
    [], name: "sample entry", in: [.otherSampleDescription], "ISO/IEC 14496-12, 8.5.2",
    "How samples of an unknown kind are coded.")

  /// The data reference that holds the samples, counted from 1.
  public var dataReferenceIndex: UInt16 = 1
  /// The bytes that the kind of entry adds.
  public var data = ByteView()
  var reserved: UInt64 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.sampleEntry(&reserved, &dataReferenceIndex)
    try c.remainder("data", &data)
  }
}

/// How samples are coded; all parameters are in its child boxes.
///
/// There are such entries for systems streams, boxed metadata, WebVTT and closed captions.
public struct BoxedSampleEntry: BoxPayload {
  public static let info = BoxInfo(
    ["mp4s", "wvtt", "urim", "mebx", "c608", "c708", "svcM"], name: "boxed sample entry",
    in: [.otherSampleDescription], "ISO/IEC 14496-12, 8.5.2; 14496-14, 6.7; 14496-15, C.5; 14496-30, 7.5",
    "How samples are coded; all parameters are in its child boxes.", childrenFollow: true,
    childScope: .otherSampleEntry)

  /// The data reference that holds the samples, counted from 1.
  public var dataReferenceIndex: UInt16 = 1
  /// Bytes before the boxes: closed captions, which no standard describes, have some in movies of iTunes.
  public var data = ByteView() {
    didSet { dataCount = data.count }
  }
  var reserved: UInt64 = 0
  var dataCount = 0

  public init() {}

  public mutating func prepare(for context: BoxContext, payload: ByteView) {
    guard context.type == "c608" || context.type == "c708" else { return }
    dataCount = payload.countBeforeBoxes(from: 8)
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.sampleEntry(&reserved, &dataReferenceIndex)
    if dataCount > 0 { try c.bytes("data", &data, count: dataCount) }
  }
}

/// How protected or restricted samples are coded.
///
/// Such an entry is neither video nor audio. The fields of the original kind of entry are known only after
/// the `frma` in it, so they are kept as bytes up to the first box.
public struct ProtectedSampleEntry: BoxPayload {
  public static let info = BoxInfo(
    [
      "encm", "enct", "encu", "encf", "encs", "encp", "enc3", "resm", "rest", "resu", "resf", "ress", "resp",
      "res3",
    ], name: "protected sample entry", in: [.otherSampleDescription], "ISO/IEC 14496-12, 8.12 and 8.15",
    "How protected or restricted samples are coded.", childrenFollow: true, childScope: .otherSampleEntry)

  /// The data reference that holds the samples, counted from 1.
  public var dataReferenceIndex: UInt16 = 1
  /// The bytes that the original kind of entry adds.
  public var data = ByteView() {
    didSet { dataCount = data.count }
  }
  var reserved: UInt64 = 0
  var dataCount = 0

  public init() {}

  public mutating func prepare(for context: BoxContext, payload: ByteView) {
    dataCount = (payload.startOfBoxes(from: 8) ?? max(8, payload.count)) - 8
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.sampleEntry(&reserved, &dataReferenceIndex)
    if dataCount > 0 { try c.bytes("data", &data, count: dataCount) }
  }
}

extension FieldCoder where Self: ~Escapable {
  /// The fields with which every sample entry begins.
  @inlinable
  package mutating func sampleEntry(
    _ reserved: inout UInt64, _ dataReferenceIndex: inout UInt16
  ) throws(ParseError) {
    try self.reserved("reserved", &reserved, bits: 48, expecting: 0)
    try u16("data_reference_index", &dataReferenceIndex)
  }
}

extension ByteView {
  /// Whether there are only boxes between `start` and the end: sizes that fit, types that are text. Only the
  /// beginning of a long chain is examined.
  package func isChainOfBoxes(from start: Int) -> Bool {
    var index = start
    for _ in 0..<64 where index < count {
      guard let size = bigEndian(at: index, width: 4), size >= 8, size <= UInt64(count - index),
        fourCC(at: index + 4)?.isPrintable == true
      else { return false }
      index += Int(size)
    }
    return index > start
  }

  /// The first position, at `start` or after it, from which there are only boxes up to the end; `nil` if there is
  /// none. Fields before boxes are short, so not every position in long data is tried.
  package func startOfBoxes(from start: Int) -> Int? {
    guard start < count else { return nil }
    return (start..<Swift.min(count, start + 1_024)).first { isChainOfBoxes(from: $0) }
  }

  /// The number of bytes, from `start` on, that are before the first box of a kind of sample entry whose form is
  /// that of one writer: all of them if no box follows. Zeros alone are padding, and not counted.
  package func countBeforeBoxes(from start: Int) -> Int {
    guard start < count, !isChainOfBoxes(from: start), !suffix(from: start).isAllZero else { return 0 }
    return (startOfBoxes(from: start) ?? count) - start
  }

  /// How many of up to `maximum` strings are between `start` and the end, or the boxes there. Writers omit
  /// optional strings at the end.
  package func stringsBeforeBoxes(from start: Int, maximum: Int) -> Int {
    var ends = [start]
    while ends.count <= maximum {
      var index = ends[ends.count - 1]
      guard index < count else { break }
      while let byte = self[index], byte != 0 { index += 1 }
      ends.append(Swift.min(index + 1, count))
    }
    let last = ends.count - 1
    return (0...last).reversed().first { ends[$0] == count || isChainOfBoxes(from: ends[$0]) } ?? last
  }
}
