// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF
import MovieCases
import Multiview
import TestSupport
import Testing

/// Colours in the sample entry, in the VUI, and in messages.
@Suite struct ColourRuleTests {
  /// Broadcasts in HLG have BT.2020's curve (14) in the VUI, and prefer HLG (18) by a message: `colr` may have either.
  @Test(arguments: [(UInt16(18), 0), (14, 0), (16, 1)])
  func thePreferredCurveIsNoContradiction(_ transfer: UInt16, _ count: Int) throws {
    var movie = EditedMovie("hdr10.mp4")
    movie.edit("\(EditedMovie.entry)/hvcC", HEVCConfigurationBox.self) { box in
      for index in box.record.arrays.indices
      where box.record.arrays[index].nalUnitType == .sequenceParameterSet {
        box.record.arrays[index].units = box.record.arrays[index].nalUnits.compactMap { unit in
          var set = unit.rbsp.decode(SequenceParameterSet()).value
          set.vui?.videoSignalType?.colour?.transferCharacteristics = 14
          return try? NALUnit(unit.header, set).bytes
        }
      }
      // alternative_transfer_characteristics: one byte, preferred_transfer_characteristics. D.2.38
      let message = ByteView([0x4E, 0x01, 147, 1, 18, 0x80])
      box.record.arrays.append(NALUnitArray(.prefixSEI, isComplete: false, [message]))
    }
    let codes = [UInt16(9), transfer, 9].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    movie.edit(EditedMovie.entry) { $0.children.removeAll { $0.type == "colr" } }
    try movie.append(box("colr", code("nclx"), codes, [0]), to: EditedMovie.entry)
    let found = try movie.opened().check().findings.filter { $0.rule.id == "MV063" }
    #expect(found.count == count, "\(found.map(\.message))")
  }
}
