// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// What a movie fragment specifies about a sample, packed in 32 bits. ISO/IEC 14496-12, 8.8.3.1
@frozen
public struct SampleFlags: RawRepresentable, Hashable, Sendable {
  /// The bits as they are in the file.
  public var rawValue: UInt32

  @inlinable
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A sync sample that does not depend on others.
  public static let sync = SampleFlags(rawValue: 0x0200_0000)
  /// A sample that depends on others and is not a sync sample.
  public static let nonSync = SampleFlags(rawValue: 0x0101_0000)

  /// Whether the sample is a sync sample.
  @inlinable
  public var isSync: Bool { rawValue & 0x0001_0000 == 0 }
  /// Whether it is a leading sample: 0 unknown, 1 leading and not decodable after random access, 2 not leading, 3
  /// leading and decodable.
  @inlinable
  public var isLeading: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 26 & 3) }
  /// Whether it depends on others: 0 unknown, 1 yes, 2 no.
  @inlinable
  public var dependsOn: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 24 & 3) }
  /// Whether others depend on it: 0 unknown, 1 yes, 2 no.
  @inlinable
  public var isDependedOn: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 22 & 3) }
  /// Whether it has redundant coding: 0 unknown, 1 yes, 2 no.
  @inlinable
  public var hasRedundancy: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 20 & 3) }
  /// The number of padding bits at the end of the sample.
  @inlinable
  public var paddingValue: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 17 & 7) }
  /// How important the sample is; smaller values are more important.
  @inlinable
  public var degradationPriority: UInt16 { UInt16(truncatingIfNeeded: rawValue) }
}

extension SampleFlags: CustomStringConvertible {
  /// The bits that are set, in words.
  public var description: String {
    var text = isSync ? "sync" : "not sync"
    text += Self.leading[Int(isLeading)]
    text += Self.depends[Int(dependsOn)]
    text += Self.depended[Int(isDependedOn)]
    text += Self.redundancy[Int(hasRedundancy)]
    if paddingValue != 0 { text += ", \(paddingValue) padding bits" }
    if degradationPriority != 0 { text += ", degradation priority \(degradationPriority)" }
    return text
  }

  // What the two bits of each field mean, as it follows other words.
  private static let leading = ["", ", leading, not decodable", ", not leading", ", leading, decodable"]
  private static let depends = ["", ", depends on others", ", depends on none", ", sample_depends_on 3"]
  private static let depended = ["", ", others depend on it", ", disposable", ", sample_is_depended_on 3"]
  private static let redundancy = ["", ", redundant coding", ", no redundant coding", ", redundancy 3"]

  /// How the field is shown.
  @inlinable
  static var format: FieldFormat {
    .named { SampleFlags(rawValue: UInt32(truncatingIfNeeded: $0)).description }
  }
}
