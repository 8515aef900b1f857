// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF

/// What is kept of a sample to compare it, or of several uniform ones.
package struct SampleFingerprint: Sendable {
  /// The number of the first sample in its track.
  var index: Int
  /// How many samples it stands for.
  var count = 1
  /// What tables say of it; `nil` in a raw stream.
  var sample: Sample?
  /// Its pictures in the base layer; all its bytes where it has no layers. 0 if there are none.
  var base: UInt64 = 0
  /// Its pictures in further layers; 0 if there are none.
  var further: UInt64 = 0
  /// Everything else that is neither a parameter set nor says where access units begin and end. In any order: where in the access unit a
  /// message is makes no difference.
  var messages: UInt64 = 0
  /// The layers that have pictures, a bit for each.
  var layers: UInt64 = 0
  /// Whether decoding can begin at it.
  var isSync = false
  /// Its groups and parts.
  var membership = GroupFingerprint()

  /// The numbers of the samples.
  var indices: Range<Int> { index..<(index + count) }
  /// The key that equal samples of two movies share.
  var key: UInt64 { base == 0 ? further : base }
  /// Whether the pictures of the base layer are in another sample.
  var lacksBase: Bool { base == 0 && further != 0 }

  init(index: Int, sample: Sample?) {
    self.index = index
    self.sample = sample
  }

  /// Adds a sample that holds only further layers to the one that holds the base layer: a tool has made two of one.
  mutating func join(_ other: SampleFingerprint) {
    further &+= other.further
    messages &+= other.messages
    layers |= other.layers
  }
}

/// Reads the samples of a track one after the other, and keeps none.
///
/// One reader serves one task.
package final class SampleFingerprints {
  private enum Source {
    case units(AccessUnitIterator)
    case bytes(WindowReader)
    case nothing
  }

  private let track: Track
  private let source: Source
  /// The samples, if their insides are not known. In place, because copying it costs more than a step.
  private var samples: SampleQueue?
  /// The number of the sample before which samples are compared one by one.
  private var singlesEnd = 0
  private let readsSamples: Bool
  /// The parameter sets of all samples are put there; `nil` where somebody else does.
  private let census: UnitCensus?
  /// The hashes of the messages in configuration records of either movie. A tool may move them from there to a sample.
  private let recordedMessages: Set<ContentHash>
  private let groups: GroupFingerprints
  private let budget: WorkBudget
  /// What a reader of what comes next takes from.
  private let searching: WorkBudget
  /// How many tracks are looked at for each sample.
  private let joinedCount: Int
  /// The sample that was read to see whether it belongs to the preceding one.
  private var waiting: SampleFingerprint?
  private var isBegun = false
  /// The number of the first sample that was not read.
  private var position: Int

  /// Reads a track.
  ///
  /// - Parameters:
  ///   - track: the track.
  ///   - readsSamples: whether the bytes of samples are wanted, too, or parameter sets alone.
  ///   - recordedMessages: the messages in configuration records of either movie.
  ///   - census: where parameter sets and damage are put.
  ///   - sets: where combinations of sample groups get their numbers, for both movies.
  convenience init(
    _ track: Track, readsSamples: Bool, recordedMessages: Set<ContentHash>, census: UnitCensus,
    _ sets: GroupFingerprints.GroupSets, _ budget: ComparisonBudget
  ) throws(SourceError) {
    try self.init(
      track, readsSamples, recordedMessages, census, GroupFingerprints(track, sets, budget.reading),
      budget.reading, budget.searching, from: 0)
  }

  private init(
    _ track: Track, _ readsSamples: Bool, _ messages: Set<ContentHash>, _ census: UnitCensus?,
    _ groups: GroupFingerprints, _ budget: WorkBudget, _ searching: WorkBudget, from index: Int
  ) throws(SourceError) {
    self.track = track
    self.readsSamples = readsSamples
    self.census = census
    self.groups = groups
    (self.budget, self.searching) = (budget, searching)
    joinedCount = track.joined.joinedTracks.count
    recordedMessages = messages
    position = index
    if track.isHEVC, !track.isProtected {
      source = .units(try AccessUnitIterator(track.joined, index..<Int.max, budget))
    } else if !readsSamples {
      source = .nothing
    } else if track.absence != nil {
      census?.damage = census?.damage ?? "its samples are in another file"
      source = .nothing
    } else {
      samples = SampleQueue(try track.samples(), from: index)
      source = .bytes(WindowReader(track.context.source))
    }
  }

  private func read() throws(SourceError) -> SampleFingerprint? {
    switch source {
    case .nothing: return nil
    case .units(let iterator):
      guard let (places, walker) = try iterator.next(),
        budget.admits(.steps(joinedCount), at: places.sample?.offset ?? 0)
      else { return nil }
      if let error = places.error, let census, census.damage == nil {
        census.damage = "sample \(places.index): \(error)"
      }
      position = places.index + 1
      return try fingerprint(places, walker)
    case .bytes(let reader):
      guard let sample = samples?.take(atMost: 1)?.first, admits(sample, count: 1) else { return nil }
      var print = fingerprint(sample, count: 1, groups.fingerprint(ofSample: sample.index))
      print.base = try hash(of: sample, reader)
      return print
    }
  }

  /// Pays for samples whose insides are not known, as far as the file has them.
  private func admits(_ sample: Sample, count: Int) -> Bool {
    let rest = track.context.source.size.map { $0 - min($0, sample.offset) } ?? .max
    let bytes = min(count * Int(sample.size), Int(clamping: rest))
    return budget.admits(.steps(1), at: sample.offset) && budget.admits(.bytes(bytes), at: sample.offset)
  }

  /// What tables say of uniform samples that were taken.
  private func fingerprint(
    _ first: Sample, count: Int, _ found: GroupFingerprint
  ) -> SampleFingerprint {
    var print = SampleFingerprint(index: first.index, sample: first)
    print.count = count
    print.isSync = first.isSync
    print.membership = found
    position = print.indices.upperBound
    return print
  }

  // MARK: Hashes

  /// How many bytes of uniform samples are compared at a time: as many as are read at a time.
  private static let runBytes = 1 << 18
  /// How much of a sample is in memory at a time.
  private static let pieceBytes = 1 << 20

  /// The hash of samples whose insides are not known; never 0.
  private func hash(of sample: Sample, _ reader: WindowReader) throws(SourceError) -> UInt64 {
    var hash = ContentHash()
    var done = 0
    let count = Int(sample.size)
    while done < count {
      let wanted = min(Self.pieceBytes, count - done)
      let piece = try reader.bytes(at: Int(clamping: sample.offset) &+ done, count: wanted)
      hash.add(piece)
      done += wanted
      guard piece.count == wanted else {
        if let census, census.damage == nil { census.damage = "sample \(sample.index) is cut off" }
        break
      }
    }
    return max(1, hash.value)
  }

  private func fingerprint(
    _ places: AccessUnitPlaces, _ walker: SampleWalker
  ) throws(SourceError) -> SampleFingerprint {
    var print = SampleFingerprint(index: places.index, sample: places.sample)
    print.isSync = places.sample?.isSync ?? places.units.contains { $0.header.type.isRandomAccessPoint }
    var base = ContentHash()
    for place in places.units {
      let type = place.header.type
      switch type {
      case .accessUnitDelimiter, .endOfSequence, .endOfBitstream, .fillerData: continue
      case _ where type.isParameterSet:
        if let census, let unit = try walker.unit(place) { census.addFromSample(unit) }
      default:
        guard readsSamples, let unit = try walker.borrowedUnit(place, limit: .max) else { continue }
        if !type.isVideoCodingLayer {
          let hash = ContentHash(unit)
          if recordedMessages.contains(hash) {
            census?.addFromSample(unit)
          } else {
            print.messages &+= hash.value
          }
          continue
        }
        print.layers |= 1 << UInt64(min(place.header.layerID, 63))
        if place.header.layerID == 0 {
          base.add(unit)
        } else {
          print.further &+= ContentHash(unit).value
        }
      }
    }
    print.base = base.value
    print.membership = groups.fingerprint(ofSample: places.index)
    return print
  }
}

