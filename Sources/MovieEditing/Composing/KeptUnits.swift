// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF
import Multiview

/// Which bytes of the samples of a track are kept, where whole NAL units are left out.
struct KeptUnits {
  /// The parts of all samples that are kept, with the lengths of units, in their order.
  private var ranges: ContiguousArray<Range<UInt64>> = []
  /// Of each sample, where its parts begin; and their number in the end.
  private var starts: ContiguousArray<Int> = [0]
  /// How many units are left out, by layer.
  private(set) var leftOut: [UInt8: Int] = [:]

  /// The units of the base layer.
  ///
  /// What follows the last picture of it and prefixes a picture belongs to a picture of another layer: parameter sets,
  /// delimiters and messages there would come between this picture and what ends it. ISO/IEC 23008-2, 7.4.2.4.4
  init(baseLayerOf track: Track) throws(EditError) {
    var problem: EditError?
    do throws(SourceError) {
      let isWhole = try track.forEachAccessUnit { places, _ in
        problem = add(places, track)
        return problem == nil
      }
      if !isWhole, problem == nil {
        problem = .refused("the samples of track \(track.id) lie upon one another")
      }
    } catch { throw EditError(.unreadable, error) }
    if let problem { throw problem }
  }

  private mutating func add(_ places: AccessUnitPlaces, _ track: Track) -> EditError? {
    let name = "sample \(places.index) of track \(track.id)"
    if let error = places.error { return EditError(.unreadable, "\(name) is damaged: \(error)") }
    let units = places.units
    guard
      let last = units.lastIndex(where: { $0.header.layerID == 0 && $0.header.type.isVideoCodingLayer })
    else { return .refused("\(name) has no picture of the base layer") }
    let index = Int(clamping: places.sample?.descriptionIndex ?? 1) - 1
    let formats = track.formatDescriptions
    let lengthSize = UInt64((formats.indices.contains(index) ? formats[index].lengthSize : nil) ?? 4)
    for (place, unit) in units.enumerated() {
      let isOthers: Bool
      switch unit.header.type.rawValue {
      case 32...35, 39, 41...44, 48...55: isOthers = place > last
      default: isOthers = false
      }
      if unit.header.layerID > 0 || isOthers {
        leftOut[unit.header.layerID, default: 0] += 1
        continue
      }
      let range = (unit.range.lowerBound &- lengthSize)..<unit.range.upperBound
      if ranges.count > starts[starts.count - 1], let end = ranges.last?.upperBound, end == range.lowerBound {
        ranges[ranges.count - 1] = ranges[ranges.count - 1].lowerBound..<range.upperBound
      } else {
        ranges.append(range)
      }
    }
    starts.append(ranges.count)
    return nil
  }

  /// The parts of a sample.
  func parts(of sample: Int) -> ContiguousArray<Range<UInt64>>.SubSequence {
    guard sample >= 0, sample + 1 < starts.count else { return [] }
    return ranges[starts[sample]..<starts[sample + 1]]
  }
}
