// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Immutable bytes at a known place in a file, shared by every view of them.
///
/// The memory carries `padding` zero bytes after its end, so that a reader may load eight bytes at any valid
/// position without a second path for the tail.
@usableFromInline
@safe
final class ByteStorage: @unchecked Sendable {
  // `@safe`: every access to the memory is checked by `ByteView`. `@unchecked`: the memory is written only inside `init`, before anybody else can see it.

  @usableFromInline static let padding = 8

  @usableFromInline let base: UnsafeMutableRawPointer
  @usableFromInline let count: Int
  /// The file offset of the first byte.
  @usableFromInline let origin: Int
  /// Where emulation prevention bytes were removed: for each, the index of the byte after it, ascending. Empty for
  /// bytes that are exactly as in the file.
  @usableFromInline let removals: ContiguousArray<Int>
  /// The pool that the memory returns to; `nil` if it does not belong to a pool.
  private let pool: BytePool?

  /// Allocates `capacity` bytes and lets `fill` write them; `fill` returns how many it wrote.
  init<E: Error>(
    capacity: Int, origin: Int,
    fill: (UnsafeMutableRawBufferPointer) throws(E) -> (count: Int, removals: ContiguousArray<Int>)
  ) throws(E) {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: capacity + Self.padding, alignment: 16)
    let written: (count: Int, removals: ContiguousArray<Int>)
    do {
      written = try unsafe fill(UnsafeMutableRawBufferPointer(start: memory, count: capacity))
    } catch {
      unsafe memory.deallocate()
      throw error
    }
    unsafe (memory + written.count).initializeMemory(as: UInt8.self, repeating: 0, count: Self.padding)
    unsafe base = memory
    count = written.count
    removals = written.removals
    self.origin = origin
    pool = nil
  }

  /// Makes a storage from a block of a pool whose first `count` bytes are written.
  init(adopting block: UnsafeMutableRawPointer, count: Int, of pool: BytePool, origin: Int) {
    unsafe (block + count).initializeMemory(as: UInt8.self, repeating: 0, count: Self.padding)
    unsafe base = block
    self.count = count
    removals = []
    self.origin = origin
    self.pool = pool
  }

  deinit {
    if let pool { unsafe pool.giveBack(base) } else { unsafe base.deallocate() }
  }

  static let empty = ByteStorage(origin: 0)

  private convenience init(origin: Int) {
    unsafe self.init(capacity: 0, origin: origin) { _ in (0, []) }
  }

  /// The file offset of the byte at `index`, counting the bytes that were removed before it.
  @usableFromInline
  func fileOffset(of index: Int) -> Int {
    guard !removals.isEmpty else { return origin &+ index }
    var low = 0, high = removals.count
    while low < high {
      let middle = (low + high) / 2
      if removals[middle] <= index { low = middle + 1 } else { high = middle }
    }
    return origin &+ index &+ low
  }
}

/// A range of some immutable bytes, with its place in the file: the only form in which bytes are stored.
///
/// Copying a view copies a reference. Every access is checked; nothing in a file can make one trap.
@frozen
public struct ByteView: Sendable {
  @usableFromInline let storage: ByteStorage
  /// Indices into `storage`; always within its bounds.
  @usableFromInline let start: Int
  @usableFromInline let end: Int

  @inlinable
  init(storage: ByteStorage, start: Int, end: Int) {
    self.storage = storage
    self.start = start
    self.end = end
  }

  /// Makes an empty view.
  public init() { self.init(storage: .empty, start: 0, end: 0) }

  /// Copies `bytes`; `fileOffset` is where they begin in the file.
  public init(_ bytes: some Collection<UInt8>, fileOffset: Int = 0) {
    let storage = unsafe ByteStorage(capacity: bytes.count, origin: fileOffset) { memory in
      // Not by `copyBytes` alone, which looks up the types of its iterators while the program runs.
      let copied: Void? = bytes.withContiguousStorageIfAvailable {
        unsafe memory.copyMemory(from: UnsafeRawBufferPointer($0))
      }
      if copied == nil { unsafe memory.copyBytes(from: bytes) }
      return (memory.count, [])
    }
    self.init(storage: storage, start: 0, end: storage.count)
  }

  /// The number of bytes.
  @inlinable
  public var count: Int { end &- start }

  /// Whether the view has no bytes.
  @inlinable
  public var isEmpty: Bool { end == start }

  /// The file offset of the first byte.
  @inlinable
  public var fileOffset: Int { storage.fileOffset(of: start) }

  /// Where these bytes are in the file. Where emulation prevention bytes were removed, the range includes them.
  public var fileRange: Range<Int> {
    let lower = fileOffset
    return lower..<max(lower, storage.fileOffset(of: end))
  }

  /// The file offset of the byte at `index`, counted from the start of this view.
  @inlinable
  public func fileOffset(at index: Int) -> Int { storage.fileOffset(of: start &+ index) }

