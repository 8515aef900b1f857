// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC

/// A picture in the buffer of a decoder: its samples, and what is known of it.
final class Frame {
  let buffer: PictureBuffer
  let type: NALUnitType
  let tag: Int
  let format: PictureFormat?
  var hash = PictureHashVerdict.none
  private(set) var problems: [PictureProblem] = []

  /// How many problems of one picture are kept: the first ones say what is wrong.
  private static let maximumProblems = 8

  init(_ buffer: PictureBuffer, type: NALUnitType, tag: Int, format: PictureFormat?) {
    self.buffer = buffer
    self.type = type
    self.tag = tag
    self.format = format
  }

  func record(_ problem: PictureProblem) {
    if problems.count < Self.maximumProblems, !problems.contains(problem) { problems.append(problem) }
  }
}

extension DecodedPicture {
  /// A picture that leaves the buffer.
  init?(_ entry: DecodedPictureBuffer<Frame>.Entry) {
    let frame = entry.picture
    guard let format = frame.format else { return nil }
    layerID = entry.layerID
    orderCount = entry.orderCount
    type = frame.type
    tag = frame.tag
    self.format = format
    hash = frame.hash
    problems = frame.problems
    buffer = frame.buffer
  }
}
