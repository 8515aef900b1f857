// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
import FileAccess

/// Why a movie was not edited. Nothing was written, unless the error says so.
public struct EditError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error. New kinds may be added: handle them with a `default`.
  public enum Kind: Hashable, Sendable {
    /// The movie cannot be read.
    case unreadable
    /// The file can be read, but is not a movie that can be edited: it is a stream or an image, or has no movie box.
    case notAMovie
    /// The movie has no track with the requested ID, or of the kind that the edit needs.
    case missingTrack
    /// The samples are encrypted.
    case encrypted
    /// The samples are in another file.
    case externalMedia
    /// Boxes, samples or units that the edit depends on are damaged, missing or contradictory.
    case damaged
    /// Pictures of a stream are damaged or missing. ``MuxOptions/allowsLostPictures`` makes a movie without them.
    case damagedStream
    /// The new movie would exceed what the file format can express, or a limit of this library.
    case exceedsLimit
    /// A requested time, duration or number is outside the movie.
    case outOfRange
    /// The edit would change nothing, or leave nothing.
    case nothingToDo
    /// Tags would contradict each other or the bitstream. ``MovieEditor/allowsContradictions`` writes them anyway.
    case contradiction
    /// The movie cannot be changed in place: a new file can be written instead.
    case notInPlace
    /// Movies cannot become one because a layer of them shows different eyes.
    case mixedEyes
    /// The edit is not possible with this movie or these values, for another reason.
    case refused
    /// The output could not be written or verified.
    case failed
  }

  /// The kind of the error.
  public var kind: Kind
  /// The reason, in words.
  public var reason: String
  /// What to do about it, in one sentence; empty if there is no advice.
  public var advice: Advice
  /// The structure that could not be read or written, with its place and a code; `nil` if the reason is another one.
  public internal(set) var parseError: ParseError?

  package init(_ kind: Kind, _ reason: String, advice: Advice = "", parseError: ParseError? = nil) {
    self.kind = kind
    self.reason = reason
    self.advice = advice
    self.parseError = parseError
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
      default: EditError(other, because: error)
      }
  }

  /// An error that another one caused.
  ///
  /// - Parameter subject: what the other error is about, which precedes it.
  init(_ kind: Kind, because error: any Error, of subject: String = "", advice: Advice = "") {
    self.init(kind, "\(error)", advice: advice, parseError: error as? ParseError)
    if !subject.isEmpty { self = self.about(subject) }
  }

  static func refused(_ reason: String, advice: Advice = "") -> EditError {
    EditError(.refused, reason, advice: advice)
  }

  static func refused(_ error: any Error, of subject: String = "", advice: Advice = "") -> EditError {
    EditError(.refused, because: error, of: subject, advice: advice)
  }

  /// The same error with what it is about before the reason.
  func about(_ subject: String) -> EditError {
    var error = self
    error.reason = "\(subject): \(reason)"
    return error
  }

  /// Whether the edit is not possible with this movie or these values, rather than something having failed.
  public var isRefusal: Bool { kind != .unreadable && kind != .failed }

  /// The reason, followed by the advice.
  public var description: String { advice.isEmpty ? reason : reason + ". \(advice)" }
}

extension EditError {
  /// The refusal of a file without a movie.
  static let lacksMovie = EditError(.notAMovie, "the file has no movie (moov)")
  /// The refusal of a movie without video.
  static let lacksVideo = EditError(.missingTrack, "the movie has no video track")
}

/// Returns a value that is read, with errors that are errors of editing.
func reading<Value>(_ value: @autoclosure () throws(SourceError) -> Value) throws(EditError) -> Value {
  do { return try value() } catch { throw EditError(.unreadable, error) }
}

/// Returns a value whose boxes can be read and written, with other errors as refusals.
func refusing<Value>(_ value: @autoclosure () throws(ParseError) -> Value) throws(EditError) -> Value {
  do { return try value() } catch { throw .refused(error) }
}
