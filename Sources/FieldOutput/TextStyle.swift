// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// How a ``TextSink`` highlights what it writes: with escape sequences on a terminal, not at all elsewhere.
public struct TextStyle: Sendable, Hashable {
  /// Written before the name of a field.
  public var name: String
  /// Written before the meaning of a value, and before remarks.
  public var meaning: String
  /// Written before anything that is not as it should be.
  public var problem: String
  /// Written after each of them.
  public var reset: String

  /// Makes a style from escape sequences.
  public init(name: String = "", meaning: String = "", problem: String = "", reset: String = "") {
    self.name = name
    self.meaning = meaning
    self.problem = problem
    self.reset = reset
  }

  /// Plain text.
  public static let plain = TextStyle()
  /// The colours of ANSI terminals.
  public static let colored = TextStyle(
    name: "\u{1B}[34m", meaning: "\u{1B}[2m", problem: "\u{1B}[31m", reset: "\u{1B}[0m")
}
