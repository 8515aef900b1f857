// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import Foundation
import HEVCEncoding
import ISOBMFF
import MovieEditing
import MoviePictures
import Multiview
import MultiviewFoundation
import TestSupport
import Testing

/// What a program shows that catches `any Error` and prints `localizedDescription`.
@Suite struct ErrorTests {
  private static func words(_ work: () throws -> Void) -> String {
    do {
      try work()
      return "no error"
    } catch {
      return error.localizedDescription
    }
  }

  @Test func everyDoorSaysWhatAndWhere() throws {
    let readme = PackageFolder.root + "/README.md"
    #expect(
      Self.words { _ = try MovieFile(path: readme) }
        == "\(readme) is text, not an MP4 or QuickTime movie or an HEVC stream")
    #expect(
      Self.words { _ = try MovieFile(bytes: Array("hello, hello, hello".utf8)) }
        == "the data is text, not an MP4 or QuickTime movie or an HEVC stream")
    let missing = Self.words { _ = try MovieFile(path: "/nowhere/movie.mov") }
    #expect(missing.hasPrefix("/nowhere/movie.mov: ") && missing.hasSuffix("(ENOENT)"))
    let folder = Self.words { _ = try FileBytes(path: Fixtures.folder) }
    #expect(folder.contains(Fixtures.folder) && folder.contains("not a file"))
    #expect(Self.words { throw ExtractionError.notHEVC } == ExtractionError.notHEVC.description)
    let damaged: any Error = ParseError(.missing("hvcC"), offset: 17, path: "moov/trak")
    #expect(damaged.localizedDescription == "moov/trak at 17: hvcC is missing")
  }

  @Test func sentencesAreWhole() {
    #expect(
      PictureError.noSuchLayer(0, available: []).description == "there is no layer 0: no layer is known")
    #expect(
      PictureError.noSuchLayer(2, available: [0, 1]).description == "there is no layer 2; the layers are 0, 1"
    )
    #expect(
      ExtractionError.noSuchLayer(0, available: []).description
        == "the track has no layer 0; it has none that is known")
    let error = ParseError(.invalidSize(9, reason: "is too long"), offset: 4, field: "size")
    #expect(error.description == "at 4: size 9 is too long")
  }

  @Test func adviceIsTheRecoverySuggestion() throws {
    let error: any Error = SourceError(.notKept, offset: 9, path: "pipe", advice: "Read it as a file.")
    let localized = try #require(error as? any LocalizedError)
    #expect(localized.recoverySuggestion == "Read it as a file.")
    #expect(localized.errorDescription?.contains("Read it") == false)
    #expect(SourceError(.notKept).recoverySuggestion == nil)
    #expect(MovieError.unreadable(SourceError(.notKept)).failureReason == SourceError(.notKept).reason)
  }

  /// Errors of editing, samples and pictures speak through `localizedDescription`, too.
  @Test func errorsOfEditingAndPicturesAreSentences() throws {
    let refused = Self.words { _ = try MovieEditor(path: Fixtures.path("two-views.hevc")) }
    #expect(refused == "is a raw HEVC stream, which has no tags")
    let advice = (EditErrorOf.stream as? any LocalizedError)?.recoverySuggestion
    #expect(advice == "Tags are in boxes: make a movie of it first.")
    #expect(
      Self.words { throw SampleError.ofAnotherTrack } == SampleError.ofAnotherTrack.description)
    let encoding: any Error = EncodingError(.unsupported, picture: 3, "it is too small", advice: "Pad it.")
    #expect(encoding.localizedDescription == "picture 3: it is too small")
    #expect((encoding as? any LocalizedError)?.recoverySuggestion == "Pad it.")
    #expect(Self.words { throw PictureError.isProtected } == PictureError.isProtected.description)
    let unreadable: any Error = PictureError.unreadable(
      SourceError(.notKept, offset: 9, path: "p", advice: "Try."))
    #expect((unreadable as? any LocalizedError)?.recoverySuggestion == "Try.")
    #expect(!unreadable.localizedDescription.contains("Try."))
  }

  private enum EditErrorOf {
    static var stream: any Error {
      do {
        _ = try MovieEditor(path: Fixtures.path("two-views.hevc"))
        return CancellationError()
      } catch { return error }
    }
  }

  // MARK: URLs

  @Test func fileURLsAreUnderstood() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "ü 100% #1 \(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let copy = folder.appendingPathComponent("a movie?.mov")
    try Data(Fixtures.bytes("spatial.mov").array).write(to: copy)
    #expect(try MovieFile(url: copy).tracks.count == 1)
    // As text: what a program passes on that has a URL and finds an initialiser with a path.
    #expect(copy.absoluteString.hasPrefix("file://") && copy.absoluteString.contains("%25"))
    #expect(try MovieFile(path: copy.absoluteString).tracks.count == 1)
    #expect(try FileBytes(path: copy.absoluteString).path == copy.path)
    let local = "file://localhost" + copy.absoluteString.dropFirst("file://".count)
    #expect(try MovieFile(path: local).tracks.count == 1)
    #expect(try MovieFile(data: Data(contentsOf: copy)).tracks.count == 1)
  }

  @Test func otherURLsAreNamedAsSuch() throws {
    for text in [
      "https://example.org/a.mov", "file://server/a.mov", "file:///a%2", "file:///a%00b", "file://",
    ] {
      let words = Self.words { _ = try MovieFile(path: text) }
      #expect(words.hasPrefix(text + ": ") && words.contains("a URL"), "\(words)")
    }
    let server = try #require(URL(string: "https://example.org/a.mov"))
    #expect(Self.words { _ = try MovieFile(url: server) }.contains("a URL with the scheme 'https'"))
    // A path with a colon is a path.
    for text in ["a:b.mov", "C:/x.mov", "/tmp/x:y//z.mov"] {
      #expect(Self.words { _ = try MovieFile(path: text) }.contains("ENOENT"))
    }
  }
}

/// Dates as Foundation has them.
@Suite struct DateTests {
  @Test func movieHeadersHaveDates() throws {
    let movie = try MovieFile(path: Fixtures.path("metadata-keys.mov"))
    #expect(movie.creationDate.map(\.timeIntervalSince1970) == movie.creationSecondsSince1970)
    #expect(
      movie.metadata[.creationDate]?.dateValue
        == movie.metadata[.creationDate]?.secondsSince1970.map(Date.init(timeIntervalSince1970:)))
  }
}
