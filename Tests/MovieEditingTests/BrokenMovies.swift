// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// A movie as it should be, and what movies are made of that are broken as other tools break them.
struct BrokenMovies {
  typealias PlainUnit = MuxTests.PlainUnit
  let folder: TemporaryFolder
  /// The movie as it should be, and its stream.
  let sound: MovieFile
  let stream: [UInt8]

  init() throws {
    folder = try TemporaryFolder()
    stream = Fixtures.bytes("two-views-cropped.hevc").array
    var options = MuxOptions()
    options.frameRate = FrameRate(30)
    var muxer = StreamMuxer(source: MemoryBytes(ByteView(stream)), options: options)
    muxer.edit = { editor in
      editor.tracks[0].stereo.eyes = [.leftEye, .rightEye]
      editor.tracks[0].stereo.baseline = .millimeters(63)
      editor.tracks[0].stereo.fieldOfView = Millidegrees(rawValue: 63_400)
      editor.tracks[0].stereo.disparityAdjustment = DisparityRatio(rawValue: 200)
    }
    try muxer.write(to: folder.path + "/sound.mov")
    sound = try MovieFile(path: folder.path + "/sound.mov")
  }

  /// A movie of samples with 20 units of 600 a second each, without composition times and tags.
  func movie(
    _ samples: [[PlainUnit]], _ type: FourCC = "hvc1", base: Box?, layered: LayeredConfigurationRecord? = nil
  ) throws -> MovieFile {
    var media: [UInt8] = []
    var table = SampleTableBuilder()
    let fileType = try Box("ftyp", MuxedMovie.fileType(.mov), in: .file, registry: .standard).encoded()
    for sample in samples {
      let bytes = sample.flatMap { unit -> [UInt8] in
        let count = unit.bytes.count
        return [UInt8(count >> 24), UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255)]
          + unit.bytes
      }
      let isSync = sample.contains { (16...23).contains($0.type) }
      try table.append(
        size: UInt32(bytes.count), offset: UInt64(fileType.count + 16 + media.count), duration: 20,
        flags: isSync ? .sync : .nonSync)
      media += bytes
    }
    let old = try #require(sound.tree?["moov/trak/mdia/minf/stbl/stsd/hvc1"])
    var children = base.map { [$0] } ?? []
    if let layered {
      children.append(
        Box("lhvC", LHEVCConfigurationBox(layered), in: .visualSampleEntry, registry: .standard))
    }
    let entry = Box(
      type, old.payload(VisualSampleEntry.self), children: children,
      in: .visualSampleDescription, registry: .standard)
    var moov = try #require(sound.tree?.first("moov"))
    let trak = try #require(moov.children.firstIndex { $0.type == "trak" })
    let mdia = try #require(moov.children[trak].children.firstIndex { $0.type == "mdia" })
    let minf = try #require(moov.children[trak].children[mdia].children.firstIndex { $0.type == "minf" })
    let stbl = try #require(
      moov.children[trak].children[mdia].children[minf].children.firstIndex { $0.type == "stbl" })
    moov.children[trak].children[mdia].children[minf].children[stbl].children =
      [Box("stsd", SampleDescriptionBox(), children: [entry], registry: .standard)]
      + (try table.boxes().filter { $0.type != "sdtp" })
    let file =
      fileType + MuxedMovie.mediaHeader(.mov, count: UInt64(media.count)).array + media
      + (try moov.encoded())
    return try MovieFile(bytes: file)
  }

  var soundUnits: [[PlainUnit]] { get throws { try MuxTests.units(of: sound) } }

  var sets: [PlainUnit] { MuxTests.plainUnits(stream).filter { (32...34).contains($0.type) } }

  func record(_ isComplete: Bool = true, messages: [ByteView] = []) throws -> Box {
    var record = try #require(
      sound.tree?["moov/trak/mdia/minf/stbl/stsd/hvc1/hvcC"]?.payload(HEVCConfigurationBox.self)
    ).record
    record.arrays.removeAll { $0.nalUnitType == .prefixSEI }
    for index in record.arrays.indices { record.arrays[index].arrayCompleteness = isComplete }
    if !messages.isEmpty { record.arrays.append(NALUnitArray(.prefixSEI, isComplete: true, messages)) }
    return Box("hvcC", HEVCConfigurationBox(record), in: .visualSampleEntry, registry: .standard)
  }

  var layered: LayeredConfigurationRecord {
    get throws {
      try #require(
        sound.tree?["moov/trak/mdia/minf/stbl/stsd/hvc1/lhvC"]?.payload(LHEVCConfigurationBox.self)
      ).record
    }
  }
}
