// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import CommandLineSupport
import FileAccess

/// The command line tool that writes movies.
package enum MVEdit {
  /// The version of the package.
  package static let version = packageVersion

  /// Its commands, and its description for help.
  package static let program = Program(
    name: "mvedit", version: version,
    purpose: "makes and changes movies: stereo and spatial tags, metadata, raw streams, pictures",
    description:
      "Writes a new MP4 or QuickTime movie from another one, from a raw HEVC stream or from pictures, or changes one in place where that is asked for. Only encode "
      + "encodes pictures. Everything that "
      + "is not changed stays as it is, byte for byte. An output appears when it is complete and was verified, or not at all.",
    commands: MVEditCommandList.all, standard: nil,
    exitStatus: [
      (.success, "done, also where nothing needed doing"),
      (.no, "nothing was written: the movie does not allow what was asked"),
      (.unreadable, "the input could not be read, or the output could not be written"),
      (.usage, "wrong usage"),
    ],
    examples: [
      Example(
        "mvedit tag --baseline 63 --field-of-view 63.4 --disparity 0.02 -o spatial.mov movie.mov",
        "Make a movie of two layers spatial"),
      Example(
        "mvedit tag --copy-from original.mov -o fixed.mov remuxed.mp4", "Bring back the tags that a tool lost"
      ),
      Example("mvedit tag --remove all --in-place movie.mov", "Remove all stereo tags"),
      Example(
        "mvedit mux --fps 30 --baseline 63 --field-of-view 63.4 --disparity 0 -o spatial.mov two-layers.hevc",
        "Make a spatial movie of a raw stream of two layers"),
    ])

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
package enum MVEditCommandList {
  package static let all: [any Command.Type] = [
    TagCommand.self, EncodeCommand.self, MuxCommand.self, RepairCommand.self, TrimCommand.self,
    JoinCommand.self, StripCommand.self, SplitCommand.self, MergeCommand.self, FragmentCommand.self,
    FlattenCommand.self, PackageCommand.self, MVEditCompletionsCommand.self,
  ]
}

/// `mvedit completions`: scripts by which a shell completes command lines.
package enum MVEditCompletionsCommand: CompletionsOfProgram {
  package static let programName = "mvedit"
}
