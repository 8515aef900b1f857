// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
public import FileAccess
import HEVC
import ISOBMFF

/// The result of an extraction.
public struct ExtractionSummary: Sendable, Hashable {
  /// How many samples, or access units, had something to write.
  public var samples = 0
  /// How many NAL units were written, parameter sets included.
  public var nalUnits = 0
  /// How many bytes were written, start codes included.
  public var bytes = 0
  /// The layers that were written.
  public var layers: [UInt8] = []
  /// How many samples could not be read whole: of these, what precedes the damage was written.
  public var damagedSamples = 0
  /// The first error in the samples, because of which units were left out or truncated; `nil` if there is none.
  public var error: ParseError?
  /// How many samples have nothing of what was wanted, because their sample description says so: no such layer, or no layer
  /// for the eye.
  public var samplesWithoutLayer = 0
  /// Why samples are missing that the tables or fragments of the track should list; empty if all were found.
  public var losses = DiagnosticList()

  /// Nothing written.
  public init() {}

  fileprivate mutating func note(_ error: ParseError) { self.error = self.error ?? error }
}

/// Why nothing can be extracted.
public enum ExtractionError: Error, Sendable, Hashable {
  /// The track is not HEVC.
  case notHEVC
  /// The samples are encrypted.
  case isProtected
  /// The track has no such layer.
  case noSuchLayer(UInt8, available: [UInt8])
  /// No layer is known to show that eye.
  case unknownEye(StereoEye)
  /// There is one view, in this layer.
  case oneView(layer: UInt8)
  /// The bytes could not be read.
  case unreadable(SourceError)
}

extension ExtractionError: CustomStringConvertible {
  /// The whole sentence.
  public var description: String {
    switch self {
    case .notHEVC: "the track is not HEVC: only HEVC has layers to extract"
    case .isProtected: "the samples are encrypted"
    case .noSuchLayer(let layer, let available):
      "the track has no layer \(layer); it has "
        + (available.isEmpty ? "none that is known" : available.map(String.init).joined(separator: ", "))
    case .unknownEye(let eye): "which layer shows the \(eye) eye is not signalled: name a layer instead"
    case .oneView(let layer): "there is only one view: name its layer, \(layer), instead"
    case .unreadable(let error): error.description
    }
  }
}

extension Track {
  /// Writes layers as a byte stream with start codes, parameter sets in front, in decoding order. Layers that
  /// other tracks hold are taken from there: see ``joined``.
  ///
  /// - Parameters:
  ///   - wanted: the layers; a decoder also needs those they are predicted from.
  ///   - includingReferences: whether those are written too.
  ///   - write: gets the stream piece by piece; returns whether to continue.
  public func extract(
    layers wanted: Set<UInt8>, includingReferences: Bool = true, write: ([UInt8]) -> Bool
  ) throws(ExtractionError) -> ExtractionSummary {
    try extract(.layers(wanted), includingReferences: includingReferences, write: write)
  }

  /// The layers or the eye that are extracted from each sample.
  private enum Wanted {
    case layers(Set<UInt8>)
    case eye(StereoEye)

    func layers(in analysis: LayerAnalysis) -> Set<UInt8> {
      switch self {
      case .layers(let layers): layers
      case .eye(let eye): analysis.eyeAssignment.layer(of: eye).map { [$0] } ?? []
      }
    }
  }

