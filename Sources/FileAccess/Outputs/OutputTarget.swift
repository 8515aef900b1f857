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

/// What is written to when a path is given for output.
enum OutputTarget: Equatable {
  /// The file with this name, which may not exist yet.
  case path(String)
  /// A descriptor that this process has open, such as `/dev/stdout`.
  case descriptor(Int32)
  /// Something that another process has open: it has a path, but not a name that a new file could take.
  case openElsewhere(String)

  /// Follows symbolic links to their end, whether or not the target exists.
  init(following path: String) throws(SystemError) {
    var path = path
    // As many links as the system itself follows.
    for _ in 0..<40 {
      if let open = try Self.openFile(path) {
        self = open
        return
      }
      guard let target = try linkTarget(path) else {
        self = .path(path)
        return
      }
      path = target.utf8.first == slash ? target : splitPath(path).folder + target
    }
    throw SystemError(ELOOP)
  }

  /// The target of a path that represents an open file: the file itself, even if its link leads to a name.
  private static func openFile(_ path: String) throws(SystemError) -> OutputTarget? {
    let (folder, name) = splitPath(path)
    guard let number = Int32(name), number >= 0, let real = realPath(folder.isEmpty ? "." : folder) else {
      return nil
    }
    let parts = real.split(separator: "/").map(String.init)
    if parts == ["dev", "fd"] { return .descriptor(number) }
    guard parts.count >= 3, parts.first == "proc", parts.last == "fd" else { return nil }
    return parts[1] == String(getpid()) ? .descriptor(number) : .openElsewhere(path)
  }
}

private let slash = UInt8(ascii: "/")

/// A path up to its last slash, and the name after it.
func splitPath(_ path: String) -> (folder: String, name: String) {
  guard let last = path.utf8.lastIndex(of: slash) else { return ("", path) }
  let start = path.utf8.index(after: last)
  return (String(path[..<start]), String(path[start...]))
}

/// The target of a symbolic link; `nil` if the path is not a link.
private func linkTarget(_ path: String) throws(SystemError) -> String? {
  var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
  let count = unsafe bytes.withUnsafeMutableBytes { buffer in
    let characters = unsafe buffer.assumingMemoryBound(to: CChar.self)
    guard let start = characters.baseAddress else { return -1 }
    return unsafe readlink(path, start, characters.count)
  }
  guard count >= 0 else { return nil }
  // A name repaired to be valid text would be that of another file.
  guard let target = SystemName(bytes.prefix(count)).text else { throw SystemError(EILSEQ) }
  return target
}

/// The path without links and dots; `nil` if nothing exists there.
private func realPath(_ path: String) -> String? {
  guard let found = unsafe realpath(path, nil) else { return nil }
  defer { unsafe free(found) }
  return unsafe String(cString: found)
}
