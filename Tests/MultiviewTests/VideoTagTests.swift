// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Multiview
import Testing

@Suite struct VideoTagTests {
  /// Categories, data types and values as numbers, from the headers of Core Media.
  @Test func codesAreThoseOfCoreMedia() {
    let table: [(VideoTag, category: UInt32, dataType: UInt32, value: UInt64)] = [
      (.mediaType(.video), 0x6D64_6961, 5, 0x7669_6465),
      (.mediaSubType("hvc1"), 0x6D73_7562, 5, 0x6876_6331),
      (.trackID(3), 0x7472_616B, 2, 3),
      (.channelID(-1), 0x7663_686E, 2, UInt64.max),
      (.videoLayerID(1), 0x766C_6179, 2, 1),
      (.pixelFormat("420v"), 0x7069_7866, 5, 0x3432_3076),
      (.packingType(.oneView), 1_885_430_635, 5, 1_852_796_517),
      (.packingType(.sideBySide), 1_885_430_635, 5, 1_936_286_821),
      (.packingType(.overUnder), 1_885_430_635, 5, 1_870_030_194),
      (.projectionType(.rectangular), 1_886_547_818, 5, 1_919_247_220),
      (.projectionType(.equirectangular), 1_886_547_818, 5, 1_701_934_441),
      (.projectionType(.halfEquirectangular), 1_886_547_818, 5, 1_751_478_645),
      (.projectionType(.fisheye), 1_886_547_818, 5, 1_718_186_856),
      (.projectionType(.parametricImmersive), 1_886_547_818, 5, 0x7072_696D),
      (.stereoView([]), 1_702_454_643, 7, 0),
      (.stereoView(.leftEye), 1_702_454_643, 7, 1),
      (.stereoView(.rightEye), 1_702_454_643, 7, 2),
      (.stereoView([.leftEye, .rightEye]), 1_702_454_643, 7, 3),
      (.stereoViewInterpretation(.stereoOrderReversed), 1_702_455_664, 7, 1),
      (.stereoViewInterpretation(.additionalViews), 1_702_455_664, 7, 2),
    ]
    for (tag, category, dataType, value) in table {
      #expect(tag.rawCategory.rawValue.rawValue == category, "\(tag)")
      #expect(tag.dataType.rawValue == dataType, "\(tag)")
      #expect(tag.rawValue == value, "\(tag)")
    }
  }

  @Test func valuesByCategory() {
    let collections: [TagCollection] = [
      [.mediaType(.video), .videoLayerID(0), .stereoView(.leftEye)],
      [.mediaType(.video), .videoLayerID(1), .stereoView(.rightEye)],
    ]
    // As code for AVFoundation reads layer numbers.
    let layers = collections.flatMap { $0 }.compactMap { tag in tag.value(onlyIfMatching: .videoLayerID) }
    #expect(layers == [0, 1])
    #expect(collections[1].contains(.stereoView(.rightEye)))
    #expect(collections[0].first(matchingCategory: .stereoView) == .stereoView(.leftEye))
    #expect(collections[0].firstValue(matchingCategory: .stereoView) == .leftEye)
    #expect(collections[0].filter(matchingCategory: .videoLayerID) == [.videoLayerID(0)])
    #expect(collections[0].firstValue(matchingCategory: .packingType) == nil)
    #expect(VideoTag.trackID(7).value(onlyIfMatching: .trackID) == 7)
    #expect(VideoTag.mediaType(.video).value(onlyIfMatching: .mediaType) == .video)
    #expect(VideoTag.pixelFormat("420v").value(onlyIfMatching: .pixelFormat) == "420v")
    #expect(VideoTag.packingType(.overUnder).value(onlyIfMatching: .packingType) == .overUnder)
    #expect(VideoTag.projectionType(.fisheye).value(onlyIfMatching: .projectionType) == .fisheye)
  }

  @Test func valuesOfAnotherDataTypeAreNone() {
    let odd = VideoTag(rawCategory: .videoLayerID, dataType: .flags, rawValue: 1)
    #expect(odd.value(onlyIfMatching: .videoLayerID) == nil)
    let wide = VideoTag(rawCategory: .projectionType, dataType: .fourCC, rawValue: 1 << 40)
    #expect(wide.value(onlyIfMatching: .projectionType) == nil)
    let far = VideoTag(rawCategory: .trackID, dataType: .signedInteger, rawValue: 1 << 40)
    #expect(far.value(onlyIfMatching: .trackID) == nil)
  }

  @Test func descriptions() {
    #expect("\(VideoTag.videoLayerID(0))" == "videoLayerID 0")
    #expect("\(VideoTag.stereoView(.leftEye))" == "stereoView left")
    #expect("\(VideoTag.stereoView([.leftEye, .rightEye]))" == "stereoView left and right")
    #expect("\(VideoTag.stereoView([]))" == "stereoView none")
    #expect("\(VideoTag.mediaType(.video))" == "mediaType vide")
    #expect("\(VideoTag.projectionType(.rectilinear))" == "projectionType rectilinear")
    let unknown = VideoTag(rawCategory: .init(rawValue: "abcd"), dataType: .float64, rawValue: 1.5.bitPattern)
    #expect("\(unknown)" == "'abcd' 1.5")
  }

  @Test func units() {
    #expect("\(Micrometers(rawValue: 19_240))" == "19240 µm")
    #expect("\(Millidegrees(rawValue: 63_400))" == "63400/1000°")
    #expect("\(DisparityRatio(rawValue: -200))" == "-200/10000")
    #expect(!DisparityRatio(rawValue: 10_001).isLegal && DisparityRatio(rawValue: -10_000).isLegal)
    #expect(!Millidegrees(rawValue: 0).isPlausible && !Millidegrees(rawValue: 360_001).isPlausible)
    #expect(Micrometers(rawValue: 63_123).meters == 0.063123)
    #expect(HeroEye(rawValue: 7).eye == nil && HeroEye(rawValue: 7).description == "reserved 7")
    #expect(StereoEye.left.opposite == .right && StereoEye.right.opposite == .left)
  }
}
