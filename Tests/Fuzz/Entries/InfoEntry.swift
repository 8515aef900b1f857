// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
import CommandLineSupport
import FileAccess
import MVDumpCommand
import TestSupport

extension FuzzTarget {
  static let info = FuzzTarget(
    "FuzzInfo",
    "A file on standard input: every command of mvdump ends properly, and its JSON is a document.",
    seeds: {
      smallFiles
        + FuzzSeeds.moviesWithEachBox().flatMap { name, bytes in
          [["tree", "-"], ["tree", "--json", "-"]].map { command in
            (name + command.joined(), bytes + freeSpace(behind: bytes, choosing: command))
          }
        }
    },
    mutator: mutateFile
  ) { bytes, findings in
    // Every file meets `info`; the other commands take turns.
    findings.runTool(["info", "--json", "-"], bytes)
    findings.runTool(command(for: bytes), bytes)
  }

  /// The command whose turn it is: the end of the file decides.
  private static func command(for bytes: ByteView) -> [String] {
    let turn = Int(bytes.suffix(from: bytes.count - 4).array.reduce(0) { ($0 &* 31 &+ UInt32($1)) })
    return commands[(turn + bytes.count) % commands.count]
  }

  /// A box that says nothing, at whose end it is that command's turn.
  private static func freeSpace(behind bytes: [UInt8], choosing wanted: [String]) -> [UInt8] {
    let boxes = (0..<UInt8(clamping: commands.count)).map { last in
      [0, 0, 0, 12] + Array("free".utf8) + [0, 0, 0, last]
    }
    return boxes.first { command(for: ByteView(bytes + $0)) == wanted } ?? []
  }

  /// The fixtures without most of their media data.
  public static var smallFiles: [(String, [UInt8])] {
    FuzzSeeds.smallMovies() + FuzzSeeds.movies(whole: false) + FuzzSeeds.streams(prefix: [], size: 1_000)
  }

  /// Every command, as it is called with a file on standard input.
  public static let commands: [[String]] = [
    ["info", "--json", "-"], ["info", "-"], ["tree", "--json", "-"], ["tree", "-"],
    ["tree", "--unknown", "-"],
    ["params", "--json", "-"], ["params", "-"], ["params", "--trace", "-"], ["nal", "--json", "-"],
    ["nal", "-"],
    ["samples", "--json", "--samples", "0-999", "-"], ["samples", "--csv", "--samples", "0-999", "-"],
    ["layers", "--json", "-"], ["layers", "-"], ["eyes", "--json", "-"], ["eyes", "-"],
    ["probe", "--json", "-"],
    ["extract", "--layer", "0", "-o", "-", "-"], ["check", "--json", "-"], ["check", "-"],
    ["diff", "--json", Fixtures.path("spatial.mov"), "-"], ["diff", "-", Fixtures.path("two-views.hevc")],
  ].filter { CommandList.named($0[0]) != nil }

  /// What does not hold when the tool is run in this process, with `bytes` as standard input.
  public static func problems(running command: [String], on bytes: ByteView) -> [String] {
    FuzzTarget(
      "", "", seeds: { [] }, mutator: { _ in }, { bytes, findings in findings.runTool(command, bytes) }
    ).run(bytes).problems
  }
}

extension FuzzFindings {
  /// Runs the tool in this process, with `bytes` as standard input.
  mutating func runTool(_ arguments: [String], _ bytes: ByteView) {
    let output = OutputChannel(), errors = OutputChannel()
    let surroundings = Surroundings(
      output: output, errors: errors, environment: { _ in nil },
      openStandardInput: { _ in MemoryBytes(bytes) })
    let code = MVDump.run(arguments, in: surroundings)
    let name = arguments.joined(separator: " ")
    expect(code.rawValue <= 2, "\(name): exit status \(code.rawValue)")
    let text = output.buffer.text
    let size = text.utf8.count
    expect(size <= 200_000 + 2_000 * bytes.count, "\(name): \(size) bytes of output")
    if arguments.contains("--json"), !text.isEmpty, let problem = jsonProblem(text) {
      note("\(name): JSON \(problem)")
    }
    let lines = errors.buffer.text
    expect(lines.utf8.count <= 20_000, "\(name): \(lines.utf8.count) bytes of messages")
    expect(lines.isEmpty || lines.hasPrefix("mvdump: "), "\(name): says '\(lines.prefix(100))'")
  }
}

/// Changes boxes where there are any, otherwise the units of a stream.
@Sendable
func mutateFile(_ mutation: inout FuzzMutation) {
  if ByteView(mutation.bytes).bigEndian(at: 0, width: 3) ?? 0 <= 1, mutation.bytes.count > 4,
    mutation.bytes[2] == 1 || mutation.bytes[3] == 1
  {
    mutateStream(&mutation, prefix: 0)
  } else {
    mutateBoxes(&mutation)
  }
}
