// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// Where a box may be. The same four characters mean different things in different places, so a box is identified
/// by its scope and its type together.
public struct BoxScope: Hashable, Sendable {
  /// A four-character code, or one of the codes above 32 bits defined below.
  let code: UInt64

  private init(code: UInt64) { self.code = code }

  /// Directly inside that box.
  public static func box(_ type: FourCC) -> BoxScope { BoxScope(code: UInt64(type.rawValue)) }

  /// Directly inside that box, which is itself in `parent`: for types whose content depends on the parent. The
  /// kind of box named by `type` has this as its `childScope`.
  public static func box(_ type: FourCC, in parent: FourCC) -> BoxScope {
    BoxScope(code: UInt64(parent.rawValue) << 32 | UInt64(type.rawValue))
  }

  /// Anywhere.
  public static let anywhere = BoxScope(code: 1 << 32)
  /// At the top level of the file.
  public static let file = BoxScope(code: 2 << 32)
  /// In a sample entry of a video, auxiliary video or picture track.
  public static let visualSampleEntry = BoxScope(code: 3 << 32)
  /// In a sample entry of a sound track.
  public static let audioSampleEntry = BoxScope(code: 4 << 32)
  /// In any other sample entry.
  public static let otherSampleEntry = BoxScope(code: 5 << 32)
  /// In the `stsd` of a video track.
  public static let visualSampleDescription = BoxScope(code: 6 << 32)
  /// In the `stsd` of a sound track.
  public static let audioSampleDescription = BoxScope(code: 7 << 32)
  /// In the `stsd` of a track of another kind.
  public static let otherSampleDescription = BoxScope(code: 8 << 32)
  /// In an item of an `ilst`.
  public static let metadataItem = BoxScope(code: 9 << 32)
  /// In a local key of a timed-metadata sample description (`mebx`).
  public static let metadataKey = BoxScope(code: 10 << 32)
  /// In the `keys` of a timed-metadata sample description (`mebx`), where a box's type is the number of a key.
  public static let metadataKeyTable = BoxScope(code: 11 << 32)
  /// In a sample of WebVTT, which is a chain of boxes.
  public static let webVTTSample = BoxScope(code: 12 << 32)
}

extension BoxScope: CustomStringConvertible {
  /// The box's type, or the place in words.
  public var description: String {
    switch self {
    case .anywhere: "anywhere"
    case .file: "file"
    case .visualSampleEntry: "visual sample entry"
    case .audioSampleEntry: "audio sample entry"
    case .otherSampleEntry: "other sample entry"
    case .visualSampleDescription: "stsd (video)"
    case .audioSampleDescription: "stsd (sound)"
    case .otherSampleDescription: "stsd (other)"
    case .metadataItem: "ilst item"
    case .metadataKey: "mebx local key"
    case .metadataKeyTable: "mebx keys"
    case .webVTTSample: "WebVTT sample"
    default:
      (code >> 32 == 0 ? "" : FourCC(UInt32(truncatingIfNeeded: code >> 32)).description + "/")
        + FourCC(UInt32(truncatingIfNeeded: code)).description
    }
  }
}

/// What is known about a box's surroundings when its payload is read.
public struct BoxContext: Sendable, Hashable {
  /// The box's own type.
  public var type: FourCC
  /// Where it is.
  public var scope: BoxScope
  /// The handler of the track or of the `meta` that contains the box; `nil` if there is none.
  public var handler: FourCC?
  /// Whether the file lists the QuickTime brand, or no brands.
  public var isQuickTime: Bool
  /// The version of the `stsd` that contains a sample entry: it selects between two layouts of audio entries.
  public var sampleDescriptionVersion: UInt8
  /// The version of the enclosing full box; 0 for a plain box. It determines how wide the identifiers in an `iref`
  /// are.
  public var parentVersion: UInt8

  /// Makes a context.
  public init(
    type: FourCC, scope: BoxScope = .anywhere, handler: FourCC? = nil, isQuickTime: Bool = false,
    sampleDescriptionVersion: UInt8 = 0, parentVersion: UInt8 = 0
  ) {
    self.type = type
    self.scope = scope
    self.handler = handler
    self.isQuickTime = isQuickTime
    self.sampleDescriptionVersion = sampleDescriptionVersion
    self.parentVersion = parentVersion
  }
}
