// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF

/// The NAL units of one layer of a sample, with the tags of that layer: what a tagged buffer is to decoded pictures.
/// Core Media: `CMTaggedBuffer`
public struct TaggedNALUnits: Sendable {
  let layer: TaggedLayer
  /// Where the units stand.
  public let places: [NALUnitPlace]
  let source: any ByteSource
  let analysis: LayerAnalysis

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
  public func nalUnits() throws(SourceError) -> [NALUnit] {
    var units: [NALUnit] = []
    for place in places {
      if let unit = try place.unit(in: source) { units.append(unit) }
    }
    return units
  }

  /// The units as a byte stream with start codes, ready for a decoder.
  ///
  /// - Parameter withParameterSets: whether the parameter sets that the layer needs stand in front.
  public func annexB(withParameterSets: Bool = false) throws(SourceError) -> [UInt8] {
    AnnexBNALUnits.join((withParameterSets ? parameterSets : []) + (try nalUnits()))
  }

  /// The units each behind its length.
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
    eye = analysis.eyes.eyes[layerID]
    tags = StereoLayout.tags(layerID: layerID, eye: eye)
  }
}

extension Track {
  /// The NAL units of the sample at a cursor, a group for each layer, lowest layer first. The cursor must be one of this
  /// track.
  ///
  /// They are what a decoder gets: extractors are replaced by what they stand for, and a ``joined`` track has the units
  /// of all its tracks.
  public func taggedNALUnits(at cursor: SampleCursor) throws(SourceError) -> [TaggedNALUnits] {
    let units = try decodedUnits(of: cursor.sample)
    var present: UInt64 = 0
    for unit in units { present |= 1 << UInt64(unit.header.layerID) }
    let layers = lazy.further.taggedLayers.value {
      layerAnalysis.layers.map { TaggedLayer($0.layerID, layerAnalysis) }
    }
    var groups: [TaggedNALUnits] = []
    groups.reserveCapacity(present.nonzeroBitCount)
    while present != 0 {
      let id = UInt8(present.trailingZeroBitCount)
      present &= present - 1
      groups.append(
        TaggedNALUnits(
          layer: layers.first { $0.layerID == id } ?? TaggedLayer(id, layerAnalysis),
          places: units.filter { $0.header.layerID == id }, source: context.source, analysis: layerAnalysis))
    }
    return groups
  }

  /// What a decoder gets of a sample.
  private func decodedUnits(of sample: Sample) throws(SourceError) -> [NALUnitPlace] {
    var units: [NALUnitPlace] = []
    var isPlain = !isJoined && !hasExtractors
    if isPlain {
      _ = try SampleWalker(self).walk(sample) { unit in
        switch unit.header.type {
        case .aggregator, .extractor, .endOfBitstream: isPlain = false
        default: units.append(unit)
        }
      }
    }
    return isPlain ? units : try AccessUnitReader(self).accessUnit(of: sample).units
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
