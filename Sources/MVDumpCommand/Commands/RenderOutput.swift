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

  private enum Piece {
    case text(String)
    case eye
    /// A number with at least that many digits.
    case number(Int)
    /// The name of the movie, with or without its ending.
    case input(hasEnding: Bool)
  }

  let format: Format
  /// Whether it goes to standard output.
  let isStandardOutput: Bool
  private let pieces: [Piece]

  /// Whether the name has a place for the eye.
  var hasEye: Bool {
    pieces.contains { if case .eye = $0 { true } else { false } }
  }

  /// Whether the name has a place for the number of the picture.
  var hasNumber: Bool {
    pieces.contains { if case .number = $0 { true } else { false } }
  }

  /// Whether the name has a place for that of the movie.
  var hasInput: Bool {
    pieces.contains { if case .input = $0 { true } else { false } }
  }

  init(_ path: String) throws(UsageError) {
    isStandardOutput = path == "-"
    pieces = try Self.pieces(path)
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

  private static func pieces(_ path: String) throws(UsageError) -> [Piece] {
    var found: [Piece] = []
    var text = ""
    var rest = path[...]
    while let character = rest.popFirst() {
      guard character == "%" else {
        text.append(character)
        continue
      }
      var digits = ""
      while let next = rest.first, next.isASCII, next.isNumber {
        digits.append(next)
        rest.removeFirst()
      }
      let kind = rest.popFirst()
      switch kind {
      case "%" where digits.isEmpty: text.append("%")
      case "e" where digits.isEmpty, "n" where digits.isEmpty, "f" where digits.isEmpty,
        "d" where digits.utf8.count <= 2:
        found.append(.text(text))
        text = ""
        switch kind {
        case "e": found.append(.eye)
        case "d": found.append(.number(Int(digits) ?? 0))
        default: found.append(.input(hasEnding: kind == "f"))
        }
      default:
        throw UsageError(
          "'%\(digits)\(kind.map(String.init) ?? "")' in the name of the output "
            + "is not %e, %n, %f, %d or %03d; write %% for a %"
        )
      }
    }
    found.append(.text(text))
    return found
  }

  /// The name for an eye, a number and a movie.
  func path(eye: String, number: Int, input: String) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text): return text
      case .eye: return eye
      case .number(let width):
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
      case .input(let hasEnding): return Self.name(of: input, hasEnding: hasEnding)
      }
    }.joined()
  }

  /// The name of a movie without its folder.
  private static func name(of input: String, hasEnding: Bool) -> String {
    if input == "-" { return "standard-input" }
    let name = input.split(separator: "/").last.map(String.init) ?? input
    guard !hasEnding, let point = name.lastIndex(of: "."), point > name.startIndex else { return name }
    return String(name[..<point])
  }
}

/// The names of files that were written, so that two movies are not written to the same one.
final class RenderNames: Sendable {
  private let taken = Locked<Set<String>>([])

  /// Whether the name was not taken before.
  func claim(_ path: String) -> Bool { taken.withLock { $0.insert(path).inserted } }
}
