// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import CommandLineSupport
import FieldOutput
import FileAccess
import HEVC
import HEVCDecoding
import MoviePictures
import Multiview

/// `mvdump verify`: whether everything can be decoded, and is what the encoder coded.
package enum VerifyCommand: Command {
  static let noHash = Option("no-hash", "Decode only; do not compare picture hashes")

  package static let name = "verify"
  package static let summary = "check that every picture decodes and matches its picture hash"
  package static let discussion = [
    "One line per track and layer, and one for each image of a file and its layers. Tracks of other "
      + "codecs, and encrypted ones, are skipped, which is reported in text output. The exit status is 1 "
      + "if a picture is damaged, cannot be decoded, or does not match its hash message; a missing hash "
      + "message is not an error."
  ]
  package static let operands = Operands.files
  package static let options =
    [noHash, RowOptions.track, DecodingOptions.threads, CommonOptions.csv] + CommonOptions.input
  package static let examples = [
    Example("mvdump verify movie.mov", "Whether all pictures of all layers decode correctly"),
    Example("mvdump verify -r library/", "The same for a whole library"),
  ]

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    let arguments = invocation.arguments
    var isSound = true
    let code = Batch.ofMovies(invocation).forEachStreaming("verify", VerifyRow.csvTitles, invocation) {
      input, rows throws(InputError) in
      let movie = try input.movie()
      let tracks = try RowOptions.tracks(movie, arguments)
      let decodable = TrackPictures.tracks(tracks)
      for track in tracks
      where !track.isHEVC && (track.mediaType.isVisual || RowOptions.choosesTracks(arguments)) {
        guard track.mainDescription != nil else {
          try rows.noteLosses(of: track)
          continue
        }
        passOver(track, "is not HEVC", invocation)
      }
      for track in decodable {
        if invocation.isOutputClosed { return }
        let pictures = TrackPictures(
          track, checksHashes: !arguments.has(noHash), threads: DecodingOptions.threads(arguments))
        guard !pictures.isProtected else {
          passOver(track, "is encrypted", invocation)
          continue
        }
        let eyes: SampleEyes
        do throws(SourceError) {
          eyes = SampleEyes(track, track.isRawStream ? nil : try track.samples())
        } catch { throw InputError(error) }
        var found = Verdicts(track, eyes)
        try rows.table(of: track, list: "layers", titles: nil) { () throws(SourceError) in
          var lost = LostPictures()
          try pictures.forEach(
            noting: { found.add($0) },
            accounting: { sample, layers in
              // What access units of a stream should have is not said anywhere.
              guard !track.isRawStream else { return }
              lost.add(sample, layers, seen: eyes.layers(ofSample: sample))
            },
            { picture in
              found.add(picture)
              return !invocation.isOutputClosed
            })
          if !invocation.isOutputClosed { for loss in lost.finish() { found.add(loss) } }
          if let loss = try track.sampleLosses().first { found.add(loss) }
          found.complete()
          found.nameCauses(track)
          for row in found.rows { rows.write(row) }
        }
        if !found.isSound { isSound = false }
      }
      let images = arguments.number(RowOptions.track) == nil ? movie.codedImages : []
      guard !images.isEmpty else { return }
      try rows.images(titles: "") { () throws(SourceError) in
        for image in images where !invocation.isOutputClosed {
          var found = Verdicts(image)
          let decoded = try ImageDecoder(image, checksHashes: !arguments.has(noHash)).decode()
          for problem in decoded.problems { found.add(problem) }
          for picture in decoded.pictures { found.add(picture) }
          for row in found.rows { rows.write(row) }
          if !found.isSound { isSound = false }
        }
      }
    }
    return isSound ? code : max(code, .no)
  }

  private static func passOver(_ track: Track, _ reason: String, _ invocation: Invocation) {
    guard !invocation.isJSON, !invocation.isCSV else { return }
    invocation.out.append(invocation.style.faint("track \(track.id)  \(reason): skipped") + "\n")
  }
}

