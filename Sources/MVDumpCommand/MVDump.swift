// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import CommandLineSupport
import FileAccess

/// The command line tool.
package enum MVDump {
  /// The version of the package.
  package static let version = packageVersion

  /// Its commands, and its description for help.
  package static let program = Program(
    name: "mvdump", version: version,
    purpose: "inspect a movie: its boxes, layers, eyes and stereo tags",
    description: "Reads MP4, QuickTime, HEIF and raw HEVC files and shows what is in them.",
    commands: CommandList.all, standard: CommandList.standard,
    exitStatus: [
      (.success, "success; to a question, the answer is yes"),
      (.no, "the answer is no, or something requested is missing or damaged in the output"),
      (
        .unreadable,
        "an input could not be read or has nothing of what was asked for, or the output could not be written"
      ),
      (.usage, "usage error"),
    ],
    examples: [
      Example("mvdump tree movie.mov", "Every box of a movie, with its fields"),
      Example("mvdump tree --path '**/vexu' movie.mov", "Only the stereo tags"),
      Example("mvdump explain stri", "What a box is for, and what its fields mean"),
    ],
    neighbour: (
      "mvedit",
      [
        "tag", "encode", "mux", "repair", "trim", "join", "strip", "split", "merge", "fragment", "flatten",
        "package",
      ]
    ))

  /// Runs in this process, and ends it.
  package static func main() -> Never {
    TemporaryFiles.removeOnSignals()
    program.main()
  }

  /// Does what `arguments` ask for; they come without the name of the tool.
  package static func run(_ arguments: [String], in surroundings: Surroundings) -> ExitCode {
    program.run(arguments, in: surroundings)
  }
}

/// All commands, in the order in which help lists them.
package enum CommandList {
  package static let all: [any Command.Type] = [
    InfoCommand.self, TreeCommand.self, ParamsCommand.self, NALCommand.self, SamplesCommand.self,
    LayersCommand.self, PicturesCommand.self, RenderCommand.self, VerifyCommand.self, EyesCommand.self,
    CheckCommand.self, DiffCommand.self, ProbeCommand.self, ExtractCommand.self, ExplainCommand.self,
    CompletionsCommand.self,
  ]

  /// What `mvdump FILE` does.
  package static let standard: any Command.Type = InfoCommand.self

  /// The command of that name.
  package static func named(_ name: String) -> (any Command.Type)? { all.first { $0.name == name } }
}

/// `mvdump completions`: scripts by which a shell completes command lines.
package enum CompletionsCommand: CompletionsOfProgram {
  package static let programName = "mvdump"
}
