// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
public import ISOBMFF

/// A sample description that samples of a track have. AVFoundation: an element of `AVAssetTrack.formatDescriptions`
public struct UsedDescription: Sendable {
  /// The number of the description, counted from 1. `sample_description_index`
  public let number: UInt32
  /// The first sample that has it.
  public let firstSample: Sample
  /// The index after that of the last sample that has it.
  public internal(set) var endIndex: Int
  /// How many samples have it: fewer than those up to ``endIndex`` if others are among them.
  public internal(set) var sampleCount = 1
  /// The numbers for all tracks that are joined, that of the first track in front.
  let numbers: [UInt32]
}

/// The samples by which a copy of a track is described, see ``Track/described(for:)``.
final class DescribedSamples: Sendable {
  /// The numbers of their descriptions: one for each of the tracks that are joined.
  let numbers: [UInt32]
  /// The first of them; `nil` if no sample has the description.
  let first: Sample?
  /// The values derived for the track as described by its first sample.
  let original: TrackAnalyses

  init(numbers: [UInt32], first: Sample?, original: TrackAnalyses) {
    self.numbers = numbers
    self.first = first
    self.original = original
  }
}

/// Each sample is read by the description that it names. Statements about a track are about that of its first sample, unless
/// the track is one that ``described(for:)`` returned.
extension Track {
  /// The description of a sample; `nil` if it names one that is not there.
  public func formatDescription(of sample: Sample) -> FormatDescription? {
    formatDescription(numbered: sample.descriptionIndex)
  }

  /// The description with a number, which counts from 1.
  func formatDescription(numbered number: UInt32) -> FormatDescription? {
    let index = Int(clamping: number) - 1
    return formatDescriptions.indices.contains(index) ? formatDescriptions[index] : nil
  }

  /// The number of the description by which the track is described, from 1: that of the first sample, where it names one that
  /// is there.
  package var mainDescriptionNumber: UInt32 {
    if let number = describing?.numbers.first { return number }
    guard formatDescriptions.count > 1 else { return 1 }
    return lazy.further.value(\.mainDescription) {
      guard let sample = firstSample, formatDescription(of: sample) != nil else { return 1 }
      return sample.descriptionIndex
    }
  }

  /// The description by which the track is described: that of its first sample. A track may have others, for other
  /// samples or for none: ``formatDescriptions`` has them all.
  public var mainDescription: FormatDescription? { formatDescription(numbered: mainDescriptionNumber) }

  /// The stereo and spatial tags of ``mainDescription``; a layout without values if no box has any.
  public var stereo: StereoLayout { mainDescription?.stereo ?? StereoLayout() }

  /// The sample entry of ``mainDescription``; `nil` if the track has none.
  public var sampleEntry: Box? { mainDescription?.box }

  /// The vocabulary of `CMFormatDescription` extensions for ``mainDescription``; without entries if no box has any.
  public var extensions: FormatDescriptionExtensions { FormatDescriptionExtensions(stereo) }

  /// Whether samples may have different descriptions, of this track or of one that is joined.
  package var hasSeveralDescriptions: Bool {
    isJoined ? parts.contains { $0.formatDescriptions.count > 1 } : formatDescriptions.count > 1
  }

  /// The descriptions that samples have, in the order of their first samples; empty for a track that has but one.
  ///
  /// For a ``joined`` track, these are the descriptions of its first track, with an element for each combination with
  /// those of the others.
  public var usedDescriptions: [UsedDescription] {
    guard hasSeveralDescriptions else { return [] }
    return (describing?.original ?? lazy).further.value(\.usedDescriptions) {
      var found: [UsedDescription] = []
      var places: [[UInt32]: Int] = [:]
      var last: [UInt32] = [], place: Int?
      do throws(SourceError) {
        for sample in try samples() {
          let numbers = descriptionNumbers(of: sample)
          if numbers != last {
            last = numbers
            place = places[numbers]
            if place == nil, formatDescription(of: sample) != nil {
              place = found.count
              places[numbers] = place
              found.append(
                UsedDescription(
                  number: sample.descriptionIndex, firstSample: sample, endIndex: 0, sampleCount: 0,
                  numbers: numbers))
            }
          }
          guard let place else { continue }
          found[place].endIndex = sample.index + 1
          found[place].sampleCount += 1
        }
      } catch {
        // Reading the samples reports that error.
        return []
      }
      return found
    }
  }

