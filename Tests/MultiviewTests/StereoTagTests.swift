// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ISOBMFF
import Multiview
import Testing

/// The rows of the table of tags agree with each other and with the boxes.
@Suite struct StereoTagTests {
  @Test func everyNameIsUsedOnce() {
    let tags = StereoTag.all
    for names in [
      tags.map(\.name) + tags.flatMap(\.aliases), tags.flatMap(\.spatialNames).map(\.name),
      tags.compactMap(\.jsonKey).map { "\($0)" }, tags.compactMap(\.label),
    ] {
      #expect(Set(names).count == names.count, "\(names)")
    }
  }

  @Test func everyPathLeadsToABox() {
    for tag in StereoTag.all {
      var scopes: [BoxScope] = [.visualSampleEntry]
      var parent: FourCC?
      for type in tag.box {
        let known = scopes.contains { BoxRegistry.standard.registration(for: type, in: $0) != nil }
        #expect(known, "\(tag.name): \(type)")
        #expect(StereoBoxHome.containers(of: type) == Array(tag.box.prefix { $0 != type }))
        scopes = [.box(type)] + (parent.map { [.box(type, in: $0)] } ?? [])
        parent = type
      }
    }
  }

  @Test func textsOfValuesAreUnderstood() throws {
    for tag in StereoTag.all {
      for word in tag.words.isEmpty ? ["0.5", "0"] : tag.words {
        var tags = StereoTags()
        try tag.edit(word)(&tags)
        let text = try #require(tag.text(tags))
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        #expect(tag.words.isEmpty ? number == word : text == word, "\(tag.name)")
        tag.remove(from: &tags)
        #expect(tags == StereoTags())
      }
    }
  }

  /// The value of each tag is read from its own property of a layout.
  @Test func layoutsGiveTheirValues() {
    var layout = StereoLayout()
    var views = StereoViewInformationBox(eyes: .leftEye)
    views.eyeViewsReversed = true
    layout.viewInformation = views
    layout.heroEye = .right
    layout.baseline = .millimeters(19.24)
    layout.disparityAdjustment = .fraction(-0.02)
    layout.horizontalFieldOfView = .degrees(63.4)
    layout.projection = .halfEquirectangular
    layout.packing = .overUnder
    let tags = StereoTags(layout)
    #expect(
      StereoTag.all.compactMap { $0.text(tags) } == [
        "left", "yes", "no", "right", "19.24 mm", "-0.02", "63.4°", "hequ", "over",
      ])
    #expect(
      StereoTag.all.compactMap { $0.value(tags)?.words }.suffix(6) == [
        "right", "19.24 mm", "-2 %", "63.4°", "half equirectangular", "over under",
      ])
    #expect(
      "\(layout)"
        == "left, hero eye right, baseline 19.24 mm, disparity -2 %, field of view 63.4°, "
        + "projection half equirectangular, packing over under")
  }

  @Test func namesOfTheToolSpatialSetOneEyeEach() throws {
    var tags = StereoTags()
    func set(_ name: String, _ value: String) throws {
      let tag = try #require(StereoTag.all.first { $0.spatialNames.contains { $0.name == name } })
      let found = try #require(tag.spatialNames.first { $0.name == name })
      try found.edit(value, of: tag)(&tags)
    }
    try set("hasRightEyeView", "true")
    #expect(tags.eyes == .rightEye)
    try set("hasLeftEyeView", "1")
    #expect(tags.eyes == [.leftEye, .rightEye])
    try set("hasRightEyeView", "no")
    #expect(tags.eyes == .leftEye)
    try set("eyeViewsReversed", "false")
    #expect(tags.isReversed == false)
  }

  @Test func reasonsNameNoOption() {
    func reason(_ tag: StereoTag, _ text: String) -> String? {
      do throws(StereoTag.Problem) { _ = try tag.edit(text) } catch { return error.reason }
      return nil
    }
    #expect(reason(.baseline, "nan") == "needs a number of millimetres, not 'nan'")
    #expect(reason(.fieldOfView, "-1") == "cannot be -1: it is a number of degrees, from 0 to 4000000")
    #expect(reason(.disparity, "2%") == "needs a fraction of the width, not '2%': 0.02 is 2 %")
    #expect(reason(.projection, "spherical") == "cannot be 'spherical'")
    #expect(reason(.projection, "abcd") == nil)
    #expect(reason(.hero, "both") == "cannot be 'both'")
  }
}
