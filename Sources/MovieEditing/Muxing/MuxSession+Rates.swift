// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

/// For how long pictures are shown: by the rate that was asked for, or by what the stream says.
extension MuxSession {
  /// Chooses the rate of the first pictures: that which was asked for, or that of the stream.
  mutating func chooseRate(
    _ picture: Picture
  ) throws(EditError) -> (timescale: UInt32, duration: Int64) {
    if let timing { return timing }
    // Any will do: the times are known at the end.
    if reader.presentation != nil { return (600, 20) }
    if let asked = options.frameRate {
      rate = asked
      report.rateSource = .option
    } else if let own = try streamRate(picture) {
      rate = own.rate
      report.rateSource = own.source
    } else {
      throw .refused(
        "the stream does not specify a frame rate",
        advice: "Give it\(.setFrameRate): 30, 30000/1001, …")
    }
    report.frameRate = rate
    guard var timing = rate?.timing else {
      throw EditError(
        .exceedsLimit, "\(rate?.description ?? "no") pictures per second cannot be expressed in whole numbers"
      )
    }
    // Pictures may be shown for one and a half periods.
    if timing.duration % 2 != 0, followsStream, picture.sps.vui?.frameFieldInfoPresentFlag == true,
      timing.timescale <= UInt32(Int32.max) / 2
    {
      timing = (2 * timing.timescale, 2 * timing.duration)
    }
    return timing
  }

  /// Whether the times of pictures are those of the stream.
  private var followsStream: Bool {
    report.rateSource == .sequenceParameterSet || report.rateSource == .videoParameterSet
  }

  /// The frame rate that the parameter sets of a picture specify.
  private func streamRate(
    _ picture: Picture
  ) throws(EditError) -> (rate: FrameRate, source: MuxReport.RateSource)? {
    let video = store.videoParameterSet(picture.sps.spsVideoParameterSetID)?.content
    guard let own = picture.sps.pictureRate ?? video?.pictureRate else { return nil }
    guard let rate = FrameRate(own.numerator, own.denominator) else { throw Self.strangeRate(own) }
    return (rate, picture.sps.pictureRate == nil ? .videoParameterSet : .sequenceParameterSet)
  }

  /// Gives the pictures of a sequence its own frame rate.
  mutating func followRate(_ picture: Picture, at unit: NALUnit) throws(EditError) {
    guard followsStream, let own = try streamRate(picture)?.rate, own != rate else { return }
    let (units, rest) = UInt64(timescale).multipliedReportingOverflow(by: UInt64(own.denominator))
      .partialValue.quotientAndRemainder(dividingBy: UInt64(own.numerator))
    guard rest == 0, let units = UInt32(exactly: units), units > 0 else {
      throw EditError(
        .exceedsLimit,
        "the frame rate changes from \(rate?.description ?? "none") to \(own) at \(unit.bytes.fileOffset), and "
          + "no timescale can express the durations of both",
        advice: "Give one rate for all pictures\(.setFrameRate), or cut the stream there.")
    }
    (rate, duration) = (own, Int64(units))
    note(.rateChanges, unit.bytes.fileOffset)
  }

  /// For how long a picture is shown.
  mutating func shownDuration(_ units: [NALUnit], _ picture: Picture) -> Int64 {
    guard followsStream else { return duration }
    let halves = Self.halfPeriods(of: units, picture.sps)
    if halves > 2, let unit = units.first { note(.longerPictures, unit.bytes.fileOffset) }
    return duration &* halves / 2
  }

  private static func strangeRate(_ rate: (numerator: UInt32, denominator: UInt32)) -> EditError {
    .refused(
      "the stream specifies \(rate.numerator)/\(rate.denominator) pictures per second",
      advice: "Give the frame rate\(.setFrameRate).")
  }

  /// For how many half periods of the frame rate a picture is shown: two, unless the picture timing message says that
  /// a field or the frame is shown again. ISO/IEC 23008-2, Table D.2
  private static func halfPeriods(of units: [NALUnit], _ sps: SequenceParameterSet) -> Int64 {
    guard sps.vui?.frameFieldInfoPresentFlag == true else { return 2 }
    for unit in units where unit.type == .prefixSEI && unit.layerID == 0 {
      for message in unit.seiMessages().messages where message.payloadType == PictureTiming.payloadType {
        // `pic_struct` comes first.
        switch message.payload[0].map({ $0 &>> 4 }) {
        case 5, 6: return 3
        case 7: return 4
        case 8: return 6
        default: return 2
        }
      }
    }
    return 2
  }
}
