// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// Parameter sets that have been read, by their bytes: however many records, samples and tracks have a set, it is
/// read once, and rows, traces, layers and rules share the result.
///
/// Damaged sets are not kept: their errors have a different place for each occurrence.
package final class ParameterSetReadings: Sendable {
  private struct Known {
    var videos: [NALUnit: ParameterSetReading<VideoParameterSet>] = [:]
    var sequences: [NALUnit: ParameterSetReading<SequenceParameterSet>] = [:]
    var pictures: [NALUnit: ParameterSetReading<PictureParameterSet>] = [:]
    /// What was derived from `videos`.
    var structures: [NALUnit: LayerStructure] = [:]
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

  package func video(_ unit: NALUnit) -> ParameterSetReading<VideoParameterSet> {
    read(unit, \.videos) {
      let (set, _, error) = unit.rbsp.decode(VideoParameterSet())
      return (set, error)
    }
  }

  /// The layers that the set of a unit describes: derived once for each set that is kept.
  package func structure(_ unit: NALUnit, of set: @autoclosure () -> VideoParameterSet) -> LayerStructure {
    if let structure = known.withLock({ $0.structures[unit] }) { return structure }
    let structure = LayerStructure(set())
    known.withLock { known in
      // With the unit that is kept already, so that no other memory is.
      if let place = known.videos.index(forKey: unit) {
        known.structures[known.videos[place].key] = structure
      }
    }
    return structure
  }

  /// - Parameter inherited: the values that sets of the multilayer form take from the video parameter set.
  func sequence(
    _ unit: NALUnit, _ inherited: SequenceParameterSet.Inherited?
  ) -> ParameterSetReading<SequenceParameterSet> {
    read(unit, \.sequences, isSame: { $0.inherited == inherited }) {
      var initial = SequenceParameterSet()
      initial.nuhLayerID = unit.layerID
      initial.inherited = inherited
      let (set, _, error) = unit.rbsp.decode(initial)
      return (set, error)
    }
  }

  func picture(_ unit: NALUnit) -> ParameterSetReading<PictureParameterSet> {
    read(unit, \.pictures) {
      let (set, _, error) = unit.rbsp.decode(PictureParameterSet())
      return (set, error)
    }
  }

  // Inlined, so that the compiler replaces the key paths by offsets.
  @inline(__always)
  private func read<Content: FieldLayout>(
    _ unit: NALUnit, _ shelf: WritableKeyPath<Known, [NALUnit: ParameterSetReading<Content>]>,
    isSame: ((Content) -> Bool)? = nil, _ read: () -> (Content, ParseError?)
  ) -> ParameterSetReading<Content> {
    if let reading = known.withLock({ $0[keyPath: shelf][unit] }), isSame?(reading.set) ?? true {
      return reading
    }
    let (set, error) = read()
    let reading = ParameterSetReading(set, error)
    known.withLock { known in
      known.readings += 1
      guard error == nil, unit.bytes.count <= Self.maximumBytes else { return }
      if known.bytes + unit.bytes.count > Self.maximumBytes {
        let readings = known.readings
        known = Known()
        known.readings = readings
      }
      if known[keyPath: shelf].updateValue(reading, forKey: unit) == nil { known.bytes += unit.bytes.count }
    }
    return reading
  }
}

/// A parameter set as it was read. A class, because copying a set counts some twenty references.
@usableFromInline
package final class ParameterSetReading<Content: FieldLayout>: Sendable {
  /// The set; if `error` is set, as far as it could be read.
  @usableFromInline package let set: Content
  /// The error that stopped reading; `nil` if there was none.
  @usableFromInline package let error: ParseError?

  init(_ set: Content, _ error: ParseError?) { (self.set, self.error) = (set, error) }
}
