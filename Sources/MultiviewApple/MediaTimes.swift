// swift-multiview · SPDX-License-Identifier: Apache-2.0

#if canImport(CoreMedia)
public import CoreMedia
public import Multiview

extension CMTime {
  /// Makes the same time. A scale beyond the range of Core Media, whose scales have a sign, is halved.
  public init(_ time: MediaTime) {
    let scale = time.timescale
    let usable = scale <= UInt32(Int32.max) ? time : time.converted(to: scale / 2)
    self.init(value: usable.value, timescale: CMTimeScale(usable.timescale))
  }
}

extension MediaTime {
  /// Makes the same time; `nil` if it is invalid, infinite or indefinite.
  public init?(_ time: CMTime) {
    guard time.isNumeric, time.timescale > 0 else { return nil }
    self.init(value: time.value, timescale: UInt32(time.timescale))
  }
}
#endif