extension SampleFingerprints: AlignedList {
  package typealias Element = SampleFingerprint

  package func next() throws(SourceError) -> SampleFingerprint? {
    // Only where layers are known may one sample belong to another.
    guard case .units = source else { return try read() }
    if !isBegun {
      isBegun = true
      waiting = try read()
    }
    guard var print = waiting else { return nil }
    waiting = try read()
    while let other = waiting, other.lacksBase, print.layers & other.layers == 0, print.base != 0 {
      census?.splitSamples += 1
      if other.isSync { census?.splitSyncSamples += 1 }
      print.join(other)
      waiting = try read()
    }
    return print
  }

  /// As far as both tracks describe the next samples together, and their bytes are the same.
  package func nextSame(
    as other: SampleFingerprints
  ) throws(SourceError) -> (SampleFingerprint, SampleFingerprint, count: Int)? {
    guard case .bytes(let reader) = source, case .bytes(let otherReader) = other.source,
      position >= singlesEnd
    else { return nil }
    // A look at what comes next takes as long as reading a sample: after one in vain, some are read.
    singlesEnd = position + 64
    guard let mine = samples?.upcoming, let theirs = other.samples?.upcoming, mine.count > 1,
      theirs.count > 1,
      mine.first.size == theirs.first.size, mine.first.size > 0
    else { return nil }
    let old = groups.run(from: mine.first.index), new = other.groups.run(from: theirs.first.index)
    let size = Int(mine.first.size)
    let count = min(mine.count, theirs.count, old.count, new.count, Self.runBytes / size)
    guard count > 1, admits(mine.first, count: count), other.admits(theirs.first, count: count) else {
      return nil
    }
    let bytes = try reader.bytes(at: Int(clamping: mine.first.offset), count: count * size)
    guard bytes.count == count * size,
      try bytes == otherReader.bytes(at: Int(clamping: theirs.first.offset), count: count * size)
    else {
      singlesEnd = position + max(64, count)
      return nil
    }
    singlesEnd = 0
    _ = samples?.take(atMost: count)
    _ = other.samples?.take(atMost: count)
    return (
      fingerprint(mine.first, count: count, old.found),
      other.fingerprint(theirs.first, count: count, new.found),
      count
    )
  }

  package func continuation() throws(SourceError) -> SampleFingerprints {
    let index = isBegun ? waiting?.index ?? position : position
    return try SampleFingerprints(
      track, readsSamples, recordedMessages, nil, GroupFingerprints(none: searching), searching,
      searching, from: index)
  }

  package var isCutShort: Bool { budget.isExhausted }

  package static func key(of print: SampleFingerprint) -> UInt64 { print.key }
}
