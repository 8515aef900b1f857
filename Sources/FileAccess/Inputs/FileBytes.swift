// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// A file on disk, read by position.
///
/// Nothing is mapped: reading a file that has shrunk in the meantime returns fewer bytes and does no harm. Small
/// reads share a window of one page, so that walking box headers takes few system calls; beyond that page nothing
/// is read that was not requested.
public final class FileBytes: ByteSource {
  /// How many bytes the window holds; shorter reads use it.
  static let windowBytes = 4096
  /// How many bytes are read, at most, without first checking how long the file is now; and at a time where a long range is read
  /// piece by piece: few enough for the caches of a processor.
  static let pieceBytes: UInt64 = 1 << 18
  /// How many bytes one read may ask for.
  static let maximumRead = min(1 << 32, UInt64(Int.max))

  private struct Window {
    var view = ByteView()
    var calls = 0
    var bytes: UInt64 = 0
    var failure: SourceError?
  }

  /// The path as it was given; for a `file:` URL, the path in it.
  public let path: String
  /// How many bytes the file had when it was opened.
  public let size: UInt64?

  let descriptor: Int32
  /// Which file this is, and the state it was in when it was opened.
  package let identity: FileIdentity?
  let ownsDescriptor: Bool
  private let calls: SystemCalls
  private let window = Locked(Window())
  /// Memory for reads of more than half a piece. Windows of readers are released soon after the next one is read, and their memory
  /// serves the one after that: new pages for each would take as long again as reading.
  private let pieces = BytePool(blockBytes: Int(FileBytes.pieceBytes))

  /// The path.
  public var name: String? { path }

  /// Opens the file at `path`, which may also be a `file:` URL.
  public convenience init(path: String) throws(SourceError) {
    let path = try filePath(ofPathOrURL: path)
    let descriptor: Int32
    do { descriptor = try openForReading(path) } catch {
      throw error.sourceError(path: path)
    }
    do {
      try self.init(descriptor: descriptor, path: path, owned: true)
    } catch {
      closeDescriptor(descriptor)
      throw error
    }
  }

  /// Reads from an open descriptor that can seek; the position of the descriptor is neither used nor moved.
  ///
  /// - Parameter owned: whether the descriptor is closed when this object is released. If this throws, it stays
  ///   open.
  init(
    descriptor: Int32, path: String, owned: Bool, calls: SystemCalls = .standard
  ) throws(SourceError) {
    let status: FileStatus
    do { status = try FileStatus(descriptor: descriptor) } catch { throw error.sourceError(path: path) }
    switch status.kind {
    case .regular, .blockDevice: break
    case .directory:
      throw SourceError(.notAFile(kind: status.kind.words), path: path, advice: "Name a file in it.")
    case .fifo, .socket:
      throw SourceError(
        .notAFile(kind: status.kind.words), path: path,
        advice: "Read it as a pipe: its bytes come only once.")
    case .characterDevice, .other:
      throw SourceError(.notAFile(kind: status.kind.words), path: path, advice: "Copy it to a file first.")
    }
    self.descriptor = descriptor
    self.path = path
    self.calls = calls
    ownsDescriptor = owned
    size = status.size
    identity = FileIdentity(descriptor: descriptor)
  }

  /// Reads a file that another reader has open, through a copy of its descriptor.
  package convenience init(copyingDescriptor descriptor: Int32) throws(SourceError) {
    try self.init(descriptor: descriptor, path: "", owned: false)
  }

  deinit { if ownsDescriptor { closeDescriptor(descriptor) } }

  public func read(_ range: Range<UInt64>) throws(SourceError) -> ByteView {
    let start = range.lowerBound
    let end = min(range.upperBound, UInt64(Int.max))
    guard start < end else { return .empty(at: start) }
    guard end - start < UInt64(Self.windowBytes) else { return try readDirectly(start, end) }

    let wanted = Int(start)..<Int(end)
    if let found = window.withLock({ $0.view.slice(fileRange: wanted) }) { return found.copy() }
    let fresh = try load(start, count: Self.windowBytes)
    window.withLock { $0.view = fresh }
    return fresh.prefix(wanted.count).copy()
  }

  /// Passes the bytes of a range to `body`, one piece after the other, in memory that is reused.
  ///
  /// - Returns: the number of bytes.
  @unsafe
  func readPieces(
    _ range: Range<UInt64>, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(SourceError) -> UInt64 {
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Int(min(range.length, Self.pieceBytes)), alignment: 4096)
    defer { unsafe memory.deallocate() }
    var position = range.lowerBound
    while position < range.upperBound {
      let wanted = Int(min(UInt64(memory.count), range.upperBound - position))
      let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[..<wanted])
      let count: Int
      do { count = try unsafe calls.fill(piece, from: descriptor, at: position) } catch {
        throw error.sourceError(offset: position, path: path)
      }
      unsafe body(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      position += UInt64(count)
      if count < wanted { break }
    }
    return position - range.lowerBound
  }

  private func readDirectly(_ start: UInt64, _ end: UInt64) throws(SourceError) -> ByteView {
    if end - start <= Self.pieceBytes { return try load(start, count: Int(end - start)) }
    // The file may have grown since it was opened; its current size limits how much memory to allocate.
    let now: UInt64
    do { now = try FileStatus(descriptor: descriptor).size } catch { throw failed(error, at: start) }
    guard start < now else { return .empty(at: start) }
    let count = min(end, now) - start
    guard count <= Self.maximumRead else {
      throw SourceError(
        .tooLong(limit: Self.maximumRead), offset: start, path: path, advice: "Read it in pieces.")
    }
    return try load(start, count: Int(count))
  }

  /// Whether the file has been written to since it was opened.
  package var hasChanged: Bool {
    guard let identity, let now = FileIdentity(descriptor: descriptor) else { return false }
    return !now.isUnchanged(since: identity)
  }

  private func load(_ start: UInt64, count: Int) throws(SourceError) -> ByteView {
    do {
      let offset = Int(clamping: start)
      let fill = { (buffer: UnsafeMutableRawBufferPointer) throws(SystemError) in
        try unsafe self.calls.fill(buffer, from: self.descriptor, at: start)
      }
      let view =
        count > pieces.blockBytes / 2
        ? try unsafe ByteView(of: pieces, capacity: count, fileOffset: offset, filledBy: fill)
        : try unsafe ByteView(capacity: count, fileOffset: offset, filledBy: fill)
      window.withLock {
        $0.calls += 1
        $0.bytes &+= UInt64(view.count)
      }
      return view
    } catch { throw failed(error, at: start) }
  }

  /// Remembers the first error, and returns the one to throw.
  private func failed(_ error: SystemError, at offset: UInt64) -> SourceError {
    let error = error.sourceError(offset: offset, path: path)
    window.withLock { $0.failure = $0.failure ?? error }
    return error
  }

  /// The first error of the system while bytes were read; `nil` without one.
  var firstFailure: SourceError? { window.withLock { $0.failure } }

  /// How many system calls were made, and how many bytes they returned: for benchmarks and tests.
  package var statistics: (calls: Int, bytes: UInt64) { window.withLock { ($0.calls, $0.bytes) } }
}
