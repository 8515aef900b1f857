// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding
package import HEVC
package import ISOBMFF
package import Multiview
import TestSupport

/// A fixture that tests change in one thing and write again with the library's own writer.
package struct EditedMovie {
  package private(set) var tree: BoxTree
  private var problem: (any Error)?

  /// A fixture as it is.
  package init(_ fixture: String = "spatial.mov") {
    tree = BoxTree(Fixtures.bytes(fixture), registry: .standard)
  }

  /// A raw stream put into the frame of another movie: parameter sets into the records, access units into samples.
  package init(muxing stream: String, layers: ClosedRange<UInt8>) throws {
    self.init()
    let source = try MovieFile(bytes: Fixtures.bytes(stream).array)
    var sets: [NALUnit] = [], samples: [[NALUnit]] = []
    try source.tracks[0].forEachAccessUnit { places, walker in
      let units = places.units.compactMap { place in
        do { return layers.contains(place.header.layerID) ? try walker.unit(place) : nil } catch {
          return nil
        }
      }
      sets += units.filter { unit in unit.type.isParameterSet && !sets.contains { $0.bytes == unit.bytes } }
      samples.append(units.filter { !$0.type.isParameterSet })
      return true
    }
    func arrays(_ isWanted: (NALUnit) -> Bool) -> [NALUnitArray] {
      [.videoParameterSet, .sequenceParameterSet, .pictureParameterSet].map { type in
        NALUnitArray(type, isComplete: true, sets.filter { $0.type == type && isWanted($0) }.map(\.bytes))
      }
    }
    edit("\(Self.entry)/hvcC", HEVCConfigurationBox.self) { $0.record.arrays = arrays { $0.layerID == 0 } }
    edit("\(Self.entry)/lhvC", LHEVCConfigurationBox.self) { $0.record.arrays = arrays { $0.layerID > 0 } }
    edit("\(Self.tables)/stts", TimeToSampleBox.self) { table in
      table.entries = .of([RuleCase.run(UInt32(samples.count), 1_000)])
    }
    try place(samples.map { try LengthPrefixedNALUnits.join($0, lengthSize: 4) })
  }

  private init(_ bytes: [UInt8]) { tree = BoxTree(ByteView(bytes), registry: .standard) }

  /// The movie as it is now, opened.
  package func opened() throws -> MovieFile { try MovieFile(bytes: encoded()) }

  /// The movie as bytes, with offsets that follow where boxes in front of the media have grown.
  package func encoded() throws -> [UInt8] {
    if let problem { throw problem }
    return try tree.encoded()
  }

  /// The movie as bytes, with offsets as they are.
  private func encodedWithOwnOffsets() throws -> [UInt8] {
    var options = WriteOptions()
    options.relocatesOffsets = false
    let plan = try tree.writePlan(options)
    if let problem { throw problem }
    return try plan.read(0..<plan.byteCount).array
  }

  // MARK: Boxes

  /// Changes the box at `path`.
  package mutating func edit(_ path: String, _ change: (inout Box) -> Void) {
    Self.edit(path.split(separator: "/")[...], in: &tree.boxes, change)
  }

  /// A step names a type, and may count among the boxes of it: `trak[1]`.
  private static func edit(
    _ steps: ArraySlice<Substring>, in boxes: inout [Box], _ change: (inout Box) -> Void
  ) {
    guard let step = steps.first else { return }
    let number = step.count > 4 ? step.dropFirst(5).prefix { $0.isNumber } : "0"
    let found = boxes.indices.filter { boxes[$0].type == FourCC(String(step.prefix(4))) }
    guard let place = Int(number), place < found.count else { return }
    if steps.count == 1 { return change(&boxes[found[place]]) }
    edit(steps.dropFirst(), in: &boxes[found[place]].children, change)
  }

  /// Changes the fields of the box at `path`.
  package mutating func edit<Payload: BoxPayload>(
    _ path: String, _: Payload.Type, _ change: (inout Payload) -> Void
  ) {
    var failure: (any Error)?
    edit(path) { box in
      do { try box.edit(Payload.self) { (payload) throws(ParseError) in change(&payload) } } catch {
        failure = error
      }
    }
    problem = problem ?? failure
  }

  /// Takes the box at `path` away.
  package mutating func remove(_ path: String) {
    let parts = path.split(separator: "/")
    guard let last = parts.last, let type = FourCC(String(last)) else { return }
    if parts.count == 1 {
      tree.boxes.removeAll { $0.type == type }
    } else {
      edit(parts.dropLast().joined(separator: "/")) { box in box.children.removeAll { $0.type == type } }
    }
  }

  /// Puts a box after the others in the box at `path`.
  package mutating func append(_ bytes: [UInt8], to path: String) throws {
    let added = BoxTree(ByteView(bytes), registry: .standard)
    edit(path) { $0.children += added.boxes }
    // What a box is depends on where it is, so it is read again in its place.
    self = EditedMovie(try encoded())
  }

  /// Puts another box in the place of the one at `path`.
  package mutating func replace(_ path: String, with bytes: [UInt8]) {
    guard let box = BoxTree(ByteView(bytes), registry: .standard).boxes.first else { return }
    edit(path) { $0 = box }
  }

  /// Takes the bytes as they would be written, changes them, and reads them again.
  package mutating func patch(_ change: (inout [UInt8]) -> Void) throws {
    var bytes = try encoded()
    change(&bytes)
    self = EditedMovie(bytes)
  }

  // MARK: Samples

  /// The way to the sample entry of the first track.
  package static let entry = "moov/trak/mdia/minf/stbl/stsd/hvc1"
  /// The way to its sample tables.
  package static let tables = "moov/trak/mdia/minf/stbl"

  /// Writes the samples of the first track anew, after everything else; `change` gets the NAL units of all samples.
  package mutating func rewriteSamples(lengthSize: Int = 4, _ change: (inout [[NALUnit]]) throws -> Void)
    throws
  {
    var samples: [[NALUnit]] = []
    let track = try required(try opened().tracks.first)
    try track.forEachAccessUnit { places, walker in
      samples.append(
        places.units.compactMap { place in
          do { return try walker.unit(place) } catch { return nil }
        })
      return true
    }
    try change(&samples)
    try place(samples.map { try LengthPrefixedNALUnits.join($0, lengthSize: lengthSize) })
  }

  /// Puts samples after the file, in one chunk, and makes the tables of the first track point there.
  package mutating func place(_ samples: [[UInt8]]) throws {
    edit(Self.tables + "/stsz", SampleSizeBox.self) { table in
      table.sampleSize = 0
      table.sampleCount = UInt32(samples.count)
      table.entries = .of(samples.map { UInt32Record(UInt32($0.count)) })
    }
    edit(Self.tables + "/stsc", SampleToChunkBox.self) { table in
      var run = SampleToChunkBox.Entry()
      (run.firstChunk, run.samplesPerChunk, run.sampleDescriptionIndex) = (1, UInt32(samples.count), 1)
      table.entries = .of([run])
    }
    edit(Self.tables + "/stco", ChunkOffsetBox.self) { $0.entries = .of([UInt32Record(0)]) }
    let start = UInt32(try encodedWithOwnOffsets().count + 8)
    edit(Self.tables + "/stco", ChunkOffsetBox.self) { $0.entries = .of([UInt32Record(start)]) }
    self = EditedMovie(try encodedWithOwnOffsets() + box("mdat", samples.flatMap { $0 }))
  }

  // MARK: Parameter sets

  /// Changes the first parameter set of a type and layer in the configuration record at `record`, through its layout.
  package mutating func editSet<Set: FieldLayout>(
    _ record: FourCC, _ type: NALUnitType, _ initial: Set, _ change: (inout Set) -> Void
  ) throws {
    var failure: (any Error)?
    func rewrite(_ arrays: inout [NALUnitArray]) {
      for index in arrays.indices where arrays[index].nalUnitType == type {
        guard let unit = arrays[index].nalUnits.first else { continue }
        var set = unit.rbsp.decode(initial).value
        change(&set)
        do { arrays[index].units[0] = try NALUnit(unit.header, set).bytes } catch { failure = error }
      }
    }
    if record == "hvcC" {
      edit("\(Self.entry)/hvcC", HEVCConfigurationBox.self) { rewrite(&$0.record.arrays) }
    } else {
      edit("\(Self.entry)/lhvC", LHEVCConfigurationBox.self) { rewrite(&$0.record.arrays) }
    }
    if let failure { throw failure }
  }

  /// Changes the message on 3D reference displays in `hvcC`.
  package mutating func editReferenceDisplays(
    _ change: (inout ThreeDimensionalReferenceDisplaysInfo) -> Void
  ) throws {
    var failure: (any Error)?
    edit("\(Self.entry)/hvcC", HEVCConfigurationBox.self) { box in
      for index in box.record.arrays.indices where box.record.arrays[index].nalUnitType.isSEI {
        do {
          box.record.arrays[index].units = try box.record.arrays[index].nalUnits
            .map { try $0.changingReferenceDisplays(change).bytes }
        } catch { failure = error }
      }
    }
    if let failure { throw failure }
    // The message in the samples is the one that holds.
    try rewriteSamples { samples in
      for index in samples.indices {
        samples[index] = try samples[index].map { unit in
          unit.names(ThreeDimensionalReferenceDisplaysInfo.payloadType)
            ? try unit.changingReferenceDisplays(change) : unit
        }
      }
    }
  }

  /// Changes the sequence parameter set of the base layer.
  package mutating func editSPS(_ change: (inout SequenceParameterSet) -> Void) throws {
    try editSet("hvcC", .sequenceParameterSet, SequenceParameterSet(), change)
  }

  /// Changes the video parameter set.
  package mutating func editVPS(_ change: (inout VideoParameterSet) -> Void) throws {
    try editSet("hvcC", .videoParameterSet, VideoParameterSet(), change)
  }
}

extension NALUnit {
  /// The SEI unit with another message on 3D reference displays.
  func changingReferenceDisplays(
    _ change: (inout ThreeDimensionalReferenceDisplaysInfo) -> Void
  ) throws -> NALUnit {
    let messages = try seiMessages().messages.map { message in
      guard message.payloadType == ThreeDimensionalReferenceDisplaysInfo.payloadType else { return message }
      var displays = message.payload.decode(ThreeDimensionalReferenceDisplaysInfo()).value
      change(&displays)
      return try SEIMessage(displays)
    }
    return try NALUnit(header, SEIMessages(messages))
  }
}

/// What a case takes for granted, and is not there.
package struct MissingInCase: Error {}

/// The value, where there is one.
package func required<Value>(_ value: Value?) throws -> Value {
  guard let value else { throw MissingInCase() }
  return value
}
