// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import Multiview
import Threads

/// What commands that write rows have in common.
enum RowOptions {
  static let track = Option(
    "track", short: "t", .number("ID", 0...Int(UInt32.max)), "Only the track with this ID")
  static let samples = Option(
    "samples", short: "s", .text("A-B", hint: .nothing),
    "Only the samples A to B, counted from 0: 7, 0-9, 100-")

  /// The samples that `--samples` chooses.
  static func range(_ arguments: ParsedArguments) throws(UsageError) -> Range<Int> {
    guard let text = arguments.text(samples) else { return 0..<Int.max }
    let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    let first = parts.first.flatMap { $0.isEmpty ? 0 : Int($0) }
    let last: Int?
    switch parts.count {
    case 1: last = first
    case 2: last = parts[1].isEmpty ? Int.max - 1 : Int(parts[1])
    default: last = nil
    }
    guard let first, let last, !text.isEmpty, first >= 0, first <= last, last < Int.max else {
      throw UsageError("'\(text)' is not a range of samples, such as 7, 0-9 or 100-")
    }
    return first..<(last + 1)
  }

  /// Throws if none of the tracks has the first sample that is wanted. How many a raw stream has is not known.
  static func check(_ range: Range<Int>, in tracks: [Track]) throws(InputError) {
    let first = range.lowerBound
    guard first > 0, !tracks.isEmpty, !tracks.contains(where: { $0.isRawStream || $0.sampleCount > first })
    else {
      return
    }
    let count = tracks.map(\.sampleCount).max() ?? 0
    throw InputError("has no sample \(first): there \(count == 1 ? "is" : "are") \(count), counted from 0")
  }

  /// Whether tracks or samples are chosen, so that images are not.
  static func choosesTracks(_ arguments: ParsedArguments) -> Bool {
    arguments.number(track) != nil || arguments.text(samples) != nil
  }

  /// The tracks that `--track` chooses, of those that `isWanted`: all, or those of HEVC.
  static func tracks(
    _ movie: MovieFile, _ arguments: ParsedArguments, where isWanted: (Track) -> Bool = { _ in true }
  ) throws(InputError) -> [Track] {
    try movie.requireContent()
    guard let id = arguments.number(track) else { return movie.tracks.filter(isWanted) }
    let found = movie.tracks.filter { $0.id == UInt32(clamping: id) }
    guard !found.isEmpty else {
      let ids = movie.tracks.map { "\($0.id)" }.joined(separator: ", ")
      throw InputError("has no track \(id); it has \(ids.isEmpty ? "none" : ids)")
    }
    guard found.contains(where: isWanted) else {
      throw InputError(
        "track \(id) is not HEVC; its samples can be listed (mvdump samples).")
    }
    return found
  }
}

extension MovieFile {
  /// Throws if the file has nothing that describes samples or images: then an empty answer would look like a good one.
  func requireContent() throws(InputError) {
    // Segments of a stream are read with the movie that describes them; images in other forms are named by `info`.
    guard let tree, !["moof", "meta", "mini"].contains(where: { tree.first($0) != nil }) else { return }
    guard let moov = tree.first("moov") else {
      throw InputError("has no movie (moov): nothing describes its samples")
    }
    guard moov.first("cmov") == nil else {
      throw InputError("the boxes of the movie are compressed (cmov), and are not read")
    }
  }
}

/// Options of the commands that decode pictures.
enum DecodingOptions {
  static let threads = Option(
    "threads", .number("N", 1...64),
    "Number of decoding threads (default: as many as the machine runs)")

  /// How many threads decode the pictures of a track.
  static func threads(_ arguments: ParsedArguments) -> Int { arguments.number(threads) ?? processorCount }
}
