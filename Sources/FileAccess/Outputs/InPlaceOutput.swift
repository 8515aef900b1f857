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

  /// Opens the file of an input for writing. Throws if the file has changed since the input was opened.
  package init(changing file: FileBytes, system: any OutputSystem = RealOutputSystem()) throws(SourceError) {
    path = file.path
    self.system = system
    do { descriptor = try system.openForUpdate(file.path) } catch {
      var reason = error.sourceError(path: file.path)
      reason.advice = "A file that is changed in place must be writable: write another one\(.writeAnother)."
      throw reason
    }
    guard let now = FileIdentity(descriptor: descriptor), let before = file.identity,
      now.isUnchanged(since: before)
    else {
      closeDescriptor(descriptor)
      throw SourceError(
        .other("was changed while it was read"), path: file.path,
        advice: "Try again when nothing else writes to it.")
    }
    originalSize = now.size
  }

  deinit { closeDescriptor(descriptor) }

  /// Appends bytes, flushes them, then overwrites those at `offset` and flushes again.
  ///
  /// - Parameter verify: checks the file before anything in it is overwritten; if it throws, the file is truncated
  ///   again.
  package func append(
    _ bytes: ByteView, thenOverwriteAt offset: UInt64, with flip: [UInt8],
    verifying verify: (any ByteSource) throws(SourceError) -> Void = { _ in }
  ) throws(SourceError) {
    let held = HeldSignals()
    defer { held.release() }
    let old: ByteView
    do throws(SourceError) {
      let before = try FileBytes(descriptor: descriptor, path: path, owned: false)
      old = try before.read(at: offset, count: flip.count)
      do {
        try system.store(bytes, to: descriptor, at: originalSize)
        bytesWritten &+= UInt64(bytes.count)
        try system.flush(descriptor)
      } catch { throw error.inPlaceError(path: path) }
      let file = try FileBytes(descriptor: descriptor, path: path, owned: false)
      guard try file.read(at: originalSize, count: bytes.count) == bytes else {
        throw SourceError(
          .other("holds other bytes than were written"), offset: originalSize, path: path,
          advice: "The disk or its connection may be damaged: copy the file to another one.")
      }
      try verify(file)
    } catch {
      do { try system.resize(descriptor, to: originalSize) } catch {}
      throw error
    }
    do { try overwrite(at: offset, with: flip) } catch {
      takeBack(old, at: offset)
      throw error
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
  /// ``append(_:thenOverwriteAt:with:verifying:)``.
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
    let piece: UInt64 = 1 << 20
    let zeros = ByteView(
      [UInt8](repeating: 0, count: Int(min(piece, ranges.map { UInt64($0.count) }.max() ?? 0))))
    do {
      for patch in patches {
        try system.store(patch.bytes, to: descriptor, at: patch.offset)
        bytesWritten &+= UInt64(patch.bytes.count)
      }
      for range in ranges {
        var position = range.lowerBound
        while position < range.upperBound {
          let count = min(piece, range.upperBound - position)
          try system.store(zeros.prefix(Int(count)), to: descriptor, at: position)
          bytesWritten &+= count
          position += count
        }
      }
      try system.flush(descriptor)
    } catch {
      var reason = error.inPlaceError(path: path)
      reason.advice =
        "The change is complete, but bytes of what was removed may still be in the file: write another file with -o."
      throw reason
    }
  }

  private func overwrite(at offset: UInt64, with flip: [UInt8]) throws(SourceError) {
    do {
      try system.store(ByteView(flip), to: descriptor, at: offset)
      bytesWritten &+= UInt64(flip.count)
      try system.flush(descriptor)
    } catch { throw error.inPlaceError(path: path) }
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
