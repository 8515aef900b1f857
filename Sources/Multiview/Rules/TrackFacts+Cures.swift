// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF

// How the faults of a movie can be fixed, as far as the movie itself shows.

extension TrackFacts {
  /// How parameter sets get to the right place: by a repair if the track has all sets that pictures refer to;
  /// otherwise they must be restored from elsewhere.
  var cureOfSets: Cure { census.lookedAt > 0 && census.withoutSets.isEmpty ? .repair : .restore }

  /// The fix if the record lacks some types of base layer sets: they may be in the first sample.
  func cureOfSets(lacking kinds: [NALUnitType]) -> Cure {
    var lacking = Set(kinds)
    let units = analysis.units
    for index in units.indices where units[index].unit.layerID == 0 {
      if case .sample = units[index].source { lacking.remove(units[index].unit.type) }
    }
    return lacking.isEmpty ? cureOfSets : .restore
  }

  /// How a second view without pictures is fixed: if no sample has another layer, only the claims about it can
  /// be removed.
  var cureOfLostView: Cure {
    !census.layers.isEmpty && census.layers.keys.allSatisfy { $0 == 0 } ? .strip : cureOfSets
  }

  /// The type of an entry that has all parameter sets: of Dolby Vision its own.
  var entryTypeWithSets: String { description?.codec == "dvhe" ? "dvh1" : "hvc1" }

  /// How an entry becomes `hvc1` or `dvh1`; `nil` if it has such a type, or the track is encrypted.
  var cureOfEntryType: Cure? {
    ["hev1", "dvhe"].contains(description?.codec ?? "") && !track.isProtected ? cureOfSets : nil
  }

  /// Whether samples that hold single layers are halves of access units: each layer is absent from samples that have another.
  var hasHalvedAccessUnits: Bool {
    let gaps = views.map { census.withoutLayer[$0.layerID]?.detail }
    return gaps.count > 1 && Set(gaps).count == gaps.count && !gaps.contains(nil)
  }

  /// Whether all samples have the same duration, except for the rounding of tools: then a picture can get the
  /// time of another one.
  var hasOneDuration: Bool {
    do throws(SourceError) {
      let durations = SampleDurations(try track.samples())
      return durations.isEven || durations.isRounded
    } catch { return false }
  }

  /// How samples with wrong lengths are fixed; `nil` if no single fault explains all of them.
  var cureOfFraming: Cure? { framingFault == nil ? nil : .repair }
}

// The faults of boxes that have one correct fix.

extension Box {
  /// Returns whether the box has the same bytes as another one, so that it does not matter which of the two is
  /// removed.
  package func isRepetition(of other: Box) -> Bool { isLoaded && other.isLoaded && bytes == other.bytes }

  /// Whether all boxes of each type of the stereo family that occurs more than once, here or in descendants,
  /// are the same.
  var hasOnlyRepetitions: Bool {
    children.allSatisfy { child in
      guard StereoBoxHome.containers(of: child.type) != nil else { return true }
      guard let first = first(child.type), child.isRepetition(of: first) else { return false }
      return child.hasOnlyRepetitions
    }
  }

  /// Returns whether the bytes of a box of the stereo family beyond a size have no meaning.
  func hasOnlyPadding(beyond size: Int) -> Bool {
    guard self.size > size, isLoaded, structuralProblem == nil else { return false }
    if isContainer {
      return children.allSatisfy {
        StereoBoxHome.containers(of: $0.type) != nil || $0.type == "free" || $0.type == "skip"
      }
    }
    guard let decoding = decodePayload(), decoding.error == nil else { return false }
    return !decoding.unread.isEmpty
  }
}

extension TrackFacts {
  /// The fix for a misplaced box: it can be moved to its place if no box of its type is there.
  func cureOfPlace(of type: FourCC) -> Cure? {
    guard let entry = description?.box, StereoBoxHome.isVacant(type, in: entry) else { return nil }
    return .repair
  }

  /// The fix for a box of another version, if its size is that of version 0.
  func cureOfVersion(_ path: String) -> Cure? {
    guard let box = BoxPath(path).flatMap({ movie.tree?[$0] }), box.isLoaded,
      StereoBoxHome.sizes[box.type] == box.size
    else { return nil }
    return .repair
  }

  /// The fix for an empty container: it is removed, or filled if its contents are known.
  func cureOfEmptyBox(_ path: String) -> Cure? {
    guard let box = BoxPath(path).flatMap({ movie.tree?[$0] }) else { return nil }
    if box.children.isEmpty, box.structuralProblem == nil, box.size == box.headerSize { return .repair }
    return box.type == "eyes" && box.first("stri") == nil && isMultiview ? .repair : nil
  }

  /// The fix for a value of 0: it is removed if it is the only camera value; otherwise a value is needed.
  func cureOfZero(_ tag: StereoTag, among type: String) -> Cure {
    cameraValues == [type] ? .tag([.remove(tag)]) : .askForTag(tag)
  }

