// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// A folder of files that appears complete or not at all.
///
/// Until it is finished, the files are in a folder beside it, or in another one that is named, whose name ends in
/// `.part`. If something fails, or
/// the folder is cancelled, that folder is removed with everything in it.
package final class SafeFolder {
  /// The path of the folder.
  package let path: String
  private let temporaryPath: String
  /// The location of the temporary folder, if it is not next to the folder.
  private let temporaryFolder: String?
  /// The paths of its contents in the order in which they were created; those of folders end with a slash.
  private var contents: [String] = []
  private var isDone = false
  /// Called now and then while bytes are written: those of all files count.
  package var progress: ((WritingProgress) -> Void)?
  private var bytesWritten: UInt64 = 0
  /// Whether a signal that ends the process removes the folder.
  private let vanishes: Bool

  /// Begins a folder at `path`, where nothing may exist yet.
  ///
  /// - Parameter temporaryFolder: where the folder is until it is finished, on the same disk; `nil` for beside it.
  package init(path: String, temporaryFolder: String? = nil) throws(SourceError) {
    self.temporaryFolder = temporaryFolder
    var path = path
    while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
    self.path = path
    if path.isEmpty || path.utf8.contains(0) { throw SystemError(ENOENT).outputError(path: path) }
    guard pathKind(path, followingLinks: false) == nil else {
      throw SourceError(
        .system(number: EEXIST, name: "EEXIST"), path: path,
        advice: "Name another folder, or remove this one first.")
    }
    // A signal between these calls would leave the folder.
    let held = HeldSignals()
    defer { held.release() }
    do throws(SystemError) {
      let place = temporaryPlace(for: path, in: temporaryFolder)
      temporaryPath = try makeTemporary(beside: place) { (name) throws(SystemError) in
        guard unsafe mkdir(name, 0o777) == 0 else { throw SystemError(errno) }
      }.name
    } catch {
      throw temporaryFolder.map { error.temporaryError($0, path: path) } ?? error.outputError(path: path)
    }
    vanishes = TemporaryFiles.beginFolder(temporaryPath)
  }

  deinit { cancel() }

  private static func make(_ name: String, for path: String) throws(SourceError) {
    guard unsafe mkdir(name, 0o777) == 0 else { throw SystemError(errno).outputError(path: path) }
  }

  /// Creates a folder in it.
  package func makeFolder(_ name: String) throws(SourceError) {
    note(name + "/")
    try Self.make(temporaryPath + "/" + name, for: path + "/" + name)
  }

  private func note(_ name: String) {
    contents.append(name)
    if vanishes { TemporaryFiles.addToFolder(temporaryPath + "/" + name) }
  }

  /// Writes a file in it, and returns its length in bytes.
  ///
  /// - Parameters:
  ///   - name: the path of the file in the folder.
  ///   - inputs: the sources of its contents.
  ///   - write: writes the bytes of the file.
  @discardableResult
  package func addFile(
    _ name: String, inputs: [any ByteSource] = [],
    _ write: (inout SafeOutput) throws(SourceError) -> Void
  ) throws(SourceError) -> UInt64 {
    // Recorded before the file exists: removing a file that does not exist does nothing.
    note(name)
    do throws(SourceError) {
      var output = try SafeOutput(path: temporaryPath + "/" + name, inputs: inputs)
      if let progress {
        let earlier = bytesWritten
        output.progress = { progress(WritingProgress(bytesWritten: earlier &+ $0.bytesWritten)) }
      }
      try write(&output)
      try output.finish()
      bytesWritten &+= output.position
      return output.position
    } catch {
      var error = error
      // The file as it would have been called: its present name is gone by the time the error is read.
      if error.path == temporaryPath + "/" + name { error.path = path + "/" + name }
      throw error
    }
  }

  /// Gives the folder its name.
  package func finish() throws(SourceError) {
    let system = RealOutputSystem()
    do throws(SystemError) {
      for folder in contents where folder.hasSuffix("/") {
        try system.flushFolder(temporaryPath + "/" + folder)
      }
      try system.flushFolder(temporaryPath)
      // Nothing is replaced: if something exists there by now, a rename would replace it only if it is an empty
      // folder.
      guard pathKind(path, followingLinks: false) == nil else { throw SystemError(EEXIST) }
      try system.rename(temporaryPath, to: path)
      isDone = true
      if vanishes { TemporaryFiles.forgetFolder() }
      let parent = splitPath(path).folder
      try system.flushFolder(parent.isEmpty ? "." : parent)
    } catch {
      cancel()
      throw error.moveError(from: temporaryFolder, path: path)
    }
  }

  /// Abandons the folder and removes what was written. Does nothing after ``finish()``.
  package func cancel() {
    guard !isDone else { return }
    isDone = true
    for name in contents.reversed() {
      if name.hasSuffix("/") {
        _ = unsafe rmdir(temporaryPath + "/" + name)
      } else {
        _ = unsafe unlink(temporaryPath + "/" + name)
      }
    }
    _ = unsafe rmdir(temporaryPath)
    if vanishes { TemporaryFiles.forgetFolder() }
  }
}
