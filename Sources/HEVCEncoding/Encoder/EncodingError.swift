// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// Why pictures could not be encoded.
public struct EncodingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error. New kinds may be added: handle them with a `default`.
  public enum Kind: Hashable, Sendable {
    /// The size, the number of bits, or the combination of settings cannot be encoded.
    case unsupported
    /// A picture has another size or format than the first one, or an eye is missing.
    case unlikePictures
    /// The source cannot be read.
    case unreadable
    /// The movie cannot be made or written.
    case unwritable
    /// The encoder itself failed.
    case failed
  }

  /// The kind of the error.
  public var kind: Kind
  /// The picture at which it happened, counted from 0; `nil` if it is not about one.
  public var picture: Int?
  /// The reason, in words.
  public var reason: String
  /// What to do about it, in one sentence; empty if there is no advice.
  public var advice: Advice

  /// Makes an error.
  public init(_ kind: Kind, picture: Int? = nil, _ reason: String, advice: Advice = "") {
    self.kind = kind
    self.picture = picture
    self.reason = reason
    self.advice = advice
  }

  /// The picture, the reason, and the advice.
  public var description: String {
    (picture.map { "picture \($0): " } ?? "") + reason + (advice.isEmpty ? "" : ". \(advice)")
  }
}