  /// How many descriptions of a track are looked into for the layers and eyes of all.
  private static let maximumVariants = 1_024

  /// The track as each of the descriptions that samples have shows it; the track alone if they have but one.
  package var variants: [Track] {
    let used = usedDescriptions.prefix(Self.maximumVariants)
    return used.isEmpty ? [self] : used.map { described(by: $0.numbers) }
  }

  /// The numbers of the descriptions that a sample has: its own, and those of the samples of other joined tracks that are
  /// decoded at the same time.
  package func descriptionNumbers(of sample: Sample) -> [UInt32] {
    guard isJoined else { return [sample.descriptionIndex] }
    let time = MediaTime(value: sample.decodeTime, timescale: timescale)
    return joinedTracks.enumerated().map { index, part in
      if index == 0 { return sample.descriptionIndex }
      guard part.formatDescriptions.count > 1 else { return 1 }
      do throws(SourceError) {
        let samples = try part.samples()
        let place = samples.index(atDecodeTime: time.roundedDown(to: part.timescale).value) ?? 0
        return samples.sample(at: place)?.descriptionIndex ?? part.mainDescriptionNumber
      } catch { return part.mainDescriptionNumber }
    }
  }

  /// The track as one of its samples shows it: ``mainDescription``, codec, layers, eyes, colour, stereo tags and class are
  /// those of the description of that sample. The track itself if that is the description by which it is described.
  ///
  /// Movies that were joined have a description for each part, and their eyes may be in another order. Samples, times and
  /// edits remain those of the whole track.
  public func described(for sample: Sample) -> Track {
    guard hasSeveralDescriptions else { return self }
    return described(by: descriptionNumbers(of: sample))
  }

  /// The track as the samples of one of its descriptions show it, counted from 1; the track itself for a number that it does
  /// not have.
  public func described(byDescription number: UInt32) -> Track {
    guard hasSeveralDescriptions, formatDescription(numbered: number) != nil else { return self }
    if isJoined {
      guard let used = usedDescriptions.first(where: { $0.number == number }) else { return self }
      return described(by: used.numbers)
    }
    return described(by: [number])
  }

  /// The track as its first sample shows it.
  var asItBegins: Track {
    guard let describing else { return self }
    // Parts of a joined track are described as the whole is.
    let parts = isJoined ? JoinedParts(parts.map(\.asItBegins)) : nil
    return Track(self, joining: parts, analyses: describing.original)
  }

  private func described(by numbers: [UInt32]) -> Track {
    let own = joinedTracks.map(\.mainDescriptionNumber)
    guard numbers != own, numbers.count == own.count, let number = numbers.first,
      formatDescription(numbered: number) != nil
    else { return self }
    if describing != nil, numbers == asItBegins.joinedTracks.map(\.mainDescriptionNumber) {
      return asItBegins
    }
    let original = describing?.original ?? lazy
    let known = original.further.value(\.described) { Locked([:]) }
    let analyses = known.withLock { known in
      if let analyses = known[numbers] { return analyses }
      let analyses = TrackAnalyses()
      known[numbers] = analyses
      return analyses
    }
    let first = usedDescriptions.first { $0.numbers == numbers }?.firstSample
    let parts =
      isJoined ? JoinedParts(zip(parts, numbers).map { $0.described(byDescription: $1) }) : nil
    return Track(
      self, joining: parts, by: DescribedSamples(numbers: numbers, first: first, original: original),
      analyses: analyses)
  }

  /// The layers by one of the sample descriptions, which are counted from 1, and the first of its samples. For most tracks
  /// that is ``layerAnalysis``: samples of another description may have other parameter sets, layers and eyes.
  ///
  /// For a number that there is not, it is ``layerAnalysis``.
  public func layerAnalysis(ofDescription number: UInt32) -> LayerAnalysis {
    described(byDescription: number).layerAnalysis
  }
}
