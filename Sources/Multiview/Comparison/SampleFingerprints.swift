// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF

/// What is kept of a sample to compare it: 32 bytes.
struct SampleFingerprint {
  /// The number of the sample in its track.
  var index: Int
  /// Its pictures in the base layer; all its bytes where it has no layers. 0 where there are none.
  var base: UInt64 = 0
  /// Its pictures in further layers; 0 where there are none.
  var further: UInt64 = 0
  /// Everything else that is not a parameter set, nor marks where access units begin and end.
  var messages: UInt64 = 0
  /// Whether decoding can begin at it.
  var isSync = false

  /// By what samples of two movies are found to be the same.
  var key: UInt64 { base == 0 ? further : base }
  /// Whether the pictures of the base layer are in another sample.
  var lacksBase: Bool { base == 0 && further != 0 }
}

/// The samples of a track, and the parameter sets and messages that it has anywhere.
struct SampleFingerprints {
  /// A parameter set, or a message of a configuration record.
  struct Unit: Hashable {
    let type: NALUnitType
    let layerID: UInt8
    /// What the first message is; `nil` for a parameter set.
    let message: SEIPayloadType?
    let hash: ContentHash

    init(_ unit: NALUnit) {
      type = unit.type
      layerID = unit.layerID
      message = unit.type.isSEI ? unit.seiMessages().messages.first?.payloadType : nil
      hash = ContentHash(unit.bytes)
    }

    /// `SPS of layer 1`, `message 176 of layer 0`
    var name: String {
      let kind =
        switch type {
        case .videoParameterSet: "VPS"
        case .sequenceParameterSet: "SPS"
        case .pictureParameterSet: "PPS"
        default: message.map { "message \($0.rawValue)" } ?? "\(type)"
        }
      return "\(kind) of layer \(layerID)"
    }
  }

  /// How many different units of samples are kept, so that no file makes the memory grow.
  private static let maximumUnits = 4_096

  private(set) var samples: [SampleFingerprint] = []
  /// The parameter sets and messages of configuration records, by the record.
  private(set) var recorded: [Unit: LocatedNALUnit.Source] = [:]
  /// The parameter sets in samples.
  private(set) var inSamples: Set<Unit> = []
  /// Messages of samples that are in the records of the other movie, or of this one.
  private(set) var recordedMessagesInSamples: Set<Unit> = []
  /// How many samples had none of the base layer, and were put to the sample before.
  private(set) var splitSamples = 0
  /// What is wrong with the first sample that could not be read to its end.
  private(set) var damage: String?

  /// The messages of the configuration records of a track.
  static func recordedMessages(of track: Track) -> Set<Unit> {
    Set(records(of: track).filter { $0.unit.type.isSEI }.map { Unit($0.unit) })
  }

  private static func records(of track: Track) -> [LocatedNALUnit] {
    track.joined.joinedTracks.flatMap { $0.formatDescriptions.flatMap(\.configurationUnits) }
  }

  /// Reads a track.
  ///
  /// - Parameters:
  ///   - track: the track.
  ///   - readsSamples: whether the bytes of samples are wanted, too, or parameter sets alone.
  ///   - messages: those that are in a configuration record of either movie. A tool may move them from there to a sample.
  init(_ track: Track, readsSamples: Bool, recordedMessages messages: Set<Unit>) throws(SourceError) {
    for located in Self.records(of: track) { recorded[Unit(located.unit)] = located.source }
    guard track.isHEVC, !track.isProtected else {
      if readsSamples { try readBytes(track) }
      return
    }
    let track = track.joined
    var failure: SourceError?
    try track.forEachAccessUnit { places, walker in
      if let error = places.error, damage == nil { damage = "sample \(places.index): \(error)" }
      do throws(SourceError) {
        try add(places, walker, readsSamples: readsSamples, messages)
        return true
      } catch {
        failure = error
        return false
      }
    }
    if let failure { throw failure }
  }

  private mutating func add(
    _ places: AccessUnitPlaces, _ walker: SampleWalker, readsSamples: Bool, _ messages: Set<Unit>
  ) throws(SourceError) {
    var sample = SampleFingerprint(index: places.index)
    sample.isSync = places.sample?.isSync ?? places.units.contains { $0.header.type.isRandomAccessPoint }
    var base = ContentHash(), further = ContentHash(), rest = ContentHash()
    for place in places.units {
      let type = place.header.type
      switch type {
      case .accessUnitDelimiter, .endOfSequence, .endOfBitstream, .fillerData: continue
      case _ where type.isParameterSet:
        guard inSamples.count < Self.maximumUnits, let unit = try walker.unit(place) else { continue }
        inSamples.insert(Unit(unit))
      default:
        guard readsSamples, let unit = try walker.unit(place) else { continue }
        if type.isVideoCodingLayer {
          if place.header.layerID == 0 { base.add(unit.bytes) } else { further.add(unit.bytes) }
        } else {
          let known = Unit(unit)
          if messages.contains(known) {
            recordedMessagesInSamples.insert(known)
          } else {
            rest.add(unit.bytes)
          }
        }
      }
    }
    (sample.base, sample.further, sample.messages) = (base.value, further.value, rest.value)
    guard sample.lacksBase, let last = samples.indices.last, samples[last].further == 0 else {
      samples.append(sample)
      return
    }
    // A tool has made two samples of one: they are compared as the one that they were.
    splitSamples += 1
    samples[last].further = sample.further
    if sample.messages != 0 {
      var joined = ContentHash()
      joined.add(samples[last].messages)
      joined.add(sample.messages)
      samples[last].messages = joined.value
    }
  }

  /// Samples whose insides are not known.
  private mutating func readBytes(_ track: Track) throws(SourceError) {
    guard track.absence == nil else {
      damage = "its samples are in another file"
      return
    }
    let source = track.context.source
    for sample in try track.samples() {
      var hash = ContentHash()
      let bytes = try source.read(sample.range)
      if bytes.count < Int(sample.size), damage == nil { damage = "sample \(sample.index) is cut off" }
      hash.add(bytes)
      samples.append(SampleFingerprint(index: sample.index, base: hash.value, isSync: sample.isSync))
    }
  }
}
