// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import MovieCases
import Multiview
import TestSupport
import Testing

/// Movies in stores that are waited for.
@Suite struct AsyncMovieTests {
  /// A store that answers later, as a server does: every answer needs a thread of the pool on which tasks run.
  actor Store {
    let bytes: ByteView
    private(set) var requests = 0
    private(set) var sent = 0
    private var failing = false

    init(_ bytes: ByteView) { self.bytes = bytes }

    func fail() { failing = true }

    func answer(_ range: Range<UInt64>) async throws(SourceError) -> ByteView {
      requests += 1
      for _ in 0..<3 { await Task.yield() }
      if Task.isCancelled { throw SourceError(.other("given up")) }
      if failing { throw SourceError(.other("the store is closed"), offset: range.lowerBound, path: "store") }
      let end = min(Int(clamping: range.upperBound), bytes.count)
      let start = min(Int(clamping: range.lowerBound), end)
      sent += end - start
      return ByteView(bytes.slice(start..<end)?.array ?? [], fileOffset: start)
    }
  }

  struct Source: AsyncByteSource {
    let store: Store
    let size: UInt64?
    var name: String? { "store" }

    init(_ bytes: ByteView, knowsSize: Bool = true) {
      store = Store(bytes)
      size = knowsSize ? UInt64(bytes.count) : nil
    }

    func read(_ range: Range<UInt64>) async throws(SourceError) -> ByteView { try await store.answer(range) }
  }

  /// What is asked of a movie, here and there.
  static func answers(_ movie: MovieFile) throws -> [String] {
    var lines = ["\(movie.classification)", "\(movie.allDiagnostics)", "\(movie.check().findings)"]
    for track in movie.tracks {
      lines.append("\(track) \(track.layers) \(track.eyeAssignment)")
      guard track.isHEVC else { continue }
      try track.forEachAccessUnit { places, _ in
        lines.append("\(places.units)")
        return true
      }
    }
    return lines
  }

  @Test(arguments: Fixtures.media, [true, false])
  func answersAreThoseOfTheFile(name: String, knowsSize: Bool) async throws {
    let source = Source(Fixtures.bytes(name), knowsSize: knowsSize)
    let movie = try await AsyncMovie(source)
    let answers = try await movie.read { try Self.answers($0) }
    #expect(answers == (try Self.answers(MovieFile(bytes: Fixtures.bytes(name).array))))
    // No byte twice.
    #expect(movie.statistics.bytes <= UInt64(Fixtures.bytes(name).count))
    let requests = await source.store.requests
    _ = try await movie.read { try Self.answers($0) }
    #expect(await source.store.requests == requests)
    let sent = await source.store.sent
    #expect(movie.statistics.requests == requests && movie.statistics.bytes == UInt64(sent))
  }

  /// With a source that waits by itself, two movies are enough to stop a pool of two threads.
  @Test(.timeLimit(.minutes(3)))
  func twoHundredMoviesAtOnce() async throws {
    let names = Fixtures.media.filter { !$0.hasSuffix(".m4s") }
    let expected = try names.map { "\(try MovieFile(bytes: Fixtures.bytes($0).array).classification)" }
    let found = try await withThrowingTaskGroup(of: (Int, String).self) { group in
      for index in 0..<200 {
        group.addTask {
          let movie = try await AsyncMovie(Source(Fixtures.bytes(names[index % names.count])))
          return (index, try await movie.read { "\($0.classification)" })
        }
      }
      var found: [Int: String] = [:]
      for try await (index, text) in group { found[index] = text }
      return found
    }
    #expect(found.count == 200)
    for (index, text) in found { #expect(text == expected[index % expected.count]) }
  }

  @Test func oneMovieIsReadByManyTasks() async throws {
    let source = Source(Fixtures.bytes("two-views-fragmented.mp4"))
    let movie = try await AsyncMovie(source)
    let answers = try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<16 { group.addTask { try await movie.read { try Self.answers($0) } } }
      return try await group.reduce(into: Set<[String]>()) { $0.insert($1) }
    }
    #expect(answers.count == 1)
    let sent = await source.store.sent
    #expect(sent <= Fixtures.bytes("two-views-fragmented.mp4").count)
  }

  // MARK: What goes wrong

  @Test func errorsComeThrough() async throws {
    await #expect(throws: MovieError.self) {
      try await AsyncMovie(Source(ByteView(Array("just some text".utf8))))
    }
    do {
      _ = try await AsyncMovie(Source(ByteView(Array("just some text".utf8))))
    } catch {
      #expect("\(error)".hasPrefix("store is text"))
    }
    let closed = Source(Fixtures.bytes("spatial.mov"))
    await closed.store.fail()
    await #expect(
      throws: MovieError.unreadable(SourceError(.other("the store is closed"), offset: 0, path: "store"))
    ) {
      try await AsyncMovie(closed)
    }
    struct Own: Error {}
    let movie = try await AsyncMovie(Source(Fixtures.bytes("spatial.mov")))
    await #expect(throws: Own.self) { try await movie.read { _ in throw Own() } }
  }

  /// A movie that was taken out of the closure answers from what was read, and waits for nothing.
  @Test func nothingWaitsOutside() async throws {
    let media = [UInt8](repeating: 7, count: 300_000)
    let bytes = Fixtures.bytes("spatial.mov").array + u32(UInt32(media.count + 8)) + code("free") + media
    let source = Source(ByteView(bytes))
    let movie = try await AsyncMovie(source)
    let taken = try await movie.read { $0 }
    #expect(taken.tracks.count == 1 && taken.classification == .spatial)
    let requests = await source.store.requests
    #expect(throws: SourceError.self) { try taken.source.read(280_000..<290_000) }
    #expect(await source.store.requests == requests)
  }

  /// A store that never answers, unless the task is cancelled.
  struct Silent: AsyncByteSource {
    var size: UInt64? { 1_000 }

    func read(_ range: Range<UInt64>) async throws(SourceError) -> ByteView {
      do { try await Task.sleep(for: .seconds(3_600)) } catch { throw SourceError(.other("given up")) }
      return ByteView()
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func cancellingEndsTheWait() async throws {
    let opening = Task { try await AsyncMovie(Silent()) }
    try await Task.sleep(for: .milliseconds(20))
    opening.cancel()
    await #expect(throws: (any Error).self) { try await opening.value }
    let movie = try await AsyncMovie(Source(Fixtures.bytes("spatial.mov")))
    let asking = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await movie.read { $0.tracks.count }
    }
    asking.cancel()
    await #expect(throws: CancellationError.self) { try await asking.value }
  }

  // MARK: Requests and bytes

  /// What a program asks that lists movies on a server.
  @Test(.enabled(if: Corpus.isPresent))
  func aCameraClipTakesFewRequests() async throws {
    let bytes = Corpus.bytes("apple/iphone15promax.mov")
    let source = Source(bytes, knowsSize: false)
    let movie = try await AsyncMovie(source)
    let card = try await movie.read {
      ("\($0.classification)", $0.mainVideoTrack?.codecString, $0.playlistAttributes)
    }
    #expect(
      card.0 == "spatial" && card.1?.hasPrefix("hvc1.1.") == true
        && card.2?.requiredVideoLayout == "CH-STEREO")
    #expect(movie.statistics.requests <= 4 && movie.statistics.bytes <= UInt64(bytes.count))
    let report = try await movie.read { $0.check() }
    #expect(report == (try MovieFile(bytes: bytes.array).check()))
    #expect(movie.statistics.requests <= 4 && movie.statistics.bytes <= UInt64(bytes.count))
  }
}
