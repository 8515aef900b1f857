// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// How much work and memory a file may cost. Files come from strangers: none may exhaust the machine.
///
/// The defaults hold every real movie we know with room to spare.
public struct Limits: Hashable, Sendable {
  /// How many boxes of a file are listed before the rest is left as opaque bytes: up to this number, and up to
  /// 200 000 plus one for each 80 bytes of the file.
  public var maximumBoxes = 4_000_000
  /// How many bytes of a box other than media data are loaded at once.
  public var maximumBoxBytes = 1 << 30
  /// How many bytes a NAL unit of a sample, or an item, may have and still be loaded.
  public var maximumSampleBytes = 1 << 28
  /// How many samples of one track are listed.
  public var maximumSamples = 1 << 28
  /// How many samples that take less than a byte in tables, such as those of equal size, are listed for all tracks
  /// together; in a file with more bytes than that, one for each byte.
  public var maximumUniformSamples = 1 << 19
  /// How many times the bytes of the file one operation on samples may pass, as with samples that overlap. With
  /// more than eight HEVC tracks, each gets a smaller share.
  public var maximumSampleOverlap = 64

  /// The defaults.
  public init() {}

  /// The defaults.
  public static let standard = Limits()
}

/// What no real file comes near, so that nobody needs to change it.
extension Limits {
  /// How deep boxes may nest.
  package static let maximumDepth = 32
  /// How many tracks of a movie are read.
  package static let maximumTracks = 4_096
  /// How many movie fragments are written.
  package static let maximumFragments = 1_000_000
  /// How many bytes a NAL unit with a parameter set or an SEI message may have.
  package static let maximumParameterSetBytes = 1 << 20
}
