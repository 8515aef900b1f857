// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import HEVC
import ISOBMFF
import Multiview
import TestSupport

extension RuleCase {
  static let configuration: [RuleCase] = [
    RuleCase("MV005") { try rename("hev1", &$0) },
    RuleCase("MV005") { movie in
      // The sets of the second layer are in the first sample, as with hev1 they may be.
      let layered = try required(movie.tree["moov/trak/mdia/minf/stbl/stsd/hvc1/lhvC"])
      let units = try required(layered.payload(LHEVCConfigurationBox.self)).record.nalUnits
      try movie.rewriteSamples { $0[0] = units + $0[0] }
      try rename("hev1", &movie)
    },
    RuleCase("MV006", also: ["MV047"]) { movie in
      let record = try required(movie.tree["moov/trak/mdia/minf/stbl/stsd/hvc1/hvcC"])
      let units = try required(record.payload(HEVCConfigurationBox.self)).record.nalUnits
      movie.edit("\(entry)/hvcC", HEVCConfigurationBox.self) { $0.record.arrays = [] }
      try movie.rewriteSamples { $0[0] = units.filter(\.type.isParameterSet) + $0[0] }
    },
    RuleCase("MV006", also: ["MV047"]) {
      $0.edit("\(entry)/hvcC", HEVCConfigurationBox.self) { $0.record.arrays = [] }
    },
    RuleCase("MV007") { movie in
      let layered = try required(movie.tree["moov/trak/mdia/minf/stbl/stsd/hvc1/lhvC"])
      let arrays = try required(layered.payload(LHEVCConfigurationBox.self)).record.arrays
      movie.edit("\(entry)/hvcC", HEVCConfigurationBox.self) { $0.record.arrays += arrays }
    },
    RuleCase("MV123") { movie in
      // As muxers write it that put all messages of x265 into the record.
      let header: [UInt8] = [0x4E, 0x01, 0x05] + [UInt8](repeating: 0xFF, count: 7) + [15]
      let message = header + [UInt8](repeating: 0x41, count: 7 * 255 + 15) + [0x80]
      movie.edit("\(entry)/hvcC", HEVCConfigurationBox.self) {
        $0.record.arrays.append(NALUnitArray(.prefixSEI, isComplete: false, [ByteView(message)]))
      }
    },
    RuleCase("MV008") { movie in
      movie.edit(entry) { $0.children.swapAt(0, 1) }
    },
    RuleCase("MV009") { movie in
      movie.edit("\(entry)/lhvC", LHEVCConfigurationBox.self) { $0.record.lengthSizeMinusOne = 1 }
    },
    RuleCase("MV010") { movie in
      try movie.rewriteSamples(lengthSize: 3) { _ in }
      movie.edit("\(entry)/hvcC", HEVCConfigurationBox.self) { $0.record.lengthSizeMinusOne = 2 }
      movie.edit("\(entry)/lhvC", LHEVCConfigurationBox.self) { $0.record.lengthSizeMinusOne = 2 }
    },
    RuleCase("MV011") { movie in
      movie.edit("\(entry)/hvcC", HEVCConfigurationBox.self) {
        $0.record.arrays[2].nalUnitType = .sequenceParameterSet
      }
    },
    RuleCase("MV012") { movie in
      try movie.rewriteSamples { samples in
        samples = samples.map { sample in sample.filter { $0.layerID == 0 } }
      }
    },
    RuleCase("MV012", also: ["MV021", "MV073"]) { movie in
      // Pictures of another layer than the one that is configured.
      try movie.rewriteSamples { samples in
        samples = samples.map { $0.map { $0.layerID == 1 ? $0.moved(toLayer: 2) : $0 } }
      }
    },
    RuleCase("MV012", also: ["MV056"]) { movie in
      // The layer from which the other is predicted.
      try movie.rewriteSamples { samples in
        samples = samples.map { sample in sample.filter { $0.layerID == 1 } }
      }
    },
    RuleCase("MV101") { movie in
      // The pictures of the base layer name another one.
      try movie.editSet("hvcC", .pictureParameterSet, PictureParameterSet()) { $0.ppsPicParameterSetID = 7 }
    },
    RuleCase("MV103", "two-tracks-lhv1.mp4") { movie in
      // The track of the other layer is dropped.
      movie.edit("moov") { moov in
        if let last = moov.children.lastIndex(where: { $0.type == "trak" }) { moov.children.remove(at: last) }
      }
    },
    RuleCase("MV103", "two-tracks-lhv1.mp4", also: ["MV102"]) { movie in
      // And a picture of the first is damaged.
      movie.edit("moov") { moov in
        if let last = moov.children.lastIndex(where: { $0.type == "trak" }) { moov.children.remove(at: last) }
      }
      try movie.rewriteSamples { samples in
        samples[1] = samples[1].map { $0.type.isSliceSegment ? NALUnit($0.bytes.prefix(3)) ?? $0 : $0 }
      }
    },
    RuleCase("MV013") { movie in
      try movie.rewriteSamples { samples in samples[2].removeAll { $0.layerID == 1 } }
    },
    RuleCase("MV013") { movie in
      // Each layer in samples of its own.
      try movie.rewriteSamples { samples in
        samples = samples.flatMap { sample in
          [sample.filter { $0.layerID == 0 }, sample.filter { $0.layerID == 1 }]
        }
      }
      movie.edit("\(tables)/stts", TimeToSampleBox.self) { $0.entries = .of([run(8, 10)]) }
      // The headers follow: 80 of the media, of which there are 30 in a second, and as long of the movie.
      movie.edit("moov/trak/mdia/mdhd", MediaHeaderBox.self) { $0.duration = 80 }
      movie.edit("moov/trak/tkhd", TrackHeaderBox.self) { $0.duration = 1_600 }
      movie.edit("moov/mvhd", MovieHeaderBox.self) { $0.duration = 1_600 }
    },
    RuleCase("MV014", also: ["MV015"]) { $0.remove("\(entry)/lhvC") },
    RuleCase("MV014", also: ["MV007", "MV015"]) { movie in
      // The sets of the second layer are in the record of the first.
      let layered = try required(movie.tree["moov/trak/mdia/minf/stbl/stsd/hvc1/lhvC"])
      let arrays = try required(layered.payload(LHEVCConfigurationBox.self)).record.arrays
      movie.remove("\(entry)/lhvC")
      movie.edit("\(entry)/hvcC", HEVCConfigurationBox.self) { $0.record.arrays += arrays }
    },
    RuleCase("MV015", also: ["MV014"]) { $0.remove("\(entry)/lhvC") },
    RuleCase("MV016") { $0.remove("\(entry)/vexu") },
    RuleCase("MV017") { movie in
      movie.edit("\(entry)/hvcC", HEVCConfigurationBox.self) { $0.record.generalLevelIdc.rawValue = 30 }
    },
    RuleCase("MV018") { movie in
      movie.edit("\(entry)/hvcC", HEVCConfigurationBox.self) { $0.record.bitDepthLumaMinus8 = 2 }
    },
    RuleCase("MV019") { $0.remove("\(tables)/sgpd") },
    RuleCase(
      "MV020", also: ["MV016"],
      from: {
        var movie = EditedMovie("two-tracks-lhv1.mp4")
        movie.edit("moov/trak[1]") { trak in trak.children.removeAll { $0.type == "tref" } }
        return movie
      }, { movie in try movie.append(box("tref", box("sbas", u32(1))), to: "moov/trak[1]") }),
    RuleCase("MV021", from: { try EditedMovie(muxing: "three-views.hevc", layers: 0...1) }) { movie in
      movie = try EditedMovie(muxing: "three-views.hevc", layers: 0...2)
    },
    RuleCase("MV073") { movie in
      try movie.rewriteSamples { samples in
        let unit = try required(samples[1].last { $0.type.isSliceSegment })
        samples[1].append(unit.moved(toLayer: 5))
      }
    },
    RuleCase("MV074", "two-tracks-lhv1.mp4") { movie in
      movie.edit("moov/trak[1]") { trak in trak.children.removeAll { $0.type == "tref" } }
    },
    RuleCase("MV074") { try rename("lhv1", &$0) },
    RuleCase("MV094") { movie in
      movie.edit("\(entry)/lhvC", LHEVCConfigurationBox.self) { box in
        box.record.arrays.removeAll { $0.nalUnitType == .pictureParameterSet }
      }
    },
    RuleCase("MV099") { try rename("dvh1", &$0) },
    RuleCase("MV089") { movie in
      movie.edit("\(entry)/hvcC", HEVCConfigurationBox.self) { $0.record.arrays[1].arrayCompleteness = false }
    },
    RuleCase("MV090") { movie in
      let record = try required(movie.tree["moov/trak/mdia/minf/stbl/stsd/hvc1/lhvC"])
      try movie.append(record.encoded(), to: entry)
    },
    RuleCase("MV090") { movie in
      // Two that differ.
      let record = try required(movie.tree["moov/trak/mdia/minf/stbl/stsd/hvc1/lhvC"])
      try movie.append(record.encoded(), to: entry)
      movie.edit("\(entry)/lhvC", LHEVCConfigurationBox.self) { $0.record.parallelismType = 1 }
    },
  ]

