// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Foundation
import TestSupport
import Testing

@testable import FileAccess

@Suite struct PipeBytesTests {
  /// A box of `count` bytes, its header included.
  static func box(_ type: String, _ count: Int, large: Bool = false) -> [UInt8] {
    var bytes: [UInt8] = []
    let size = large ? 1 : count
    for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: size >> shift)) }
    bytes += type.utf8
    if large {
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: count >> shift))
      }
    }
    return bytes + patternedBytes(count - bytes.count)
  }

  /// A pipe from which `bytes` come in pieces of `piece` bytes.
  static func pipe(
    _ bytes: [UInt8], keeping policy: PipeBytes.Policy, piece: Int = 1 << 16, limit: Int = 1 << 30
  ) -> PipeBytes {
    var ends: [Int32] = [0, 0]
    _ = unsafe Foundation.pipe(&ends)
    let (reader, writer) = (ends[0], ends[1])
    Thread {
      var position = 0
      while position < bytes.count {
        let count = unsafe bytes[position...].prefix(piece).withUnsafeBytes {
          unsafe write(writer, $0.baseAddress, $0.count)
        }
        if count <= 0 { break }
        position += count
      }
      close(writer)
    }.start()
    _ = signal(SIGPIPE, SIG_IGN)
    return PipeBytes(descriptor: reader, owned: true, keeping: policy, limit: limit)
  }

  static let movie =
    box("ftyp", 24) + box("free", 300_000) + box("mdat", 1_000_000, large: true) + box("moov", 200_000)
    + box("mdat", 400_000) + box("mfra", 50)

  @Test(arguments: [1_000, 4_096, 65_536])
  func describingBoxesAreKept(_ piece: Int) throws {
    let bytes = Self.movie
    let pipe = Self.pipe(bytes, keeping: .metadata, piece: piece)
    #expect(pipe.size == nil)
    let moov = UInt64(24 + 300_000 + 1_000_000)
    #expect(try pipe.read(at: moov, count: 200_000).array == Array(bytes[Int(moov)..<Int(moov) + 200_000]))
    #expect(try pipe.read(at: 0, count: 32).array == Array(bytes[..<32]))
    let end = try pipe.read(at: UInt64(bytes.count - 50), count: 1_000)
    #expect(end.array == Array(bytes.suffix(50)))
    #expect(end.fileOffset == bytes.count - 50)
    #expect(pipe.size == UInt64(bytes.count))
    // Once more, and across pieces.
    #expect(
      try pipe.read(at: moov + 5, count: 199_000).array == Array(bytes[Int(moov) + 5..<Int(moov) + 199_005]))
    #expect(pipe.keptBytes <= 24 + 200_000 + 50 + 4 * 16 + Int(TopLevelWalk.keptMediaBytes))
    #expect(try pipe.read(at: UInt64(bytes.count), count: 4).isEmpty)
  }

  /// Who reads a pipe forward needs no file for it, whatever it holds.
  @Test(arguments: [1_000, 4_096, 65_536])
  func whatIsReadForwardIsNotKept(_ piece: Int) throws {
    // Longer than the largest reads that are remembered, however much of the pipe each of them finds.
    let bytes = [0, 0, 0, 1, 0x40, 1] + patternedBytes(6_000_000)
    let pipe = Self.pipe(bytes, keeping: .recent, piece: piece)
    // The beginning is looked at, and read again.
    #expect(try pipe.read(at: 0, count: 512).array == Array(bytes[..<512]))
    var read: [UInt8] = []
    while true {
      let next = try pipe.read(at: UInt64(read.count), count: read.isEmpty ? 1 << 15 : 1 << 20)
      if next.isEmpty { break }
      read += next.array
    }
    #expect(read == bytes && pipe.size == UInt64(bytes.count) && pipe.keptBytes == 0)
    #expect(throws: SourceError.self) { try pipe.read(at: 0, count: 16) }
  }

  @Test func whatWasDroppedIsSaidToBe() throws {
    let bytes = Self.movie
    let pipe = Self.pipe(bytes, keeping: .metadata)
    _ = try pipe.read(at: UInt64(bytes.count), count: 1)
    let error = sourceError { _ = try pipe.read(at: 24 + 300_000 + 500_000, count: 10) }
    #expect(error?.code == .notKept)
    let dropped: UInt64 = 24 + 300_000 + 500_000
    #expect(error?.offset == dropped)
    #expect(error?.advice.isEmpty == false)
    // Windows may overlap in what came last.
    #expect(try pipe.read(at: UInt64(bytes.count - 60_000), count: 59_000).count == 59_000)
    // The headers of dropped boxes stay, and the beginning of the first one.
    #expect(try pipe.read(at: 24 + 300_000, count: 16).array == Array(bytes[300_024..<300_040]))
    #expect(try pipe.read(at: 24, count: 250_000).count == 250_000)
  }

  @Test func mediaDataCanBeReadInPassing() throws {
    let bytes = Self.movie
    let pipe = Self.pipe(bytes, keeping: .metadata)
    var position = 0
    while position < bytes.count {
      let view = try pipe.read(at: UInt64(position), count: 70_001)
      #expect(view.array == Array(bytes[position...].prefix(70_001)))
      position += view.count
    }
  }

  @Test func everythingIsKeptInAFile() throws {
    let bytes = Self.movie
    let pipe = Self.pipe(bytes, keeping: .everything)
    #expect(try pipe.read(at: 900_000, count: 300_000).array == Array(bytes[900_000..<1_200_000]))
    #expect(try pipe.read(at: 3, count: 900_000).array == Array(bytes[3..<900_003]))
    #expect(try pipe.read(0..<UInt64.max).array == bytes)
    #expect(pipe.size == UInt64(bytes.count))
    #expect(pipe.keptBytes == 0)
    #expect(try pipe.read(at: UInt64(bytes.count) + 10, count: 4).isEmpty)
  }

  @Test func anEmptyNameOfTheFolderForTemporaryFilesIsNone() {
    #expect(temporaryFolder { _ in "" } == "/tmp" && temporaryFolder { _ in nil } == "/tmp")
    #expect(temporaryFolder { $0 == "TMPDIR" ? "/here" : nil } == "/here")
  }

  @Test func whatIsNoMovieIsKeptWhole() throws {
    let stream: [UInt8] = [0, 0, 0, 1, 0x40, 1, 0x0C, 1] + patternedBytes(600_000)
    let pipe = Self.pipe(stream, keeping: .metadata)
    #expect(try pipe.read(at: 500_000, count: 100).count == 100)
    #expect(try pipe.read(0..<1_000_000).array == stream)
  }

  @Test(arguments: [0, 1, 7, 8, 9, 30, 1_000, 320_000])
  func aPipeThatBreaksGivesWhatCame(_ count: Int) throws {
    let bytes = Array(Self.movie.prefix(count))
    let pipe = Self.pipe(bytes, keeping: .metadata, piece: 3_000)
    #expect(try pipe.read(at: 0, count: count + 100).array == bytes)
    #expect(pipe.size == UInt64(count))
    #expect(try pipe.read(at: 0, count: min(count, 8)).array == Array(bytes.prefix(8)))
  }

  @Test func aPipeThatStallsIsWaitedFor() throws {
    var ends: [Int32] = [0, 0]
    _ = unsafe Foundation.pipe(&ends)
    let (reader, writer) = (ends[0], ends[1])
    // A descriptor that does not wait by itself says EAGAIN meanwhile.
    #expect(fcntl(reader, F_SETFL, O_NONBLOCK) == 0)
    let bytes = Self.box("moov", 40)
    Thread {
      for byte in bytes {
        usleep(1_000)
        _ = unsafe withUnsafeBytes(of: byte) { unsafe write(writer, $0.baseAddress, 1) }
      }
      close(writer)
    }.start()
    let pipe = PipeBytes(descriptor: reader, owned: true, keeping: .metadata)
    #expect(try pipe.read(at: 0, count: 40).array == bytes)
  }

  /// Neither the memory nor what can be read again depends on how the bytes came.
  @Test(arguments: [1, 3, 1_000, 40_000])
  func aPipeThatDripsCostsNoMore(_ piece: Int) throws {
    let media = 700_000
    let bytes = Self.box("ftyp", 24) + Self.box("moov", 200_000) + Self.box("mdat", media)
    let position = Locked(0)
    var calls = SystemCalls.standard
    unsafe calls.read = { _, buffer in
      position.withLock { position in
        let count = min(piece, buffer.count, bytes.count - position)
        unsafe buffer.copyBytes(from: bytes[position..<position + count])
        position += count
        return count
      }
    }
    let pipe = PipeBytes(
      descriptor: -1, name: "drip", owned: false, keeping: .metadata, limit: 1 << 20, calls: calls)
    #expect(try pipe.read(at: 100_000, count: 50_000).array == Array(bytes[100_000..<150_000]))
    #expect(try pipe.read(at: 0, count: 150_000).array == Array(bytes[..<150_000]))
    // What came last is there once more, kept or not.
    for end in stride(from: 210_000, through: bytes.count, by: 70_000) {
      _ = try pipe.read(at: UInt64(end), count: 1)
      let start = end - 60_000
      #expect(try pipe.read(at: UInt64(start), count: 60_000).array == Array(bytes[start..<end]))
    }
    #expect(try pipe.read(at: 3, count: 200_000).array == Array(bytes[3..<200_003]))
    #expect(pipe.keptBytes == 200_024 + 8 + Int(TopLevelWalk.keptMediaBytes))
    #expect(pipe.keptPieces < 2 * (pipe.keptBytes / PieceList.pieceBytes + 2))
  }

  @Test func interruptionsAreRetriedAndErrorsReported() throws {
    let turn = Locked(0)
    var calls = SystemCalls.standard
    unsafe calls.read = { _, buffer in
      switch turn.withLock({
        $0 += 1; return $0
      }) {
      case 2:
        unsafe buffer.copyBytes(from: Self.box("moov", 20))
        return 20
      case 4: return -Int(EIO)
      default: return -Int(EINTR)
      }
    }
    let pipe = PipeBytes(
      descriptor: -1, name: "broken", owned: false, keeping: .metadata, limit: 1_000, calls: calls)
    #expect(try pipe.read(at: 0, count: 20).count == 20)
    let error = sourceError { _ = try pipe.read(at: 20, count: 1) }
    #expect(error?.code == .system(number: EIO, name: "EIO"))
    #expect(error?.offset == 20)
    #expect(error?.path == "broken")
  }

  @Test func aBoxThatLiesAboutItsSizeDoesNotFillTheMemory() throws {
    var bytes = Self.box("moov", 500_000, large: true)
    bytes.replaceSubrange(8..<16, with: [0x7F] + [UInt8](repeating: 0xFF, count: 7))
    let pipe = Self.pipe(bytes, keeping: .metadata, limit: 100_000)
    guard case .tooLong(100_000)? = sourceError({ _ = try pipe.read(at: 200_000, count: 10) })?.code else {
      throw Failure("the limit is not kept")
    }
    for size in 2..<8 {
      var damaged = Self.movie
      damaged.replaceSubrange(24..<28, with: [0, 0, 0, UInt8(size)])
      let other = Self.pipe(damaged, keeping: .metadata)
      _ = try other.read(at: UInt64(damaged.count), count: 1)
      #expect(other.keptBytes <= 40 + Int(TopLevelWalk.keptMediaBytes))
    }
  }

  @Test func aRedirectedFileIsReadAsAFile() throws {
    let folder = try ScratchFolder()
    let bytes = Self.movie
    let path = try folder.file("a", bytes)
    let descriptor = unsafe open(path, O_RDONLY)
    defer { close(descriptor) }
    let source = try openDescriptor(descriptor, name: "-", keeping: .metadata, limits: .standard)
    #expect(source is FileBytes)
    #expect(try source.read(at: 800_000, count: 10).array == Array(bytes[800_000..<800_010]))
    let directory = unsafe open("/tmp", O_RDONLY)
    defer { close(directory) }
    #expect(
      sourceError { _ = try openDescriptor(directory, name: "-", keeping: .metadata, limits: .standard) }?
        .code
        == .notAFile(kind: "a folder"))
    guard
      case .system(_, "EBADF")? = sourceError({
        _ = try openDescriptor(-1, name: "-", keeping: .metadata, limits: .standard)
      })?.code
    else { throw Failure("a closed descriptor") }
  }
}
