// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding
package import FileAccess
import Foundation

/// Passes every call on to the system, and records it: what is on the disk after a crash can then be played back.
package final class OutputRecorder: OutputSystem {
  /// A call that changes something, in the order of the calls.
  package enum Event: Sendable, Equatable {
    case create(String)
    case write(String, offset: UInt64, bytes: [UInt8])
    case resize(String, size: UInt64)
    case flush(String)
    case flushFolder
    case rename(String, String)
    case link(String, String)
    case remove(String)
  }

  private struct State {
    var events: [Event] = []
    var paths: [Int32: String] = [:]
  }

  private let state = Locked(State())
  private let real = RealOutputSystem()

  package init() {}

  /// The recorded calls.
  package var events: [Event] { state.withLock { $0.events } }

  private func record(_ event: Event) { state.withLock { $0.events.append(event) } }
  private func path(_ descriptor: Int32) -> String { state.withLock { $0.paths[descriptor] ?? "?" } }
  private func opened(_ descriptor: Int32, _ path: String) {
    state.withLock { $0.paths[descriptor] = path }
  }

  package func create(_ path: String, permissions: UInt32) throws(SystemError) -> Int32 {
    let descriptor = try real.create(path, permissions: permissions)
    opened(descriptor, path)
    record(.create(path))
    return descriptor
  }

  package func openForUpdate(_ path: String) throws(SystemError) -> Int32 {
    let descriptor = try real.openForUpdate(path)
    opened(descriptor, path)
    return descriptor
  }

  package func write(_ bytes: ByteView, to descriptor: Int32, at offset: UInt64) throws(SystemError) -> Int {
    let count = try real.write(bytes, to: descriptor, at: offset)
    record(.write(path(descriptor), offset: offset, bytes: bytes.prefix(count).array))
    return count
  }

  package func copy(
    _ range: Range<UInt64>, of source: Int32, to descriptor: Int32, at offset: UInt64
  ) throws(SystemError) -> Int? {
    guard let count = try real.copy(range, of: source, to: descriptor, at: offset) else { return nil }
    var bytes: [UInt8] = []
    do {
      let file = try FileBytes(copyingDescriptor: source)
      bytes = try file.read(at: range.lowerBound, count: count).array
    } catch { throw SystemError(5) }
    record(.write(path(descriptor), offset: offset, bytes: bytes))
    return count
  }

  package func resize(_ descriptor: Int32, to size: UInt64) throws(SystemError) {
    try real.resize(descriptor, to: size)
    record(.resize(path(descriptor), size: size))
  }

  package func flush(_ descriptor: Int32) throws(SystemError) {
    try real.flush(descriptor)
    record(.flush(path(descriptor)))
  }

  package func flushFolder(_ path: String) throws(SystemError) {
    try real.flushFolder(path)
    record(.flushFolder)
  }

  package func close(_ descriptor: Int32) throws(SystemError) { try real.close(descriptor) }

  package func rename(_ path: String, to other: String) throws(SystemError) {
    try real.rename(path, to: other)
    record(.rename(path, other))
  }

  package func link(_ path: String, to other: String) throws(SystemError) {
    try real.link(path, to: other)
    record(.link(path, other))
  }

  package func remove(_ path: String) throws(SystemError) {
    try real.remove(path)
    record(.remove(path))
  }
}

