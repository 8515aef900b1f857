// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ISOBMFF
import MovieCases
import Multiview
import TestSupport
import Testing

/// Sample entries that allow parameter sets in samples, where no sample can be looked into. ISO/IEC 14496-15, 8.4.3
@Suite struct SetsInSamplesTests {
  /// The spatial fixture without samples, as an initialisation segment is, and without parameter sets in some records.
  private static func segment(_ type: FourCC, without records: [FourCC]) throws -> EditedMovie {
    var movie = EditedMovie()
    if records.contains("hvcC") {
      movie.edit("\(EditedMovie.entry)/hvcC", HEVCConfigurationBox.self) { $0.record.arrays = [] }
    }
    if records.contains("lhvC") {
      movie.edit("\(EditedMovie.entry)/lhvC", LHEVCConfigurationBox.self) { $0.record.arrays = [] }
    }
    movie.edit("\(EditedMovie.tables)/stsz", SampleSizeBox.self) { table in
      (table.sampleSize, table.sampleCount, table.entries) = (0, 0, .of([]))
    }
    if type != "hvc1" { try RuleCase.rename(type, &movie) }
    return movie
  }

  /// What the boxes claim cannot be denied where the sets may be in samples that are not here.
  @Test(
    arguments: [
      ("hvc1", [], "spatial"), ("hvc1", ["lhvC"], "mono"), ("hev1", [], "spatial"),
      ("hev1", ["lhvC"], "spatial"),
      ("hev1", ["hvcC", "lhvC"], "spatial"), ("dvhe", ["lhvC"], "spatial"), ("dvh1", ["lhvC"], "mono"),
    ] as [(FourCC, [FourCC], String)])
  func theClass(_ type: FourCC, _ records: [FourCC], _ expected: String) throws {
    let movie = try Self.segment(type, without: records).opened()
    #expect(movie.classification.rawValue == expected)
    let findings = movie.check().findings.map(\.rule.id)
    #expect(findings.contains("MV094") == (expected == "mono"), "\(findings)")
  }

  /// A sample that is there and has no such sets decides.
  @Test func aSampleDecides() throws {
    var movie = EditedMovie()
    movie.edit("\(EditedMovie.entry)/lhvC", LHEVCConfigurationBox.self) { $0.record.arrays = [] }
    try movie.rewriteSamples { samples in
      for index in samples.indices { samples[index].removeAll { $0.layerID > 0 } }
    }
    try RuleCase.rename("hev1", &movie)
    #expect(try movie.opened().classification == .mono)
    #expect(try movie.opened().check().findings.contains { $0.rule.id == "MV094" })
  }
}
