// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Foundation

/// FFmpeg, if it is installed: a decoder that is independent of this project.
public struct VideoDecoder: Sendable {
  /// The program.
  public let path: String
  /// Whether the program decodes more than the base layer.
  public let decodesViews: Bool

  /// Finds the program that `MV_FFMPEG` names, or the one on the search path; `nil` if there is none.
  public static let installed: VideoDecoder? = {
    let environment = ProcessInfo.processInfo.environment
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    let candidates = [environment["MV_FFMPEG"]].compactMap { $0 } + folders.map { "\($0)/ffmpeg" }
    for path in candidates where FileManager.default.isExecutableFile(atPath: path) {
      let help = run(path, ["-hide_banner", "-h", "decoder=hevc"])
      return VideoDecoder(
        path: path, decodesViews: String(decoding: help ?? [], as: UTF8.self).contains("view_ids"))
    }
    print("skipped: no ffmpeg to decode with (MV_FFMPEG names one)")
    return nil
  }()

  /// Whether a decoder of both views is installed; if not, prints why tests are skipped.
  public static let canDecodeViews: Bool = {
    let can = installed?.decodesViews ?? false
    if !can {
      print("skipped: no ffmpeg that decodes several views, as 7.1 and later do (MV_FFMPEG names one)")
    }
    return can
  }()

  /// Returns the MD5 of each decoded picture of a view, in presentation order.
  public func pictures(of stream: String, view: Int) -> [String] {
    pictures(["-f", "hevc", "-i", stream], view)
  }

  /// Returns the MD5 of each decoded picture of a view of the first video track of a movie, in presentation order.
  public func pictures(ofMovie path: String, view: Int) -> [String] { pictures(["-i", path], view) }

  private func pictures(_ input: [String], _ view: Int) -> [String] {
    let map = view == 0 ? "0:v:0" : "0:v:0:vidx:\(view)"
    let output = run(
      path, ["-v", "quiet"] + input + ["-map", map, "-fps_mode", "passthrough", "-f", "framemd5", "-"])
    return Self.pictures(String(decoding: output ?? [], as: UTF8.self))
  }

  /// Returns the MD5s of a list that FFmpeg wrote.
  public static func pictures(_ list: String) -> [String] {
    list.split(separator: "\n").filter { !$0.hasPrefix("#") }
      .compactMap { $0.split(separator: ",").last?.trimmingCharacters(in: .whitespaces) }
  }
}