  static let eyes: [RuleCase] = [
    RuleCase(
      "MV046",
      from: {
        var movie = EditedMovie()
        movie.edit("\(entry)/hvcC", HEVCConfigurationBox.self) { box in
          box.record.arrays.removeAll { $0.nalUnitType.isSEI }
        }
        return movie
      }
    ) { movie in
      try movie.rewriteSamples { samples in
        samples[0].removeAll { $0.names(ThreeDimensionalReferenceDisplaysInfo.payloadType) }
      }
    },
    RuleCase("MV047") { movie in
      try movie.editVPS { set in
        set.vpsExtension?.viewIDLen = 4
        set.vpsExtension?.viewIDVal = [4, 5]
      }
    },
    RuleCase("MV048") { movie in
      movie.edit("\(entry)/vexu/eyes/stri", StereoViewInformationBox.self) { $0.eyeViewsReversed = true }
    },
    RuleCase("MV049", also: ["MV050"]) { movie in
      try movie.editVPS { $0.vpsExtension?.repFormats[0].conformanceWindow?.bottomOffset = 10 }
    },
    RuleCase("MV087", also: ["MV048"]) { movie in
      // Both views have the identifier that the message gives to the left eye.
      try movie.editReferenceDisplays { $0.displays[0].rightViewID = $0.displays[0].leftViewID }
    },
    RuleCase("MV098") { movie in
      let record = try required(movie.tree["moov/trak/mdia/minf/stbl/stsd/hvc1/hvcC"])
      let units = try required(record.payload(HEVCConfigurationBox.self)).record.nalUnits
      let unit = try required(units.first { $0.names(ThreeDimensionalReferenceDisplaysInfo.payloadType) })
      let swapped = try unit.changingReferenceDisplays { message in
        let display = message.displays[0]
        message.displays[0].leftViewID = display.rightViewID
        message.displays[0].rightViewID = display.leftViewID
      }
      try movie.rewriteSamples { samples in samples[0].insert(swapped, at: 0) }
    },
    RuleCase("MV050") { movie in
      try movie.editVPS { $0.vpsExtension?.repFormats[0].sampleFormat?.bitDepthLumaMinus8 = 2 }
    },
  ]

