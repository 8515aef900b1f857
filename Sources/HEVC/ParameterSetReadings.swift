// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding

/// Parameter sets that have been read, by their bytes: however many records, samples and tracks have a set, it is
/// read once, and rows, traces, layers and rules share the result.
///
/// Damaged sets are not kept: their errors have a different place for each occurrence.
package final class ParameterSetReadings: Sendable {
  private struct Known {
    var videos: [NALUnit: VideoParameterSet] = [:]
    var sequences: [NALUnit: SequenceParameterSet] = [:]
    var pictures: [NALUnit: PictureParameterSet] = [:]
    /// The total size of the units in bytes.
    var bytes = 0
    var readings = 0
  }

  private let known = Locked(Known())
  /// The sets in memory may take several hundred times as much. Sets of a stream that has more are read again.
  private static let maximumBytes = 1 << 16

  /// Starts without sets.
  package init() {}

  /// How many times a set has been read.
  package var count: Int { known.withLock { $0.readings } }

  package func video(_ unit: NALUnit) -> (set: VideoParameterSet, error: ParseError?) {
    read(unit, \.videos) {
      let (set, _, error) = unit.rbsp.decode(VideoParameterSet())
      return (set, error)
    }
  }

  /// - Parameter inherited: the values that sets of the multilayer form take from the video parameter set.
  func sequence(
    _ unit: NALUnit, _ inherited: SequenceParameterSet.Inherited?
  ) -> (set: SequenceParameterSet, error: ParseError?) {
    read(unit, \.sequences, isSame: { $0.inherited == inherited }) {
      var initial = SequenceParameterSet()
      initial.nuhLayerID = unit.layerID
      initial.inherited = inherited
      let (set, _, error) = unit.rbsp.decode(initial)
      return (set, error)
    }
  }

  func picture(_ unit: NALUnit) -> (set: PictureParameterSet, error: ParseError?) {
    read(unit, \.pictures) {
      let (set, _, error) = unit.rbsp.decode(PictureParameterSet())
      return (set, error)
    }
  }

  private func read<Content: Sendable>(
    _ unit: NALUnit, _ shelf: WritableKeyPath<Known, [NALUnit: Content]>,
    isSame: (Content) -> Bool = { _ in true }, _ read: () -> (Content, ParseError?)
  ) -> (set: Content, error: ParseError?) {
    if let set = known.withLock({ $0[keyPath: shelf][unit] }), isSame(set) { return (set, nil) }
    let (set, error) = read()
    known.withLock { known in
      known.readings += 1
      guard error == nil, unit.bytes.count <= Self.maximumBytes else { return }
      if known.bytes + unit.bytes.count > Self.maximumBytes {
        let readings = known.readings
        known = Known()
        known.readings = readings
      }
      if known[keyPath: shelf].updateValue(set, forKey: unit) == nil { known.bytes += unit.bytes.count }
    }
    return (set, error)
  }
}
