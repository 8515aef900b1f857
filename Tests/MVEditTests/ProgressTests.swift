// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import FileAccess
import MovieEditing
import Multiview
import TestSupport
import Testing

@testable import MVEditCommand
@testable import MovieEncoding

/// What a person who waits reads, and what a program is told.
@Suite struct ProgressTests {
  @Test func wordsOnWriting() {
    var progress = WritingProgress(bytesWritten: 1_234_000_000)
    #expect(WritingMeter.text(progress) == "1.2 GB written")
    progress.expectedSize = 2_800_000_000
    #expect(WritingMeter.text(progress) == "44 %, 1.2 GB of 2.8 GB")
    // All of it is not there before it was read again.
    progress.bytesWritten = 2_800_000_000
    #expect(WritingMeter.text(progress) == "99 %, 2.8 GB of 2.8 GB")
    progress.isVerifying = true
    #expect(WritingMeter.text(progress) == "2.8 GB written, now reading the file to check it")
  }

  @Test func wordsOnEncoding() {
    var progress = EncodingProgress()
    progress.layerBytes = [900_000, 300_000]
    progress.pictures = 90
    #expect(EncodingMeter.text(progress, 20) == "90 pictures, 4.5 pictures a second, 1.2 MB")
    progress.expectedPictures = 360
    #expect(
      EncodingMeter.text(progress, 20)
        == "90 of 360 pictures, 4.5 pictures a second, 1.2 MB, 60 s left")
    progress.expectedPictures = 90
    #expect(EncodingMeter.text(progress, 20) == "90 of 90 pictures, 4.5 pictures a second, 1.2 MB")
  }

  @Test(arguments: [(0.2, "1 s"), (88.5, "89 s"), (90, "2 min"), (3_000, "50 min"), (7_201, "2 h 1 min")])
  func times(seconds: Double, text: String) { #expect(EncodingMeter.time(seconds) == text) }

  /// Every way to write a movie tells the end of it, with the size that it has.
  @Test func everyWriterTells() throws {
    let folder = try TemporaryFolder()
    let movie = try MovieFile(path: Fixtures.path("spatial.mov"))
    var told: [WritingProgress] = []
    func last() -> UInt64? {
      defer { told = [] }
      return told.last.flatMap { $0.isVerifying ? $0.bytesWritten : nil }
    }
    let editor = try MovieEditor(movie)
    #expect(try editor.write(to: folder.path + "/1.mov") { told.append($0) }.size == last())
    let stripped = try MovieStripper(movie).write(to: folder.path + "/2.mov") { told.append($0) }
    #expect(stripped.written != nil && stripped.written?.size == last())
    let repaired = try MovieRepairer(movie).write(to: folder.path + "/3.mov") { told.append($0) }
    #expect(repaired.written != nil && repaired.written?.size == last())
    var options = MuxOptions()
    options.frameRate = FrameRate(30, 1)
    let stream = try StreamMuxer(path: Fixtures.path("two-views.hevc"), options: options)
    let muxed = try stream.write(to: folder.path + "/4.mov") { told.append($0) }
    #expect(muxed.written != nil && muxed.written?.size == last())
  }
}
