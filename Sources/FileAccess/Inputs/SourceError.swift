// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// Why bytes could not be read or written, and what to do about it.
public struct SourceError: Error, Hashable, Sendable {
  /// What went wrong. New cases may be added: handle them with a `default`.
  public enum Code: Hashable, Sendable {
    /// The operating system refused, for the reason given by an error number and its name, such as `ENOENT`.
    case system(number: Int32, name: String)
    /// The path names something that is not a file, such as a folder.
    case notAFile(kind: String)
    /// The bytes have passed through a pipe and were not kept.
    case notKept
    /// More bytes than the limit were requested at once.
    case tooLong(limit: UInt64)
    /// Anything else, in words: for sources outside this library.
    case other(String)
  }

  /// What went wrong.
  public var code: Code
  /// The offset in the data, if one matters.
  public var offset: UInt64?
  /// The path of the file, if there is one.
  public var path: String?
  /// What to do about it, in one sentence; empty if nothing can be done.
  public var advice: Advice

  /// Makes an error.
  public init(_ code: Code, offset: UInt64? = nil, path: String? = nil, advice: Advice = "") {
    self.code = code
    self.offset = offset
    self.path = path
    self.advice = advice
  }
}

extension SourceError: CustomStringConvertible {
  /// What went wrong, in words, without the place and the advice.
  public var reason: String {
    switch code {
    case .system(let number, let name): "\(SystemError(number).reason) (\(name))"
    case .notAFile(let kind): "is \(kind), not a file"
    case .notKept: "these bytes have passed through the pipe and were not kept"
    case .tooLong(let limit): "more than \(limit) bytes at once"
    case .other(let words): words
    }
  }

  /// The complete message.
  public var description: String {
    var text = path.map { $0 + ": " } ?? ""
    text += reason
    if let offset { text += " at \(offset)" }
    return advice.isEmpty ? text : text + ". \(advice)"
  }
}
