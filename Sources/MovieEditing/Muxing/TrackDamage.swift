// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import Multiview

/// Finds what is damaged in the pictures of a track, as far as slice headers show it.
struct TrackDamage {
  /// The damage, the first of each kind with its offset in the file.
  private(set) var notices: [MuxNotice] = []

  /// The kinds of anomalies that are damage, rather than a peculiarity of the encoder.
  static let kinds: Set<MuxNotice.Kind> = [.lostPictures, .firstSliceMissing, .damagedSlice]

  /// Reads all samples of an HEVC track. What cannot be read as a stream has no notices.
  init(_ track: Track, of movie: MovieFile) {
    guard track.isHEVC, track.sampleCount > 0 else { return }
    var options = MuxOptions()
    (options.allowsLostPictures, options.skipsUndecodableStart) = (true, true)
    do throws(EditError) {
      let reader = try TrackUnitReader(track, of: movie, adding: [])
      var session = MuxSession(
        reader, options: options, copies: [], output: DraftOutput(keeping: 0), timing: (600, 1))
      defer { notices = session.report.notices.filter { Self.kinds.contains($0.kind) } }
      try session.run()
    } catch { return }
  }

  /// The damage in words.
  var messages: [String] {
    notices.map { notice in
      let place = notice.firstOffset.map { ", the first at byte \($0)" } ?? ""
      return "\(notice.count) times: \(notice.message)\(place)"
    }
  }
}

/// Finds out whether pictures that others refer to are missing in a stream, from slice headers alone.
///
/// Every picture lists the pictures that it may use for prediction. In an intact stream all of them precede it,
/// except for those of leading pictures that are skipped when decoding begins at the picture that they lead.
/// ISO/IEC 23008-2, 8.3.2
struct LostPictures {
  /// The order counts of the pictures of each layer that later ones may refer to.
  private var alive: [UInt8: Set<Int>] = [:]
  /// Layers whose pictures may refer to others that are not listed, until the next sequence.
  private var unknown: Set<UInt8> = []

  /// Begins a coded video sequence: nothing in the base layer refers to earlier pictures. Pictures of other layers
  /// may, until their layer starts again. F.8.1.3
  mutating func beginSequence() {
    unknown = Set(alive.keys)
    alive = [:]
  }

  /// Adds a picture, and returns the order counts of the pictures that it may use and that are missing.
  ///
  /// - Parameters:
  ///   - header: the header of its first slice.
  ///   - orderCount: its order count.
  ///   - type: its type: pictures that are skipped when decoding begins need not be decodable.
  mutating func add(_ header: SliceHeader, layer: UInt8, orderCount: Int, _ type: NALUnitType) -> [Int] {
    if alive[layer] == nil, type.isRandomAccessPoint { unknown.remove(layer) }
    let isChecked = !type.isSkippedLeading && !type.isRandomAccessPoint
    let set = ReferencePictureSet(header, orderCount: orderCount)
    let before = alive[layer] ?? []
    let used = set.shortTermBefore + set.shortTermAfter
    let isKnown = set.longTerm.isEmpty && set.longTermFollowing.isEmpty && !unknown.contains(layer)
    let missing = isChecked && !unknown.contains(layer) ? used.filter { !before.contains($0) } : []
    // Of long-term pictures only the low bits of the order count may be known: nothing is removed then.
    let kept = isKnown ? before.intersection(used + set.shortTermFollowing) : before
    alive[layer] = kept.union([orderCount])
    return missing
  }

  /// Adds a picture whose references cannot be read.
  mutating func addUnreadable(layer: UInt8, orderCount: Int) {
    alive[layer, default: []].insert(orderCount)
    unknown.insert(layer)
  }
}
