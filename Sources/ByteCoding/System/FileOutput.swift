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
/// beside it, whose name ends in `.part`, and which goes away if something fails.
///
/// What is there and is no regular file (a device, a pipe) is written to as it is, and so is what stands for an open file
/// (`/dev/stdout`). Of a symbolic link the file that it leads to is written, and the link stays.
package final class FileOutput {
  private let path: String
  /// What gets the bytes in the end: `path`, or what links lead to from there.
  private let finalPath: String
  /// `nil` where the file itself is written to.
  private let temporaryPath: String?
  private let overwriting: Bool
  private let descriptor: Int32
  private let output: DescriptorOutput
  private var isFinished = false

  /// Begins a file at `path`. Where something exists already that is an error, unless `overwriting`.
  package init(path: String, overwriting: Bool) throws(SourceError) {
    self.path = path
    self.overwriting = overwriting
    if !overwriting, pathKind(path, followingLinks: false) != nil { throw Self.exists(path) }
    let target: OutputTarget
    do { target = try overwriting ? OutputTarget(following: path) : .path(path) } catch {
      throw error.sourceError(path: path)
    }
    switch target {
    case .descriptor(let number):
      (finalPath, temporaryPath) = (path, nil)
      // Another number for the same open file: what is in it already stays, and the position is shared.
      descriptor = duplicate(number)
    case .openElsewhere(let name):
      (finalPath, temporaryPath) = (name, nil)
      descriptor = openForWriting(name, O_TRUNC)
    case .path(let name):
      finalPath = name
      let kind = pathKind(name)
      if kind == nil || kind == .file {
        let temporary = temporaryName(beside: name)
        temporaryPath = temporary
        // A file that happens to have that name is not ours to overwrite.
        descriptor = openForWriting(temporary, O_CREAT | O_EXCL)
      } else {
        temporaryPath = nil
        descriptor = openForWriting(name, 0)
      }
    }
    guard descriptor >= 0 else { throw Self.cannotBegin(path, errno) }
    output = DescriptorOutput(descriptor)
  }

  deinit {
    if !isFinished {
      close(descriptor)
      removeTemporary()
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
      let advice = temporaryPath == nil ? "" : "Nothing was left behind."
      throw SourceError(.other(output.failure ?? "cannot be written"), path: path, advice: advice)
    }
    isFinished = true
    guard close(descriptor) == 0 else {
      let error = SystemError(errno).sourceError(path: path)
      removeTemporary()
      throw error
    }
    guard let temporaryPath else { return }
    do { try move(temporaryPath) } catch {
      removeTemporary()
      throw error
    }
  }

  private func move(_ temporaryPath: String) throws(SourceError) {
    if !overwriting {
      // Unlike a rename, a link never replaces what somebody else has put there meanwhile.
      if unsafe link(temporaryPath, finalPath) == 0 { return removeTemporary() }
      // Not every file system has links.
      if errno == EEXIST || pathKind(path, followingLinks: false) != nil { throw Self.exists(path) }
    }
    guard unsafe rename(temporaryPath, finalPath) == 0 else {
      throw SystemError(errno).sourceError(path: path)
    }
  }

  private func removeTemporary() {
    if let temporaryPath { _ = unsafe unlink(temporaryPath) }
  }

  /// What the system says of reading does not help somebody who wants to write.
  private static func cannotBegin(_ path: String, _ number: Int32) -> SourceError {
    var error = SystemError(number).sourceError(path: path)
    switch number {
    case ENOENT: error = SourceError(.other("there is no such folder"), path: path, advice: "Make it first.")
    case EACCES, EPERM, EROFS: error.advice = "Name a file in a folder where you may write."
    default: break
    }
    return error
  }

  private static func exists(_ path: String) -> SourceError {
    SourceError(
      .system(number: EEXIST, name: "EEXIST"), path: path, advice: "Name another file, or add --force.")
  }
}

/// Opens a file, or makes it; negative where that fails.
private func openForWriting(_ path: String, _ mode: Int32) -> Int32 {
  while true {
    let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC | mode, 0o644)
    // A pipe is waited for until somebody reads it, and a signal may come first.
    if descriptor >= 0 || errno != EINTR { return descriptor }
  }
}

/// Another number for what is open; negative where nothing is.
private func duplicate(_ descriptor: Int32) -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }

/// A name that no other process gives, in the same folder. Names have a limit: of a long one only the beginning is taken.
private func temporaryName(beside path: String) -> String {
  let (folder, name) = splitPath(path)
  let ending = ".\(getpid()).part"
  var room = Int(NAME_MAX) - ending.utf8.count
  var beginning = String.UnicodeScalarView()
  for scalar in name.unicodeScalars {
    room -= scalar.utf8.count
    if room < 0 { break }
    beginning.append(scalar)
  }
  return folder + String(beginning) + ending
}
