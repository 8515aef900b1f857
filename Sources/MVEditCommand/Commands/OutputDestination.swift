// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport

/// Where a command writes a movie that is new.
enum OutputDestination: Equatable {
  case nowhere, standardOutput
  case file(String)

  init(_ arguments: ParsedArguments, _ invocation: Invocation) throws(UsageError) {
    if arguments.has(WritingOptions.dryRun) {
      self = .nowhere
      return
    }
    guard let path = arguments.text(WritingOptions.output) else {
      throw UsageError("say where to write: -o FILE, -o - for standard output, or --dry-run")
    }
    guard path == "-" else {
      self = .file(path)
      return
    }
    self = .standardOutput
    try invocation.checkStandardOutput()
  }

  /// What messages call it; `nil` where nothing is written.
  var name: String? {
    switch self {
    case .nowhere: nil
    case .standardOutput: "standard output"
    case .file(let path): path
    }
  }
}