  static let samples: [RuleCase] = [
    RuleCase("MV051") { movie in
      let layered = try required(movie.tree["moov/trak/mdia/minf/stbl/stsd/hvc1/lhvC"])
      let record = try required(layered.payload(LHEVCConfigurationBox.self)).record
      let set = try required(record.nalUnits.first { $0.type == .pictureParameterSet })
      try movie.rewriteSamples { samples in
        let place = try required(samples[1].firstIndex { $0.layerID == 1 })
        samples[1].insert(set, at: place)
      }
    },
    RuleCase("MV052") { movie in
      try movie.rewriteSamples { samples in
        samples[1] = samples[1].filter { $0.layerID == 1 } + samples[1].filter { $0.layerID == 0 }
      }
    },
    RuleCase("MV053") { movie in
      let first = try required(try movie.opened().tracks[0].samples().sample(at: 1))
      try movie.patch { $0[Int(first.offset)] = 0x7F }
    },
    RuleCase("MV053") { movie in
      // Start codes in place of lengths.
      var samples: [[UInt8]] = []
      try movie.rewriteSamples { units in samples = units.map { AnnexBNALUnits.join($0) } }
      try movie.place(samples)
    },
    RuleCase("MV053", also: ["MV009", "MV012", "MV082"]) { movie in
      // Lengths of two bytes, and the record says four.
      try movie.rewriteSamples(lengthSize: 2) { _ in }
    },
    RuleCase("MV057") { movie in
      // As in stco, in the place of a filler of the same size.
      let count = try required(movie.tree["\(tables)/stco"]?.payload(ChunkOffsetBox.self)).entries.count
      try movie.append(box("free", [UInt8](repeating: 0, count: 8 + 8 * count)), to: tables)
      let filler = try required(movie.tree["\(tables)/free"])
      let chunks = try required(movie.tree["\(tables)/stco"]?.payload(ChunkOffsetBox.self))
      let offsets = chunks.entries.reduce(into: [UInt8]()) { $0 += u32(0) + u32($1.value) }
      try movie.patch { bytes in
        let table = fullBox("co64", u32(UInt32(count)), offsets)
        bytes.replaceSubrange(filler.offset..<filler.offset + table.count, with: table)
      }
    },
    RuleCase("MV129") { movie in
      // An edit that begins after the end of the media.
      let edits = fullBox("elst", u32(1), u32(100), u32(1_000_000), u32(0x0001_0000))
      try movie.append(box("edts", edits), to: "moov/trak")
    },
    RuleCase("MV130") { movie in
      movie.edit("\(tables)/stss", SyncSampleBox.self) { $0.entries = .of([UInt32Record]()) }
    },
    RuleCase("MV058") { movie in
      // Something was put before the media data, and the offsets were not corrected.
      movie.edit("\(tables)/stco", ChunkOffsetBox.self) { table in
        table.entries = .of(table.entries.map { UInt32Record($0.value + 20_000) })
      }
    },
    RuleCase("MV053") { movie in
      // The same with a file that is long enough.
      movie.edit("\(tables)/stco", ChunkOffsetBox.self) { table in
        table.entries = .of(table.entries.map { UInt32Record($0.value - 100) })
      }
    },
    RuleCase("MV054") { movie in
      // Sample 1 is shown after the samples 2 and 3, which the stream does not say.
      let delta = UInt32(
        clamping: try required(try movie.opened().tracks[0].samples().sample(at: 0)).duration)
      let offsets = [u32(1), u32(0), u32(1), u32(3 * delta), u32(2), u32(0)].flatMap { $0 }
      try movie.append(fullBox("ctts", u32(3), offsets), to: tables)
    },
    RuleCase("MV102") { movie in
      // After the number of the PPS the header ends.
      try movie.rewriteSamples { samples in
        samples[1] = samples[1].map { unit in
          unit.layerID == 1 ? NALUnit(unit.bytes.prefix(3)) ?? unit : unit
        }
      }
    },
    RuleCase("MV055") { movie in
      try movie.rewriteSamples { samples in
        let first = samples[1].filter { $0.layerID == 1 }, second = samples[2].filter { $0.layerID == 1 }
        samples[1] = samples[1].filter { $0.layerID == 0 } + second
        samples[2] = samples[2].filter { $0.layerID == 0 } + first
      }
    },
    RuleCase("MV056") { movie in
      movie.edit("\(tables)/stss", SyncSampleBox.self) {
        $0.entries = .of([UInt32Record(1), UInt32Record(3)])
      }
    },
    RuleCase("MV057") { movie in
      let delta = UInt32(
        clamping: try required(try movie.opened().tracks[0].samples().sample(at: 0)).duration)
      movie.edit("\(tables)/stts", TimeToSampleBox.self) { $0.entries = .of([run(3, delta)]) }
    },
    RuleCase("MV058") { movie in
      movie.edit("\(tables)/stco", ChunkOffsetBox.self) { $0.entries = .of([UInt32Record(5_000_000)]) }
    },
    RuleCase("MV059", also: ["MV054"]) { movie in
      let delta = UInt32(
        clamping: try required(try movie.opened().tracks[0].samples().sample(at: 0)).duration)
      movie.edit("\(tables)/stts", TimeToSampleBox.self) {
        $0.entries = .of([run(1, 3 * delta), run(1, UInt32(bitPattern: -Int32(delta))), run(2, delta)])
      }
    },
    RuleCase("MV060", "two-tracks-lhv1.mp4", also: ["MV129"]) { movie in
      let edits = fullBox("elst", u32(1), u32(100), u32(500), u32(0x0001_0000))
      try movie.append(box("edts", edits), to: "moov/trak[1]")
    },
    RuleCase("MV086") { movie in
      movie.edit("moov/trak/mdia/minf/dinf/dref/url ", DataEntryURLBox.self) { $0.flags = 0 }
    },
    RuleCase("MV061", "edit-list-trim.mp4") { movie in
      movie.edit("moov/trak[0]") { trak in trak.children.removeAll { $0.type == "edts" } }
    },
  ]

