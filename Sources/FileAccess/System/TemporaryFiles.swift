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

/// Files that are being written under a temporary name, and are removed if a signal ends the process.
///
/// A signal handler may call almost nothing: it finds the names as C strings in slots that were allocated
/// beforehand.
package enum TemporaryFiles {
  static let slotCount = 16

  @safe
  private struct Slots: @unchecked Sendable {
    // `@safe`: every index is below `slotCount`. `@unchecked`: a slot is one word, which is written under the lock only; the handler reads it whole.
    let names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

    init() {
      unsafe names = .allocate(capacity: slotCount)
      unsafe names.initialize(repeating: nil, count: slotCount)
    }
  }

  /// The contents of a folder that does not have its final name yet, the folder itself first.
  @safe
  private struct FolderList: @unchecked Sendable {
    // `@safe`: `blocks` has `blockCount` places, each block `blockSize`, and `count` is never above what has been set. `@unchecked`: all of
    // it is written under the lock only; the handler reads `count`, and names that were set before it grew.
    let blocks: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>
    let count: UnsafeMutablePointer<Int>
    static let blockCount = 512
    static let blockSize = 4_096

    init() {
      unsafe blocks = .allocate(capacity: Self.blockCount)
      unsafe blocks.initialize(repeating: nil, count: Self.blockCount)
      unsafe count = .allocate(capacity: 1)
      unsafe count.initialize(to: 0)
    }
  }

  private static let slots = Slots()
  private static let folder = FolderList()
  private static let lock = Locked(())

  /// Removes the file if a signal ends the process, provided that ``removeOnSignals()`` was called.
  ///
  /// - Returns: the value to pass to ``forget(_:)``; `nil` if there are too many files.
  static func add(_ path: String) -> Int? {
    lock.withLock { _ in
      for index in 0..<slotCount where unsafe slots.names[index] == nil {
        guard let copy = unsafe strdup(path) else { return nil }
        unsafe slots.names[index] = copy
        return index
      }
      return nil
    }
  }

  /// To be called when the file has its name, or is gone.
  static func forget(_ slot: Int?) {
    guard let slot, (0..<slotCount).contains(slot) else { return }
    lock.withLock { _ in
      let name = unsafe slots.names[slot]
      unsafe slots.names[slot] = nil
      unsafe free(name)
    }
  }

  /// Removes a folder if a signal ends the process, with everything that ``addToFolder(_:)`` was given: one folder
  /// at a time.
  ///
  /// - Returns: whether it will be removed.
  static func beginFolder(_ path: String) -> Bool {
    lock.withLock { _ in unsafe folder.count.pointee == 0 && append(path) }
  }

  /// Records something that was put into the folder, after the folder that contains it.
  static func addToFolder(_ path: String) {
    lock.withLock { _ in _ = append(path) }
  }

  /// To be called when the folder has its name, or is gone.
  static func forgetFolder() {
    lock.withLock { _ in
      let count = unsafe folder.count.pointee
      unsafe folder.count.pointee = 0
      for index in 0..<count {
        guard let block = unsafe folder.blocks[index / FolderList.blockSize] else { break }
        unsafe free(block[index % FolderList.blockSize])
        unsafe block[index % FolderList.blockSize] = nil
      }
    }
  }

  /// Must be called under the lock.
  private static func append(_ path: String) -> Bool {
    let index = unsafe folder.count.pointee
    let place = index / FolderList.blockSize
    guard place < FolderList.blockCount, let copy = unsafe strdup(path) else { return false }
    if unsafe folder.blocks[place] == nil {
      let block = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: FolderList.blockSize)
      unsafe block.initialize(repeating: nil, count: FolderList.blockSize)
      unsafe folder.blocks[place] = unsafe block
    }
    unsafe folder.blocks[place]?[index % FolderList.blockSize] = unsafe copy
    unsafe folder.count.pointee = index + 1
    return true
  }

  /// Makes SIGINT, SIGTERM and SIGHUP remove what is being written before they end the process as usual.
  package static func removeOnSignals() {
    // Created now: a handler must not be the first to access it.
    _ = (slots, folder)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // If the signal is ignored (`nohup`), it stays ignored.
      let previous = signal(number, SIG_IGN)
      if unsafe unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { continue }
      _ = signal(number) { number in
        TemporaryFiles.removeAll()
        _ = signal(number, SIG_DFL)
        _ = kill(getpid(), number)
      }
    }
  }

  /// Called by the signal handler: makes only calls that a handler may make.
  private static func removeAll() {
    for index in 0..<slotCount {
      if let name = unsafe slots.names[index] { _ = unsafe unlink(name) }
    }
    var index = unsafe folder.count.pointee
    while index > 0 {
      index &-= 1
      guard let name = unsafe folder.blocks[index / FolderList.blockSize]?[index % FolderList.blockSize]
      else {
        continue
      }
      if unsafe unlink(name) != 0 { _ = unsafe rmdir(name) }
    }
  }
}
