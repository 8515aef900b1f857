// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF

/// What an extraction wrote.
public struct ExtractionSummary: Sendable, Hashable {
  /// How many samples, or access units, had something to write.
  public var samples = 0
  /// How many NAL units were written, parameter sets included.
  public var nalUnits = 0
  /// How many bytes were written, start codes included.
  public var bytes = 0
  /// The layers that were written.
  public var layers: [UInt8] = []
}

/// Why nothing can be extracted.
public enum ExtractionError: Error, Sendable, Hashable {
  /// The track is no HEVC.
  case notHEVC
  /// The samples are encrypted.
  case isProtected
  /// The track has no such layer.
  case noSuchLayer(UInt8, available: [UInt8])
  /// No layer is known to show that eye.
  case unknownEye(StereoEye)
  /// The bytes could not be read.
  case unreadable(SourceError)
}

extension ExtractionError: CustomStringConvertible {
  /// The whole sentence.
  public var description: String {
    switch self {
    case .notHEVC: "the track is no HEVC: only HEVC has layers to extract"
    case .isProtected: "the samples are encrypted"
    case .noSuchLayer(let layer, let available):
      "the track has no layer \(layer); it has \(available.map(String.init).joined(separator: ", "))"
    case .unknownEye(let eye): "nothing says which layer shows the \(eye) eye: name a layer instead"
    case .unreadable(let error): error.description
    }
  }
}

extension Track {
  /// Writes layers as a byte stream with start codes, parameter sets in front, in the order of decoding.
  ///
  /// - Parameters:
  ///   - wanted: the layers; a decoder also needs those they are predicted from.
  ///   - includingReferences: whether those are written too.
  ///   - write: gets the stream piece by piece; answers whether to go on.
  public func extract(
    layers wanted: Set<UInt8>, includingReferences: Bool = true, write: ([UInt8]) -> Bool
  ) throws(ExtractionError) -> ExtractionSummary {
    guard isHEVC else { throw .notHEVC }
    guard formatDescriptions.first?.isProtected != true else { throw .isProtected }
    let analysis = layerAnalysis
    let available = analysis.layers.map(\.layerID)
    for layer in wanted.sorted() where !available.contains(layer) {
      throw .noSuchLayer(layer, available: available)
    }
    let needed = includingReferences ? analysis.closure(wanted) : wanted
    var summary = ExtractionSummary(layers: needed.sorted())
    var goesOn = true
    if !isRawStream {
      let sets = analysis.units.filter { located in
        if case .sample = located.source { return false }
        return located.unit.type == .videoParameterSet || needed.contains(located.unit.layerID)
      }.map(\.unit)
      goesOn = hand(sets, &summary, write)
    }
    let source = context.source
    var failure: SourceError?
    do {
      try forEachAccessUnit { places, _ in
        let chosen = places.units.filter {
          needed.contains($0.header.layerID) || $0.header.type == .videoParameterSet
        }
        guard goesOn, !chosen.isEmpty else { return goesOn }
        summary.samples += 1
        do throws(SourceError) {
          var units: [NALUnit] = []
          for place in chosen {
            if let unit = NALUnit(try source.read(place.range)) { units.append(unit) }
          }
          goesOn = hand(units, &summary, write)
        } catch {
          failure = error
          goesOn = false
        }
        return goesOn
      }
    } catch { throw .unreadable(error) }
    if let failure { throw .unreadable(failure) }
    return summary
  }

  /// Writes the layer that shows an eye, with those it is predicted from.
  public func extract(eye: StereoEye, write: ([UInt8]) -> Bool) throws(ExtractionError) -> ExtractionSummary {
    guard let layer = eyes.eyes.first(where: { $0.value == eye })?.key else { throw .unknownEye(eye) }
    return try extract(layers: [layer], write: write)
  }

  private func hand(_ units: [NALUnit], _ summary: inout ExtractionSummary, _ write: ([UInt8]) -> Bool)
    -> Bool
  {
    guard !units.isEmpty else { return true }
    let bytes = AnnexBNALUnits.join(units)
    summary.nalUnits += units.count
    summary.bytes += bytes.count
    return write(bytes)
  }
}
