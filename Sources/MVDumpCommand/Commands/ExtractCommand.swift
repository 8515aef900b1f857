// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import CommandLineSupport
import FieldOutput
import FileAccess
import Multiview

/// `mvdump extract`: a layer or an eye as a byte stream.
package enum ExtractCommand: Command {
  static let layer = Option(
    "layer", short: "l", .number("ID", 0...62), "This layer, with those it is predicted from",
    isRepeatable: true)
  static let eye = Option(
    "eye", short: "e", .choice("EYE", ["left", "right"]), "The layer that this eye sees")
  static let only = Option(
    "only", "Omit the layers it is predicted from; no decoder can decode the result alone")
  static let output = Option(
    "output", short: "o", .text("FILE", hint: .file), "Where to write; - is standard output")
  static let force = Option("force", short: "f", "Overwrite the file if it exists")

  package static let name = "extract"
  package static let summary = "a layer or an eye as an Annex B stream"
  package static let discussion = [
    "Parameter sets come first, so that any HEVC tool can read the stream. A layer that is predicted from "
      + "others is written together with them. The file appears only when it is complete."
  ]
  package static let operands = Operands.file
  package static let options = [layer, eye, only, output, force, RowOptions.track]
  package static let examples = [
    Example("mvdump extract --layer 0 -o base.hevc movie.mov", "The base layer, for any HEVC decoder"),
    Example("mvdump extract --eye right -o right.hevc movie.mov", "What a decoder needs for the right eye"),
  ]

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    let arguments = invocation.arguments
    let layers = Set(arguments.texts(layer).compactMap { UInt8($0) })
    let eye = arguments.text(eye).flatMap { StereoEye(rawValue: $0) }
    guard layers.isEmpty != (eye == nil) else {
      throw UsageError("specify what to extract: --layer or --eye")
    }
    guard let path = arguments.text(output) else {
      throw UsageError("say where to write: -o FILE, or -o - for standard output")
    }
    if path == "-", invocation.surroundings.output.isTerminal {
      throw UsageError("standard output is a terminal: name a file with -o")
    }
    return Batch.ofMovies(invocation).forEach { input throws(InputError) in
      let movie = try input.movie()
      let tracks = try RowOptions.tracks(movie, arguments, where: { $0.isHEVC })
      let track = try source(of: layers, eye, in: tracks, of: movie)
      let wanted = Wanted(layers: layers, eye: eye)
      let summary: ExtractionSummary
      if path == "-" {
        do throws(SourceError) {
          try FileIdentity(descriptor: 1)?.checkIsNone(of: [movie.source], path: "standard output")
        } catch { throw InputError("standard output " + InputError(error).message) }
        summary = try extract(wanted, of: track, invocation) { bytes in
          invocation.out.append(raw: bytes)
          return !invocation.isOutputClosed
        }
      } else {
        summary = try extract(wanted, of: track, movie, invocation, to: path)
      }
      if let eye, track.packedEyes != nil {
        invocation.report(
          input.name, "each picture holds both eyes; one alone: mvdump render --all --eye \(eye)")
      }
      if summary.samplesWithoutLayer > 0 {
        let left = Quantity.count(summary.samplesWithoutLayer, "sample")
        invocation.report(
          input.name,
          "\(left) with another sample description skipped: "
            + (eye.map { "no layer there is known to show the \($0) eye" } ?? "the layer is missing there"))
      }
      // What could be had of damaged samples has been written; that it is not all must be seen.
      guard let what = summary.error.map(String.init) ?? summary.losses.first.map(SampleDamage.words) else {
        return .success
      }
      invocation.report(input.name, "the stream is incomplete: \(what)")
      return .no
    }
  }

  private struct Wanted {
    let layers: Set<UInt8>
    let eye: StereoEye?
  }

  /// The first track that has what is wanted. What is in several tracks is looked for when no track has it alone.
  private static func source(
    of layers: Set<UInt8>, _ eye: StereoEye?, in tracks: [Track], of movie: MovieFile
  ) throws(InputError) -> Track {
    func find(in tracks: [Track]) -> Track? {
      func has(_ track: Track) -> Bool {
        if let eye { return track.hasLayer(for: eye) }
        return layers.isSubset(of: track.layersOfAllDescriptions)
      }
      return tracks.first(where: has) ?? tracks.lazy.map(\.joined).filter(\.isJoined).first(where: has)
    }
    if let found = find(in: tracks) { return found }
    guard let first = tracks.first else { throw InputError("has no HEVC track, so no layers to extract") }
    let others = movie.tracks.filter { other in other.isHEVC && !tracks.contains { $0.id == other.id } }
    let hint = find(in: others).map { "; track \($0.id) has it: --track \($0.id)" } ?? ""
    if let eye { throw InputError(first.extractionError(of: eye).description + hint) }
    // Later sequences of a raw stream may have the layers: its extraction looks for them.
    if first.isRawStream { return first }
    let available = first.layersOfAllDescriptions
    if first.isHEVC, let missing = layers.sorted().first(where: { !available.contains($0) }) {
      throw InputError(ExtractionError.noSuchLayer(missing, available: available).description + hint)
    }
    return first
  }

  private static func extract(
    _ wanted: Wanted, of track: Track, _ invocation: Invocation, write: ([UInt8]) -> Bool
  ) throws(InputError) -> ExtractionSummary {
    do {
      let isWhole = !invocation.arguments.has(only)
      if let eye = wanted.eye {
        return try track.extract(eye: eye, includingReferences: isWhole, write: write)
      }
      return try track.extract(layers: wanted.layers, includingReferences: isWhole, write: write)
    } catch { throw InputError(error.description) }
  }

  private static func extract(
    _ wanted: Wanted, of track: Track, _ movie: MovieFile, _ invocation: Invocation, to path: String
  ) throws(InputError) -> ExtractionSummary {
    let file = try writing(to: path) { () throws(SourceError) in
      try FileOutput(path: path, overwriting: invocation.arguments.has(force), inputs: [movie.source])
    }
    let summary = try extract(wanted, of: track, invocation) { file.write($0) }
    try writing(to: path) { () throws(SourceError) in try file.finish() }
    let list = summary.layers.map(String.init).joined(separator: ", ")
    invocation.report(
      path, "layer \(list), \(Quantity.count(summary.samples, "sample")), \(Quantity.bytes(summary.bytes))")
    return summary
  }

  /// Errors of the file that is written name that file, not the one that is read.
  private static func writing<Result>(
    to path: String, _ body: () throws(SourceError) -> Result
  ) throws(InputError) -> Result {
    do { return try body() } catch {
      throw InputError("cannot write \(ValueText.printable(path)): " + InputError(error).message)
    }
  }
}
