// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF

/// The NAL units of one layer of a sample, with the tags of that layer: what a tagged buffer is to decoded pictures.
/// Core Media: `CMTaggedBuffer`
public struct TaggedNALUnits: Sendable {
  /// The layer, and the eye that sees it.
  public let tags: TagCollection
  /// The layer.
  public let layerID: UInt8
  /// The eye that sees it.
  public let eye: StereoEye?
  /// Where the units stand.
  public let places: [NALUnitPlace]
  let source: any ByteSource
  let parameterSets: [NALUnit]

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

extension Track {
  /// The NAL units of the sample at a cursor, a group for each layer, lowest layer first. The cursor must be one of this
  /// track.
  ///
  /// They are what a decoder gets: extractors are replaced by what they stand for, and a ``joined`` track has the units
  /// of all its tracks.
  public func taggedNALUnits(at cursor: SampleCursor) throws(SourceError) -> [TaggedNALUnits] {
    let units = try AccessUnitReader(self).accessUnit(of: cursor.sample).units
    let byLayer = Dictionary(grouping: units, by: \.header.layerID)
    let analysis = layerAnalysis
    let eyes = analysis.eyes.eyes
    return byLayer.keys.sorted().map { layerID in
      TaggedNALUnits(
        tags: StereoLayout.tags(layerID: layerID, eye: eyes[layerID]), layerID: layerID, eye: eyes[layerID],
        places: byLayer[layerID] ?? [], source: context.source,
        parameterSets: analysis.parameterSets(forLayers: [layerID], includingReferences: true))
    }
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
