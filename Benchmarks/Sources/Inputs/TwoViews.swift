// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

/// Pieces of a stream with two views, and movies around them. The parameter sets and slices are those of
/// `fixtures/two-views.hevc`, the boxes those of `fixtures/spatial.mov`.
enum TwoViews {
  static let videoParameterSet = bytes(
    hexadecimal: "40010c11ffff01600000030090000003000003003c92815b3c20001828b2e0c040000013f1"
      + "00000300000791a02800171403dc212ba4")
  static let baseSequence = bytes(
    hexadecimal: "42010101600000030090000003000003003ca00a080b9f7964a924cae01000003e80000753014040")
  static let otherSequence = bytes(hexadecimal: "42090e85924cae005030")
  static let basePicture = bytes(hexadecimal: "4401c572b462a014")
  static let otherPicture = bytes(hexadecimal: "440948572b062a0140")
  static let parameterSets = [videoParameterSet, baseSequence, otherSequence, basePicture, otherPicture]

  /// The beginnings of slices: an IDR picture and two others, each with its second view.
  static let slices = [
    "2801a3c2162ebd348863fb4d79122fe2a4ee9e4f", "280990803308589f682260ffffe815484809f39f",
    "0201c4025f8431842c4dc371ae279f31d1a422cb", "0209a10097f5610b3c311051a2c8ff7f1e413c11",
    "0201c4047ff510c1840c4c85e7183d23de7c7ddc", "0209a1011ffdd840cd857060e100a8aef9e41a9f",
  ].map(bytes(hexadecimal:))

  /// The same as slices that are not the first of their picture: they have an address.
  static let laterSlices = slices.map(later)

  private static func later(_ slice: [UInt8]) -> [UInt8] {
    var store = ParameterSetStore()
    for unit in parameterSets.compactMap({ NALUnit(ByteView($0)) }) { store.insert(unit) }
    guard let unit = NALUnit(ByteView(slice)), var header = store.sliceSegment(unit)?.header else {
      preconditionFailure("the slice headers must be readable")
    }
    header.firstSliceSegmentInPicFlag = false
    header.sliceSegmentAddress = 1
    do { return try NALUnit(unit.header, rbsp: header.encoded()).bytes.array } catch {
      preconditionFailure("the slice headers must be writable: \(error)")
    }
  }

  /// The sample entry of a spatial movie: both configuration records, stereo tags, field of view.
  static func sampleEntry(_ writer: inout BoxWriter) {
    TrackPlan.entry("hvc1", &writer) { writer in
      for box in [baseRecord, layeredRecord, stereoTags, fieldOfView] { writer.raw(bytes(hexadecimal: box)) }
    }
  }

  private static let baseRecord =
    "000000a2687663430101600000009000000000003cf000fffdf8f800000f04a00001003640010c11ffff0160000003009000"
    + "0003000003003c92815b3c20001828b2e0c040000013f100000300000791a02800171403dc212ba4a100010028420101016000"
    + "00030090000003000003003ca00a080b9f7964a924cae01000003e80000753014040a2000100084401c572b462a014a7000100"
    + "094e01b004040d001080"
  private static let layeredRecord =
    "0000002b6c68764301f000ffcf02a10001000a42090e85924cae005030a200010009440948572b062a0140"
  private static let stereoTags =
    "0000005a7665787500000052657965730000000d7374726900000000030000000d6865726f00000000010000001863616d7300"
    + "000010626c696e000000000000f61800000018636d6679000000106461646a00000000000000c8"
  private static let fieldOfView = "0000000c68666f760000f7a8"
}

extension MadeMovie {
  /// A movie of two layers: of every sample three quarters are of the first.
  ///
  /// - Parameters:
  ///   - sampleSize: how many bytes a sample has.
  ///   - units: how many NAL units a sample has: slices of equal size but for what is said above.
  static func twoViews(sampleCount: Int, sampleSize: Int, units: Int) -> MadeMovie {
    var made = movie(trackCount: 1) { _, offset in
      TrackPlan(
        sampleCount: sampleCount, firstOffset: offset, size: { _ in sampleSize },
        sampleEntry: TwoViews.sampleEntry)
    }
    let (sync, other) = (
      twoViewSample(sampleSize, units, isSync: true), twoViewSample(sampleSize, units, isSync: false)
    )
    made.media = { write in
      for index in 0..<sampleCount { write(index % 30 == 0 ? sync : other) }
    }
    return made
  }

  /// One sample: NAL units after their lengths.
  static func twoViewSample(_ size: Int, _ units: Int, isSync: Bool) -> [UInt8] {
    var generator = Generator(seed: isSync ? 1 : 2)
    let noise = generator.bytes(size)
    var writer = BoxWriter()
    let ofBase = max(1, units * 3 / 4)
    var left = size
    for unit in 0..<units {
      let length = unit == units - 1 ? left : size / units
      left -= length
      let isOther = unit >= ofBase
      let slices = unit == 0 || unit == ofBase ? TwoViews.slices : TwoViews.laterSlices
      writer.u32(UInt32(length - 4))
      let start = Array(slices[(isSync ? 0 : 2) + (isOther ? 1 : 0)].prefix(length - 4))
      writer.raw(start)
      writer.raw(Array(noise.prefix(length - 4 - start.count)))
    }
    return writer.bytes
  }
}
