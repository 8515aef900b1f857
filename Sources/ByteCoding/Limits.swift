// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// How much work and memory a file may cost. Files come from strangers: none may exhaust the machine.
///
/// The defaults hold every real movie we know with room to spare.
public struct Limits: Hashable, Sendable {
  /// How deep boxes may nest.
  public var maximumDepth = 32
  /// How many boxes of a file are listed before the rest is left as opaque bytes. A file of more than 32 MiB may
  /// have one for each 80 bytes, up to eight times the limit. Boxes of fewer than 16 bytes are limited further in
  /// a short file: to two fifths of the limit, and one more for each 128 bytes.
  public var maximumBoxes = 500_000
  /// How many bytes of a box other than media data are loaded at once.
  public var maximumBoxBytes = 1 << 30
  /// How many bytes a NAL unit with a parameter set or an SEI message may have. In the first sample of a track, up
  /// to four times as many bytes are examined; in those of all tracks together, sixteen times as many.
  public var maximumParameterSetBytes = 1 << 20
  /// How many bytes a NAL unit of a sample may have and still be loaded.
  public var maximumSampleBytes = 1 << 28
  /// How many diagnostics are kept; any others are only counted.
  public var maximumDiagnostics = 1_000
  /// How many tracks of a movie are read.
  public var maximumTracks = 4096
  /// How many movie fragments are read.
  public var maximumFragments = 1_000_000
  /// How many samples of one track are listed.
  public var maximumSamples = 1 << 28
  /// How many samples of equal size, which take no bytes in tables, are listed for all tracks together; in a file
  /// with more bytes than that, one for each byte.
  public var maximumUniformSamples = 1 << 19
  /// How many times over one walk may pass through the bytes of the file where samples overlap. With more than
  /// eight HEVC tracks, each gets a smaller share.
  public var maximumSampleOverlap = 64

  /// The defaults.
  public init() {}

  /// The defaults.
  public static let standard = Limits()
}
