// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `tmcd`: how frames are counted in a timecode.
public struct TimecodeSampleEntry: BoxPayload {
  public static let info = BoxInfo(
    ["tmcd"], name: "timecode sample entry", in: [.otherSampleDescription],
    "QuickTime File Format, Timecode Sample Description",
    "How frames are counted in a timecode.", childrenFollow: true,
    childScope: .otherSampleEntry)

  /// The data reference that holds the samples, counted from 1.
  public var dataReferenceIndex: UInt16 = 1
  /// A sum of 1 drop frame, 2 wraps after 24 hours, 4 may be negative, 8 a counter.
  public var timecodeFlags: UInt32 = 0
  /// The timescale: how many units of the frame duration make a second.
  public var timescale: UInt32 = 24_000
  /// The duration of a frame.
  public var frameDuration: UInt32 = 1_001
  /// How many frames are counted per second.
  public var numberOfFrames: UInt8 = 24
  var reserved1: UInt64 = 0
  var reserved2: UInt32 = 0
  var reserved3: UInt8 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.sampleEntry(&reserved1, &dataReferenceIndex)
    try c.reserved("reserved_2", &reserved2, bits: 32, expecting: 0)
    try c.u32("timecode_flags", &timecodeFlags, in: nil, .hexadecimal)
    try c.u32("timescale", &timescale)
    try c.u32("frame_duration", &frameDuration)
    try c.u8("number_of_frames", &numberOfFrames)
    try c.reserved("reserved_3", &reserved3, bits: 8, expecting: 0)
  }
}
