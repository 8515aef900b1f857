// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import CommandLineSupport
import FieldOutput
import FileAccess
import Multiview

/// `mvdump diff`: what is different between two movies.
package enum DiffCommand: Command {
  static let level = Option(
    "level", .choice("LEVEL", MovieComparison.Level.allCases.map(\.rawValue)),
    "Compare only this level; without it, all but bytes", isRepeatable: true)

  package static let name = "diff"
  package static let summary = "what a tool lost or changed: layers, tags, samples, times, metadata"
  package static let discussion = [
    "Compares an original with a copy made from it. What matters most to a viewer comes first: layers and "
      + "eyes, tags, parameter sets, the coded samples, when they are presented, tracks, metadata, and all "
      + "other boxes. How samples are stored, in tables or fragments, and how boxes write the same facts "
      + "makes no difference. Free space, media dates, modification dates, brands other than the major "
      + "brand, and the order of boxes and of parameter sets are not compared either. Durations in headers "
      + "are compared with those of the samples.",
    "The levels are: tags (with layers, parameter sets, tracks and metadata), samples, presentation, "
      + "boxes, bytes. A raw HEVC stream can be compared with a movie. Rules of mvdump check that only the "
      + "second movie breaks are listed, with the command that fixes them if there is one. The last lines "
      + "restore what can be copied from the original, or typed: parameter sets, tags, metadata keys, "
      + "dates.",
    "The exit status is 0 if there is no difference. It is 1 if there is one, and also if part of the movies was not compared "
      + "because that would take too long.",
  ]
  package static let operands = Operands.twoFiles("ORIGINAL", "COPY")
  package static let options = [level, CommonOptions.json, CommonOptions.jsonLines]
  package static let examples = [
    Example("mvdump diff original.mov remuxed.mp4", "What remuxing lost"),
    Example("mvdump diff --level samples a.mov b.mov", "Whether the coded pictures and sound are the same"),
  ]

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    let operands = invocation.arguments.operands
    let chosen = invocation.arguments.texts(level).compactMap { MovieComparison.Level(rawValue: $0) }
    let levels = chosen.isEmpty ? MovieComparison.usualLevels : Set(chosen)
    var inputs: [(input: Input, movie: MovieFile)] = []
    for operand in operands {
      do throws(InputError) {
        let input = try Input.open(operand, invocation, keeping: .everything)
        try input.check(isOneOf: [.boxes, .hevcStream])
        inputs.append((input, try input.movie()))
      } catch {
        invocation.report(operand == "-" ? "standard input" : operand, error.message)
        return .unreadable
      }
    }
    let report: DiffReport
    do throws(SourceError) {
      report = try DiffReport(inputs[0].input, inputs[0].movie, inputs[1].input, inputs[1].movie, levels)
    } catch {
      invocation.report("\(operands[0]), \(operands[1])", InputError(error).message)
      return .unreadable
    }
    // What could not be read would be a difference.
    for (input, _) in inputs {
      do throws(InputError) { try input.checkWasRead() } catch {
        invocation.report(input.name == "-" ? "standard input" : input.name, error.message)
        return .unreadable
      }
    }
    if invocation.isJSON { invocation.jsonWriter().write(report.json) } else { report.writeText(invocation) }
    return report.comparison.isSame ? .success : .no
  }
}