  private func extract(
    _ wanted: Wanted, includingReferences: Bool, write: ([UInt8]) -> Bool
  ) throws(ExtractionError) -> ExtractionSummary {
    guard isHEVC else { throw .notHEVC }
    guard !joinedTracks.contains(where: \.isProtected) else { throw .isProtected }
    if let absence {
      throw .unreadable(SourceError(.other(absence.reason), offset: UInt64(clamping: absence.offset)))
    }
    var analysis = layerAnalysis
    func needs(_ analysis: LayerAnalysis) -> Set<UInt8> {
      let layers = wanted.layers(in: analysis)
      return includingReferences ? analysis.closure(layers) : layers
    }
    var needed = needs(analysis)
    if !isJoined, hasExtractors || !analysis.carries(needed), joined.isJoined {
      return try joined.extract(wanted, includingReferences: includingReferences, write: write)
    }
    // Whether only later sequences of a stream have some of the layers.
    var isLater = false
    if case .layers(let wanted) = wanted {
      let known = analysis.layers.map(\.layerID)
      // Samples of another description may have it.
      var available = wanted.isSubset(of: known) ? known : layersOfAllDescriptions
      if isRawStream, !wanted.isSubset(of: available) {
        var all: (available: [UInt8], needed: Set<UInt8>)
        do { all = try layersOfAllSequences(for: wanted) } catch { throw .unreadable(error) }
        available = all.available
        needed = includingReferences ? all.needed : wanted
        isLater = true
      }
      for layer in wanted.sorted() where !available.contains(layer) {
        throw .noSuchLayer(layer, available: available)
      }
    }
    var summary = ExtractionSummary()
    summary.layers = needed.sorted()
    do { summary.losses = try sampleLosses() } catch { throw .unreadable(error) }
    var goesOn = true
    var sets = isRawStream || needed.isEmpty ? [] : analysis.sets(for: needed)
    var units = UnitWriter()
    for set in sets { units.append(set, &summary, write) }
    goesOn = units.finish(&summary, write)
    var descriptions = joinedTracks.map(\.mainDescriptionNumber)
    do {
      try forEachAccessUnit { places, _ throws(SourceError) in
        if let error = places.error { summary.note(error) }
        var newSets: [NALUnit] = []
        if hasSeveralDescriptions, places.error == nil || !places.units.isEmpty, let sample = places.sample,
          descriptionNumbers(of: sample) != descriptions
        {
          // From here on the parameter sets of another description hold.
          descriptions = descriptionNumbers(of: sample)
          analysis = described(for: sample).layerAnalysis
          needed = needs(analysis)
          summary.layers = Set(summary.layers).union(needed).sorted()
          let theirs = needed.isEmpty ? sets : analysis.sets(for: needed)
          if theirs != sets { newSets = theirs }
          sets = theirs
        }
        if needed.isEmpty || !isLater && !analysis.layers.contains(where: { needed.contains($0.layerID) }) {
          summary.samplesWithoutLayer += 1
          return goesOn
        }
        let chosen = places.units.filter {
          needed.contains($0.header.layerID) || $0.header.type == .videoParameterSet
        }
        if places.error != nil { summary.damagedSamples += 1 }
        guard goesOn, !chosen.isEmpty else { return goesOn }
        summary.samples += 1
        // One after the other: extractors may name the same bytes many times over, and units may be long.
        var units = UnitWriter()
        for set in newSets { units.append(set, &summary, write) }
        for place in Track.withBaseLayerSetsInFront(chosen) where units.goesOn {
          if let unit = try unit(at: place, &summary) { units.append(unit, &summary, write) }
        }
        goesOn = units.finish(&summary, write)
        return goesOn
      }
    } catch { throw .unreadable(error) }
    return summary
  }

  /// Whether some samples have a layer that shows an eye.
  package func hasLayer(for eye: StereoEye) -> Bool {
    variants.contains { $0.eyeAssignment.layer(of: eye) != nil }
  }

  /// The layers that samples of any of its descriptions have, in ascending order.
  package var layersOfAllDescriptions: [UInt8] {
    Set(variants.flatMap { $0.layers.map(\.layerID) }).sorted()
  }

  /// The layers of all sequences, in ascending order, and which layers are needed to decode some of them. Where a raw stream
  /// does not begin with those, its video parameter sets are read to the end.
  package func layersOfAllSequences(
    for wanted: Set<UInt8>
  ) throws(SourceError) -> (available: [UInt8], needed: Set<UInt8>) {
    var available = Set(layersOfAllDescriptions), needed = layerAnalysis.closure(wanted)
    var last: NALUnit?
    var failure: SourceError?
    if isRawStream, !wanted.isSubset(of: available) {
      try forEachAccessUnit { places, _ in
        for place in places.units where place.header.type == .videoParameterSet {
          guard place.byteCount <= Limits.maximumParameterSetBytes else { continue }
          do throws(SourceError) {
            guard let unit = try place.unit(in: context.source), unit != last else { continue }
            last = unit
            for layer in unit.rbsp.decode(VideoParameterSet()).value.layerStructure.layers {
              available.insert(layer.id)
              if wanted.contains(layer.id) { needed.formUnion(layer.referenceLayers) }
            }
          } catch {
            failure = error
            return false
          }
        }
        return true
      }
    }
    if let failure { throw failure }
    return (available.sorted(), needed)
  }