  /// What headers and sample entries say to players.
  static let headers: [RuleCase] = [
    RuleCase("MV124") { $0.edit("moov/mvhd", MovieHeaderBox.self) { $0.duration = 0 } },
    RuleCase("MV124") { $0.edit("moov/trak/tkhd", TrackHeaderBox.self) { $0.duration = 1 << 31 } },
    RuleCase("MV124") { $0.edit("moov/trak/mdia/mdhd", MediaHeaderBox.self) { $0.duration = 0 } },
    RuleCase("MV124") { movie in
      movie.edit("moov/mvhd", MovieHeaderBox.self) { $0.duration = 0xFFFF_FFFF }
    },
    RuleCase("MV125") { $0.edit("moov/trak/tkhd", TrackHeaderBox.self) { $0.width = 0 } },
    RuleCase("MV125") { $0.edit("moov/trak/tkhd", TrackHeaderBox.self) { $0.height /= 2 } },
    RuleCase("MV126", from: withSound) { movie in
      movie.edit("ftyp", FileTypeBox.self) { ($0.majorBrand, $0.compatibleBrands) = ("qt  ", ["qt  "]) }
    },
  ]

  /// An MP4 movie of two views with the sound track of another movie, without its samples.
  @Sendable private static func withSound() throws -> EditedMovie {
    var source = EditedMovie("edit-list-trim.mp4")
    let track = "moov/trak[1]", tables = "moov/trak[1]/mdia/minf/stbl"
    source.edit(track) { $0.children.removeAll { $0.type == "edts" } }
    source.edit(tables) { $0.children.removeAll { $0.type == "sgpd" || $0.type == "sbgp" } }
    source.edit("\(track)/tkhd", TrackHeaderBox.self) { $0.duration = 0 }
    source.edit("\(track)/mdia/mdhd", MediaHeaderBox.self) { $0.duration = 0 }
    source.edit("\(tables)/stts", TimeToSampleBox.self) { $0.entries = .of([]) }
    source.edit("\(tables)/stsc", SampleToChunkBox.self) { $0.entries = .of([]) }
    source.edit("\(tables)/stco", ChunkOffsetBox.self) { $0.entries = .of([]) }
    source.edit("\(tables)/stsz", SampleSizeBox.self) { table in
      (table.sampleSize, table.sampleCount) = (0, 0)
      table.entries = .of([])
    }
    let sound = BoxTree(ByteView(try source.encoded()), registry: .standard)["moov/trak[1]"]
    var movie = EditedMovie()
    movie.edit("ftyp", FileTypeBox.self) { ($0.majorBrand, $0.compatibleBrands) = ("mp42", ["mp42"]) }
    movie.edit("moov/mvhd", MovieHeaderBox.self) { $0.nextTrackID = 3 }
    try movie.append(required(sound).encoded(), to: "moov")
    return movie
  }
}

extension NALUnit {
  /// The unit under the number of another layer.
  package func moved(toLayer layer: UInt8) -> NALUnit {
    var bytes = self.bytes.array
    bytes[0] = bytes[0] & 0xFE | layer >> 5
    bytes[1] = bytes[1] & 0x07 | layer << 3
    return NALUnit(ByteView(bytes)) ?? self
  }

  /// Whether it is an SEI unit with a message of that type.
  package func names(_ type: SEIPayloadType) -> Bool {
    self.type.isSEI && seiMessages().messages.contains { $0.payloadType == type }
  }
}
