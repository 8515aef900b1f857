// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import FileAccess
public import Foundation
public import HEVCEncoding
public import ISOBMFF
public import MovieEditing
public import MoviePictures
public import Multiview

// With these, `localizedDescription` says what went wrong and where, through every door that hands out `any Error`.

extension SourceError: LocalizedError {
  /// The whole sentence, without the advice.
  public var errorDescription: String? {
    var plain = self
    plain.advice = ""
    return plain.description
  }

  /// What went wrong, without the file and the place.
  public var failureReason: String? { reason }

  /// What may be done about it; `nil` if nothing can.
  public var recoverySuggestion: String? { advice.isEmpty ? nil : "\(advice)" }
}

extension MovieError: LocalizedError {
  /// What was opened, and why it is not a movie that can be read.
  public var errorDescription: String? {
    switch self {
    case .unreadable(let error): error.errorDescription
    case .notAMovie: description
    }
  }

  /// Why, without the name.
  public var failureReason: String? {
    switch self {
    case .unreadable(let error): error.failureReason
    case .notAMovie(_, let reason): reason
    }
  }

  /// What may be done about it; `nil` if nothing can.
  public var recoverySuggestion: String? {
    switch self {
    case .unreadable(let error): error.recoverySuggestion
    case .notAMovie: nil
    }
  }
}

extension ParseError: LocalizedError {
  /// The box, the byte, the field, and what is wrong with it.
  public var errorDescription: String? { description }

  /// What is wrong, without the place.
  public var failureReason: String? { reason }
}

extension BoxHeaderError: LocalizedError {
  /// Why no box begins here.
  public var errorDescription: String? { description }
}

extension ExtractionError: LocalizedError {
  /// Why nothing can be extracted.
  public var errorDescription: String? { description }
}

extension EditError: LocalizedError {
  /// Why the movie was not edited, without the advice.
  public var errorDescription: String? { reason }

  /// What to do about it; `nil` if there is no advice.
  public var recoverySuggestion: String? { advice.isEmpty ? nil : "\(advice)" }
}

extension EncodingError: LocalizedError {
  /// The picture, and why it was not encoded, without the advice.
  public var errorDescription: String? {
    var plain = self
    plain.advice = ""
    return plain.description
  }

  /// Why, without the picture.
  public var failureReason: String? { reason }

  /// What to do about it; `nil` if there is no advice.
  public var recoverySuggestion: String? { advice.isEmpty ? nil : "\(advice)" }
}

extension BoxRegistryError: LocalizedError {
  /// The declarations that contradict each other.
  public var errorDescription: String? { description }
}

extension SampleError: LocalizedError {
  /// Which sample cannot be handed on, and why.
  public var errorDescription: String? {
    if case .unreadable(let error) = self { error.errorDescription } else { description }
  }

  /// What may be done about it; `nil` if nothing can.
  public var recoverySuggestion: String? {
    if case .unreadable(let error) = self { error.recoverySuggestion } else { nil }
  }
}

extension PictureError: LocalizedError {
  /// Why there is no picture.
  public var errorDescription: String? {
    if case .unreadable(let error) = self { error.errorDescription } else { description }
  }

  /// What may be done about it; `nil` if nothing can.
  public var recoverySuggestion: String? {
    if case .unreadable(let error) = self { error.recoverySuggestion } else { nil }
  }
}