  /// Writes the layer that shows an eye, with those it is predicted from. In a movie that was joined, that may be another
  /// layer in each part: each sample has that of its description.
  public func extract(
    eye: StereoEye, includingReferences: Bool = true, write: ([UInt8]) -> Bool
  ) throws(ExtractionError) -> ExtractionSummary {
    for track in [self, joined] {
      if track.hasLayer(for: eye) {
        return try track.extract(.eye(eye), includingReferences: includingReferences, write: write)
      }
    }
    throw extractionError(of: eye)
  }

  /// Why no layer can be extracted for an eye.
  package func extractionError(of eye: StereoEye) -> ExtractionError {
    let views = joined.layerAnalysis.views
    if views.count == 1, let view = views.first { return .oneView(layer: view.layerID) }
    return .unknownEye(eye)
  }

  /// Moves what is between the pictures of an access unit, and could as well begin the next one, in front of them.
  ///
  /// The standard allows parameter sets and SEI of the base layer there (F.7.4.2.4.4), and cameras write them; but
  /// readers of byte streams, who have no samples to go by, take them for the start of an access unit.
  private static func withBaseLayerSetsInFront(_ units: [NALUnitPlace]) -> [NALUnitPlace] {
    guard let picture = units.firstIndex(where: \.header.type.isVideoCodingLayer) else { return units }
    let isMisleading = { (unit: NALUnitPlace) in
      unit.header.layerID == 0 && unit.header.type.mayBeginAccessUnit
    }
    let rest = units[picture...]
    return units[..<picture] + rest.filter(isMisleading) + rest.filter { !isMisleading($0) }
  }

  /// A whole unit, or what there is of it.
  private func unit(
    at place: NALUnitPlace, _ summary: inout ExtractionSummary
  ) throws(SourceError) -> NALUnit? {
    let size = place.byteCount, limit = context.limits.maximumSampleBytes
    let offset = Int(clamping: place.range.lowerBound)
    guard size <= limit else {
      let code = ParseError.Code.limitExceeded(
        limit: "\(limit) (maximumSampleBytes)", value: UInt64(clamping: size))
      summary.note(ParseError(code, offset: offset, field: "NALUnit"))
      return nil
    }
    let unit = try place.unit(in: context.source)
    let count = unit?.bytes.count ?? 0
    if count < size {
      let code = ParseError.Code.truncated(neededBits: size * 8, availableBits: count * 8)
      summary.note(ParseError(code, offset: offset, field: "NALUnit"))
    }
    return unit
  }
}

extension LayerAnalysis {
  /// The parameter sets and messages of the records that some layers need, in order.
  fileprivate func sets(for layers: Set<UInt8>) -> [NALUnit] {
    units.filter { located in
      if case .sample = located.source { return false }
      return located.unit.type == .videoParameterSet || layers.contains(located.unit.layerID)
    }.map(\.unit)
  }
}

/// Writes units after start codes, in pieces: of a long unit no second copy is made.
private struct UnitWriter {
  private static var pieceBytes: Int { 1 << 16 }

  private var piece: [UInt8] = []
  /// Whether more is wanted.
  private(set) var goesOn = true

  mutating func append(_ unit: NALUnit, _ summary: inout ExtractionSummary, _ write: ([UInt8]) -> Bool) {
    summary.nalUnits += 1
    piece += [0, 0, 0, 1]
    var rest = unit.bytes
    while !rest.isEmpty, goesOn {
      piece += rest.prefix(Self.pieceBytes).array
      rest = rest.suffix(from: Self.pieceBytes)
      if piece.count >= Self.pieceBytes { flush(&summary, write) }
    }
  }

  /// Writes what is left; returns whether more is wanted.
  mutating func finish(_ summary: inout ExtractionSummary, _ write: ([UInt8]) -> Bool) -> Bool {
    if goesOn, !piece.isEmpty { flush(&summary, write) }
    return goesOn
  }

  private mutating func flush(_ summary: inout ExtractionSummary, _ write: ([UInt8]) -> Bool) {
    summary.bytes += piece.count
    goesOn = write(piece)
    piece.removeAll(keepingCapacity: true)
  }
}
