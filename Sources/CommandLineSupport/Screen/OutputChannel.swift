// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding
import FileAccess

/// Standard output or standard error, or something that replaces one.
package final class OutputChannel {
  /// What collects the text.
  package let buffer: OutputBuffer
  /// Whether a person watches.
  package let isTerminal: Bool
  /// How many columns the terminal has.
  package let columns: Int?
  private let sink: DescriptorOutput?

  /// Writes to a file descriptor.
  package init(descriptor: Int32) {
    let sink = DescriptorOutput(descriptor)
    self.sink = sink
    isTerminal = sink.isTerminal
    columns = sink.isTerminal ? sink.columns : nil
    // A person should see the first line at once; a pipe should get large pieces.
    buffer = OutputBuffer(pieceSize: sink.isTerminal ? 1 << 12 : 1 << 16) { sink.write($0) }
  }

  /// Makes a channel that keeps everything, as a terminal with a number of columns, or as a file.
  package init(columns: Int? = nil) {
    sink = nil
    isTerminal = columns != nil
    self.columns = columns
    buffer = OutputBuffer()
  }

  /// Whether the reader is gone, or nothing can be written: further output would be lost, so that work may end.
  package var isClosed: Bool { sink?.isClosed ?? false }

  /// Why nothing can be written, unless the reader just went away.
  package var failure: String? { sink?.failure }
}
