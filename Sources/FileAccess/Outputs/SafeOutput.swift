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

/// A file that is written from its start, and appears complete or not at all.
///
/// Until it is finished, bytes go to a temporary file in the same folder whose name ends in `.part` (see
/// `Options.temporaryFolder`). Finishing
/// flushes it, reads it again and compares, gives it its name, and flushes the folder (see `Options.isFlushed`).
/// If any of that fails, or the output is cancelled, the temporary file is removed and whatever had the name
/// before is untouched.
///
/// Something that exists and is not a regular file (a device, a pipe) is written to directly, and so is the target
/// of a path like `/dev/stdout`. If the path is a symbolic link, the file that it leads to is written, and the
/// link stays.
package final class SafeOutput: ByteOutput {
  /// How an output is written.
  package struct Options: Sendable {
    /// Whether a file that already has the name is replaced.
    package var isOverwriting = false
    /// Whether the file and its folder are flushed, so that after a loss of power either the whole file or none
    /// exists. For one of many files that can be produced again, that takes longer than it is worth.
    package var isFlushed = true
    /// The file whose dates and permissions the output gets; `nil` for those of any new file.
    package var datesAndPermissions: FileIdentity?
    /// The folder of the temporary file, on the same disk as the output; `nil` for the folder of the output.
    ///
    /// A program in a sandbox may write a file that was chosen in a panel, but nothing beside it.
    package var temporaryFolder: String?

    package init() {}
  }

  /// How many bytes are collected before they are written, in pieces that begin at a multiple of this.
  ///
  /// Few enough to stay in the caches of a processor. Linux takes memory for a file in blocks as large as what is written at a time,
  /// and virtual machines have large ones seldom at hand: there pieces of 1 MiB were written at a fourth of the speed of these.
  static let pieceBytes = 1 << 16
  /// From how many bytes on a thread of its own writes them.
  private static let backgroundBytes: UInt64 = 8 << 20
  /// After how many bytes ``progress`` is told: often enough for a person who waits.
  private static let reportBytes: UInt64 = 4 << 20
  /// Shorter ranges are copied through memory: a call for each would take longer than the bytes do.
  static let smallestKernelCopy = 1 << 16

  private let target: OutputPlace
  private let sources: [any ByteSource]
  private let inputs: [FileBytes]
  private let options: Options
  private let system: any OutputSystem
  private let pending = ByteCollector(BytePool(blockBytes: SafeOutput.pieceBytes))
  private var written = WrittenPieces()
  /// Writes what comes, once there is much of it.
  private var writer: BackgroundWriter?
  private var isDone = false
  /// How many bytes have been written so far.
  package private(set) var position: UInt64 = 0
  /// Called now and then while bytes are written, and before they are read again.
  package var progress: ((WritingProgress) -> Void)?
  /// How many bytes there will be, for ``progress``; `nil` if not known.
  package var expectedSize: UInt64?
  private var reportedPosition: UInt64 = 0

  /// Begins a file at `path`.
  ///
  /// - Parameters:
  ///   - inputs: the sources of the output. It must not be one of them, and they must not change in the meantime.
  ///   - system: the system calls; tests replace them.
  package init(
    path: String, inputs: [any ByteSource] = [], options: Options = Options(),
    system: (any OutputSystem)? = nil
  ) throws(SourceError) {
    let system = system ?? RealOutputSystem(startsWriting: options.isFlushed)
    sources = inputs
    self.inputs = inputs.flatMap { $0.files }
    self.options = options
    self.system = system
    try FileIdentity(path: path)?.checkIsNone(of: inputs, path: path)
    target = try OutputPlace(
      path: path, overwriting: options.isOverwriting, temporaryFolder: options.temporaryFolder,
      system: system)
  }

  /// Writes to standard output, or to another open descriptor, which stays open.
  package init(descriptor: Int32, name: String, inputs: [any ByteSource] = []) throws(SourceError) {
    try FileIdentity(descriptor: descriptor)?.checkIsNone(of: inputs, path: name)
    sources = inputs
    self.inputs = inputs.flatMap { $0.files }
    options = Options()
    system = RealOutputSystem()
    target = OutputPlace(descriptor: descriptor, name: name)
  }

  deinit { cancel() }

  /// Appends bytes.
  package func write(_ bytes: [UInt8]) throws(SourceError) { try write(ByteView(bytes)) }

  /// Appends bytes.
  package func write(_ bytes: ByteView) throws(SourceError) {
    var rest = bytes
    while !rest.isEmpty {
      let start = Int(position % UInt64(Self.pieceBytes))
      let taken = pending.append(rest.prefix(Self.pieceBytes - start))
      position &+= UInt64(taken)
      rest = rest.suffix(from: taken)
      if start + taken == Self.pieceBytes || taken == 0 { try writePending() }
    }
  }

  /// Whether the reader of a pipe that is written to has gone, which is not a failure of the pipe.
  package var isReaderGone: Bool { target.stream.map { $0.isClosed && $0.failure == nil } ?? false }

  /// Whether ``replacePiece(at:with:)`` is possible.
  package var canReplace: Bool { target.isRegularFile }

  /// Appends bytes that ``replacePiece(at:with:)`` may replace later, because they are not known yet.
  package func writePiece(_ bytes: ByteView) throws(SourceError) {
    try writePending()
    try store(bytes, isFixed: true)
  }

  /// Replaces bytes that ``writePiece(_:)`` wrote by the same number of others. Throws for a pipe or a device,
  /// which cannot go back.
  package func replacePiece(at offset: UInt64, with bytes: ByteView) throws(SourceError) {
    try writePending()
    guard !isDone, target.isRegularFile else {
      throw SourceError(
        .other("cannot be written at an earlier position"), offset: offset, path: target.path,
        advice: "Write to a file.")
    }
    guard written.replace(bytes, at: offset) else {
      throw SourceError(.other("has no such piece to replace"), offset: offset, path: target.path)
    }
    try finishWriting()
    do { try system.store(bytes, to: target.descriptor, at: offset) } catch { throw failure(error) }
  }

  /// Reads what has been written so far; keep the output for as long as you use the reader.
  package func reader() throws(SourceError) -> FileBytes {
    try writeAll()
    return try FileBytes(descriptor: target.descriptor, path: target.path, owned: false)
  }

  /// Appends a range of a source: between files it is copied in the kernel, sharing blocks if the file system can;
  /// otherwise it is copied in pieces. Long holes of a source file, and long runs of zeros that are no file, become holes of the output.
  package func copy(_ range: Range<UInt64>, of source: any ByteSource) throws(SourceError) {
    if let zeros = source as? ZeroBytes, target.isRegularFile, range.length >= Self.smallestKernelCopy,
      range.upperBound <= zeros.count
    {
      return try leaveHole(range, of: nil)
    }
    guard let file = source as? FileBytes, target.isRegularFile, range.length >= Self.smallestKernelCopy,
      file.isSparse
    else { return try copyData(range, of: source) }
    var rest = range
    while !rest.isEmpty {
      let data = file.data(in: rest, holesFrom: Self.smallestKernelCopy)
      if data.lowerBound > rest.lowerBound { try leaveHole(rest.lowerBound..<data.lowerBound, of: file) }
      try copyData(data, of: file)
      rest = data.upperBound..<rest.upperBound
    }
  }

  /// Makes the file longer without writing to it: the added bytes read as zeros, as they do in the source; `nil` is zeros only.
  private func leaveHole(_ range: Range<UInt64>, of file: FileBytes?) throws(SourceError) {
    try writeAll()
    let end = position &+ range.length
    do { try system.resize(target.descriptor, to: end) } catch { throw failure(error) }
    written.add(range, of: file, at: position)
    position = end
    reportProgress()
  }

  private func copyData(_ range: Range<UInt64>, of source: any ByteSource) throws(SourceError) {
    var rest = range
    let isLong = target.isRegularFile && range.length >= Self.smallestKernelCopy
    let file = isLong ? source as? FileBytes : nil
    if let file {
      try writeAll()
      while !rest.isEmpty, let count = try copyInKernel(rest, of: file) {
        rest = (rest.lowerBound + count)..<rest.upperBound
      }
    }
    while !rest.isEmpty {
      // Of a long range of a file, as much as is written at a time, which then is not copied once more.
      let piece =
        file != nil && pending.count == 0 ? Self.pieceBytes - Int(position % UInt64(Self.pieceBytes)) : nil
      let end = min(rest.upperBound, rest.lowerBound + UInt64(piece ?? 1 << 20))
      let bytes = try source.read(rest.lowerBound..<end)
      guard !bytes.isEmpty else {
        throw abandoned(
          SourceError(
            .other("has become shorter"), offset: rest.lowerBound, path: (source as? FileBytes)?.path,
            advice: "Try again when no other program writes to it."))
      }
      if bytes.count == piece { try store(bytes) } else { try write(bytes) }
      rest = (rest.lowerBound + UInt64(bytes.count))..<rest.upperBound
    }
  }

  private func copyInKernel(_ range: Range<UInt64>, of file: FileBytes) throws(SourceError) -> UInt64? {
    do {
      guard let count = try system.copy(range, of: file.descriptor, to: target.descriptor, at: position),
        count > 0
      else { return nil }
      written.add(range.lowerBound..<(range.lowerBound + UInt64(count)), of: file, at: position)
      position &+= UInt64(count)
      reportProgress()
      return UInt64(count)
    } catch { throw failure(error) }
  }

  private func writePending() throws(SourceError) {
    guard pending.count > 0 else { return }
    position &-= UInt64(pending.count)
    try store(pending.takeView())
  }

  /// Returns when everything that was handed on is in the file.
  private func finishWriting() throws(SourceError) {
    do { try writer?.finishWriting() } catch { throw failure(error) }
  }

  /// Returns when everything so far is in the file. What is pending is written on this thread, which would only wait
  /// for another one.
  private func writeAll() throws(SourceError) {
    try finishWriting()
    guard pending.count > 0 else { return }
    position &-= UInt64(pending.count)
    try store(pending.takeView(), waits: true)
  }

  /// Writes bytes, or hands them to the thread that writes, unless the caller waits until they are in the file.
  private func store(_ bytes: ByteView, isFixed: Bool = false, waits: Bool = false) throws(SourceError) {
    guard !isDone else { throw SourceError(.other("is closed"), path: target.path) }
    if let stream = target.stream {
      stream.write(bytes)
      if stream.isClosed {
        throw abandoned(SourceError(.other(stream.failure ?? "the reader has closed it"), path: target.path))
      }
    } else {
      do throws(SystemError) {
        if writer == nil, !waits, position >= Self.backgroundBytes {
          writer = BackgroundWriter(target.descriptor, system)
        }
        if let writer, !waits {
          try writer.store(bytes, at: position)
        } else {
          try system.store(bytes, to: target.descriptor, at: position)
        }
      } catch { throw failure(error) }
      written.add(bytes, at: position, isFixed: isFixed)
    }
    position &+= UInt64(bytes.count)
    reportProgress()
  }

  private func reportProgress(isVerifying: Bool = false) {
    guard let progress, isVerifying || position &- reportedPosition >= Self.reportBytes else { return }
    reportedPosition = position
    progress(
      WritingProgress(bytesWritten: position, expectedSize: expectedSize, isVerifying: isVerifying))
  }

  /// Completes the file. Throws if something could not be written, or differs from what was written; then nothing
  /// is left.
  ///
  /// - Parameter verify: checks the bytes as they are on the disk, before the file gets its name. Not called for a
  ///   pipe or a device.
  package func finish(
    verifying verify: (any ByteSource) throws(SourceError) -> Void = { _ in }
  ) throws(SourceError) {
    try writeAll()
    writer?.end()
    writer = nil
    guard let temporary = target.temporaryPath else {
      try checkInputs()
      isDone = true
      if target.ownsDescriptor {
        do { try system.close(target.descriptor) } catch { throw error.outputError(path: target.path) }
      }
      return
    }
    do { try options.datesAndPermissions?.copyDatesAndPermissions(to: target.descriptor) } catch {
      throw failure(error)
    }
    let flush = options.isFlushed ? BackgroundFlush(target.descriptor, system) : nil
    let outcome = Result { () throws(SourceError) in try compare(verify) }
    do { try flush?.wait() } catch { throw failure(error) }
    do throws(SourceError) { try outcome.get() } catch { throw abandoned(error) }
    isDone = true
    defer { TemporaryFiles.forget(target.slot) }
    do throws(SourceError) {
      do { try system.close(target.descriptor) } catch { throw error.outputError(path: target.path) }
      try target.move(temporary, system)
    } catch {
      do { try system.remove(temporary) } catch {}
      throw error
    }
    guard options.isFlushed else { return }
    do { try system.flushFolder(target.folder) } catch { throw error.outputError(path: target.path) }
  }

  /// Reads again what was written.
  private func compare(_ verify: (any ByteSource) throws(SourceError) -> Void) throws(SourceError) {
    reportProgress(isVerifying: true)
    let file = try FileBytes(descriptor: target.descriptor, path: target.path, owned: false)
    let place = file.size == position ? try written.firstDifference(in: file) : min(file.size ?? 0, position)
    if let place {
      throw SourceError(
        .other("has different bytes than were written"), offset: place, path: target.path,
        advice: "The disk or its connection may be faulty: write to another disk.")
    }
    try verify(file)
    try checkInputs()
  }

  /// Gives the output up: removes what was written. Does nothing after ``finish(verifying:)``.
  package func cancel() {
    guard !isDone else { return }
    isDone = true
    _ = pending.takeView()
    writer?.end()
    writer = nil
    if target.ownsDescriptor { do { try system.close(target.descriptor) } catch {} }
    if let temporary = target.temporaryPath { do { try system.remove(temporary) } catch {} }
    TemporaryFiles.forget(target.slot)
  }

  /// If an input was changed in the meantime, the output would mix old and new parts; if parts of it could not be read, they may be
  /// missing.
  private func checkInputs() throws(SourceError) {
    if let failure = sources.lazy.compactMap({ $0.readFailure }).first { throw failure }
    if let changed = inputs.first(where: \.hasChanged) {
      throw SourceError(
        .other("was changed while it was read"), path: changed.path,
        advice: "Try again when no other program writes to it.")
    }
  }

  private func failure(_ error: SystemError) -> SourceError {
    abandoned(error.outputError(path: target.path))
  }

  /// Removes what was written, and returns the error to throw.
  private func abandoned(_ error: SourceError) -> SourceError {
    cancel()
    var error = error
    if error.path == target.path, target.temporaryPath != nil, error.advice.isEmpty {
      error.advice = "Nothing was left behind."
    }
    return error
  }
}

