// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FileAccess
import MVDumpCommand
import TestSupport

/// What a run of the tool in this process gave.
struct ToolRun {
  var code: ExitCode
  var output: String
  var errors: String

  var lines: [String] {
    output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }
  var errorLines: [String] { errors.split(separator: "\n").map(String.init) }
  var json: JSONValue? { JSONValue(output) }
}

/// Runs the tool in this process; with `columns`, standard output is a terminal of that width.
func mvdump(
  _ arguments: String..., columns: Int? = nil, environment: [String: String] = [:],
  input: ByteView = ByteView()
) -> ToolRun { mvdump(arguments, columns: columns, environment: environment, input: input) }

/// Runs the tool in this process.
func mvdump(
  _ arguments: [String], columns: Int? = nil, environment: [String: String] = [:],
  input: ByteView = ByteView()
) -> ToolRun {
  let output = OutputChannel(columns: columns), errors = OutputChannel()
  let surroundings = Surroundings(
    output: output, errors: errors, environment: { environment[$0] },
    openStandardInput: { _ throws(SourceError) in MemoryBytes(input) })
  let code = MVDump.run(arguments, in: surroundings)
  return ToolRun(code: code, output: output.buffer.text, errors: errors.buffer.text)
}

/// `fixtures/spatial.mov`, as the tests run in any folder.
let spatial = Fixtures.path("spatial.mov")
