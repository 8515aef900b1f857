// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF
import Multiview

/// Reads the NAL units of a track as a stream: the parameter sets of its sample entries, then the units of its
/// samples.
struct TrackUnitReader: UnitReader {
  private let movie: MovieFile
  private let track: Track
  private let samples: TrackSamples
  private let budget: WorkBudget
  private let added: [NALUnit]
  private var queue: [NALUnit] = []
  private var position = 0
  private var nextSample = 0
  private var description: UInt32 = 0

  /// The number of parameter sets in samples.
  private(set) var setsInSamples = 0
  /// The number of samples in which the layers are in the wrong order. Their units are returned in the right order.
  private(set) var reordered = 0
  /// The layers that have pictures in the sample before the current one.
  private var layersBefore: Set<UInt8> = []
  /// Whether a sync sample is a picture at which decoding can begin, but not at the pictures that it leads.
  private(set) var listsOpenAccessPoints = false
  /// Whether the last picture at which decoding can begin is in a sync sample, and not the first of all.
  private var followsSyncSample = false
  /// Whether units in samples are preceded by start codes, and not by their lengths.
  let hasStartCodes: Bool
  /// The width of lengths, if it differs from that in the record.
  let otherLengthSize: Int?
  let shortUnits = 0
  let hasLeadingBytes = false
  var entry: Int? { description > 0 ? Int(clamping: description) - 1 : nil }

  /// Makes a reader of a track.
  ///
  /// - Parameter added: parameter sets that the track lacks.
  init(_ track: Track, of movie: MovieFile, adding added: [NALUnit]) throws(EditError) {
    self.track = track
    self.movie = movie
    self.added = added
    budget = WorkBudget(track)
    guard !track.formatDescriptions.contains(where: \.isProtected) else {
      throw EditError(.encrypted, "track \(track.id) is encrypted", advice: "Decrypt it first.")
    }
    guard track.externalMedia.isEmpty else {
      throw EditError(.externalMedia, "the samples of track \(track.id) are in another file")
    }
    samples = try reading(track.samples())
    let fault = FramingFault.find(in: track, of: movie)
    hasStartCodes = fault == .startCodes
    otherLengthSize = if case .lengthSize(let size) = fault { size } else { nil }
    // Damaged tables may list the same bytes any number of times.
    let limit = (movie.source.size ?? UInt64(UInt32.max)).addingReportingOverflow(1 << 16).partialValue
    var bytes: UInt64 = 0
    for sample in samples {
      bytes &+= UInt64(sample.size)
      guard bytes / 2 <= limit, Int(sample.size) <= movie.limits.maximumSampleBytes else {
        throw EditError(.damaged, "the samples of track \(track.id) have more bytes than the file")
      }
    }
  }

  mutating func nextUnit() throws(EditError) -> NALUnit? {
    while position >= queue.count {
      guard let sample = samples.sample(at: nextSample) else { return nil }
      nextSample += 1
      try read(sample)
    }
    defer { position += 1 }
    return queue[position]
  }

  private mutating func read(_ sample: Sample) throws(EditError) {
    queue.removeAll(keepingCapacity: true)
    position = 0
    if sample.descriptionIndex != description {
      description = sample.descriptionIndex
      let entries = track.formatDescriptions
      let index = Int(clamping: description) - 1
      // Damaged tables may change it for each sample.
      let cost = entries.indices.contains(index) ? entries[index].configurationCost : 0
      guard budget.admits(.bytes(cost), at: sample.offset) else {
        throw EditError(.exceedsLimit, "the samples of track \(track.id) change their sample entry too often")
      }
      queue = entries.indices.contains(index) ? entries[index].configurationUnits.map(\.unit) : []
      queue += added.filter { !queue.contains($0) }
    }
    let bytes = try reading(movie.source.read(sample.range))
    guard bytes.count == Int(sample.size) else {
      throw EditError(
        .unreadable, "sample \(sample.index) of track \(track.id) is beyond the end of the file")
    }
    var sets = queue.count
    if hasStartCodes {
      for unit in AnnexBNALUnits(bytes) { try add(unit, sets: &sets, of: sample) }
    } else {
      let size = otherLengthSize ?? track.lengthSize
      for unit in LengthPrefixedNALUnits(bytes, lengthSize: size) { try add(unit, sets: &sets, of: sample) }
    }
    for unit in queue[min(sets, queue.count)...] where unit.layerID == 0 && unit.type.isSliceSegment {
      if unit.type.isRandomAccessPoint {
        followsSyncSample = sample.isSync && sample.index > 0
      } else if unit.type.isSkippedLeading, followsSyncSample {
        listsOpenAccessPoints = true
      }
    }
    putLayersInOrder(from: sets)
  }

  /// Adds a unit of a sample.
  ///
  /// - Parameter sets: the number of units before those of the sample.
  private mutating func add(
    _ unit: Result<NALUnit, ParseError>, sets: inout Int, of sample: Sample
  ) throws(EditError) {
    switch unit {
    case .success(let unit):
      queue.append(unit)
      if unit.type.isParameterSet { setsInSamples += 1 }
      // A message that is in the record and in the sample is needed once.
      if unit.type.isSEI, let copy = queue[..<min(sets, queue.count)].firstIndex(of: unit),
        copy < queue.count - 1
      {
        queue.remove(at: copy)
        sets -= 1
      }
    case .failure(let error):
      throw EditError(
        .damaged, "sample \(sample.index) of track \(track.id) is not made of NAL units: \(error.reason)",
        parseError: error)
    }
  }

  /// Sorts pictures by layer, each with the units around it that have its layer. ISO/IEC 23008-2, F.7.4.2.4.5
  ///
  /// Some tools begin a sample with the picture of another layer that the sample before it lacks: it stays where it is,
  /// and belongs to that access unit.
  private mutating func putLayersInOrder(from start: Int) {
    var first = min(start, queue.count)
    var layers = queue[first...].filter(\.type.isSliceSegment).map(\.layerID)
    defer { layersBefore = Set(layers) }
    if let leading = layers.first, leading > 0, layersBefore.contains(0), !layersBefore.contains(leading),
      let base = queue[first...].firstIndex(where: { $0.type.isSliceSegment && $0.layerID == 0 })
    {
      reordered += 1
      // What precedes a picture of the base layer, and has its layer, begins its access unit.
      first = base
      while first > start, !queue[first - 1].type.isVideoCodingLayer, queue[first - 1].layerID == 0 {
        first -= 1
      }
      layers = queue[first...].filter(\.type.isSliceSegment).map(\.layerID)
      guard zip(layers, layers.dropFirst()).contains(where: { $0 > $1 }) else { return }
    } else {
      guard zip(layers, layers.dropFirst()).contains(where: { $0 > $1 }) else { return }
      reordered += 1
    }
    // A sequence ends after the pictures of all layers.
    func place(_ unit: NALUnit) -> UInt8 {
      unit.type == .endOfSequence || unit.type == .endOfBitstream ? .max : unit.layerID
    }
    let sorted = queue[first...].enumerated().sorted {
      (place($0.element), $0.offset) < (place($1.element), $1.offset)
    }
    queue.replaceSubrange(first..., with: sorted.map(\.element))
  }
}
