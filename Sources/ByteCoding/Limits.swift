// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// How much work and memory a file may cost. Files come from strangers: nothing in one may exhaust the machine.
///
/// The defaults hold every real movie we know with room to spare.
public struct Limits: Hashable, Sendable {
  /// How deep boxes may nest.
  public var maximumDepth = 32
  /// How many boxes a file may have before the rest is left as opaque bytes.
  public var maximumBoxes = 500_000
  /// How many bytes of one box other than media data are loaded at once.
  public var maximumBoxBytes = 1 << 30
  /// How many bytes one NAL unit of a parameter set or SEI message may have.
  public var maximumParameterSetBytes = 1 << 20
  /// How many bytes one sample may have before it is not loaded.
  public var maximumSampleBytes = 1 << 28
  /// How many diagnostics are kept; further ones are counted.
  public var maximumDiagnostics = 1_000
  /// How many movie fragments are read.
  public var maximumFragments = 1_000_000
  /// How many samples of one track are listed.
  public var maximumSamples = 1 << 28

  /// The defaults.
  public init() {}

  /// The defaults.
  public static let standard = Limits()
}
