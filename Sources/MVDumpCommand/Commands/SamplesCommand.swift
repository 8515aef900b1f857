// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import CommandLineSupport
import FieldOutput
import FileAccess
import ISOBMFF
import Multiview

/// `mvdump samples`: one row a sample.
package enum SamplesCommand: Command {
  package static let name = "samples"
  package static let summary = "one row per sample: times, offset, size, sync, dependencies, bytes per layer"
  package static let discussion = [
    "Times are in units of the track's timescale. dts and cts are media times; pts is the time in the "
      + "movie, with the edit list applied: the first if there are several, and empty for samples that the "
      + "edit list omits. Bytes per layer are counted for tracks with more than one layer.",
    "With --presented, the rows are in presentation order, one for each time at which a sample is "
      + "presented: a sample that the edit list presents twice has two rows, and one that it omits has "
      + "none. A sample whose beginning is cut off by an edit has a pts before that edit.",
    "dep shows the dependencies that the file signals: 'on' depends on others, 'key' does not, 'ref' "
      + "others depend on it, 'drop' none do; in JSON and CSV they are the numbers of the specification.",
  ]
  package static let operands = Operands.files
  private static let presented = Option(
    "presented", "One row per presentation of a sample, in presentation order")
  package static let options =
    [CommonOptions.csv, RowOptions.track, RowOptions.samples, presented] + CommonOptions.input
  package static let examples = [
    Example("mvdump samples --samples 0-9 movie.mov", "The first ten samples of every track"),
    Example("mvdump samples --csv --track 1 movie.mov > samples.csv", "A table for a spreadsheet"),
    Example("mvdump samples --presented movie.mov", "What is shown when, with all edits applied"),
  ]

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    let range = try RowOptions.range(invocation.arguments)
    let batch = Batch(invocation, accepting: [.boxes])
    return batch.forEachStreaming("samples", SampleRow.csvTitles, invocation) {
      input, rows throws(InputError) in
      let movie = try input.movie()
      let tracks = try RowOptions.tracks(movie, invocation.arguments)
      try RowOptions.check(range, in: tracks)
      if tracks.isEmpty, movie.items != nil {
        throw InputError("is an image file, which has items instead of samples (see: mvdump info)")
      }
      var budget = PresentationBudget(of: movie)
      for track in tracks {
        try rows.table(
          of: track, list: "samples", titles: SampleRow.textTitles, fact: ("timescale", track.timescale),
          words: "\(track.mediaType.words), \(track.timescale) units per second"
        ) { () throws(SourceError) in
          let damage = { rows.note($1, sample: $0) } as (Int, ParseError) -> Void
          func write(_ row: SampleRow) -> Bool {
            rows.write(row)
            return !invocation.isOutputClosed
          }
          if invocation.arguments.has(presented) {
            try forEachPresentation(of: track, range, &budget, noting: damage, write)
          } else {
            try forEachSample(of: track, range, noting: damage, write)
          }
        }
      }
    }
  }

  /// Whether the bytes of each layer are counted.
  private static func countsLayers(of track: Track) -> Bool {
    track.isHEVC && track.layersOfAllDescriptions.count > 1 && !track.isProtected
  }

  private static func forEachPresentation(
    of track: Track, _ range: Range<Int>, _ budget: inout PresentationBudget,
    noting damage: (_ sample: Int, ParseError) -> Void, _ body: (SampleRow) -> Bool
  ) throws(SourceError) {
    guard track.sampleCount > 0 else { return }
    let samples = try track.samples()
    let lookup = countsLayers(of: track) ? AccessUnitLookup(track) : nil
    for position in 0..<samples.presentationCount {
      guard let shown = samples.presentation(at: position) else { continue }
      guard budget.takeOne() else { return damage(shown.sample, budget.exceeded(samples.presentationCount)) }
      guard range.contains(shown.sample), let sample = samples.sample(at: shown.sample) else { continue }
      var row = SampleRow(sample: sample, presentationTime: shown.time)
      if let lookup {
        let places = try lookup.accessUnit(of: sample)
        if let error = places.error { damage(sample.index, error) }
        row.bytesByLayer = places.bytesByLayer.sorted { $0.key < $1.key }
      }
      if !body(row) || lookup?.isExhausted == true { return }
    }
  }

  private static func forEachSample(
    of track: Track, _ range: Range<Int>, noting damage: (_ sample: Int, ParseError) -> Void,
    _ body: (SampleRow) -> Bool
  ) throws(SourceError) {
    // Tracks without samples may be many, and need no tables.
    guard track.sampleCount > 0 else { return }
    let samples = try track.samples()
    guard countsLayers(of: track) else {
      var iterator = samples.makeIterator(at: range.lowerBound)
      while let sample = iterator.next(), sample.index < range.upperBound {
        let row = SampleRow(sample: sample, presentationTime: samples.presentationTime(of: sample))
        if !body(row) { return }
      }
      return
    }
    try track.forEachAccessUnit(range) { places, _ in
      guard let sample = places.sample else { return false }
      if let error = places.error { damage(places.index, error) }
      return body(
        SampleRow(
          sample: sample, presentationTime: samples.presentationTime(of: sample),
          bytesByLayer: places.bytesByLayer.sorted { $0.key < $1.key }))
    }
  }
}

