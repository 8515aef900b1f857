// swift-multiview · SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import ISOBMFF
import MovieEditing
import Multiview
import TestSupport
import Testing

/// Every way to write a movie can make it in another folder than that of the file. A folder that does not exist shows
/// that the option arrives.
@Suite struct MovieTemporaryFolderTests {
  private let folder: TemporaryFolder
  private let scratch: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    scratch = try TemporaryFolder()
  }

  private func check(_ write: (_ path: String, _ temporaryFolder: String) throws -> Void) throws {
    let path = folder.path + "/out"
    let error = #expect(throws: (any Error).self) { try write(path, scratch.path + "/missing") }
    #expect(error.map { "\($0)" }?.contains("folder for temporary files") == true)
    #expect(filesBelow(folder.path).isEmpty)
    try write(path, scratch.path)
    #expect(!filesBelow(folder.path).isEmpty && filesBelow(scratch.path).isEmpty)
    try FileManager.default.removeItem(atPath: path)
  }

  private func options(_ temporaryFolder: String) -> MovieWriteOptions {
    var options = MovieWriteOptions()
    options.temporaryFolder = temporaryFolder
    return options
  }

  @Test func editedAndConvertedMovies() throws {
    let movie = try MovieFile(path: Fixtures.path("spatial.mov"))
    try check { try MovieEditor(movie).write(to: $0, options: options($1)) }
    try check { try MovieStripper(movie).write(to: $0, options: options($1)) }
    try check { try MovieRepairer(movie).write(to: $0, options: options($1)) }
    try check { path, temporary in
      var packager = try MoviePackager([movie])
      packager.temporaryFolder = temporary
      try packager.write(to: path)
    }
    try check { path, temporary in
      try movie.tree?.write(toFile: path, temporaryFolder: temporary)
    }
  }

  @Test(arguments: [false, true]) func muxedMovies(movieFirst: Bool) throws {
    try check { path, temporary in
      var options = MuxOptions()
      options.frameRate = FrameRate(30)
      options.putsMovieFirst = movieFirst
      options.temporaryFolder = temporary
      try StreamMuxer(path: Fixtures.path("two-views.hevc"), options: options).write(to: path)
    }
  }
}
