// swift-multiview · SPDX-License-Identifier: Apache-2.0

import FileAccess
import HEVC
import HEVCDecoding
import MoviePictures
import Multiview

/// Decodes the pictures of a track, or of all tracks that hold layers of its bitstream, in constant memory.
struct TrackPictures {
  /// The track, joined with those of its other layers.
  let track: Track
  private var options = HEVCDecoder.Options()

  /// The pictures of a track: those of `layer` alone, if one is named.
  init(_ track: Track, layer: Int? = nil, checksHashes: Bool = true, threads: Int) {
    self.track = track.joined
    if let layer { options.layers = [UInt8(clamping: layer)] }
    options.checksHashes = checksHashes
    options.threads = threads
    // A stream may be cut out of a broadcast; a movie has all samples that its pictures need.
    options.reportsUndecodableStart = !track.isRawStream
  }

  /// The tracks with pictures to decode, each with those that hold its other layers: of these only the first is listed.
  static func tracks(_ tracks: [Track]) -> [Track] {
    var seen: Set<UInt32> = []
    return tracks.filter { !$0.isJoined && $0.isHEVC }.map(\.joined).filter { seen.insert($0.id).inserted }
  }

  /// Whether samples are encrypted, so that no picture can be decoded.
  var isProtected: Bool { track.joinedTracks.contains { $0.isProtected } }

  /// Something that kept samples or pictures from being decoded.
  typealias Problem = TrackDecoder.Problem

  /// Hands each picture of the samples in `range` to `body`, in output order, until that returns `false`. Decoding
  /// starts as far before them as order counts do.
  ///
  /// - Parameters:
  ///   - range: the samples.
  ///   - damage: gets what kept samples or pictures from being decoded.
  ///   - account: gets each sample that can be read to its end, with the layers of which it has pictures.
  ///   - body: gets the pictures.
  func forEach(
    _ range: Range<Int> = 0..<Int.max, noting damage: (Problem) -> Void,
    accounting account: (_ sample: Int, _ layers: LayerIDSet) -> Void = { _, _ in },
    _ body: (DecodedPicture) -> Bool
  ) throws(SourceError) {
    let start = try track.orderCountStart(before: range.lowerBound)
    let decoder = try TrackDecoder(track, options, start..<range.upperBound)
    while let pictures = try decoder.next() {
      var goesOn = true
      if let decoded = decoder.decoded, range.contains(decoded.sample) {
        account(decoded.sample, decoded.layers)
      }
      for picture in pictures where goesOn && range.contains(picture.tag) { goesOn = body(picture) }
      for problem in decoder.takeProblems() where range.contains(problem.sample) { damage(problem) }
      if !goesOn { return }
    }
  }
}