/// Replays recorded calls as a disk might have them after a loss of power.
///
/// Flushed data are present. Of later writes, any subset may be present: each completely or not at all, the last one
/// cut at any multiple of 512 bytes, with nothing after the cut, or zeros if the length reached the disk before the
/// bytes. Names appear in their order, and may be late.
package struct CrashReplay {
  private let events: [OutputRecorder.Event]
  private let initial: [String: [UInt8]]

  /// Makes a replay on files as they were before (`initial`).
  package init(_ events: [OutputRecorder.Event], initial: [String: [UInt8]]) {
    self.events = events
    self.initial = initial
  }

  /// Calls `visit` with the files of each possible state, and with a description for messages.
  package func forEachState(_ visit: ([String: [UInt8]], String) throws -> Void) rethrows {
    for end in 0...events.count {
      try states(end: end, cut: nil, visit)
      guard end < events.count, case .write(_, _, let bytes) = events[end] else { continue }
      for cut in stride(from: 512, to: bytes.count, by: 512) {
        try states(end: end, cut: cut, visit)
        try states(end: end, cut: cut, endsInZeros: true, visit)
      }
      try states(end: end, cut: 0, endsInZeros: true, visit)
      // Four bytes that are overwritten may be in two sectors.
      if bytes.count < 16 { for cut in 1..<bytes.count { try states(end: end, cut: cut, visit) } }
    }
  }

  private func states(
    end: Int, cut: Int?, endsInZeros: Bool = false, _ visit: ([String: [UInt8]], String) throws -> Void
  ) rethrows {
    var sure = [Bool](repeating: false, count: end)
    var flushed: Set<String> = []
    var areNamesFlushed = false
    for index in (0..<end).reversed() {
      switch events[index] {
      case .flush(let path): flushed.insert(path)
      case .flushFolder: areNamesFlushed = true
      case .write(let path, _, _), .resize(let path, _): sure[index] = flushed.contains(path)
      case .create, .rename, .link, .remove: sure[index] = areNamesFlushed
      }
    }
    let data = (0..<end).filter { !sure[$0] && isData(events[$0]) }
    let names = (0..<end).filter { !sure[$0] && isName(events[$0]) }
    for nameCount in 0...names.count {
      for choice in choices(of: data) {
        let applied = Set(choice).union(names.prefix(nameCount))
        let files = play(end: end, cut: cut, endsInZeros: endsInZeros) { sure[$0] || applied.contains($0) }
        try visit(
          files, "after \(end) calls, cut at \(cut ?? 0), with writes \(choice) and \(nameCount) names")
      }
    }
  }

  private func isData(_ event: OutputRecorder.Event) -> Bool {
    switch event {
    case .write, .resize: true
    default: false
    }
  }

  private func isName(_ event: OutputRecorder.Event) -> Bool {
    switch event {
    case .create, .rename, .link, .remove: true
    default: false
    }
  }

  /// Returns subsets: all of them if they are few; otherwise prefixes, suffixes, and all without one element.
  private func choices(of items: [Int]) -> [[Int]] {
    if items.count <= 5 {
      return (0..<(1 << items.count)).map { mask in
        items.indices.filter { mask >> $0 & 1 == 1 }.map { items[$0] }
      }
    }
    return (0...items.count).flatMap { [Array(items.prefix($0)), Array(items.suffix($0))] }
      + items.map { left in items.filter { $0 != left } }
  }

  private func play(
    end: Int, cut: Int?, endsInZeros: Bool, _ isApplied: (Int) -> Bool
  ) -> [String: [UInt8]] {
    var contents: [Int: [UInt8]] = [:]
    var names: [String: Int] = [:]
    /// The name under which a file was opened, for calls on its descriptor.
    var opened: [String: Int] = [:]
    for (number, path) in initial.keys.sorted().enumerated() {
      contents[number] = initial[path]
      names[path] = number
      opened[path] = number
    }
    func write(_ path: String, _ offset: UInt64, _ bytes: ArraySlice<UInt8>) {
      guard let file = opened[path] else { return }
      var all = contents[file] ?? []
      let start = Int(offset)
      if all.count < start + bytes.count {
        all += [UInt8](repeating: 0, count: start + bytes.count - all.count)
      }
      all.replaceSubrange(start..<(start + bytes.count), with: bytes)
      contents[file] = all
    }
    for index in 0..<end {
      if case .create(let path) = events[index] {
        // The file exists for those that have it open, whether or not its name does.
        let number = contents.count
        contents[number] = []
        opened[path] = number
      }
      guard isApplied(index) else { continue }
      switch events[index] {
      case .create(let path): names[path] = opened[path]
      case .write(let path, let offset, let bytes): write(path, offset, bytes[...])
      case .resize(let path, let size):
        if let file = opened[path], let all = contents[file] {
          contents[file] =
            Array(all.prefix(Int(size))) + [UInt8](repeating: 0, count: max(0, Int(size) - all.count))
        }
      case .rename(let path, let other):
        names[other] = names[path] ?? opened[path]
        names[path] = nil
      case .link(let path, let other): names[other] = names[path] ?? opened[path]
      case .remove(let path): names[path] = nil
      case .flush, .flushFolder: break
      }
    }
    if let cut, end < events.count, case .write(let path, let offset, let bytes) = events[end] {
      write(path, offset, bytes.prefix(cut))
      // Only bytes beyond the old end of the file read as zeros; other blocks have their old bytes.
      if endsInZeros, let file = opened[path], let all = contents[file] {
        contents[file] = all + [UInt8](repeating: 0, count: max(0, Int(offset) + bytes.count - all.count))
      }
    }
    return names.compactMapValues { contents[$0] }
  }
}

