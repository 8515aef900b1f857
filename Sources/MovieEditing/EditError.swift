// swift-multiview · SPDX-License-Identifier: Apache-2.0

import FileAccess

/// Why a movie was not edited. Nothing was written, unless the error says so.
public struct EditError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of reason it is. New kinds may come: handle them with a `default`.
  public enum Kind: Hashable, Sendable {
    /// The movie cannot be read.
    case unreadable
    /// The movie does not allow what was asked.
    case refused
    /// The output could not be written.
    case failed
  }

  /// What kind of reason it is.
  public var kind: Kind
  /// What is the matter, in words.
  public var reason: String
  /// What can be done about it, in one sentence; empty where nothing can.
  public var advice: String

  package init(_ kind: Kind, _ reason: String, advice: String = "") {
    self.kind = kind
    self.reason = reason
    self.advice = advice
  }

  init(_ kind: Kind, _ error: SourceError) {
    var error = error
    advice = error.advice
    error.advice = ""
    self.kind = kind
    reason = "\(error)"
  }

  static func refused(_ reason: String, advice: String = "") -> EditError {
    EditError(.refused, reason, advice: advice)
  }

  /// The whole sentence.
  public var description: String { advice.isEmpty ? reason : reason + ". " + advice }
}

extension EditError {
  /// What is refused of a file without a movie.
  static let lacksMovie = EditError.refused("the file has no movie (moov)")
  /// What is refused of a movie without pictures.
  static let lacksVideo = EditError.refused("the movie has no video track")
}
