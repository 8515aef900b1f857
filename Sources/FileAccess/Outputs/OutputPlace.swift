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

/// Where an output is written: a temporary file that is renamed at the end, or something that cannot be replaced.
struct OutputPlace {
  /// The path as it was given.
  let path: String
  /// The path that finally has the bytes: `path`, or the target of the links there.
  let finalPath: String
  /// `nil` if the bytes go directly to what exists.
  let temporaryPath: String?
  /// The slot by which the temporary file is removed if a signal ends the process; `nil` without one.
  let slot: Int?
  let descriptor: Int32
  let ownsDescriptor: Bool
  /// The output that is written sequentially, if writing by position is impossible; otherwise `nil`.
  let stream: DescriptorOutput?
  private let isOverwriting: Bool
  /// The location of the temporary file, if it is not next to the output.
  private let temporaryFolder: String?

  /// Whether the bytes go to a file, which can be written by position and read again.
  var isRegularFile: Bool { temporaryPath != nil }

  /// The folder of the output.
  var folder: String {
    let folder = splitPath(finalPath).folder
    return folder.isEmpty ? "." : folder
  }

  /// Writes to something that is already open, and stays open.
  init(descriptor: Int32, name: String) {
    (path, finalPath, temporaryPath, slot) = (name, name, nil, nil)
    self.descriptor = descriptor
    ownsDescriptor = false
    stream = DescriptorOutput(descriptor)
    isOverwriting = false
    temporaryFolder = nil
  }

  /// Opens the output for `path`. If a file already exists there, that is an error unless `overwriting` is set; so is a link to nothing,
  /// and a disk. A pipe or another device is written to.
  ///
  /// - Parameter temporaryFolder: where the temporary file is made; `nil` for the folder of the output.
  init(
    path: String, overwriting: Bool, temporaryFolder: String?, system: any OutputSystem
  ) throws(SourceError) {
    self.path = path
    isOverwriting = overwriting
    self.temporaryFolder = temporaryFolder
    ownsDescriptor = true
    if path.utf8.contains(0) { throw SystemError(ENOENT).outputError(path: path) }
    let isNew = pathKind(path, followingLinks: false) == nil
    if !overwriting, !isNew {
      guard let kind = pathKind(path), kind == .pipe || kind == .other else { throw Self.exists(path) }
    }
    let target: OutputTarget
    do { target = try overwriting || !isNew ? OutputTarget(following: path) : .path(path) } catch {
      throw error.sourceError(path: path)
    }
    var temporary: String?
    var slot: Int?
    do throws(SystemError) {
      switch target {
      case .descriptor(let number):
        finalPath = path
        // Another number for the same open file: its contents stay, and the position is shared.
        descriptor = fcntl(number, F_DUPFD_CLOEXEC, 0)
        if descriptor < 0 { throw SystemError(errno) }
      case .openElsewhere(let name):
        finalPath = name
        descriptor = try Self.openForWriting(name, O_TRUNC)
      case .path(let name):
        finalPath = name
        let kind = pathKind(name)
        if kind == nil || kind == .file {
          // A signal between these calls would leave the file.
          let held = HeldSignals()
          defer { held.release() }
          // A file that is replaced keeps its permissions. Any other file gets those of a new one.
          let place = temporaryPlace(for: name, in: temporaryFolder)
          let (file, created) = try makeTemporary(beside: place) { (file) throws(SystemError) in
            try system.create(file, permissions: 0o666)
          }
          descriptor = created
          temporary = file
          slot = TemporaryFiles.add(file)
          if let old = FileIdentity(path: name) { fchmod(descriptor, mode_t(old.permissions & 0o777)) }
        } else {
          descriptor = try Self.openForWriting(name, 0)
        }
      }
    } catch {
      throw temporaryFolder.map { error.temporaryError($0, path: path) } ?? error.outputError(path: path)
    }
    temporaryPath = temporary
    self.slot = slot
    stream = temporary == nil ? DescriptorOutput(descriptor) : nil
  }

