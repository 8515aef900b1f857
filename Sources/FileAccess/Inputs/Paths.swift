// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// What kind of thing a path leads to.
package enum PathKind: Sendable {
  case file, folder, pipe, blockDevice, other
}

/// What a path leads to; `nil` if nothing exists there, or access is denied.
///
/// - Parameter followingLinks: whether to follow a symbolic link to its target.
package func pathKind(_ path: String, followingLinks: Bool = true) -> PathKind? {
  var status = stat()
  let result = followingLinks ? unsafe stat(path, &status) : unsafe lstat(path, &status)
  guard result == 0 else { return nil }
  switch status.st_mode & S_IFMT {
  case S_IFREG: return .file
  case S_IFBLK: return .blockDevice
  case S_IFDIR: return .folder
  case S_IFIFO, S_IFSOCK: return .pipe
  default: return .other
  }
}

/// The names in a folder, sorted bytewise.
package func folderEntries(_ path: String) throws(SourceError) -> [SystemName] {
  guard let folder = unsafe opendir(path) else { throw SystemError(errno).sourceError(path: path) }
  defer { unsafe closedir(folder) }
  var names: [SystemName] = []
  while true {
    errno = 0
    guard let entry = unsafe readdir(folder) else {
      if errno != 0 { throw SystemError(errno).sourceError(path: path) }
      break
    }
    let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
      unsafe SystemName(bytes.prefix { $0 != 0 })
    }
    if name.text != ".", name.text != ".." { names.append(name) }
  }
  return names.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
}

/// Opens a path for reading, whatever it leads to: a file is read by position, a pipe or a device as a stream.
///
/// If nothing writes to a pipe, it is waited for only briefly and then treated as empty.
package func openInput(
  path: String, keeping policy: PipeBytes.Policy, limits: Limits = .standard
) throws(SourceError) -> any ByteSource {
  let path = try filePath(ofPathOrURL: path)
  guard let kind = pathKind(path), kind == .pipe || kind == .other else { return try FileBytes(path: path) }
  let descriptor: Int32
  do { descriptor = try openForReading(path) } catch { throw error.sourceError(path: path) }
  if isTerminal(descriptor) {
    closeDescriptor(descriptor)
    throw SourceError(
      .notAFile(kind: "a terminal"), path: path, advice: "Name a file, or send one through a pipe.")
  }
  if kind == .pipe {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&request, 1, 1_000)
  }
  return PipeBytes(
    descriptor: descriptor, name: path, owned: true, keeping: policy, limit: limits.maximumBoxBytes)
}
