// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// A ``SafeOutput`` for callers that continue without checking whether each write succeeded.
package final class FileOutput {
  private let output: SafeOutput
  private var failure: SourceError?

  /// Begins a file at `path`. If a file already exists there, that is an error unless `overwriting` is set, and if it is one of
  /// `inputs`, in any case.
  package init(path: String, overwriting: Bool, inputs: [any ByteSource]) throws(SourceError) {
    var options = SafeOutput.Options()
    options.isOverwriting = overwriting
    output = try SafeOutput(path: path, inputs: inputs, options: options)
  }

  /// Writes bytes; returns whether writing is still possible.
  package func write(_ bytes: [UInt8]) -> Bool {
    guard failure == nil else { return false }
    do { try output.write(bytes) } catch { failure = error }
    return failure == nil
  }

  /// Gives the file its name. If something could not be written, throws and leaves nothing.
  package func finish() throws(SourceError) {
    if let failure { throw failure }
    try output.finish()
  }
}