extension ByteSource {
  /// The files on disk that the bytes come from.
  package var files: [FileBytes] {
    if let file = self as? FileBytes { return [file] }
    return (self as? ConcatenatedBytes)?.parts.flatMap { $0.files } ?? []
  }

  /// The first error of the system while bytes of files or pipes were read; `nil` if there was none. What was made of the bytes may lack
  /// some, although nothing was thrown.
  package var readFailure: SourceError? {
    if let file = self as? FileBytes { return file.firstFailure }
    if let pipe = self as? PipeBytes { return pipe.firstFailure }
    return (self as? ConcatenatedBytes)?.parts.lazy.compactMap { $0.readFailure }.first
  }
}

extension FileIdentity {
  /// Throws if an output, which this is, is one of the inputs.
  package func checkIsNone(of inputs: [any ByteSource], path: String) throws(SourceError) {
    let same = inputs.flatMap { $0.files }.first { $0.identity.map(isSameFile) == true }
    guard let same else { return }
    throw SourceError(
      .other("is the same file as the input \(same.path)"), path: path, advice: "Name another file.")
  }
}

extension SystemError {
  /// The error reported for an output: advice for reading would not help with writing.
  func outputError(path: String) -> SourceError {
    var error = sourceError(path: path)
    switch number {
    case ENOENT:
      error = SourceError(.other("the folder does not exist"), path: path, advice: "Create it first.")
    case EACCES, EPERM, EROFS: error.advice = "Name a file in a folder where you may write."
    case ENOSPC, EDQUOT:
      error.advice = "Free some space, or name a file on another disk. Nothing was left behind."
    case EIO: error.advice = "Name a file on another disk. Nothing was left behind."
    default: break
    }
    return error
  }
}
