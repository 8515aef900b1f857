// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// How much work and memory a file may cost. Files come from strangers: nothing in one may exhaust the machine.
///
/// The defaults hold every real movie we know with room to spare.
public struct Limits: Hashable, Sendable {
  /// How deep boxes may nest.
  public var maximumDepth = 32
  /// How many boxes a file may have before the rest is left as opaque bytes; one of more than 32 MiB
  /// one for each 80 bytes, up to eight times as many. Of such
  /// with fewer than 16 bytes a short file may have no more than two fifths of them, and one for each 128 bytes.
  public var maximumBoxes = 500_000
  /// How many bytes of one box other than media data are loaded at once.
  public var maximumBoxBytes = 1 << 30
  /// How many bytes one NAL unit of a parameter set or SEI message may have. Of the first sample of a track four times as
  /// many are looked into; of a movie of many tracks, sixteen times as many of all of them.
  public var maximumParameterSetBytes = 1 << 20
  /// How many bytes one NAL unit of a sample may have before it is not loaded.
  public var maximumSampleBytes = 1 << 28
  /// How many diagnostics are kept; further ones are counted.
  public var maximumDiagnostics = 1_000
  /// How many tracks of a movie are read.
  public var maximumTracks = 4096
  /// How many movie fragments are read.
  public var maximumFragments = 1_000_000
  /// How many samples of one track are listed.
  public var maximumSamples = 1 << 28
  /// How many samples of equal size, which take no bytes in tables, are listed of all tracks together where the file
  /// has fewer bytes than that. Of longer files, one for each byte.
  public var maximumUniformSamples = 1 << 19
  /// How many times over one walk may go through the bytes of the file, where samples lie upon one another; of more than
  /// eight tracks of HEVC, each less.
  public var maximumSampleOverlap = 64

  /// The defaults.
  public init() {}

  /// The defaults.
  public static let standard = Limits()
}
