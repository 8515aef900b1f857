// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import CommandLineSupport
import FileAccess
import HEVC
import Multiview

/// `mvdump params`: every syntax element of parameter sets and SEI messages.
package enum ParamsCommand: Command {
  static let trace = Option(
    "trace", "One line per syntax element, as reference decoders print it: name, descriptor, value")
  static let layer = Option("layer", short: "l", .number("ID", 0...63), "Only the units of this layer")

  package static let name = "params"
  package static let summary = "every VPS, SPS, PPS and SEI message, element by element"
  package static let discussion = [
    "The parameter sets and messages come from hvcC, lhvC and the first sample, and from later samples if "
      + "a parameter set is new or changed; the source of each is shown. The values derived from them "
      + "(sizes, layers, views, output layer sets) follow. With --samples: every parameter set and message "
      + "of those samples."
  ]
  package static let operands = Operands.files
  package static let options =
    [trace, layer, RowOptions.samples, RowOptions.track] + CommonOptions.input
  package static let examples = [
    Example("mvdump params movie.mov", "Every parameter set, and the values derived from them"),
    Example("mvdump params --trace stream.hevc", "A trace to compare with a reference decoder's"),
  ]

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    let arguments = invocation.arguments
    let wanted = arguments.number(layer)
    let samples = arguments.has(RowOptions.samples) ? try RowOptions.range(arguments) : nil
    let batch = Batch.ofMovies(invocation)
    return batch.forEach { input throws(InputError) in
      let movie = try input.movie()
      let tracks = try RowOptions.tracks(movie, arguments) { $0.isHEVC }
      if tracks.isEmpty { throw InputError("has no HEVC track, so no parameter sets to show") }
      let out = invocation.out
      let allowance =
        samples == nil ? ParamsAllowance(out) : ParamsAllowance(out, wholeFile: input.size)
      let units = tracks.map {
        ParamsUnits(track: $0, layer: wanted, samples: samples, allowance: allowance)
      }
      let damage = SampleDamage()
      if invocation.isJSON {
        try ParamsJSON(json: invocation.jsonWriter(), allowance: allowance)
          .write(units, input, noting: damage.note)
      } else {
        let text = ParamsText(
          invocation: invocation, isTrace: arguments.has(trace), allowance: allowance)
        if batch.hasSeveral { text.writeName(of: input) }
        do throws(SourceError) {
          for track in units { try text.write(track, noting: damage.note) }
        } catch { throw InputError(error) }
        text.writeEnd()
      }
      return damage.report(of: input, invocation)
    }
  }
}