/// The results for the layers of a track. A layer that is shown to different eyes in different samples has a row for each eye.
private struct Verdicts {
  private let trackID: UInt32?
  private let itemID: UInt32?
  /// The eye that sees a layer of a sample.
  private let eye: (_ layerID: UInt8, _ sample: Int) -> StereoEye?
  private(set) var rows: [VerifyRow] = []

  init(_ track: Track, _ eyes: SampleEyes) {
    (trackID, itemID) = (track.id, nil)
    eye = { eyes.eye(ofLayer: $0, sample: $1) }
  }

  init(_ image: CodedImage) {
    (trackID, itemID) = (nil, image.id)
    eye = { layerID, _ in image.eye(ofLayer: layerID) }
  }

  private mutating func change(_ layerID: UInt8, sample: Int, _ body: (inout VerifyRow) -> Void) {
    let eye = eye(layerID, sample)?.rawValue
    if let index = rows.firstIndex(where: { $0.layerID == layerID && $0.eye == eye }) {
      return body(&rows[index])
    }
    var row = VerifyRow(trackID: trackID, itemID: itemID, layerID: layerID, eye: eye)
    body(&row)
    // By ascending layer, then as they come.
    rows.insert(row, at: rows.firstIndex { $0.layerID > layerID } ?? rows.count)
  }

  private func place(_ tag: Int) -> String { itemID == nil ? "sample \(tag): " : "" }

  mutating func add(_ picture: DecodedPicture) {
    let place = place(picture.tag)
    let isInherited = if case .inherited = picture.problems.first { true } else { false }
    change(picture.layerID, sample: picture.tag) { row in
      row.pictures += 1
      switch picture.hash {
      case .match: row.matches += 1
      case .mismatch:
        row.mismatches += 1
        row.record(
          "\(place)the picture does not match its hash", sample: picture.tag, isInherited: isInherited)
      case .none: break
      }
      guard let problem = picture.problems.first else { return }
      row.damaged += 1
      row.record("\(place)\(problem)", sample: picture.tag, isInherited: isInherited)
    }
  }

  mutating func add(_ problem: TrackPictures.Problem) {
    let place = place(problem.sample)
    change(problem.layerID ?? 0, sample: problem.sample) { row in
      row.failures += 1
      row.record("\(place)\(problem.description)", sample: problem.sample)
    }
  }

  mutating func add(_ loss: LostPictures.Loss) {
    let place = place(loss.sample)
    change(loss.layerID, sample: loss.sample) { row in
      row.failures += loss.count
      row.record(
        "\(place)has no picture of layer \(loss.layerID)"
          + (loss.count > 1 ? ", like \(Quantity.count(loss.count - 1, "other sample"))" : ""),
        sample: loss.sample)
    }
  }

  /// Adds what keeps samples from being found: of whatever layer they are.
  mutating func add(_ loss: Diagnostic) {
    if rows.isEmpty { change(0, sample: 0) { _ in } }
    for index in rows.indices { rows[index].lose("not all samples were found: \(SampleDamage.words(loss))") }
  }

  /// Makes a row where there was nothing to say of any layer.
  mutating func complete() { if rows.isEmpty { change(0, sample: 0) { _ in } } }

  var isSound: Bool { rows.allSatisfy(\.isSound) }

  /// Adds a known cause to the first problem of layers that are not sound.
  mutating func nameCauses(_ track: Track) {
    guard !isSound, MonochromeDeviation.isPossible(in: track) else { return }
    for index in rows.indices where !rows[index].isSound { rows[index].add(MonochromeDeviation.words) }
  }
}

/// The reference encoder HM leaves the chroma offsets of slices out of 4:0:0 streams, although the picture parameter set says
/// that they are there. ISO/IEC 23008-2, 7.3.6.1
private enum MonochromeDeviation {
  static let words =
    "possible cause: the stream is 4:0:0 and signals slice chroma offsets (pps_slice_chroma_qp_offsets_present_flag), "
    + "which the HM encoder then omits from slice headers, contrary to 7.3.6.1 of the standard"

