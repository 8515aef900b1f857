// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import FileAccess

/// The differences between two movies, which show whether a tool kept everything.
///
/// Movies are the same where a viewer gets the same: how samples lie in the file, how tables say it, in which scale times
/// are written, where the index is and what fills gaps makes no difference but at the level of bytes. Dates of media and of modification,
/// compatible brands, and the next track ID are not compared.
///
/// Samples of both are read side by side, and none is kept: where they differ, 32 768 of each movie are looked at to find where they continue
/// alike, and where those have nothing in common, the rest is read once more for that. The memory is that of these, and of the sample tables;
/// of video that is not shown in decoding order and has several edits, or begins in the middle, four bytes more a sample.
///
/// ```swift
/// for difference in try MovieComparison(original, copy).differences { print(difference) }
/// ```
public struct MovieComparison: Sendable {
  /// How closely to look.
  public enum Level: String, Hashable, Sendable, CaseIterable {
    /// Layers, eyes, tags, parameter sets, tracks and metadata.
    case tags
    /// The coded pictures and sound: every NAL unit of a layer, every sample of another codec.
    case samples
    /// When each sample is presented, through edit lists.
    case presentation
    /// Boxes that the other levels do not compare.
    case boxes
    /// The files, byte for byte.
    case bytes
  }

  /// All levels that matter to a viewer of the movie.
  public static let usualLevels: Set<Level> = [.tags, .samples, .presentation, .boxes]

  /// The differences, what matters most first.
  public let differences: [MovieDifference]
  /// What could not be compared, and why.
  public let notes: [String]
  /// Whether no difference was found, and nothing was left out because it would take too long.
  public var isSame: Bool { differences.isEmpty && !isCutShort }
  private let isCutShort: Bool

  /// Compares two movies. Samples are read if they are to be compared.
  public init(
    _ first: MovieFile, _ second: MovieFile, levels: Set<Level> = MovieComparison.usualLevels
  ) throws(SourceError) {
    var found = FoundDifferences()
    let pairs = TrackPair.pairs(of: first, second)
    let budget = ComparisonBudget(first, second)
    if levels.contains(.tags) {
      TrackComparison.compareTracks(pairs, &found)
      try MetadataComparison.compare(first, second, pairs, budget, &found)
    }
    for pair in pairs {
      guard let left = pair.first, let right = pair.second else { continue }
      if levels.contains(.tags) { TrackComparison.compare(left, right, pairs, &found) }
      if levels.contains(.samples) {
        try EncryptionComparison.compare(left, right, budget.reading, &found)
      }
      // Where it ended, that was noted.
      if levels != [.bytes], !budget.reading.isExhausted {
        try SampleComparison(left, right, levels, budget).compare(&found)
      }
    }
    try ItemComparison(first, second, budget)?.compare(levels, &found)
    if levels.contains(.boxes) { try StructureComparison.compare(first, second, pairs, &found) }
    if levels.contains(.bytes) { try Self.compareBytes(first.source, second.source, &found) }
    // A stable order: by kind, then those of the movie, then those of each track, as they were found.
    let tracks: [UInt32?] = [nil] + pairs.map { $0.first?.id ?? $0.second?.id }
    differences = MovieDifference.Kind.allCases.flatMap { kind in
      let some = found.differences.filter { $0.kind == kind }
      var places: [UInt32?: Int] = [:]
      for (place, id) in tracks.enumerated() where places[id] == nil { places[id] = place }
      let sorted = some.enumerated().sorted { left, right in
        (places[left.element.trackID] ?? 0, left.offset) < (places[right.element.trackID] ?? 0, right.offset)
      }
      return sorted.map(\.element)
    }
    (notes, isCutShort) = (found.notes, found.isCutShort)
  }

  /// The first byte that differs.
  private static func compareBytes(
    _ first: any ByteSource, _ second: any ByteSource, _ found: inout FoundDifferences
  ) throws(SourceError) {
    let step = 1 << 20
    var offset: UInt64 = 0
    while true {
      let left = try first.read(at: offset, count: step), right = try second.read(at: offset, count: step)
      if left != right {
        var common = 0
        while left[common] == right[common], left[common] != nil { common += 1 }
        func text(_ bytes: ByteView) -> String {
          bytes[common].map { "\($0)" } ?? "the end of the file"
        }
        found.add(.bytes, "first different byte, at \(offset + UInt64(common))", text(left), text(right))
        return
      }
      if left.count < step { return }
      offset += UInt64(step)
    }
  }
}

/// The limits of the work of one comparison on the samples and items of both movies.
struct ComparisonBudget {
  /// For reading them side by side: what is left over is not compared.
  let reading: WorkBudget
  /// For looking where lists of samples continue alike: with none left, no more such places are found.
  let searching: WorkBudget
  private let overlap: Int

  init(_ first: MovieFile, _ second: MovieFile) {
    (reading, searching) = (WorkBudget(first, second), WorkBudget(first, second))
    overlap = max(first.limits.maximumSampleOverlap, second.limits.maximumSampleOverlap)
  }

  /// Why nothing more is read; `nil` as long as it is.
  var refusal: String? {
    reading.isExhausted
      ? "that would take more than passing through both files \(overlap) times (maximumSampleOverlap)" : nil
  }
}

/// Differences as they are found. A list that grows with the movie would hide what matters: of each kind and track some are
/// kept, and the number of further ones is reported.
struct FoundDifferences {
  /// How many of one kind are kept for a track.
  private static let maximum = 50

  private(set) var differences: [MovieDifference] = []
  private(set) var notes: [String] = []
  /// Whether something was left out because it would take too long.
  private(set) var isCutShort = false
  /// The subjects of the differences that are kept.
  private var subjects: Set<Subject> = []
  private var counts: [Place: Int] = [:]

  private struct Place: Hashable {
    var kind: MovieDifference.Kind
    var track: UInt32?
  }

  private struct Subject: Hashable {
    var place: Place
    var text: String
  }

  mutating func add(_ difference: MovieDifference) {
    let place = Place(kind: difference.kind, track: difference.trackID)
    let count = counts[place, default: 0]
    counts[place] = count + 1
    if count < Self.maximum {
      differences.append(difference)
      subjects.insert(Subject(place: place, text: difference.subject))
    } else if count == Self.maximum {
      let track = difference.trackID.map { " of track \($0)" } ?? ""
      notes.append(
        "more than \(Self.maximum) differences in \(difference.kind.rawValue)\(track) are not listed")
    }
  }

  mutating func add(
    _ kind: MovieDifference.Kind, _ subject: String, _ first: String?, _ second: String?,
    _ trackID: UInt32? = nil, sample: Int? = nil
  ) {
    guard first != second else { return }
    // The one track of a raw stream has no number.
    let number = trackID == 0 ? nil : trackID
    add(
      MovieDifference(
        kind: kind, subject: subject, first: first, second: second, trackID: number, sample: sample))
  }

  /// Whether one of these is known to differ already.
  func has(_ kind: MovieDifference.Kind, _ subjects: Set<String>, _ trackID: UInt32?) -> Bool {
    let place = Place(kind: kind, track: trackID)
    return subjects.contains { self.subjects.contains(Subject(place: place, text: $0)) }
  }

  mutating func note(_ text: String) {
    if !notes.contains(text) { notes.append(text) }
  }

  /// Notes what is left out because it would take too long.
  mutating func noteOmission(_ text: String) {
    isCutShort = true
    note(text)
  }
}
