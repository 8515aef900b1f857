// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// How the pictures of the eyes are arranged in a source.
public enum SourceLayout: String, Hashable, Sendable, CaseIterable {
  /// Each picture has the left eye in its left half, the right eye in its right half.
  case sideBySide = "side-by-side"
  /// Each picture has the left eye in its upper half, the right eye in its lower half.
  case overUnder = "over-under"
  /// Each eye has a source of its own.
  case separate
  /// There is one eye.
  case mono

  /// How many eyes there are.
  public var eyes: Int { self == .mono ? 1 : 2 }

  /// The arrangement in words.
  var words: String {
    switch self {
    case .sideBySide: "side by side"
    case .overUnder: "one above the other"
    case .separate: "in separate sources"
    case .mono: "one"
    }
  }
}
