// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import FileAccess
import HEVC
import ISOBMFF

/// The NAL units of one layer of a sample, with the tags of that layer: what a tagged buffer is to decoded pictures.
/// Core Media: `CMTaggedBuffer`
public struct TaggedNALUnits: Sendable {
  let layer: TaggedLayer
  /// The ranges and headers of the units.
  public let places: [NALUnitPlace]
  let source: any ByteSource
  let analysis: LayerAnalysis
  /// The number of the sample, for errors.
  let sample: Int

  /// The layer, and the eye that sees it.
  public var tags: TagCollection { layer.tags }
  /// The layer.
  public var layerID: UInt8 { layer.layerID }
  /// The eye that sees it.
  public var eye: StereoEye? { layer.eye }
  private var parameterSets: [NALUnit] { analysis.parameterSets(forLayers: [layerID]) }

  /// How many bytes the units have, without lengths.
  public var byteCount: Int { places.reduce(0) { $0 + $1.byteCount } }

  /// The units, read now.
  ///
  /// - Throws: ``SampleError`` if one of them is not all there.
  public func nalUnits() throws(SampleError) -> [NALUnit] {
    var units: [NALUnit] = []
    units.reserveCapacity(places.count)
    for place in places {
      let unit: NALUnit?
      do throws(SourceError) { unit = try place.unit(in: source) } catch { throw .unreadable(error) }
      guard let unit, unit.bytes.count == place.byteCount else {
        throw .damaged(place.truncation(unit?.bytes.count ?? 0), sample: sample)
      }
      units.append(unit)
    }
    return units
  }

  /// The units as a byte stream with start codes, ready for a decoder.
  ///
  /// - Parameter withParameterSets: whether the parameter sets that the layer needs are in front: those of the sample
  ///   description of the sample.
  /// - Throws: ``SampleError`` if a unit is not all there.
  public func annexB(withParameterSets: Bool = false) throws(SampleError) -> [UInt8] {
    AnnexBNALUnits.join((withParameterSets ? parameterSets : []) + (try nalUnits()))
  }

  /// The units each after its length.
  public func lengthPrefixed(lengthSize: Int = 4, withParameterSets: Bool = false) throws -> [UInt8] {
    try LengthPrefixedNALUnits.join(
      (withParameterSets ? parameterSets : []) + nalUnits(), lengthSize: lengthSize)
  }
}

/// What is the same for a layer in all samples of a track.
struct TaggedLayer: Sendable {
  let layerID: UInt8
  let eye: StereoEye?
  let tags: TagCollection

  init(_ layerID: UInt8, _ analysis: LayerAnalysis) {
    self.layerID = layerID
    eye = analysis.eyeAssignment.eyes[layerID]
    tags = StereoLayout.tags(layerID: layerID, eye: eye)
  }
}

extension Track {
  /// The NAL units of the sample at a cursor, a group for each layer, lowest layer first. The cursor must be one of this
  /// track.
  ///
  /// They are what a decoder gets: extractors are replaced by what they stand for, and a ``joined`` track has the units
  /// of all its tracks.
  ///
  /// - Throws: ``SampleError`` if these would not be all: the sample is damaged or beyond the end of the file, or
  ///   is not HEVC; and where the cursor is one of another track. ``forEachAccessUnit(_:_:)`` hands on what there is of a
  ///   damaged sample, beside the error.
  public func taggedNALUnits(at cursor: SampleCursor) throws(SampleError) -> [TaggedNALUnits] {
    guard cursor.isOf(self) else { throw .ofAnotherTrack }
    let sample = cursor.sample
    try checkReadable(sample)
    let units = try decodedUnits(of: sample)
    var present: UInt64 = 0
    for unit in units { present |= 1 << UInt64(unit.header.layerID) }
    let described = described(for: sample)
    let analysis = described.layerAnalysis
    let layers = described.lazy.further.value(\.taggedLayers) {
      analysis.layers.map { TaggedLayer($0.layerID, analysis) }
    }
    var groups: [TaggedNALUnits] = []
    groups.reserveCapacity(present.nonzeroBitCount)
    while present != 0 {
      let id = UInt8(present.trailingZeroBitCount)
      present &= present - 1
      groups.append(
        TaggedNALUnits(
          layer: layers.first { $0.layerID == id } ?? TaggedLayer(id, analysis),
          places: Self.units(units, ofLayer: id), source: context.source, analysis: analysis,
          sample: sample.index))
    }
    return groups
  }

  /// The units of one layer: counted first, because an array that grows is allocated several times for each sample.
  private static func units(_ units: [NALUnitPlace], ofLayer id: UInt8) -> [NALUnitPlace] {
    var found: [NALUnitPlace] = []
    found.reserveCapacity(units.count { $0.header.layerID == id })
    for unit in units where unit.header.layerID == id { found.append(unit) }
    return found
  }

