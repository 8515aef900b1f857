// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import FileAccess
import HEVC
package import HEVCDecoding
import ISOBMFF
package import Multiview

/// Decodes the samples of a track on request, in decoding order and in constant memory.
package final class TrackDecoder {
  /// Something that prevented samples or pictures from being decoded.
  package struct Problem: CustomStringConvertible, Sendable {
    package let sample: Int
    package let layerID: UInt8?
    package let description: String

    package init(sample: Int, layerID: UInt8?, description: String) {
      self.sample = sample
      self.layerID = layerID
      self.description = description
    }
  }

  private let track: Track
  private let decoder: HEVCDecoder
  /// The budget to which all samples that are read are charged.
  package let budget: WorkBudget
  private var units: AccessUnitIterator
  /// The sample descriptions whose parameter sets were inserted last: of joined tracks one for each.
  private var descriptions: [UInt32] = []
  /// Whether samples have brought parameter sets that may have replaced those of their description.
  private var hasOtherSets = false
  private var isFinished = false
  /// The index of the sample that is decoded next.
  package private(set) var nextSample: Int
  /// The sample that the last call of ``next()`` has decoded, and the layers of which it has pictures, whether or not they are
  /// output; `nil` if that call decoded none, or its sample cannot be read to its end.
  package private(set) var decoded: (sample: Int, layers: LayerIDSet)?
  /// The problems since the last call of ``takeProblems()``. Only the first thousand are kept.
  package private(set) var problems: [Problem] = []

  /// Makes a decoder for the samples in `range` of a track, which should be ``Track/joined`` for all layers of
  /// its bitstream.
  package init(
    _ track: Track, _ options: HEVCDecoder.Options, _ range: Range<Int> = 0..<Int.max
  ) throws(SourceError) {
    self.track = track
    var options = options
    // Decoders of streams drop what a random access picture says need not be output, as the reference decoder and FFmpeg do.
    // But a movie says of each sample when it is shown, and a splice, where the flag is often set, must not lose pictures.
    options.outputsPriorPictures = !track.isRawStream
    decoder = HEVCDecoder(options)
    budget = WorkBudget(track)
    if !track.hasSeveralDescriptions {
      decoder.insert(parameterSets: track.layerAnalysis.units.map(\.unit))
    }
    units = try AccessUnitIterator(track, range, budget)
    nextSample = range.lowerBound
  }

  /// Continues at another sample. Decoding can start at that sample, with the parameter sets of its description.
  package func restart(at sample: Int) throws(SourceError) {
    decoder.restart()
    if hasOtherSets {
      descriptions = []
      if !track.hasSeveralDescriptions {
        let units = track.layerAnalysis.units.lazy.map(\.unit)
        _ = budget.admits(.bytes(WorkBudget.Work.cost(of: units)), at: 0)
        decoder.insert(parameterSets: Array(units))
      }
      hasOtherSets = false
    }
    units = try AccessUnitIterator(track, sample..<Int.max, budget)
    nextSample = sample
    isFinished = false
  }

  /// The number of pictures decoded so far.
  package var decodedCount: Int { decoder.decodedCount }

  /// Whether, because of damage, pictures may differ from what they would be without ``skip(to:)``;
  /// ``restart(at:)`` ends that.
  package var isInexact: Bool { decoder.hasLostSubstitute }

  /// Returns the pictures of a sample that has not been output yet, and decodes only the preceding pictures
  /// that they depend on.
  ///
  /// - Returns: the pictures; `nil` if they are not output. The pictures of preceding samples are then not
  ///   output either.
  package func skip(to sample: Int) throws(SourceError) -> [DecodedPicture]? {
    var found = decoder.skip(to: sample)
    while found.isEmpty, !hasPassed(sample), let pictures = try next() { found = pictures }
    if !found.isEmpty { return found }
    decoder.stopSkipping()
    return nil
  }

  /// Whether the stream says that the pictures of a sample are not output.
  package func isUnshown(_ sample: Int) -> Bool { decoder.isUnshown(tag: sample) }

  /// Whether a sample was decoded, and no picture of it is still to come.
  package func hasPassed(_ sample: Int) -> Bool { nextSample > sample && !decoder.isHolding(tag: sample) }

  /// Decodes the next sample.
  ///
  /// - Returns: the pictures that are output, by time and then by ascending layer; `nil` after the last ones.
  package func next() throws(SourceError) -> [DecodedPicture]? {
    decoded = nil
    guard !isFinished, let (places, walker) = try units.next() else {
      // Pictures after those that were skipped to may still be output.
      let pictures = decoder.finish()
      recordFailures()
      defer { isFinished = true }
      return isFinished && pictures.isEmpty ? nil : pictures
    }
    nextSample = places.index + 1
    let isAdmitted = budget.admits(.steps(1), at: places.sample?.offset ?? 0)
    if let error = places.error ?? (isAdmitted ? nil : budget.exhaustion) {
      record(Problem(sample: places.index, layerID: nil, description: "\(error)"))
    }
    // What was read of a sample before too much was read is not all of it.
    if budget.isExhausted { return [] }
    let ended = places.sample.map(changeDescription) ?? []
    var found: [NALUnit] = []
    found.reserveCapacity(places.units.count)
    for place in places.units {
      guard let unit = try walker.unit(place) else { continue }
      if !track.isRawStream, unit.type.isParameterSet { hasOtherSets = true }
      found.append(unit)
    }
    if places.error == nil {
      var layers = LayerIDSet()
      for unit in found where unit.type.isSliceSegment && unit.header.isValid { layers.insert(unit.layerID) }
      decoded = (places.index, layers)
    }
    let pictures = decoder.decode(found, tag: places.index)
    recordFailures()
    return ended + pictures
  }

  /// Returns the problems since the last call, and clears them.
  package func takeProblems() -> [Problem] {
    defer { problems = [] }
    return problems
  }

  private func record(_ problem: Problem) {
    if problems.count < 1_000 { problems.append(problem) }
  }

  private func recordFailures() {
    for failure in decoder.takeFailures() {
      record(
        Problem(
          sample: failure.tag, layerID: failure.layerID,
          description: "layer \(failure.layerID): \(failure.problem)"))
    }
  }

  /// Begins another stream with the parameter sets of the description of a sample, unless it is that of the sample before:
  /// what the previous description left to output comes out first, whatever the stream says of it.
  private func changeDescription(_ sample: Sample) -> [DecodedPicture] {
    guard track.hasSeveralDescriptions else { return [] }
    let numbers = track.descriptionNumbers(of: sample)
    guard numbers != descriptions else { return [] }
    descriptions = numbers
    return decoder.beginStream(parameterSets: track.described(for: sample).layerAnalysis.units.map(\.unit))
  }
}
