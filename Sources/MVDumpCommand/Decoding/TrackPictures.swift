// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import HEVCDecoding
import Multiview

/// Decodes the pictures of a track, or of all tracks that hold layers of its bitstream, in constant memory.
struct TrackPictures {
  /// The track, joined with those of its other layers.
  let track: Track
  private var options = HEVCDecoder.Options()

  /// The pictures of a track: those of `layer` alone, where one is named.
  init(_ track: Track, layer: Int? = nil, checksHashes: Bool = true, threads: Int) {
    self.track = track.joined
    if let layer { options.layers = [UInt8(clamping: layer)] }
    options.checksHashes = checksHashes
    options.threads = threads
  }

  /// The tracks with pictures to decode, each with those that hold its other layers: of these only the first is listed.
  static func tracks(_ tracks: [Track]) -> [Track] {
    var seen: Set<UInt32> = []
    return tracks.filter { !$0.isJoined && $0.isHEVC }.map(\.joined).filter { seen.insert($0.id).inserted }
  }

  /// Whether samples are encrypted, so that no picture can be decoded.
  var isProtected: Bool { track.joinedTracks.contains { $0.isProtected } }

  /// Something that kept samples or pictures from being decoded.
  struct Problem: CustomStringConvertible {
    let sample: Int
    let layerID: UInt8?
    let description: String
  }

  /// Hands each picture of the samples in `range` to `body`, in the order of output, until that answers `false`. Decoding
  /// starts as far before them as order counts do.
  func forEach(
    _ range: Range<Int> = 0..<Int.max, noting damage: (Problem) -> Void, _ body: (DecodedPicture) -> Bool
  ) throws(SourceError) {
    let decoder = HEVCDecoder(options)
    decoder.insert(parameterSets: track.layerAnalysis.units.map(\.unit))
    var description: UInt32?
    var failure: SourceError?
    var goesOn = true
    func put(_ pictures: [DecodedPicture]) {
      for picture in pictures where goesOn && range.contains(picture.tag) { goesOn = body(picture) }
      for failure in decoder.takeFailures() where range.contains(failure.tag) {
        damage(
          Problem(
            sample: failure.tag, layerID: failure.layerID,
            description: "layer \(failure.layerID): \(failure.problem)"))
      }
    }
    let start = try track.orderCountStart(before: range.lowerBound)
    try track.forEachAccessUnit(start..<range.upperBound) { places, walker in
      if let error = places.error, range.contains(places.index) {
        damage(Problem(sample: places.index, layerID: nil, description: "\(error)"))
      }
      if let sample = places.sample, description != sample.descriptionIndex {
        if description != nil { changeDescription(sample.descriptionIndex, decoder) }
        description = sample.descriptionIndex
      }
      do throws(SourceError) {
        var units: [NALUnit] = []
        units.reserveCapacity(places.units.count)
        for place in places.units {
          if let unit = try walker.unit(place) { units.append(unit) }
        }
        put(decoder.decode(units, tag: places.index))
      } catch {
        failure = error
        return false
      }
      return goesOn
    }
    if let failure { throw failure }
    if goesOn { put(decoder.finish()) }
  }

  /// Another sample description has parameter sets of its own.
  private func changeDescription(_ index: UInt32, _ decoder: HEVCDecoder) {
    let descriptions = track.formatDescriptions, place = Int(index) - 1
    guard descriptions.indices.contains(place) else { return }
    decoder.insert(parameterSets: descriptions[place].configurationUnits.map(\.unit))
  }
}
