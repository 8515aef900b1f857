// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import ISOBMFF
import MovieCases
import Multiview
import TestSupport
import Testing

/// Views that the message on 3D reference displays gives to eyes. ISO/IEC 23008-2, G.14.2.3
@Suite struct EyeViewTests {
  private static func findings(_ movie: EditedMovie) throws -> [Finding] {
    try movie.opened().check().findings.filter { $0.rule.id == "MV047" }
  }

  /// A stream of three views, of which a movie has some; the parameter set describes all.
  @Test(arguments: [(UInt8(0), 0), (1, 1), (2, 0)]) func viewsThatWereLeftOut(last: UInt8, count: Int) throws
  {
    var movie = try EditedMovie(muxing: "three-views.hevc", layers: 0...last)
    let layers = try #require(try movie.opened().tracks.first).layers
    #expect(layers.map(\.layerID) == Array(0...last))
    // The eyes see the outer two, whatever their numbers.
    var views: [UInt32] = []
    for layer in try MovieFile(bytes: Fixtures.bytes("three-views.hevc").array).tracks[0].layers {
      views.append(try #require(layer.viewID))
    }
    try movie.assignEyes(left: views[0], right: views[2])
    let found = try Self.findings(movie)
    #expect(found.count == count)
    guard count > 0 else { return }
    #expect(found[0].message.contains("the right eye view \(views[2]), which no layer has"))
    let report = try movie.opened().check()
    #expect(report.verdict(.spatial)?.outcome == .fail && report.verdict(.iso)?.outcome == .fail)
  }

  /// The identifiers of views are in the video parameter set: without it, a view may be any.
  @Test func viewsWithoutIdentifiers() throws {
    var movie = EditedMovie()
    movie.edit("\(EditedMovie.entry)/hvcC", HEVCConfigurationBox.self) {
      $0.record.arrays.removeAll { $0.nalUnitType == .videoParameterSet }
    }
    let track = try #require(try movie.opened().tracks.first)
    #expect(track.layers.count == 2 && track.layers.allSatisfy { $0.viewID == nil })
    #expect(track.eyeAssignment.evidence.contains { $0.source == .referenceDisplays })
    #expect(try Self.findings(movie).isEmpty)
    #expect(try movie.opened().check().findings.contains { $0.rule.id == "MV006" })
  }
}

extension EditedMovie {
  /// Puts a message on 3D reference displays into the record, in place of all messages there and in samples.
  fileprivate mutating func assignEyes(left: UInt32, right: UInt32) throws {
    var displays = ThreeDimensionalReferenceDisplaysInfo()
    (displays.displays[0].leftViewID, displays.displays[0].rightViewID) = (left, right)
    let unit = try NALUnit(NALUnitHeader(type: .prefixSEI), SEIMessages([SEIMessage(displays)]))
    edit("\(Self.entry)/hvcC", HEVCConfigurationBox.self) { box in
      box.record.arrays.removeAll { $0.nalUnitType.isSEI }
      box.record.arrays.append(NALUnitArray(.prefixSEI, isComplete: false, [unit.bytes]))
    }
    try rewriteSamples { samples in
      for index in samples.indices { samples[index].removeAll { $0.type.isSEI } }
    }
  }
}
