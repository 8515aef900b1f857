// swift-multiview · SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that is written from its start. It gets its name only when it is complete: until then a temporary one stands
/// beside it, which goes away if something fails.
package final class FileOutput {
  private let path: String
  private let temporaryPath: String
  private let descriptor: Int32
  private let output: DescriptorOutput
  private var isFinished = false

  /// Begins a file at `path`. Where one exists already that is an error, unless `overwriting`.
  package init(path: String, overwriting: Bool) throws(SourceError) {
    self.path = path
    temporaryPath = path + ".part"
    if !overwriting, unsafe access(path, F_OK) == 0 {
      throw SourceError(
        .system(number: EEXIST, name: "EEXIST"), path: path, advice: "Name another file, or add --force.")
    }
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
    descriptor = unsafe open(temporaryPath, flags, 0o644)
    guard descriptor >= 0 else { throw SystemError(errno).sourceError(path: path) }
    output = DescriptorOutput(descriptor)
  }

  deinit {
    if !isFinished {
      close(descriptor)
      _ = unsafe unlink(temporaryPath)
    }
  }

  /// Writes bytes; answers whether that is still possible.
  package func write(_ bytes: [UInt8]) -> Bool {
    output.write(bytes)
    return !output.isClosed
  }

  /// Gives the file its name. Throws where something could not be written; then nothing is left.
  package func finish() throws(SourceError) {
    guard !output.isClosed else {
      throw SourceError(
        .other(output.failure ?? "cannot be written"), path: path, advice: "Nothing was left behind.")
    }
    guard close(descriptor) == 0 else {
      isFinished = true
      let error = SystemError(errno).sourceError(path: path)
      _ = unsafe unlink(temporaryPath)
      throw error
    }
    isFinished = true
    guard unsafe rename(temporaryPath, path) == 0 else {
      let error = SystemError(errno).sourceError(path: path)
      _ = unsafe unlink(temporaryPath)
      throw error
    }
  }
}
