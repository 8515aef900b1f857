// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF
import Multiview

/// Which bytes make the samples of a track, where these are not all bytes of the samples of one track: where NAL units are left
/// out, or samples of several tracks become one.
struct KeptUnits {
  /// The parts of all samples that are kept, with the lengths of units, in their order.
  private var ranges: ContiguousArray<Range<UInt64>> = []
  /// Of each sample, where its parts begin; and their number in the end.
  private var starts: ContiguousArray<Int> = [0]
  /// Whether the parts of a sample must be made to follow each other: they are in any order in the file. Otherwise they are
  /// in the order of the file, with nothing between them that is kept.
  let areTogether: Bool
  /// Bytes that are in no file, and from where on parts mean these.
  private(set) var own: (start: UInt64, bytes: [UInt8])?
  /// How many units are left out, by layer.
  private(set) var leftOut: [UInt8: Int] = [:]
  /// The types of the pictures of the base layer at which decoding can begin, where other layers are left out.
  private(set) var syncTypes: Set<UInt8> = []

  /// Nothing of any sample so far.
  init(areTogether: Bool = false) { self.areTogether = areTogether }

  /// Nothing of any sample so far; some parts are going to be bytes that the file does not have.
  ///
  /// - Parameter size: how many bytes it has.
  init(addingToFileOf size: UInt64) {
    areTogether = true
    // One byte between them, so that none of them follows what is in the file.
    own = (size &+ 1, [])
  }

  /// Adds bytes that the file does not have; answers the part that means them.
  mutating func addOwn(_ bytes: [UInt8]) -> Range<UInt64> {
    let start = (own?.start ?? 0) &+ UInt64(own?.bytes.count ?? 0)
    own?.bytes += bytes
    return start..<(start &+ UInt64(bytes.count))
  }

  /// The part of a sample by whose place in the file it is put among the others.
  func anchor(of parts: ContiguousArray<Range<UInt64>>.SubSequence) -> Range<UInt64>? {
    guard let own else { return parts.first }
    return parts.first { $0.lowerBound < own.start } ?? parts.first
  }

  /// Adds what is kept of the next sample.
  mutating func append(_ parts: some Sequence<Range<UInt64>>) {
    for part in parts where !part.isEmpty { add(part) }
    starts.append(ranges.count)
  }

  /// Adds a part to those of the sample that is not complete yet.
  private mutating func add(_ range: Range<UInt64>) {
    if ranges.count > starts[starts.count - 1], let end = ranges.last?.upperBound, end == range.lowerBound {
      ranges[ranges.count - 1] = ranges[ranges.count - 1].lowerBound..<range.upperBound
    } else {
      ranges.append(range)
    }
  }

  /// The units of the base layer.
  ///
  /// What follows the last picture of it and prefixes a picture belongs to a picture of another layer: parameter sets,
  /// delimiters and messages there would come between this picture and what ends it. ISO/IEC 23008-2, 7.4.2.4.4
  init(baseLayerOf track: Track, of movie: MovieFile) throws(EditError) {
    areTogether = false
    var problem: EditError?
    do throws(SourceError) {
      let isWhole = try track.forEachAccessUnit { places, _ in
        problem = add(places, track, movie)
        return problem == nil
      }
      if !isWhole, problem == nil {
        problem = .refused("the samples of track \(track.id) lie upon one another")
      }
    } catch { throw EditError(.unreadable, error) }
    if let problem { throw problem }
  }

  private mutating func add(_ places: AccessUnitPlaces, _ track: Track, _ movie: MovieFile) -> EditError? {
    let name = "sample \(places.index) of track \(track.id)"
    if let error = places.error { return EditError(.unreadable, "\(name) is damaged: \(error)") }
    let units = places.units
    guard
      let last = units.lastIndex(where: { $0.header.layerID == 0 && $0.header.type.isVideoCodingLayer })
    else { return .refused("\(name) has no picture of the base layer") }
    if places.sample?.isSync == true { syncTypes.insert(units[last].header.type.rawValue) }
    let index = Int(clamping: places.sample?.descriptionIndex ?? 1) - 1
    let formats = track.formatDescriptions
    let lengthSize = UInt64((formats.indices.contains(index) ? formats[index].lengthSize : nil) ?? 4)
    for (place, unit) in units.enumerated() {
      let isOthers: Bool
      switch unit.header.type.rawValue {
      case 32...35, 39, 41...44, 48...55: isOthers = place > last
      default: isOthers = false
      }
      if unit.header.layerID > 0 || isOthers || Self.isOnViews(unit, movie) {
        leftOut[unit.header.layerID, default: 0] += 1
        continue
      }
      add((unit.range.lowerBound &- lengthSize)..<unit.range.upperBound)
    }
    starts.append(ranges.count)
    return nil
  }

  /// Whether a unit holds nothing but messages about views and their displays, which mean nothing without the other layers.
  private static func isOnViews(_ place: NALUnitPlace, _ movie: MovieFile) -> Bool {
    guard place.header.type == .prefixSEI, place.byteCount < 1 << 12 else { return false }
    do throws(SourceError) {
      guard let unit = NALUnit(try movie.source.read(place.range)) else { return false }
      let (messages, error) = unit.seiMessages()
      return error == nil && !messages.isEmpty && messages.allSatisfy(\.isOnViews)
    } catch { return false }
  }

  /// The parts of a sample.
  func parts(of sample: Int) -> ContiguousArray<Range<UInt64>>.SubSequence {
    guard sample >= 0, sample + 1 < starts.count else { return [] }
    return ranges[starts[sample]..<starts[sample + 1]]
  }

  /// Those of so many samples of which something is kept, as far as they follow each other. The first sample is always one: media
  /// begin with it.
  func present(of samples: Range<Int>) -> [Range<Int>] {
    var present: [Range<Int>] = []
    for index in samples where index == samples.lowerBound || !parts(of: index).isEmpty {
      if let last = present.indices.last, present[last].upperBound == index {
        present[last] = present[last].lowerBound..<(index + 1)
      } else {
        present.append(index..<(index + 1))
      }
    }
    return present
  }
}

extension SEIMessage {
  /// Whether it is about views and their displays: reference displays, scene, acquisition, positions of views.
  /// ISO/IEC 23008-2, G.14.2
  var isOnViews: Bool { [176, 178, 179, 180].contains(payloadType.rawValue) }
}
