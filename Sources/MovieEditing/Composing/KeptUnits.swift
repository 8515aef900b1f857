// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF
import Multiview

/// The bytes of the samples of a new track that are not simply those of the samples of one track: because NAL
/// units are left out, or samples of several tracks are merged.
struct KeptUnits {
  /// The pieces of all samples that are kept, including the lengths of units, in their order.
  private var ranges: [Range<UInt64>] = []
  /// The index in `ranges` of the first piece of each sample, followed by the number of pieces.
  private var starts: ContiguousArray<Int> = [0]
  /// Whether the pieces of a sample may be in any order in the file, and have to be placed one after the other.
  /// Otherwise they are in the order of the file, with nothing between them that is kept.
  let areTogether: Bool
  /// Bytes that are not in the file, and the offset from which pieces refer to them; `nil` if there are none.
  private(set) var own: (start: UInt64, bytes: [UInt8])?
  /// The number of units that are left out, by layer.
  private(set) var leftOut: [UInt8: Int] = [:]
  /// The NAL unit types of the pictures of the base layer at which decoding can begin, if other layers are left out.
  private(set) var syncTypes: Set<UInt8> = []

  /// Makes pieces of no samples.
  init(areTogether: Bool = false) { self.areTogether = areTogether }

  /// Makes pieces of no samples, some of which will refer to bytes that are not in the file.
  ///
  /// - Parameter size: the size of the file.
  init(addingToFileOf size: UInt64) {
    areTogether = true
    // Leaves one byte between, so that none of these pieces continues a piece of the file.
    own = (size &+ 1, [])
  }

  /// Adds bytes that are not in the file, and returns the piece that refers to them.
  mutating func addOwn(_ bytes: [UInt8]) -> Range<UInt64> {
    let start = (own?.start ?? 0) &+ UInt64(own?.bytes.count ?? 0)
    own?.bytes += bytes
    return start..<(start &+ UInt64(bytes.count))
  }

  /// The piece of a sample whose offset in the file determines the order of the sample among others.
  func anchor(of pieces: ArraySlice<Range<UInt64>>) -> Range<UInt64>? {
    guard let own else { return pieces.first }
    return pieces.first { $0.lowerBound < own.start } ?? pieces.first
  }

  /// Adds the pieces of the next sample.
  mutating func append(_ pieces: some Sequence<Range<UInt64>>) {
    for piece in pieces where !piece.isEmpty { add(piece) }
    starts.append(ranges.count)
  }

  /// Adds a piece to the current sample.
  private mutating func add(_ range: Range<UInt64>) {
    if ranges.count > starts[starts.count - 1], let end = ranges.last?.upperBound, end == range.lowerBound {
      ranges[ranges.count - 1] = ranges[ranges.count - 1].lowerBound..<range.upperBound
    } else {
      ranges.append(range)
    }
  }

  /// Finds the units of the base layer.
  ///
  /// Units of layer 0 after the last picture of the base layer that prefix a picture belong to a picture of
  /// another layer: parameter sets, delimiters and messages. They are left out. ISO/IEC 23008-2, 7.4.2.4.4
  init(baseLayerOf track: Track, of movie: MovieFile) throws(EditError) {
    areTogether = false
    try track.forEachIntactAccessUnit { places throws(EditError) in try add(places, track, movie) }
  }

  private mutating func add(
    _ places: AccessUnitPlaces, _ track: Track, _ movie: MovieFile
  ) throws(EditError) {
    let units = places.units
    guard
      let last = units.lastIndex(where: { $0.header.layerID == 0 && $0.header.type.isVideoCodingLayer })
    else {
      throw EditError(
        .damaged, "sample \(places.index) of track \(track.id) has no picture of the base layer")
    }
    if places.sample?.isSync == true { syncTypes.insert(units[last].header.type.rawValue) }
    let lengthSize = UInt64(track.lengthSize(ofDescription: places.sample?.descriptionIndex ?? 1))
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
  }

  /// Whether a unit has only messages about views and their displays, which have no meaning without the other layers.
  private static func isOnViews(_ place: NALUnitPlace, _ movie: MovieFile) -> Bool {
    guard place.header.type == .prefixSEI, place.byteCount < 1 << 12 else { return false }
    do throws(SourceError) {
      guard let unit = NALUnit(try movie.source.read(place.range)) else { return false }
      let (messages, error) = unit.seiMessages()
      return error == nil && !messages.isEmpty && messages.allSatisfy(\.isOnViews)
    } catch { return false }
  }

  /// Returns the pieces of a sample.
  func pieces(of sample: Int) -> ArraySlice<Range<UInt64>> {
    guard sample >= 0, sample + 1 < starts.count else { return [] }
    return ranges[starts[sample]..<starts[sample + 1]]
  }

  /// Returns the spans of which something is kept of each sample. The first sample is always included,
  /// because media begin with it.
  func present(of samples: Range<Int>) -> [Range<Int>] {
    var present: [Range<Int>] = []
    for index in samples where index == samples.lowerBound || !pieces(of: index).isEmpty {
      present.appendJoining(index..<(index + 1))
    }
    return present
  }
}

extension SEIMessage {
  /// Whether the message is about views and their displays: reference displays, scene, acquisition, or
  /// positions of views. ISO/IEC 23008-2, G.14.2
  var isOnViews: Bool { [176, 178, 179, 180].contains(payloadType.rawValue) }
}
