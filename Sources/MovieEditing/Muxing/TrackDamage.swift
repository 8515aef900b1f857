// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
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
