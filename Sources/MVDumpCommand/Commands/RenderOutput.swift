// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport

/// The names of the files that are written, and what is in them.
struct RenderOutput {
  enum Format {
    case png, y4m, planes

    var name: String {
      switch self {
      case .png: "PNG"
      case .y4m: "Y4M"
      case .planes: "raw planes"
      }
    }
  }

  let format: Format
  /// Whether it goes to standard output.
  let isStandardOutput: Bool
  let pattern: NamePattern

  init(_ path: String) throws(UsageError) {
    isStandardOutput = path == "-"
    pattern = try NamePattern(path, places: ["e", "n", "f", "d"])
    let ending = path.lastIndex(of: ".").map { path[path.index(after: $0)...].lowercased() }
    switch ending {
    case _ where isStandardOutput: format = .y4m
    case "png": format = .png
    case "y4m": format = .y4m
    case "yuv": format = .planes
    default:
      throw UsageError("the name of the output selects the format: it must end in .png, .y4m or .yuv")
    }
  }
}

/// The names of files that were written, so that two movies are not written to the same one.
final class RenderNames: Sendable {
  private let taken = Locked<Set<String>>([])

  /// Whether the name was not taken before.
  func claim(_ path: String) -> Bool { taken.withLock { $0.insert(path).inserted } }
}