  /// The bytes in `range`, counted from the start of this view; `nil` if the range reaches outside.
  @inlinable
  public func slice(_ range: Range<Int>) -> ByteView? {
    guard range.lowerBound >= 0, range.upperBound <= count else { return nil }
    return ByteView(storage: storage, start: start &+ range.lowerBound, end: start &+ range.upperBound)
  }

  /// The bytes from `index` on; an empty view if `index` is outside.
  @inlinable
  public func suffix(from index: Int) -> ByteView {
    ByteView(storage: storage, start: start &+ min(max(index, 0), count), end: end)
  }

  /// The first `length` bytes, or all if there are fewer.
  @inlinable
  public func prefix(_ length: Int) -> ByteView {
    ByteView(storage: storage, start: start, end: start &+ min(max(length, 0), count))
  }

  /// The bytes at a range of file offsets; `nil` if this view does not hold them all.
  public func slice(fileRange range: Range<Int>) -> ByteView? {
    guard storage.removals.isEmpty, range.lowerBound >= fileOffset else { return nil }
    return slice((range.lowerBound - fileOffset)..<(range.upperBound - fileOffset))
  }

  /// The same bytes, copied if they are only a small part of the memory they keep alive.
  public func compacted() -> ByteView {
    guard storage.count > 2 &* count, storage.removals.isEmpty else { return self }
    return unsafe ByteView(rawBuffer, fileOffset: fileOffset)
  }

  /// The byte at `index`, or `nil` if that is outside.
  @inlinable
  public subscript(index: Int) -> UInt8? {
    guard index >= 0, index < count else { return nil }
    return unsafe storage.base.load(fromByteOffset: start &+ index, as: UInt8.self)
  }

  /// `width` bytes (at most 8) at `index` as a big-endian number, or `nil` if they reach outside.
  @inlinable
  public func bigEndian(at index: Int, width: Int) -> UInt64? {
    guard width > 0, width <= 8, index >= 0, index <= count &- width else { return nil }
    let word = unsafe storage.base.loadUnaligned(fromByteOffset: start &+ index, as: UInt64.self)
    return UInt64(bigEndian: word) &>> UInt64(64 &- 8 &* width)
  }

  /// The four-character code at `index`, or `nil` if it reaches outside.
  @inlinable
  public func fourCC(at index: Int) -> FourCC? {
    bigEndian(at: index, width: 4).map { FourCC(UInt32(truncatingIfNeeded: $0)) }
  }

  /// The bytes as a borrowed span.
  public var bytes: RawSpan {
    @_lifetime(borrow self)
    @inlinable get {
      let span = unsafe RawSpan(
        _unsafeStart: UnsafeRawPointer(storage.base) + start, byteCount: end &- start)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// The bytes copied into an array.
  public var array: [UInt8] {
    // All empty arrays share their memory, and filling one would write its count there: a data race.
    if isEmpty { return [] }
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
      unsafe UnsafeMutableRawBufferPointer(buffer).copyMemory(from: rawBuffer)
      written = count
    }
  }

  /// Whether every byte is zero.
  public var isAllZero: Bool {
    for index in 0..<count where unsafe rawBuffer[index] != 0 { return false }
    return true
  }

  @inlinable
  var rawBuffer: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: UnsafeRawPointer(storage.base) + start, count: end &- start)
  }

  /// Lends the bytes to `body` as a buffer, for system calls.
  @inlinable
  @unsafe
  package func withUnsafeBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    defer { withExtendedLifetime(storage) {} }
    return try unsafe body(rawBuffer)
  }

  /// The bytes decoded as UTF-8; invalid sequences are replaced.
  public var utf8Text: String { unsafe String(decoding: rawBuffer, as: UTF8.self) }

  /// The first `limit` bytes in lower-case hexadecimal.
  public func hexadecimalText(limit: Int = .max) -> String {
    var digits: [UInt8] = []
    let shown = min(count, max(0, limit))
    digits.reserveCapacity(shown * 2)
    for index in 0..<shown {
      let byte = unsafe rawBuffer[index]
      digits.append(hexadecimalDigit(byte &>> 4))
      digits.append(hexadecimalDigit(byte & 15))
    }
    return String(decoding: digits, as: UTF8.self)
  }
}

@inlinable
func hexadecimalDigit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 0x30 &+ nibble : 0x57 &+ nibble }

extension ByteView: Hashable {
  /// Views are equal if their bytes are, wherever the bytes come from.
  public static func == (left: ByteView, right: ByteView) -> Bool {
    guard left.count == right.count else { return false }
    if left.storage === right.storage && left.start == right.start { return true }
    return unsafe hasSameBytes(left.rawBuffer, right.rawBuffer)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) { unsafe hasher.combine(bytes: rawBuffer) }
}

/// Ties the lifetime of `dependent` to that of `source`: the only place that vouches for a borrowed span.
@_unsafeNonescapableResult
@_lifetime(borrow source)
@inlinable
@unsafe
func _overrideLifetime<T: ~Copyable & ~Escapable, U: ~Copyable & ~Escapable>(
  _ dependent: consuming T, borrowing source: borrowing U
) -> T { dependent }