  static func isPossible(in track: Track) -> Bool {
    let analysis = track.layerAnalysis
    guard analysis.layers.contains(where: { $0.sps?.format?.chromaFormatIdc == 0 }) else { return false }
    var store = analysis.parameterSetStore()
    for located in analysis.units { store.insert(located.unit) }
    return store.pictureParameterSets.contains { $0.content.ppsSliceChromaQpOffsetsPresentFlag }
  }
}

/// A layer in a table.
private struct VerifyRow: Row {
  static let columns: [Column<VerifyRow>] = [
    Column(json: "item") { $0.itemID.map { .number(Int64($0)) } ?? .omitted },
    Column("layer") { .number(Int64($0.layerID)) },
    Column("eye") { .text($0.eye) },
    Column("pictures") { .number($0.pictures) },
    Column("match") { .number($0.matches) },
    Column("mismatch") { .number($0.mismatches) },
    Column("damaged") { .number($0.damaged) },
    Column("failed") { .number($0.failures) },
    Column("sound") { .flag($0.isSound) },
    Column("problem") { .text($0.problem) },
    Column(csv: "item") { $0.itemID.map { .number(Int64($0)) } ?? .omitted },
  ]

  let trackID: UInt32?
  let itemID: UInt32?
  let layerID: UInt8
  let eye: String?
  var pictures = 0
  var matches = 0
  var mismatches = 0
  /// Pictures of which something could not be decoded.
  var damaged = 0
  /// Pictures and samples that could not be decoded at all.
  var failures = 0
  private(set) var problem: String?
  /// The sample that has the problem, and whether that is that another picture is damaged.
  private var problemSample = 0
  private var isInherited = false
  /// Whether samples were not found, in which it may have pictures.
  private var lacksSamples = false

  init(trackID: UInt32?, itemID: UInt32?, layerID: UInt8, eye: String?) {
    self.trackID = trackID
    self.itemID = itemID
    self.layerID = layerID
    self.eye = eye
  }

  var isSound: Bool { mismatches == 0 && damaged == 0 && failures == 0 && !lacksSamples }

  /// Adds words to the problem that is kept.
  mutating func add(_ words: String) { problem = problem.map { "\($0); \(words)" } }

  /// Keeps one problem: of a picture itself rather than of those it is predicted from, and of those the first in decoding order.
  /// Pictures come in the order of output, in which a damaged one may be after those that depend on it.
  mutating func record(_ text: String, sample: Int, isInherited: Bool = false) {
    guard problem == nil || (isInherited ? 1 : 0, sample) < (self.isInherited ? 1 : 0, problemSample) else {
      return
    }
    (problem, problemSample, self.isInherited) = (text, sample, isInherited)
  }

  /// Records that samples were not found.
  mutating func lose(_ text: String) {
    lacksSamples = true
    record(text, sample: .max)
  }

  func writeText(to out: OutputBuffer) {
    let place = itemID.map { "item \($0)" } ?? "track \(trackID ?? 0)"
    var parts = [place, "layer \(layerID)" + (eye.map { ", \($0) eye" } ?? "")]
    parts.append(Quantity.count(pictures, "picture"))
    if matches > 0 { parts.append(Quantity.count(matches, "hash matches", "hashes match")) }
    if mismatches > 0 {
      parts.append(Quantity.count(mismatches, "hash does not match", "hashes do not match"))
    }
    if matches + mismatches == 0 { parts.append("no hash compared") }
    if damaged > 0 { parts.append("\(damaged) damaged") }
    if failures > 0 { parts.append("\(failures) not decoded") }
    parts.append(isSound ? "ok" : "not ok")
    if let problem { parts.append(problem) }
    out.append(parts.joined(separator: "  "))
  }
}
