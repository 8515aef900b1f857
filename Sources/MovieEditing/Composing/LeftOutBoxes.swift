// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import Multiview

/// What fragments have that a movie with other fragments, or with none, does not.
struct LeftOutBoxes {
  /// The types of boxes that are left out.
  private(set) var types: [FourCC] = []
  private var known = madeAnew

  /// The boxes in and beside fragments that are rebuilt, or have no meaning for other fragments.
  private static let madeAnew: Set<FourCC> = [
    "mfhd", "traf", "tfhd", "tfdt", "trun", "sbgp", "csgp", "sgpd", "subs", "free", "skip",
  ]

  /// Adds those of a movie.
  ///
  /// - Parameter keepsTimes: whether everything is presented at the same time as before. Otherwise, event messages are
  ///   left out; those with times of their segment always are.
  mutating func add(_ movie: MovieFile, keepsTimes: Bool) {
    for box in movie.tree?.boxes ?? [] {
      switch box.type {
      case "prft": add([box])
      case "emsg" where !keepsTimes || box.eventTime == nil: add([box])
      case "moof":
        add(box.children)
        for traf in box.children where traf.type == "traf" { add(traf.children) }
      default: break
      }
    }
  }

  private mutating func add(_ boxes: [Box]) {
    for box in boxes where known.insert(box.type).inserted { types.append(box.type) }
  }

  /// The notice on these types, in words.
  static func message(_ types: [FourCC]) -> String {
    "boxes that apply only to the original are left out: \(types.map { "\($0)" }.joined(separator: ", "))"
  }

  /// The notice on a track whose samples had priorities or padding.
  static func message(flagsOf id: UInt32) -> String {
    "track \(id): the degradation priorities and padding bits of its samples are left out"
  }
}

extension MovieComposer {
  /// The types of boxes of the movies that are left out, because they apply only to their fragments or times.
  var leftOutBoxes: [FourCC] {
    var left = LeftOutBoxes()
    var known: [MovieFile] = []
    for part in parts where !known.contains(where: { $0.isSame(as: part.movie) }) {
      known.append(part.movie)
      left.add(part.movie, keepsTimes: keepsTimes)
    }
    return left.types
  }

  /// What is left out, in words.
  func leftOutMessages() throws(EditError) -> [String] {
    let boxes = leftOutBoxes
    return try (boxes.isEmpty ? [] : [LeftOutBoxes.message(boxes)])
      + tracksWithoutFlags().map { LeftOutBoxes.message(flagsOf: $0) }
  }

  /// The IDs of the tracks with samples whose flags in fragments have more than the new tables: a priority, or padding
  /// bits.
  func tracksWithoutFlags() throws(EditError) -> [UInt32] {
    var ids: [UInt32] = []
    for track in tracks {
      for cut in track.cuts where cut.movie.container.isFragmented && ids.last != track.id {
        let samples = try reading(open.samples(of: cut.track, in: cut.movie))
        for span in cut.keptSpans {
          samples.forEachUniform(in: span) { samples in
            let flags = samples.first.flags
            if flags.degradationPriority != 0 || flags.paddingValue != 0, ids.last != track.id {
              ids.append(track.id)
            }
          }
        }
      }
    }
    return ids
  }
}
