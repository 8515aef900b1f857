// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import HEVC

/// A NAL unit and its source.
public struct LocatedNALUnit: Sendable, Hashable {
  /// The source of a NAL unit.
  public enum Source: Sendable, Hashable {
    /// The configuration record of the base layer.
    case hvcC
    /// The configuration record of the enhancement layers.
    case lhvC
    /// A sample, by its number from 0; of a raw stream, an access unit.
    case sample(Int)
  }

  /// The unit.
  public var unit: NALUnit
  /// The source of the unit.
  public var source: Source

  /// Makes a located unit.
  public init(_ unit: NALUnit, _ source: Source) {
    self.unit = unit
    self.source = source
  }

  /// Whether it is in a sample, and not in a configuration record.
  package var isInSample: Bool {
    if case .sample = source { true } else { false }
  }
}

extension LocatedNALUnit.Source: CustomStringConvertible {
  /// `hvcC`, `lhvC` or `sample 3`
  public var description: String {
    switch self {
    case .hvcC: "hvcC"
    case .lhvC: "lhvC"
    case .sample(let index): "sample \(index)"
    }
  }
}