/// The greatest number of presentations that are read: a few bytes of edits can present half a million samples
/// any number of times.
private struct PresentationBudget {
  private let limit: Int
  private var left: Int

  /// One for each byte of the file, and at least as many as `Limits.maximumUniformSamples`.
  init(of movie: MovieFile) {
    limit = max(movie.limits.maximumUniformSamples, Int(clamping: movie.source.size ?? 0))
    left = limit
  }

  /// Whether there may be one more.
  mutating func takeOne() -> Bool {
    guard left > 0 else { return false }
    left -= 1
    return true
  }

  /// What is wrong if there are more.
  func exceeded(_ count: Int) -> ParseError {
    ParseError(
      .limitExceeded(
        limit: "\(limit) presentations (maximumUniformSamples)", value: UInt64(clamping: count)), offset: 0,
      field: "edit list")
  }
}

/// A sample in a table.
private struct SampleRow: Row {
  static let columns: [Column<SampleRow>] = [
    Column("index") { .number($0.sample.index) }.right("index", 8),
    Column("dts") { .number($0.sample.decodeTime) }.right("dts", 12),
    Column("cts") { .number($0.sample.compositionTime) }.right("cts", 12),
    Column("pts") { $0.presentationTime.map { .number($0) } ?? .missing }.right("pts", 12, missing: "-"),
    Column("duration") { .number($0.sample.duration) }.right("dur", 5),
    Column("offset") { .unsigned($0.sample.offset) }.right("offset", 15),
    Column("size") { .number(Int64($0.sample.size)) }.right("size", 10),
    Column("sync") { .flag($0.sample.isSync) }.left("sync", 4),
    Column("dependsOn") { .number(Int64($0.sample.flags.dependsOn)) },
    Column("isDependedOn") { .number(Int64($0.sample.flags.isDependedOn)) },
    Column { .text($0.dependencies) }.left("dep", 8),
    Column("layers") { .text($0.layers) }.left("layers").json {
      JSONObject($0.bytesByLayer.map { ("\($0.key)", $0.value) }).inline
    },
  ]

  var sample: Sample
  /// `nil` if the edit list leaves the sample out.
  var presentationTime: Int64?
  /// Empty if there is but one layer.
  var bytesByLayer: [(key: UInt8, value: Int)] = []

  private var layers: String { bytesByLayer.map { "\($0.key):\($0.value)" }.joined(separator: " ") }

  private var dependencies: String {
    let on = Self.dependsOn[Int(sample.flags.dependsOn) & 3]
    let by = Self.isDependedOn[Int(sample.flags.isDependedOn) & 3]
    return on.isEmpty ? by : by.isEmpty ? on : on + " " + by
  }

  private static let dependsOn = ["", "on", "key", "?"]
  private static let isDependedOn = ["", "ref", "drop", "?"]
}
