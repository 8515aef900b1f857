// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import HEVCCoding

/// A picture in the buffer of a decoder: its samples, and what is known about it.
///
/// `@unchecked`: only the decoding thread writes it until it is finished, and no other thread reads its problems and
/// hash before that (``DecodingThreads/wait(for:)``).
final class Frame: @unchecked Sendable {
  let buffer: PictureBuffer
  let type: NALUnitType
  let tag: Int
  let format: PictureFormat?
  let vui: VUIParameters?
  let baseVUI: VUIParameters?
  let colourMessages: ColourMessages?
  var hash = PictureHashVerdict.none
  private(set) var problems: [PictureProblem] = []
  /// How many pictures were to be decoded before it; `nil` for one that replaces a missing picture.
  let number: Int?
  /// Whether its samples may be wrong.
  let health: FrameHealth
  /// The hash message with which its samples are compared once they are decoded.
  var expectedHash: DecodedPictureHash?

  /// How many problems are kept for one picture: the first ones show what is wrong.
  private static let maximumProblems = 8

  init(
    _ buffer: PictureBuffer, number: Int?, type: NALUnitType, tag: Int, format: PictureFormat?,
    vui: VUIParameters? = nil, base: Frame? = nil, _ colourMessages: ColourMessages? = nil
  ) {
    self.buffer = buffer
    self.number = number
    health = FrameHealth(isDamaged: number == nil ? true : nil)
    self.type = type
    self.tag = tag
    self.format = format
    self.vui = vui
    baseVUI = base.map { $0.vui ?? VUIParameters() }
    self.colourMessages = colourMessages
  }

  func record(_ problem: PictureProblem) {
    if problems.count < Self.maximumProblems, !problems.contains(problem) { problems.append(problem) }
  }

  /// Compares its samples with a message, which settles whether they are wrong.
  func compare(with hash: DecodedPictureHash) {
    self.hash = buffer.verdict(hash)
    guard self.hash == .match else { return }
    problems.removeAll { if case .inherited = $0 { true } else { false } }
  }
}

extension DecodedPicture {
  /// The picture of an entry that leaves the buffer; `nil` for a substitute. It must be finished.
  init?(_ entry: DecodedPictureBuffer<Frame>.Entry, _ schedule: DecodingSchedule?) {
    let frame = entry.picture
    guard let format = frame.format else { return nil }
    layerID = entry.layerID
    orderCount = entry.orderCount
    type = frame.type
    tag = frame.tag
    self.format = format
    vui = frame.vui
    baseVUI = frame.baseVUI
    colourMessages = frame.colourMessages
    hash = frame.hash
    problems = frame.problems
    buffer = frame.buffer
    loan = schedule.map(PictureLoan.init)
  }
}