  /// Throws where the samples of the description are not read, or where the file ends within this one.
  private func checkReadable(_ sample: Sample) throws(SampleError) {
    let description = formatDescription(of: sample)
    guard let description, description.isHEVC else {
      throw .notHEVC(sample: sample.index, codec: description?.codec)
    }
    if let absence = absence ?? absence(of: description) { throw .damaged(absence, sample: sample.index) }
    if let size = context.source.size, sample.range.upperBound > size {
      let place = NALUnitPlace(
        range: sample.range, header: NALUnitHeader(type: .videoParameterSet), startsPicture: false)
      let there = Int(clamping: size > sample.offset ? size - sample.offset : 0)
      throw .damaged(place.truncation(there, of: "sample"), sample: sample.index)
    }
  }

  /// What a decoder gets of a sample.
  private func decodedUnits(of sample: Sample) throws(SampleError) -> [NALUnitPlace] {
    var units: [NALUnitPlace] = []
    units.reserveCapacity(16)
    var error: ParseError?
    var isPlain = !isJoined && !hasExtractors
    do throws(SourceError) {
      if isPlain {
        error = try SampleWalker(self).walk(sample) { unit in
          switch unit.header.type {
          case .aggregator, .extractor, .endOfBitstream: isPlain = false
          default: units.append(unit)
          }
        }
      }
      if !isPlain {
        let unit = try AccessUnitReader(self).accessUnit(of: sample)
        (units, error) = (unit.units, unit.error)
      }
    } catch { throw .unreadable(error) }
    // Where lengths have led astray, what is taken for a header mostly is none.
    if error == nil, let wrong = units.first(where: { !$0.header.isPossible }) {
      error = ParseError(
        .invalid("is not possible: the lengths before it are wrong"),
        offset: Int(clamping: wrong.range.lowerBound), field: "NALUnitHeader")
    }
    if let error { throw .damaged(error, sample: sample.index) }
    return units
  }
}

extension NALUnitHeader {
  /// Whether a stream may have such a header: units of layer 63 are allowed, and ignored by decoders.
  fileprivate var isPossible: Bool { forbiddenZeroBit == 0 && temporalIDPlus1 > 0 }
}

extension NALUnitPlace {
  /// The error that only `count` bytes of the unit are present.
  fileprivate func truncation(_ count: Int, of field: String = "NALUnit") -> ParseError {
    ParseError(
      .truncated(
        neededBits: byteCount.multipliedReportingOverflow(by: 8).partialValue, availableBits: count * 8),
      offset: Int(clamping: range.lowerBound), field: field)
  }
}

extension LayerAnalysis {
  /// The parameter sets and whole-stream SEI messages that a decoder needs for some layers, in order.
  public func parameterSets(forLayers wanted: Set<UInt8>, includingReferences: Bool = true) -> [NALUnit] {
    let needed = includingReferences ? closure(wanted) : wanted
    return units.filter { located in
      if case .sample = located.source, located.unit.type.isSEI { return false }
      return located.unit.type == .videoParameterSet || needed.contains(located.unit.layerID)
    }.map(\.unit)
  }

  /// Some layers, and those they are predicted from.
  public func closure(_ wanted: Set<UInt8>) -> Set<UInt8> {
    var needed = wanted
    for layer in layers where wanted.contains(layer.layerID) { needed.formUnion(layer.allReferences) }
    return needed
  }
}

/// Why the NAL units of a sample are not handed on: a decoder must not take a part of them for all.
public enum SampleError: Error, Sendable, Hashable {
  /// The sample has this codec, and only HEVC is understood; `nil` if the sample has no description.
  case notHEVC(sample: Int, codec: FourCC?)
  /// The cursor is one of another track, or of another movie.
  case ofAnotherTrack
  /// The sample is damaged: its NAL units do not fill it, or the file ends within it.
  case damaged(ParseError, sample: Int)
  /// The bytes could not be read.
  case unreadable(SourceError)
}

extension SampleError: CustomStringConvertible {
  /// The whole sentence.
  public var description: String {
    switch self {
    case .notHEVC(let sample, let codec):
      "sample \(sample) \(codec.map { "is '\($0)'" } ?? "has an unknown codec"), not HEVC: only HEVC has layers"
    case .ofAnotherTrack: "the cursor is at a sample of another track: use the track that made the cursor"
    case .damaged(let error, let sample): "sample \(sample) is damaged: \(error)"
    case .unreadable(let error): error.description
    }
  }
}
