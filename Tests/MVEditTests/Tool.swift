// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FileAccess
import Foundation
import MVDumpCommand
import MVEditCommand
import TestSupport

/// What a run of the tool in this process gave.
struct ToolRun {
  var code: ExitCode
  var output: String
  var errors: String

  var json: JSONValue? { JSONValue(output) }
}

/// Runs `mvedit` in this process.
func mvedit(_ arguments: String..., input: ByteView = ByteView()) -> ToolRun {
  run(arguments, input, MVEdit.run)
}

/// Runs `mvedit` in this process.
func mvedit(_ arguments: [String]) -> ToolRun { run(arguments, ByteView(), MVEdit.run) }

/// Runs `mvdump` in this process.
func mvdump(_ arguments: String...) -> ToolRun { run(arguments, ByteView(), MVDump.run) }

/// Runs `mvdump` in this process.
func mvdump(_ arguments: [String]) -> ToolRun { run(arguments, ByteView(), MVDump.run) }

private func run(
  _ arguments: [String], _ input: ByteView, _ program: ([String], Surroundings) -> ExitCode
) -> ToolRun {
  let output = OutputChannel(), errors = OutputChannel()
  let surroundings = Surroundings(
    output: output, errors: errors, environment: { _ in nil },
    openStandardInput: { _ throws(SourceError) in MemoryBytes(input) })
  let code = program(arguments, surroundings)
  return ToolRun(code: code, output: output.buffer.text, errors: errors.buffer.text)
}

/// A copy of a file in a folder.
func copied(_ path: String, to folder: TemporaryFolder, as name: String) throws -> String {
  let copy = folder.path + "/" + name
  try Data(contents(path) ?? []).write(to: URL(fileURLWithPath: copy))
  return copy
}
