// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import FileAccess
public import Multiview

/// Why a picture cannot be read, converted or combined.
public enum PictureError: Error, Hashable, Sendable {
  /// The track is not HEVC, the only codec that is decoded.
  case notHEVC
  /// The samples are encrypted.
  case isProtected
  /// The track has no such layer.
  case noSuchLayer(UInt8, available: [UInt8])
  /// No layer is known to show that eye.
  case unknownEye(StereoEye)
  /// There is one view, and nothing signals that its pictures hold both eyes.
  case oneView
  /// Nothing is shown at that time. `shown` is the range of times in which the track shows pictures; `nil` for
  /// a track that never shows any.
  case nothingShown(at: MediaTime, shown: Range<MediaTime>?)
  /// A raw stream has no times: its pictures can only be found by their number.
  case noTimes
  /// The picture of that sample could not be decoded, with the reason as far as it is known.
  case notDecoded(sample: Int, reason: String)
  /// The matrix of that code point (`matrix_coefficients`) is not supported.
  case unsupportedColour(Int)
  /// The pictures of the two eyes differ in size or sample format, so that they cannot be combined; the text
  /// says how.
  case eyesDiffer(String)
  /// A picture of that size is larger than allowed.
  case tooLarge(width: Int, height: Int)
  /// The request is not possible with these pictures; the text says why.
  case unsupported(String)
  /// The bytes could not be read.
  case unreadable(SourceError)
}

extension PictureError: CustomStringConvertible {
  /// The error as a sentence.
  public var description: String {
    switch self {
    case .notHEVC: "the track is not HEVC: only HEVC is decoded"
    case .isProtected: "the samples are encrypted: their pictures cannot be decoded"
    case .noSuchLayer(let layer, let available):
      "there is no layer \(layer)"
        + (available.isEmpty
          ? ": no layer is known"
          : "; the layers are \(available.map(String.init).joined(separator: ", "))")
    case .unknownEye(let eye):
      "nothing signals which layer shows the \(eye) eye: choose a layer instead"
    case .oneView: "there is one view, which is not tagged as shared by both eyes"
    case .nothingShown(let time, let shown):
      "nothing is shown at \(time.words)"
        + (shown.map {
          ": the track shows pictures from \($0.lowerBound.words) to \($0.upperBound.words)"
        } ?? ": the track shows no picture at any time")
    case .noTimes: "a raw stream has no times: choose a picture by its number"
    case .notDecoded(let sample, let reason): "the picture of sample \(sample) cannot be decoded: \(reason)"
    case .unsupportedColour(let code):
      "the colour matrix \(code) is not supported: only 0, 1 and 4 to 9 are"
    case .eyesDiffer(let how): "the two eyes cannot be put together: \(how)"
    case .tooLarge(let width, let height): "a picture of \(width)x\(height) exceeds the maximum size"
    case .unsupported(let reason): reason
    case .unreadable(let error): error.description
    }
  }
}
