// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// Where the bytes of files are in the output.
struct OffsetMap: Sendable {
  /// Bytes that follow each other in a file, and in the output.
  struct Stretch: Sendable {
    var old: Range<Int>
    var new: Int
  }

  private var stretches: [ObjectIdentifier: [Stretch]] = [:]
  private var current: (key: ObjectIdentifier, list: [Stretch])?
  /// The file whose tree is written, how long it is, and where its end is in the output.
  private var end: (key: ObjectIdentifier, old: Int, new: Int)?

  mutating func add(_ range: Range<Int>, at new: Int, of origin: BoxOrigin) {
    guard !range.isEmpty else { return }
    let key = ObjectIdentifier(origin)
    if current?.key != key {
      if let current { stretches[current.key] = current.list }
      current = (key, stretches.removeValue(forKey: key) ?? [])
    }
    if let last = current?.list.last, last.old.upperBound == range.lowerBound,
      new - last.new == range.lowerBound - last.old.lowerBound
    {
      let index = (current?.list.count ?? 1) - 1
      current?.list[index].old = last.old.lowerBound..<range.upperBound
    } else {
      current?.list.append(Stretch(old: range, new: new))
    }
  }

  /// Ends the collection; `size` is what the file of `origin` has, and `newSize` what is written.
  mutating func finish(_ origin: BoxOrigin, size: Int, newSize: Int) {
    if let current { stretches[current.key] = current.list }
    current = nil
    for (key, list) in stretches { stretches[key] = Self.ordered(list) }
    let key = ObjectIdentifier(origin)
    let last = size > 0 ? find(size - 1, key).map { $0 + 1 } : nil
    end = (key, size, last ?? newSize)
  }

  /// The stretches by their old place. What is copied twice is found where it comes first.
  private static func ordered(_ list: [Stretch]) -> [Stretch] {
    var ordered: [Stretch] = []
    var end = 0
    for stretch in list.sorted(by: { ($0.old.lowerBound, $0.new) < ($1.old.lowerBound, $1.new) }) {
      let known = max(0, end - stretch.old.lowerBound)
      guard known < stretch.old.count else { continue }
      end = stretch.old.upperBound
      ordered.append(
        Stretch(old: (stretch.old.lowerBound + known)..<end, new: stretch.new + known))
    }
    return ordered
  }

  /// Whether every byte of the file is where it was.
  func isIdentity(_ origin: BoxOrigin, from start: Int, size: Int) -> Bool {
    guard stretches.count == 1, let list = stretches[ObjectIdentifier(origin)] else {
      return stretches.isEmpty && size == 0
    }
    return list.count == 1 && list[0].new == 0 && list[0].old == start..<(start + size)
  }

  /// The bytes around the one that was at `offset`, where it is written.
  func stretch(containing offset: UInt64, of origin: BoxOrigin) -> Stretch? {
    Int(exactly: offset).flatMap { stretch($0, ObjectIdentifier(origin)) }
  }

  private func stretch(_ offset: Int, _ key: ObjectIdentifier) -> Stretch? {
    guard let list = stretches[key] else { return nil }
    let index = list.partitionIndex { $0.old.lowerBound <= offset } - 1
    return index >= 0 && list[index].old.contains(offset) ? list[index] : nil
  }

  private func find(_ offset: Int, _ key: ObjectIdentifier) -> Int? {
    stretch(offset, key).map { $0.new + (offset - $0.old.lowerBound) }
  }

  /// Where the byte is now that was at `offset`; `nil` where it is not written. What lies beyond the end of the file does so
  /// by as much as before.
  func new(_ offset: UInt64, of origin: BoxOrigin) -> UInt64? {
    let key = ObjectIdentifier(origin)
    guard let old = Int(exactly: offset) else { return nil }
    if let found = find(old, key) { return UInt64(found) }
    if let end, end.key == key, old >= end.old {
      let (new, overflow) = end.new.addingReportingOverflow(old - end.old)
      return overflow ? nil : UInt64(new)
    }
    return old > 0 ? find(old - 1, key).map { UInt64($0 + 1) } : nil
  }

  /// The same for the end of a range.
  func newEnd(_ offset: UInt64, of origin: BoxOrigin) -> UInt64? {
    guard let old = Int(exactly: offset), old > 0 else { return new(offset, of: origin) }
    return find(old - 1, ObjectIdentifier(origin)).map { UInt64($0 + 1) } ?? new(offset, of: origin)
  }
}
