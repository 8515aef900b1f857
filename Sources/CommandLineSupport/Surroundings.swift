// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import FileAccess

/// What a command sees of the world: everything goes through here, so that tests can replace it.
package struct Surroundings {
  /// Where the data go.
  package var output: OutputChannel
  /// Where messages go.
  package var errors: OutputChannel
  /// The value of an environment variable.
  package var environment: (String) -> String?
  /// Opens standard input.
  package var openStandardInput: (PipeBytes.Policy) throws(SourceError) -> any ByteSource
  /// Keeps the input that was opened last, if the process ends soon; `nil` if it continues.
  package var lastOpened: LastOpened?

  package init(
    output: OutputChannel, errors: OutputChannel, environment: @escaping (String) -> String?,
    openStandardInput: @escaping (PipeBytes.Policy) throws(SourceError) -> any ByteSource
  ) {
    self.output = output
    self.errors = errors
    self.environment = environment
    self.openStandardInput = openStandardInput
  }

  /// The process around.
  package static func process() -> Surroundings {
    var surroundings = Surroundings(
      output: OutputChannel(descriptor: 1), errors: OutputChannel(descriptor: 2),
      environment: { environmentValue($0) },
      openStandardInput: { policy throws(SourceError) in
        try FileAccess.openStandardInput(keeping: policy)
      })
    surroundings.lastOpened = LastOpened()
    return surroundings
  }
}
