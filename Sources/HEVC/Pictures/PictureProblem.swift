// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Why a picture cannot be decoded, or was decoded only in part.
public enum PictureProblem: Error, Hashable, Sendable {
  /// The stream uses a feature that this decoder does not support; the text names it.
  case unsupported(String)
  /// A parameter set, a picture or a part of it is missing from the stream; the text names it.
  case missing(String)
  /// The stream contradicts the standard, or itself; the text says how.
  case invalid(String)
  /// The picture is predicted from one that is damaged, so its samples may be wrong; the text names that one. Only pictures
  /// with no other problem have this one, and none whose samples match their picture hash.
  case inherited(String)
}

extension PictureProblem: CustomStringConvertible {
  /// The problem in one line of text.
  public var description: String {
    switch self {
    case .unsupported(let what): "\(what) is not supported"
    case .missing(let what): "\(what) is missing"
    case .invalid(let what): what
    case .inherited(let what): "\(what), from which it is predicted, is damaged"
    }
  }
}