  /// Gives the finished file its name.
  func move(_ temporaryPath: String, _ system: any OutputSystem) throws(SourceError) {
    if !isOverwriting {
      do {
        // Unlike a rename, a link never replaces something that was put there in the meantime.
        try system.link(temporaryPath, to: finalPath)
      } catch {
        // Some file systems do not have links.
        if error.number == EEXIST || pathKind(path, followingLinks: false) != nil { throw Self.exists(path) }
        return try rename(temporaryPath, system)
      }
      do { try system.remove(temporaryPath) } catch { throw error.outputError(path: path) }
      return
    }
    try rename(temporaryPath, system)
  }

  private func rename(_ temporaryPath: String, _ system: any OutputSystem) throws(SourceError) {
    do { try system.rename(temporaryPath, to: finalPath) } catch {
      throw error.moveError(from: temporaryFolder, path: path)
    }
  }

  private static func exists(_ path: String) -> SourceError {
    if pathKind(path) == .folder {
      return SourceError(
        .notAFile(kind: FileStatus.Kind.directory.words), path: path, advice: "Name a file in it.")
    }
    return SourceError(
      .system(number: EEXIST, name: "EEXIST"), path: path,
      advice: "Name another file, or let this one be replaced\(.overwrite).")
  }

  /// Opens what exists, to write to it in order.
  private static func openForWriting(_ path: String, _ mode: Int32) throws(SystemError) -> Int32 {
    while true {
      let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC | mode)
      if descriptor >= 0 { return descriptor }
      // Opening a pipe waits for a reader, and a signal may come first.
      if errno != EINTR { throw SystemError(errno) }
    }
  }
}

/// The path of an output as it would be in the folder for temporary files.
func temporaryPlace(for path: String, in folder: String?) -> String {
  guard let folder, !folder.isEmpty else { return path }
  return (folder.hasSuffix("/") ? folder : folder + "/") + splitPath(path).name
}

extension SystemError {
  /// The error reported if nothing can be made in the folder for temporary files.
  func temporaryError(_ folder: String, path: String) -> SourceError {
    var error = outputError(path: path)
    switch number {
    case ENOENT, ENOTDIR:
      error = SourceError(
        .other("the folder for temporary files, \(folder), does not exist"), path: path,
        advice: "Create it first.")
    case EACCES, EPERM, EROFS:
      error.advice = "Name a folder for temporary files where you may write, not \(folder)."
    default: break
    }
    return error
  }

  /// The error reported if a finished output cannot be given its name.
  func moveError(from temporaryFolder: String?, path: String) -> SourceError {
    guard number == EXDEV, let temporaryFolder else { return outputError(path: path) }
    return SourceError(
      .other("is on a different disk from the folder for temporary files, \(temporaryFolder)"), path: path,
      advice: "Name a folder on the same disk. Nothing was left behind.")
  }
}

/// Makes something temporary in the same folder, under a name that nothing has. What a process that was killed left behind may have
/// the name of this one: process IDs are used again, in containers by every run.
func makeTemporary<Made>(
  beside path: String, _ make: (String) throws(SystemError) -> Made
) throws(SystemError) -> (name: String, made: Made) {
  var attempt = 0
  while true {
    let name = temporaryName(beside: path, attempt: attempt)
    do { return (name, try make(name)) } catch {
      guard error.number == EEXIST, attempt < 1_000 else { throw error }
      attempt += 1
    }
  }
}

/// A name in the same folder that no other running process uses. Names have a limited length: only the beginning of a
/// long one is used.
private func temporaryName(beside path: String, attempt: Int) -> String {
  let (folder, name) = splitPath(path)
  let ending = attempt == 0 ? ".\(getpid()).part" : ".\(getpid())-\(attempt).part"
  var room = Int(NAME_MAX) - ending.utf8.count
  var beginning = String.UnicodeScalarView()
  for scalar in name.unicodeScalars {
    room -= scalar.utf8.count
    if room < 0 { break }
    beginning.append(scalar)
  }
  return folder + String(beginning) + ending
}
