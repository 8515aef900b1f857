// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Why a picture cannot be decoded, or was decoded only in part.
public enum PictureProblem: Error, Hashable, Sendable {
  /// The stream uses a feature that this decoder does not support; the text names it.
  case unsupported(String)
  /// A parameter set, a picture or a part of it is missing from the stream; the text names it.
  case missing(String)
  /// The stream contradicts the standard, or itself; the text says how.
  case invalid(String)
}

extension PictureProblem: CustomStringConvertible {
  /// The problem in one line of text.
  public var description: String {
    switch self {
    case .unsupported(let what): "\(what) is not supported"
    case .missing(let what): "\(what) is missing"
    case .invalid(let what): what
    }
  }
}
