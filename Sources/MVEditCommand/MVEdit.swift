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
      "Writes a new MP4 or QuickTime movie from another movie, a raw HEVC stream or pictures, or changes a "
      + "movie in place on request. Only encode encodes pictures. Everything that is not changed is copied "
      + "byte for byte. An output file appears only when it is complete and verified.",
    commands: MVEditCommandList.all, standard: nil,
    exitStatus: [
      (.success, "done, or nothing needed to be done"),
      (.no, "the movie does not allow the requested change, or not all of it"),
      (.unreadable, "the input could not be read, or the output could not be written"),
      (.usage, "usage error"),
    ],
    examples: [
      Example(
        "mvedit tag --baseline 63 --field-of-view 63.4 --disparity 0.02 -o spatial.mov movie.mov",
        "Make a two-layer movie spatial"),
      Example(
        "mvedit tag --copy-from original.mov -o fixed.mov remuxed.mp4", "Restore tags that another tool lost"
      ),
      Example("mvedit tag --remove all --in-place movie.mov", "Remove all stereo tags"),
      Example(
        "mvedit mux --fps 30 --baseline 63 --field-of-view 63.4 --disparity 0 -o spatial.mov two-layers.hevc",
        "Make a spatial movie from a raw two-layer stream"),
    ],
    neighbour: (
      "mvdump",
      [
        "info", "check", "verify", "diff", "render", "extract", "tree", "layers", "eyes", "samples",
        "pictures",
        "nal", "params", "probe", "explain",
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
