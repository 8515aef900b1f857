// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FieldOutput
import HEVC
import Multiview
import TestSupport
import Testing

/// A parameter set is read once per distinct bytes: layers, rules, rows and traces share what was read.
@Suite struct ParameterSetReadingTests {
  @Test(arguments: ["spatial.mov", "two-tracks-lhv1.mp4", "two-tracks-hvc2.mp4", "two-views.hevc"])
  func setsAreReadOnce(name: String) throws {
    let movie = try MovieFile(source: MemoryBytes(Fixtures.bytes(name)))
    let readings = try #require(movie.tracks.first { $0.isHEVC }?.layerAnalysis.readings)
    var distinct: Set<NALUnit> = []
    for track in movie.tracks where track.isHEVC {
      #expect(track.layerAnalysis.readings === readings)
      distinct.formUnion(track.layerAnalysis.units.map(\.unit).filter { $0.type.isParameterSet })
    }
    #expect(readings.count == distinct.count && distinct.count >= 3)

    _ = movie.check()
    for track in movie.tracks where track.isHEVC {
      var store = track.layerAnalysis.parameterSetStore()
      for located in track.layerAnalysis.units { store.insert(located.unit) }
      for located in track.layerAnalysis.units where located.unit.type.isParameterSet {
        let shared = TraceSink(), own = TraceSink()
        #expect(store.describe(located.unit, into: shared) == nil)
        trace(located.unit, store, into: own)
        #expect(shared.elements.map(\.text) == own.elements.map(\.text))
      }
      var reader = PictureReader(track)
      try track.forEachAccessUnit { places, walker in
        do { for unit in places.units { _ = try reader.read(unit, walker) } } catch {
          Issue.record("\(error)")
        }
        return true
      }
    }
    #expect(readings.count == distinct.count)
  }

  /// What reading the unit itself describes.
  private func trace(_ unit: NALUnit, _ store: ParameterSetStore, into sink: TraceSink) {
    switch unit.type {
    case .videoParameterSet:
      var set = VideoParameterSet()
      unit.rbsp.trace(&set, into: sink)
    case .sequenceParameterSet:
      var set = SequenceParameterSet()
      set.nuhLayerID = unit.layerID
      set.inherited = store.sequenceParameterSet(of: unit)?.content.inherited
      unit.rbsp.trace(&set, into: sink)
    default:
      var set = PictureParameterSet()
      unit.rbsp.trace(&set, into: sink)
    }
  }

  @Test func whatIsDamagedIsReadWhereItIs() throws {
    let readings = ParameterSetReadings()
    let bytes: [UInt8] = [0x42, 1, 1, 1, 0x60]
    func error(at offset: Int) throws -> ParseError? {
      var store = ParameterSetStore(readings: readings)
      let view = ByteView(Array(repeating: 0, count: offset) + bytes).suffix(from: offset)
      store.insert(try #require(NALUnit(view)))
      return store.sequenceParameterSets.first?.error
    }
    let first = try #require(try error(at: 0)), second = try #require(try error(at: 100))
    #expect(second.offset == first.offset + 100)
    #expect(readings.count == 2)
  }

  @Test func setsWithoutNumberAreNotKept() throws {
    let readings = ParameterSetReadings()
    var store = ParameterSetStore(readings: readings)
    var set = PictureParameterSet()
    // More bytes than are kept, in sets of one id.
    set.trailing.following = ByteView(Array(repeating: 0, count: 10_000))
    let units = try (0..<40).map { index in
      set.initQpMinus26 = Int32(index % 26)
      set.ppsCbQpOffset = Int32(index % 12)
      return try NALUnit(NALUnitHeader(type: .pictureParameterSet), set)
    }
    for unit in units { store.insert(unit) }
    #expect(readings.count == 40)
    for unit in units { store.insert(unit) }
    #expect((41...80).contains(readings.count))
  }
}

extension SyntaxElement {
  fileprivate var text: String { "\(name) \(descriptor) \(value)" }
}
