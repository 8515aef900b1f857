// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import CommandLineSupport
import FieldOutput
import MovieEditing
import Multiview

/// `mvedit repair`: repairs what `check` finds and can be fixed without re-encoding.
package enum RepairCommand: Command {
  package static let name = "repair"
  package static let summary = "repairs what check finds, without encoding"
  package static let discussion: [String] = [
    "Repairs what mvdump check finds, if there is only one way to fix it: samples that hold single layers, "
      + "parameter sets that are missing from the sample entry or are in the wrong record, pictures that are "
      + "shown in decoding order, boxes in the wrong place or form, records that contradict the bitstream, "
      + "tables that disagree, and durations and sizes in headers that differ from those of the samples. These "
      + "repairs use only what the movie itself contains.",
    "Lost data can be taken from --from: the original, another movie of the same camera in the same mode, or "
      + "the stream. Its parameter sets, and the messages that signal which view is for which eye, are used "
      + "only if the video parameter set is the same and every picture of the other layers fits them; its tags "
      + "only if the movie has none. From the original, which has the same pictures, lost dates, metadata, "
      + "edit lists and timed metadata tracks are also restored.",
    "If only boxes are wrong, the media data stay where they are. A fragmented movie is flattened only if "
      + "samples must be rewritten, and fragmented again afterwards. A movie that needs no repair is copied "
      + "unchanged. Every change is reported, with the errors that remain.",
  ]
  package static let operands = Operands.file
  package static let options = [output, from, fps, track] + WritingOptions.all
  package static let examples = [
    Example("mvedit repair --dry-run remuxed.mp4", "Show what would be repaired"),
    Example("mvedit repair -o fixed.mp4 imported.mp4", "Repair with what the movie itself contains"),
    Example(
      "mvedit repair --from original.mov -o fixed.mp4 remuxed.mp4", "Restore what another tool lost"),
  ]

  static let output = Option("output", short: "o", .text("FILE", hint: .file), "The file to write")
  static let from = Option(
    "from", .text("FILE", hint: .file), "A movie or a stream of the same kind, from which lost data are taken"
  )
  .called("donor", "original", "copy-from")
  static let track = Option(
    "track", .number("ID", 1...Int(UInt32.max)),
    "Repair only this track, and nothing outside it; may be given several times. Offsets of other tracks that are wrong by "
      + "the same distance are corrected with its own",
    isRepeatable: true)
  static let fps = Option(
    "fps", .text("RATE", hint: .nothing),
    "The frame rate, if samples are put together or differ in duration"
  )
  .called("rate", "frame-rate", "framerate")

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    let arguments = invocation.arguments
    let path = try WritingOptions.input(arguments)
    let output = arguments.text(WritingOptions.output)
    let isDry = arguments.has(WritingOptions.dryRun)
    guard isDry || output != nil else { throw UsageError("say where to write: -o FILE, or --dry-run") }
    guard isDry || output != "-" else { throw UsageError("repair writes to a file: name one with -o") }
    let rate = try MuxOption.frameRate(arguments)
    return invocation.run { () throws(CommandFailure) in
      let donor = try invocation.openMovie(arguments.text(from))
      let movie = try invocation.openMovie(path)
      do throws(EditError) {
        var repairer = try MovieRepairer(movie)
        repairer.donor = donor
        repairer.frameRate = rate
        let tracks = arguments.texts(track).compactMap { Int($0) }
        if !tracks.isEmpty { repairer.trackIDs = Set(tracks.map { UInt32(clamping: $0) }) }
        let meter = WritingMeter(invocation)
        defer { meter.clear() }
        let report =
          if let output, !isDry {
            try repairer.write(
              to: output, options: WritingOptions.options(arguments), progress: meter.show)
          } else {
            try repairer.plannedReport()
          }
        return report.ofCommand(on: path, isDry ? .nowhere : .file(output ?? ""))
      } catch { throw CommandFailure(path, error) }
    }
  }
}

extension RepairReport {
  fileprivate func ofCommand(on file: String, _ destination: OutputDestination) -> NewMovieReport {
    var lines = steps.map { step in
      let rule = step.rule.map { "\($0.id) " } ?? ""
      return rule + step.name + ": " + step.old + " → " + step.new + " (" + step.place + ")"
    }
    lines += changes.map(\.line)
    if lines.isEmpty {
      lines.append(left.isEmpty ? "nothing needs to be repaired" : "nothing can be repaired")
    }
    for finding in left {
      let place = finding.path.isEmpty ? "" : " (\(finding.path))"
      lines.append("not repaired: \(finding.rule.id) \(finding.message)" + place)
    }
    if let written { lines.append("\(Quantity.bytes(written.bytesWritten)) written") }
    return NewMovieReport(
      RepairCommand.name, of: ["file": file], destination, written, lines,
      [
        "steps": JSONList(rows: steps) {
          [
            "rule": $0.rule?.id.rawValue, "track": $0.trackID, "place": $0.place, "name": $0.name,
            "old": $0.old, "new": $0.new,
          ]
        },
        "changes": changes.json,
        "left": JSONList(rows: left) {
          ["rule": "\($0.rule.id)", "track": $0.trackID, "place": $0.path, "message": $0.message]
        },
      ]
    ).with(isIncomplete: left.contains { $0.severity == .error })
  }
}
