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

/// Changes a file in place, such that after a crash it is in either its old or its new state.
///
/// New bytes are appended and flushed; only then are a few existing bytes overwritten, which puts the appended
/// bytes into effect, and flushed too. If anything fails before that, the file is truncated to its previous size.
package final class InPlaceOutput {
  private let path: String
  private let system: any OutputSystem
  private let descriptor: Int32
  private let originalSize: UInt64
  /// How many bytes this change has written.
  package private(set) var bytesWritten: UInt64 = 0

  /// Opens the file of an input for writing, and locks it. Throws if the file has changed since the input was opened, if another
  /// process is changing it, or if bytes of it could not be read.
  package init(changing file: FileBytes, system: any OutputSystem = RealOutputSystem()) throws(SourceError) {
    path = file.path
    self.system = system
    do { descriptor = try system.openForUpdate(file.path) } catch {
      var reason = error.sourceError(path: file.path)
      reason.advice = "A file that is changed in place must be writable: write another one\(.writeAnother)."
      throw reason
    }
    // Two changes at once would both append at the same place. Who comes second looks at the file when the first one is done.
    guard lockForChange(descriptor) else {
      closeDescriptor(descriptor)
      throw SourceError(
        .other("is locked by another program, which may be changing it"), path: file.path,
        advice: "Try again when that program is done.")
    }
    if let failure = file.firstFailure {
      closeDescriptor(descriptor)
      throw failure
    }
    guard let now = FileIdentity(descriptor: descriptor), let before = file.identity,
      now.isUnchanged(since: before)
    else {
      closeDescriptor(descriptor)
      throw SourceError(
        .other("was changed while it was read"), path: file.path,
        advice: "Try again when no other program writes to it.")
    }
    originalSize = now.size
  }

  deinit { closeDescriptor(descriptor) }

  /// How many bytes are written, or read again, at a time.
  private static let windowBytes: UInt64 = 1 << 20

  /// Appends the bytes of a source, flushes them, then overwrites those at `offset` and flushes again.
  ///
  /// All bytes are read again: the appended ones before anything is overwritten. If something differs, the file is as it
  /// was before.
  package func append(
    _ bytes: some ByteSource, thenOverwriteAt offset: UInt64, with flip: [UInt8]
  ) throws(SourceError) {
    let held = HeldSignals()
    defer { held.release() }
    let old: ByteView
    do throws(SourceError) {
      let before = try FileBytes(descriptor: descriptor, path: path, owned: false)
      old = try before.read(at: offset, count: flip.count)
      try store(bytes, at: originalSize)
      do throws(SystemError) { try system.flush(descriptor) } catch { throw error.inPlaceError(path: path) }
      try compare(bytes, at: originalSize)
    } catch {
      do { try system.resize(descriptor, to: originalSize) } catch {}
      throw error
    }
    do { try overwrite(at: offset, with: flip) } catch {
      takeBack(old, at: offset)
      throw error
    }
  }

  /// Writes all bytes of a source.
  private func store(_ source: some ByteSource, at offset: UInt64) throws(SourceError) {
    try forEachWindow(of: source) { (position, bytes) throws(SourceError) in
      do throws(SystemError) { try system.store(bytes, to: descriptor, at: offset + position) } catch {
        throw error.inPlaceError(path: path)
      }
      bytesWritten &+= UInt64(bytes.count)
    }
  }

  /// Reads again what was written.
  private func compare(_ source: some ByteSource, at offset: UInt64) throws(SourceError) {
    let file = try FileBytes(descriptor: descriptor, path: path, owned: false)
    try forEachWindow(of: source) { (position, bytes) throws(SourceError) in
      guard try file.read(at: offset + position, count: bytes.count) == bytes else {
        throw SourceError(
          .other("has different bytes than were written"), offset: offset + position, path: path,
          advice: "The disk or its connection may be faulty: copy the file to another disk.")
      }
    }
  }

  private func forEachWindow(
    of source: some ByteSource, _ body: (UInt64, ByteView) throws(SourceError) -> Void
  ) throws(SourceError) {
    let size = source.size ?? 0
    var position: UInt64 = 0
    while position < size {
      let bytes = try source.read(position..<min(size, position + Self.windowBytes))
      guard !bytes.isEmpty else {
        throw SourceError(.other("ends too early"), offset: position, path: path)
      }
      try body(position, bytes)
      position += UInt64(bytes.count)
    }
  }

  /// Restores the old bytes after a failure. The appended bytes are cut off only when the old ones are on the
  /// disk: until then the appended ones may be in effect.
  private func takeBack(_ old: ByteView, at offset: UInt64) {
    do throws(SystemError) {
      try system.store(old, to: descriptor, at: offset)
      try system.flush(descriptor)
      try system.resize(descriptor, to: originalSize)
      try system.flush(descriptor)
    } catch {}
  }

  /// Overwrites bytes and flushes them, then truncates the file: undoes
  /// ``append(_:thenOverwriteAt:with:)``.
  package func overwrite(
    at offset: UInt64, with flip: [UInt8], thenCutTo size: UInt64
  ) throws(SourceError) {
    let held = HeldSignals()
    defer { held.release() }
    try overwrite(at: offset, with: flip)
    do {
      try system.resize(descriptor, to: size)
      try system.flush(descriptor)
    } catch { throw error.inPlaceError(path: path) }
  }

  /// Overwrites ranges with zeros, and places with other bytes, then flushes them. Nothing of it is in effect as boxes, so
  /// that the file is complete at every moment; what was there is gone for good.
  package func erase(
    _ ranges: [Range<UInt64>], patching patches: [(offset: UInt64, bytes: ByteView)]
  ) throws(SourceError) {
    guard !ranges.isEmpty || !patches.isEmpty else { return }
    let held = HeldSignals()
    defer { held.release() }
    let advice: Advice =
      "The change is complete, but bytes of removed data may still be in the file: write another one\(.writeAnother)."
    do throws(SourceError) {
      for patch in patches { try store(MemoryBytes(patch.bytes), at: patch.offset) }
      for range in ranges { try store(ZeroBytes(count: range.length), at: range.lowerBound) }
      do throws(SystemError) { try system.flush(descriptor) } catch { throw error.inPlaceError(path: path) }
      for patch in patches { try compare(MemoryBytes(patch.bytes), at: patch.offset) }
      for range in ranges { try compare(ZeroBytes(count: range.length), at: range.lowerBound) }
    } catch {
      var reason = error
      reason.advice = advice
      throw reason
    }
  }

  private func overwrite(at offset: UInt64, with flip: [UInt8]) throws(SourceError) {
    do {
      try system.store(ByteView(flip), to: descriptor, at: offset)
      bytesWritten &+= UInt64(flip.count)
      try system.flush(descriptor)
    } catch { throw error.inPlaceError(path: path) }
    try compare(MemoryBytes(ByteView(flip)), at: offset)
  }
}

extension SystemError {
  /// The error reported for a file that is changed in place.
  fileprivate func inPlaceError(path: String) -> SourceError {
    var error = outputError(path: path)
    error.advice = "Write another file\(.writeAnother)."
    return error
  }
}
