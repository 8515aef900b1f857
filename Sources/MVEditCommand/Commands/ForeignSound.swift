// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import Multiview

/// The FFmpeg command for the sound of files that are not read here.
enum ForeignSound {
  /// The name of a file as FFmpeg takes it: what precedes a colon would be a protocol.
  static func input(_ path: String) -> String {
    let name = ShellWord.path(path)
    return ShellWord.quoted(file: name.contains(":") ? "file:" + name : name)
  }

  /// The file for the sound, beside the other one.
  static func name(_ path: String) -> String { ShellWord.path(path) + ".m4a" }

  /// The command that makes the file for the sound.
  static func command(_ path: String) -> String {
    "ffmpeg -v error -i \(input(path)) -vn -c:a aac \(input(name(path)))"
  }
}

extension Invocation {
  /// Opens the movie whose sound is taken, if an option names one.
  func openSound(_ path: String?) throws(CommandFailure) -> MovieFile? {
    guard let path else { return nil }
    return try openMovie(
      path,
      orSay: { kind in
        kind.mayHaveForeignSound
          ? kind.whyUnusable + ". Make one of its sound: \(ForeignSound.command(path))" : nil
      })
  }
}
