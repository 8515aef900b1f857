// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
import FileAccess

/// Why a movie was not edited. Nothing was written, unless the error says so.
public struct EditError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error. New kinds may be added: handle them with a `default`.
  public enum Kind: Hashable, Sendable {
    /// The movie cannot be read.
    case unreadable
    /// The edit is not possible with this movie or these values.
    case refused
    /// Pictures of a stream are damaged or missing.
    case damagedStream
    /// Movies cannot become one because a layer of them shows different eyes.
    case mixedEyes
    /// The output could not be written or verified.
    case failed
  }

  /// The kind of the error.
  public var kind: Kind
  /// The reason, in words.
  public var reason: String
  /// What to do about it, in one sentence; empty if there is no advice.
  public var advice: Advice

  package init(_ kind: Kind, _ reason: String, advice: Advice = "") {
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

  /// Makes an error of editing of any error. One of editing stays as it is; one of a source has the kind `source`, and any other,
  /// of boxes that cannot be read or written, the kind `other`.
  init(_ error: any Error, source: Kind, other: Kind = .refused) {
    self =
      switch error {
      case let error as EditError: error
      case let error as SourceError: EditError(source, error)
      default: EditError(other, "\(error)")
      }
  }

  static func refused(_ reason: String, advice: Advice = "") -> EditError {
    EditError(.refused, reason, advice: advice)
  }

  /// Whether the edit is not possible with this movie or these values, rather than something having failed.
  public var isRefusal: Bool { [.refused, .mixedEyes, .damagedStream].contains(kind) }

  /// The reason, followed by the advice.
  public var description: String { advice.isEmpty ? reason : reason + ". \(advice)" }
}

extension EditError {
  /// The refusal of a file without a movie.
  static let lacksMovie = EditError.refused("the file has no movie (moov)")
  /// The refusal of a movie without video.
  static let lacksVideo = EditError.refused("the movie has no video track")
}

/// Returns a value that is read, with errors that are errors of editing.
func reading<Value>(_ value: @autoclosure () throws(SourceError) -> Value) throws(EditError) -> Value {
  do { return try value() } catch { throw EditError(.unreadable, error) }
}

/// Returns a value whose boxes can be read and written, with other errors as refusals.
func refusing<Value>(_ value: @autoclosure () throws(ParseError) -> Value) throws(EditError) -> Value {
  do { return try value() } catch { throw .refused("\(error)") }
}
