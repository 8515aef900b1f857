// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import FileAccess

/// Why the NAL units of a sample are not handed on: a decoder must not take a part of them for all.
public enum SampleError: Error, Sendable, Hashable {
  /// The sample is not HEVC but of that codec, whose bytes are not understood here; `nil` if there is no sample description.
  case notHEVC(sample: Int, codec: FourCC?)
  /// The cursor is one of another track, or of another movie.
  case ofAnotherTrack
  /// The sample is damaged: its NAL units do not fill it, or the file ends within it.
  case damaged(ParseError, sample: Int)
  /// The bytes could not be read.
  case unreadable(SourceError)
}

extension SampleError: CustomStringConvertible {
  /// The whole sentence.
  public var description: String {
    switch self {
    case .notHEVC(let sample, let codec):
      "sample \(sample) is \(codec.map { "'\($0)'" } ?? "of no known codec"), not HEVC: only HEVC has layers"
    case .ofAnotherTrack: "the cursor is at a sample of another track: use the track that made the cursor"
    case .damaged(let error, let sample): "sample \(sample) is damaged: \(error)"
    case .unreadable(let error): error.description
    }
  }
}
