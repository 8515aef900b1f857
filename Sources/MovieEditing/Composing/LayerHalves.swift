// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF
import Multiview

/// The samples of a track of several layers, each divided in two: the picture of the base layer with what
/// belongs to it, and everything after it. The two halves together are the sample, byte for byte.
struct LayerHalves {
  /// The first halves.
  private(set) var base = KeptUnits()
  /// The second halves, which are empty for samples with the base layer alone.
  private(set) var others = KeptUnits()
  /// The number of samples with a second half.
  private(set) var count = 0
  /// The second halves, each preceded by an extractor of the first one; `nil` unless requested. ISO/IEC 14496-15, A.3
  private(set) var extracting: KeptUnits?
  /// The NAL unit types of the pictures at which decoding can begin, in each half.
  private(set) var syncTypes: (base: Set<UInt8>, others: Set<UInt8>) = ([], [])

  /// Divides the samples of a track.
  ///
  /// - Parameters:
  ///   - track: the track.
  ///   - movie: the movie of the track.
  ///   - usesExtractors: whether ``extracting`` is requested.
  init(_ track: Track, of movie: MovieFile, usesExtractors: Bool = false) throws(EditError) {
    if usesExtractors {
      guard let size = movie.source.size else {
        throw .refused("the size of the movie is not known", advice: "Give it as a file.")
      }
      extracting = KeptUnits(addingToFileOf: size)
    }
    try track.forEachIntactAccessUnit { places throws(EditError) in try add(places, track) }
  }

  private mutating func add(_ places: AccessUnitPlaces, _ track: Track) throws(EditError) {
    let name = "sample \(places.index) of track \(track.id)"
    guard let sample = places.sample else { return }
    let units = places.units
    func isPicture(_ unit: NALUnitPlace) -> Bool { unit.header.type.isVideoCodingLayer }
    guard let last = units.lastIndex(where: { $0.header.layerID == 0 && isPicture($0) }) else {
      throw EditError(
        .damaged, "\(name) has no picture of the base layer", advice: "See what is wrong\(.check).")
    }
    if let early = units[..<last].first(where: { $0.header.layerID > 0 && isPicture($0) }) {
      throw .refused(
        "\(name) has a slice of layer \(early.header.layerID) before the last slice of the base layer; two tracks cannot "
          + "keep this order")
    }
    // Units that follow a picture and belong to it: suffix messages, ends of sequences, filler. ISO/IEC
    // 23008-2, 7.4.2.4.4
    var next = last + 1
    while next < units.count, units[next].header.layerID == 0, Self.followsItsPicture(units[next]) {
      next += 1
    }
    if let end = units[next...].first(where: { $0.header.layerID == 0 && $0.header.type.rawValue == 36 }) {
      throw .refused(
        "\(name) ends the sequence of the base layer after pictures of other layers (at \(end.range.lowerBound)); two "
          + "tracks cannot keep this order")
    }
    let cut = units[next - 1].range.upperBound
    base.append(CollectionOfOne(sample.range.lowerBound..<cut))
    others.append(CollectionOfOne(cut..<max(cut, sample.range.upperBound)))
    if cut < sample.range.upperBound { count += 1 }
    if extracting != nil { try extract(sample, upTo: cut, by: units[last].header, track) }
    guard sample.isSync else { return }
    syncTypes.base.insert(units[last].header.type.rawValue)
    if let other = units[next...].first(where: isPicture) {
      syncTypes.others.insert(other.header.type.rawValue)
    }
  }

  /// Adds an extractor of a first half, followed by the second half.
  private mutating func extract(
    _ sample: Sample, upTo cut: UInt64, by header: NALUnitHeader, _ track: Track
  ) throws(EditError) {
    let lengthSize = track.lengthSize(ofDescription: sample.descriptionIndex)
    let length = cut - sample.range.lowerBound
    // The fields of an extractor are as wide as NAL unit lengths.
    guard let length = UInt32(exactly: length), lengthSize >= 4 || length >> (8 * lengthSize) == 0 else {
      throw EditError(
        .exceedsLimit,
        "sample \(sample.index) of track \(track.id) has \(length) bytes of the base layer, too many for an extractor with lengths of "
          + "\(lengthSize) bytes", advice: "Split without extractors\(.useExtractors).")
    }
    var extractor = Extractor(lengthSize: lengthSize)
    var constructor = Extractor.Constructor(lengthSize: lengthSize)
    constructor.dataLength = length
    extractor.constructors = [constructor]
    var encoder = FieldEncoder()
    try refusing(extractor.layout(&encoder))
    let unit = [NALUnitType.extractor.rawValue << 1, header.temporalIDPlus1] + encoder.bytes
    let size = (0..<lengthSize).reversed().map { UInt8(truncatingIfNeeded: unit.count >> (8 * $0)) }
    guard let own = extracting?.addOwn(size + unit) else { return }
    extracting?.append([own, cut..<max(cut, sample.range.upperBound)])
  }

  /// Whether a unit belongs to the preceding picture.
  private static func followsItsPicture(_ unit: NALUnitPlace) -> Bool {
    switch unit.header.type.rawValue {
    case 36, 37, 38, 40, 45...47, 56...63: true
    default: false
    }
  }
}
