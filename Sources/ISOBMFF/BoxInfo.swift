// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// What is known about a kind of box: how it is recognised, and what it is for.
public struct BoxInfo: Sendable, Hashable {
  /// The types of such boxes. If empty, all types in the given scopes that no other kind has.
  public var types: [FourCC]
  /// The name on screens, in words and without "box": `time to sample`. The Swift type may have another name.
  public var name: String
  /// Where such a box may be.
  public var scopes: [BoxScope]
  /// The document and clause that define it.
  public var specification: String
  /// What it is for, in one sentence.
  public var summary: String
  /// The known versions of a full box; `nil` for a plain box.
  public var versions: ClosedRange<UInt8>?
  /// Whether child boxes follow the fields.
  public var childrenFollow: Bool
  /// The scope of its children; `nil` for the box itself.
  public var childScope: BoxScope?

  /// Describes a kind of box.
  ///
  /// - Parameters:
  ///   - types: the types of such boxes; if empty, all types in the given scopes that no other kind has.
  ///   - name: the name on screens, in words and without "box".
  ///   - scopes: where such a box may be.
  ///   - specification: the document and clause that define it.
  ///   - summary: what it is for, in one sentence.
  ///   - versions: the known versions of a full box; `nil` for a plain box.
  ///   - childrenFollow: whether child boxes follow the fields.
  ///   - childScope: the scope of its children; `nil` for the box itself.
  public init(
    _ types: [FourCC], name: String, in scopes: [BoxScope] = [.anywhere], _ specification: String,
    _ summary: String, versions: ClosedRange<UInt8>? = nil, childrenFollow: Bool = false,
    childScope: BoxScope? = nil
  ) {
    self.types = types
    self.name = name
    self.scopes = scopes
    self.specification = specification
    self.summary = summary
    self.versions = versions
    self.childrenFollow = childrenFollow
    self.childScope = childScope
  }

  /// The same with other types and scopes, if they are given.
  @usableFromInline
  func replacing(_ types: [FourCC]?, _ scopes: [BoxScope]?) -> BoxInfo {
    var info = self
    if let types { info.types = types }
    if let scopes { info.scopes = scopes }
    return info
  }
}