/// A system in which a call fails, or writes are done in small pieces.
package struct FaultyOutputSystem: OutputSystem {
  /// A failure of the system.
  package enum Fault: Sendable {
    /// The call with that number, counted from 0, fails with that error.
    case error(call: Int, number: Int32)
    /// That call and all later ones fail.
    case errors(from: Int, number: Int32)
    /// Every write writes at most that number of bytes, and the kernel cannot copy.
    case shortWrites(Int)
    /// The disk keeps another byte at that place of the file than was written there first.
    case otherByte(at: UInt64)
    /// Bytes from that place of the file on never reach the disk, although the calls succeed.
    case lost(from: UInt64)
    /// The kernel copies from a place that many bytes later.
    case copies(shiftedBy: UInt64)
  }

  private let fault: Fault
  private let real = RealOutputSystem()
  private let calls = Locked(0)
  private let isSpoilt = Locked(false)

  package init(_ fault: Fault) { self.fault = fault }

  /// The number of calls so far that can fail.
  package var callCount: Int { calls.withLock { $0 } }

  private func count() throws(SystemError) {
    let number = calls.withLock { count in
      count += 1
      return count - 1
    }
    if case .error(let call, let error) = fault, call == number { throw SystemError(error) }
    if case .errors(let first, let error) = fault, number >= first { throw SystemError(error) }
  }

  package func create(_ path: String, permissions: UInt32) throws(SystemError) -> Int32 {
    try count()
    return try real.create(path, permissions: permissions)
  }
  package func openForUpdate(_ path: String) throws(SystemError) -> Int32 {
    try count()
    return try real.openForUpdate(path)
  }
  package func write(_ bytes: ByteView, to descriptor: Int32, at offset: UInt64) throws(SystemError) -> Int {
    try count()
    if case .shortWrites(let most) = fault {
      return try real.write(bytes.prefix(most), to: descriptor, at: offset)
    }
    if case .lost(let start) = fault {
      let kept = bytes.prefix(Int(clamping: start - min(start, offset)))
      if !kept.isEmpty { _ = try real.write(kept, to: descriptor, at: offset) }
      return bytes.count
    }
    let count = try real.write(bytes, to: descriptor, at: offset)
    try spoil(offset..<(offset + UInt64(count)), of: descriptor)
    return count
  }

  /// Overwrites the byte at the place of the fault, once, if it is in a range.
  private func spoil(_ range: Range<UInt64>, of descriptor: Int32) throws(SystemError) {
    guard case .otherByte(let place) = fault, range.contains(place), !isSpoilt.withLock({ $0 }) else {
      return
    }
    isSpoilt.withLock { $0 = true }
    let byte: UInt8
    do { byte = try FileBytes(copyingDescriptor: descriptor).read(at: place, count: 1).array[0] } catch {
      throw SystemError(5)
    }
    _ = try real.write(ByteView([byte ^ 0x10]), to: descriptor, at: place)
  }
  package func copy(
    _ range: Range<UInt64>, of source: Int32, to descriptor: Int32, at offset: UInt64
  ) throws(SystemError) -> Int? {
    if case .shortWrites = fault { return nil }
    try count()
    var range = range
    switch fault {
    case .lost(let start):
      let kept = min(range.upperBound - range.lowerBound, start - min(start, offset))
      guard kept > 0 else { return Int(range.upperBound - range.lowerBound) }
      let copied = try real.copy(
        range.lowerBound..<(range.lowerBound + kept), of: source, to: descriptor, at: offset)
      return copied.map { $0 == Int(kept) ? Int(range.upperBound - range.lowerBound) : $0 }
    case .copies(let shift): range = (range.lowerBound + shift)..<(range.upperBound + shift)
    default: break
    }
    let count = try real.copy(range, of: source, to: descriptor, at: offset)
    if let count { try spoil(offset..<(offset + UInt64(count)), of: descriptor) }
    return count
  }
  package func resize(_ descriptor: Int32, to size: UInt64) throws(SystemError) {
    try real.resize(descriptor, to: size)
  }
  package func flush(_ descriptor: Int32) throws(SystemError) {
    try count()
    try real.flush(descriptor)
  }
  package func flushFolder(_ path: String) throws(SystemError) { try real.flushFolder(path) }
  package func close(_ descriptor: Int32) throws(SystemError) {
    // The descriptor is closed, whatever the result is.
    try real.close(descriptor)
    try count()
  }
  package func rename(_ path: String, to other: String) throws(SystemError) {
    try count()
    try real.rename(path, to: other)
  }
  package func link(_ path: String, to other: String) throws(SystemError) {
    try count()
    try real.link(path, to: other)
  }
  package func remove(_ path: String) throws(SystemError) { try real.remove(path) }
}
