// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import FileAccess
import ISOBMFF

/// What kind of file a movie is in.
public struct Container: Sendable, Hashable {
  /// The kinds.
  public enum Kind: String, Sendable, Hashable {
    /// MP4, QuickTime and other files of boxes.
    case isobmff
    /// A raw HEVC stream with start codes. ISO/IEC 23008-2, Annex B
    case annexB = "hevc"
  }

  /// The kind of file.
  public var kind: Kind
  /// The brand under which the file was written; `nil` without `ftyp`.
  public var majorBrand: FourCC?
  /// The version of that brand.
  public var minorVersion: UInt32?
  /// Every brand whose rules the file follows.
  public var compatibleBrands: [FourCC] = []
  /// Whether samples are in movie fragments, or may.
  public var isFragmented = false
  /// Whether the rules of QuickTime apply.
  public var isQuickTime = false
  /// Whether the file has images as items. ISO/IEC 23008-12
  public var hasItems = false

  /// A container of which nothing but the kind is known.
  public init(kind: Kind) { self.kind = kind }

  init(_ tree: BoxTree) {
    self.init(kind: .isobmff)
    isQuickTime = tree.isQuickTime
    if let brands = (tree.first("ftyp") ?? tree.first("styp")).flatMap({
      tree.whole($0).payload(FileTypeBox.self)
    }) {
      majorBrand = brands.majorBrand
      minorVersion = brands.minorVersion
      compatibleBrands = brands.compatibleBrands
    }
    isFragmented = tree.first("moof") != nil || tree["moov/mvex"] != nil
    hasItems = tree["meta/iinf"] != nil
  }
}

/// Why a file cannot be opened as a movie.
public enum MovieError: Error, Sendable, Hashable {
  /// The bytes could not be read.
  case unreadable(SourceError)
  /// The bytes can be read, but are neither boxes nor an HEVC stream. `reason` says what they are, as the end of a sentence
  /// that begins with the name of what was opened, if it has one.
  case notAMovie(name: String?, reason: String)
}

extension MovieError: CustomStringConvertible {
  /// The whole sentence.
  public var description: String {
    switch self {
    case .unreadable(let error): error.description
    case .notAMovie(let name, let reason): "\(name ?? "the data") \(reason)"
    }
  }
}