  /// The projection that `sv3d` signals, if it is a whole sphere or its front half, and not rotated; otherwise `nil`.
  /// Without `sv3d` it is that of the text of version 1. Spherical Video V2
  var googleProjection: Projection? {
    guard let box = description?.box.first("sv3d") else { return sphericalText?.projection }
    guard let projection = box.first("proj"),
      let header = projection.first("prhd")?.body, let bounds = projection.first("equi")?.body,
      header.count >= 16, bounds.count >= 20, header.suffix(from: 4).isAllZero
    else { return nil }
    // The edges are fractions of 2^32, which tools round: a quarter is written as 0x3FFFFFFF, too.
    let tolerance: UInt64 = 1 << 16
    let edges = (1...4).map { bounds.bigEndian(at: 4 * $0, width: 4) ?? 0 }
    guard edges[0] <= tolerance, edges[1] <= tolerance else { return nil }
    if edges[2] <= tolerance, edges[3] <= tolerance { return .equirectangular }
    let half = 0x4000_0000 - tolerance...0x4000_0000 + tolerance
    return half.contains(edges[2]) && half.contains(edges[3]) ? .halfEquirectangular : nil
  }

  /// The fix for tables with different numbers of samples, if sizes and chunks agree and all samples have
  /// the same duration.
  var cureOfTables: Cure? {
    guard let table = track.box?["mdia/minf/stbl"], let tree = movie.tree,
      let count = SampleCounts(table, in: tree), count.isDecided
    else { return nil }
    return .repair
  }
}

/// The number of samples in each table of a track.
package struct SampleCounts {
  /// The number in `stsz`.
  package let sizes: Int
  /// The number in `stsc` and the chunk offsets.
  package let inChunks: Int
  /// The number in `stts`.
  package let times: Int
  /// The number in `ctts`; `nil` without `ctts`.
  package let offsets: Int?
  /// The duration of all samples except the last one; `nil` if these differ.
  package let duration: UInt32?

  /// Reads the tables; `nil` if one cannot be read.
  package init?(_ table: Box, in tree: BoxTree) {
    func whole(_ type: FourCC) -> Box? { table.first(type).map(tree.whole) }
    guard let sizeBox = whole("stsz")?.payload(SampleSizeBox.self),
      let runs = whole("stsc")?.payload(SampleToChunkBox.self),
      let timeBox = whole("stts")?.payload(TimeToSampleBox.self),
      let places = table.children.first(where: { $0.type == "stco" || $0.type == "co64" }).map(tree.whole),
      let chunks = places.payload(ChunkOffsetBox.self)?.entries.count
        ?? places.payload(ChunkLargeOffsetBox.self)?.entries.count
    else { return nil }
    sizes = sizeBox.sampleSize == 0 ? sizeBox.entries.count : Int(sizeBox.sampleCount)
    var total = 0, last: SampleToChunkBox.Entry?
    for run in runs.entries {
      if let last {
        guard run.firstChunk > last.firstChunk else { return nil }
        total &+= Int(run.firstChunk - last.firstChunk) &* Int(last.samplesPerChunk)
      } else if run.firstChunk != 1 {
        return nil
      }
      last = run
    }
    if let last {
      guard Int(last.firstChunk) <= chunks else { return nil }
      total &+= (chunks - Int(last.firstChunk) + 1) &* Int(last.samplesPerChunk)
    }
    inChunks = total
    var count = 0, durations: [UInt32: Int] = [:]
    for run in timeBox.entries {
      count &+= Int(run.sampleCount)
      durations[run.sampleDelta, default: 0] &+= Int(run.sampleCount)
    }
    times = count
    let most = durations.max { $0.value < $1.value }
    duration = most.flatMap { count - $0.value <= 1 && Int32(exactly: $0.key) ?? 0 > 0 ? $0.key : nil }
    let shifts = whole("ctts")?.payload(CompositionOffsetBox.self)
    offsets = shifts.map { $0.entries.reduce(0) { $0 &+ Int($1.sampleCount) } }
  }

  /// Whether the number of samples is certain, so that the missing rows of other tables follow from it.
  package var isDecided: Bool {
    sizes == inChunks && duration != nil && (times != sizes || (offsets ?? sizes) > sizes)
      && (offsets ?? sizes) >= sizes
  }
}

extension RuleContext {
  /// The fix for a data reference to another file, if the samples are in this one.
  func cureOfExternalMedia(of track: Track) -> Cure? {
    FramingFault.hasSamplesHere(track, of: movie) ? .repair : nil
  }

  /// Returns whether nothing refers to a track ID, so that the track can get another one.
  func isNamedNowhere(_ id: UInt32) -> Bool {
    !movie.container.isFragmented
      && movie.tracks.allSatisfy { track in
        track.references.allSatisfy { !$0.trackIDs.contains(id) }
      }
  }

  /// The IDs of tracks whose fragments omit values that only their `trex` could specify.
  func tracksThatNeedDefaults() -> Set<UInt32> {
    var found: Set<UInt32> = []
    for moof in movie.tree?.boxes ?? [] where moof.type == "moof" {
      for traf in moof.children where traf.type == "traf" {
        guard let header = traf.first(TrackFragmentHeaderBox.self) else { continue }
        let omitsSome = traf.children.contains { run in
          guard run.type == "trun" else { return false }
          guard let flags = run.body.bigEndian(at: 0, width: 4) else { return true }
          return flags & 0x100 == 0 && header.defaultSampleDuration == nil
            || flags & 0x200 == 0 && header.defaultSampleSize == nil
            || flags & 0x400 == 0 && header.defaultSampleFlags == nil
        }
        if omitsSome { found.insert(header.trackID) }
      }
    }
    return found
  }
}
