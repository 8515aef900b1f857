// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
public import ISOBMFF

/// A sample description that samples have, with the first of them.
struct UsedDescription: Sendable {
  /// Its number, from 1.
  let number: UInt32
  let sample: Sample
}

/// Each sample is read by the description that it names. Statements about a track are about that of its first sample.
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
  var mainDescriptionNumber: UInt32 {
    guard formatDescriptions.count > 1 else { return 1 }
    return lazy.further.value(\.mainDescription) {
      guard let sample = firstSample, formatDescription(of: sample) != nil else { return 1 }
      return sample.descriptionIndex
    }
  }

  /// The description by which the track is described: that of its first sample. A track may have others, for other
  /// samples or for none: ``formatDescriptions`` has them all.
  public var mainDescription: FormatDescription? { formatDescription(numbered: mainDescriptionNumber) }

  /// The descriptions that samples have, in the order of their first samples; empty for a track that has but one.
  var usedDescriptions: [UsedDescription] {
    guard formatDescriptions.count > 1 else { return [] }
    return lazy.further.value(\.usedDescriptions) {
      var found: [UsedDescription] = []
      var known: Set<UInt32> = []
      var last: UInt32?
      do throws(SourceError) {
        for sample in try samples() where sample.descriptionIndex != last {
          last = sample.descriptionIndex
          if formatDescription(of: sample) != nil, known.insert(sample.descriptionIndex).inserted {
            found.append(UsedDescription(number: sample.descriptionIndex, sample: sample))
          }
        }
      } catch {
        // Reading the samples reports that error.
        return []
      }
      return found
    }
  }

  /// The layers by one of the sample descriptions, which are counted from 1, and the first of its samples. For most tracks
  /// that is ``layerAnalysis``: samples of another description may have other parameter sets, layers and eyes.
  ///
  /// Of a ``joined`` track, and for a number that there is not, it is ``layerAnalysis``.
  public func layerAnalysis(ofDescription number: UInt32) -> LayerAnalysis {
    guard isHEVC, !isJoined, number != mainDescriptionNumber,
      let description = formatDescription(numbered: number)
    else { return layerAnalysis }
    guard description.isHEVC else { return .ofOtherCodec }
    let known = lazy.further.value(\.layersByDescription) { Locked([:]) }
    if let analysis = known.withLock({ $0[number] }) { return analysis }
    let analysis = LayerAnalysis(layerEvidence(ofDescription: number, description))
    known.withLock { $0[number] = analysis }
    return analysis
  }
}
