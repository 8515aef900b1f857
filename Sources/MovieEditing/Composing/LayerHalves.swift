// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF
import Multiview

/// The samples of a track of several layers, each cut in two: the picture of the base layer with what belongs to it, and all that
/// follows. One after the other they are the sample again, byte for byte.
struct LayerHalves {
  /// The first halves.
  private(set) var base = KeptUnits()
  /// The second halves; nothing of samples that have the base layer alone.
  private(set) var others = KeptUnits()
  /// How many samples have a second half.
  private(set) var count = 0
  /// The types of the pictures at which decoding can begin, in either half.
  private(set) var syncTypes: (base: Set<UInt8>, others: Set<UInt8>) = ([], [])

  init(_ track: Track, of movie: MovieFile) throws(EditError) {
    var problem: EditError?
    do throws(SourceError) {
      let isWhole = try track.forEachAccessUnit { places, _ in
        do throws(EditError) { try add(places, track) } catch { problem = error }
        return problem == nil
      }
      if !isWhole, problem == nil {
        problem = .refused("the samples of track \(track.id) lie upon one another")
      }
    } catch { throw EditError(.unreadable, error) }
    if let problem { throw problem }
  }

  private mutating func add(_ places: AccessUnitPlaces, _ track: Track) throws(EditError) {
    let name = "sample \(places.index) of track \(track.id)"
    if let error = places.error { throw EditError(.unreadable, "\(name) is damaged: \(error)") }
    guard let sample = places.sample else { return }
    let units = places.units
    func isPicture(_ unit: NALUnitPlace) -> Bool { unit.header.type.isVideoCodingLayer }
    guard let last = units.lastIndex(where: { $0.header.layerID == 0 && isPicture($0) }) else {
      throw .refused("\(name) has no picture of the base layer", advice: "mvdump check says what is wrong.")
    }
    if let early = units[..<last].first(where: { $0.header.layerID > 0 && isPicture($0) }) {
      throw .refused(
        "\(name) has a slice of layer \(early.header.layerID) before the last one of the base layer, and in two tracks "
          + "their order would be lost")
    }
    // What follows a picture and belongs to it: suffix messages, ends, filling. ISO/IEC 23008-2, 7.4.2.4.4
    var next = last + 1
    while next < units.count, units[next].header.layerID == 0, Self.followsItsPicture(units[next]) {
      next += 1
    }
    if let end = units[next...].first(where: { $0.header.layerID == 0 && $0.header.type.rawValue == 36 }) {
      throw .refused(
        "\(name) ends the sequence of the base layer after pictures of other layers (at \(end.range.lowerBound)), and in two "
          + "tracks their order would be lost")
    }
    let cut = units[next - 1].range.upperBound
    base.append(CollectionOfOne(sample.range.lowerBound..<cut))
    others.append(CollectionOfOne(cut..<max(cut, sample.range.upperBound)))
    if cut < sample.range.upperBound { count += 1 }
    guard sample.isSync else { return }
    syncTypes.base.insert(units[last].header.type.rawValue)
    if let other = units[next...].first(where: isPicture) {
      syncTypes.others.insert(other.header.type.rawValue)
    }
  }

  /// Whether a unit belongs to the picture before it.
  private static func followsItsPicture(_ unit: NALUnitPlace) -> Bool {
    switch unit.header.type.rawValue {
    case 36, 37, 38, 40, 45...47, 56...63: true
    default: false
    }
  }
}
