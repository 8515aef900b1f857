// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import FileAccess
import HEVC
package import HEVCDecoding
package import Multiview

/// Decodes the samples of a track in the order of decoding, one after the other when they are asked for, in constant memory.
package final class TrackDecoder {
  /// Something that kept samples or pictures from being decoded.
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
  private var units: AccessUnitIterator
  private var description: UInt32?
  private var isFinished = false
  /// The sample that is decoded next.
  package private(set) var nextSample: Int
  /// What was wrong since it was last emptied. Only the first thousand are kept.
  package private(set) var problems: [Problem] = []

  /// Decodes the samples at `range` of a track, which should be ``Track/joined`` for all layers of its bitstream.
  package init(
    _ track: Track, _ options: HEVCDecoder.Options, _ range: Range<Int> = 0..<Int.max
  ) throws(SourceError) {
    self.track = track
    decoder = HEVCDecoder(options)
    decoder.insert(parameterSets: track.layerAnalysis.units.map(\.unit))
    units = try AccessUnitIterator(track, range)
    nextSample = range.lowerBound
  }

  /// Continues at another sample, at which decoding can start.
  package func restart(at sample: Int) throws(SourceError) {
    decoder.restart()
    units = try AccessUnitIterator(track, sample..<Int.max)
    nextSample = sample
    isFinished = false
  }

  /// How many pictures were decoded.
  package var decodedCount: Int { decoder.decodedCount }

  /// Whether pictures come out otherwise than without ``skip(to:within:)``, because of damage: ``restart(at:)`` helps.
  package var isInexact: Bool { decoder.hasLostSubstitute }

  /// The pictures of a sample that has not come out yet: of what precedes it, only that is decoded on which they depend.
  ///
  /// - Parameter delay: how many samples after it are looked at until it comes out.
  /// - Returns: `nil` where it does not come out, or can come no more. What was before it does not come out any more then.
  package func skip(to sample: Int, within delay: Int) throws(SourceError) -> [DecodedPicture]? {
    var found = decoder.skip(to: sample)
    while found.isEmpty, nextSample - delay <= sample, let pictures = try next() { found = pictures }
    if !found.isEmpty { return found }
    decoder.stopSkipping()
    return nil
  }

  /// Decodes a sample.
  ///
  /// - Returns: the pictures whose turn to be shown has come, by time and then by ascending layer; `nil` after the last ones.
  package func next() throws(SourceError) -> [DecodedPicture]? {
    guard !isFinished, let (places, walker) = try units.next() else {
      // What came after pictures that were skipped to is still there.
      let pictures = decoder.finish()
      recordFailures()
      defer { isFinished = true }
      return isFinished && pictures.isEmpty ? nil : pictures
    }
    nextSample = places.index + 1
    if let error = places.error {
      record(Problem(sample: places.index, layerID: nil, description: "\(error)"))
    }
    if let sample = places.sample, description != sample.descriptionIndex {
      if description != nil { changeDescription(sample.descriptionIndex) }
      description = sample.descriptionIndex
    }
    var found: [NALUnit] = []
    found.reserveCapacity(places.units.count)
    for place in places.units {
      if let unit = try walker.unit(place) { found.append(unit) }
    }
    let pictures = decoder.decode(found, tag: places.index)
    recordFailures()
    return pictures
  }

  /// What was wrong since the last call.
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

  /// Another sample description has parameter sets of its own.
  private func changeDescription(_ index: UInt32) {
    let descriptions = track.formatDescriptions, place = Int(index) - 1
    guard descriptions.indices.contains(place) else { return }
    decoder.insert(parameterSets: descriptions[place].configurationUnits.map(\.unit))
  }
}
