// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import Foundation
import HEVC
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// Streams by other encoders, made movies of and compared with what other tools made of them.
@Suite struct CorpusMuxTests {
  static let streams: [String] = ["mvhevc", "lhevc"].flatMap { part in
    Corpus.files(part).filter { $0.hasSuffix(".hevc") || $0.hasSuffix(".bit") }
  }

  private func mux(
    _ bytes: ByteView, _ rate: FrameRate?, to path: String
  ) throws -> (movie: MovieFile, report: MuxReport) {
    var options = MuxOptions()
    options.frameRate = rate
    options.isOverwriting = true
    let report = try StreamMuxer(source: MemoryBytes(bytes), options: options).write(to: path)
    return (try MovieFile(path: path), report)
  }

  /// Streams of which GPAC makes samples that are not access units: it ends them at a second delimiter, and at the parameter
  /// sets of HTM. ISO/IEC 23008-2, F.7.4.2.4.4
  private static let missplit: Set<String> = [
    "mvhevc/c322_confwin_rh.hevc", "lhevc/htm_2view_nuh6.bit", "lhevc/htm_3view.bit", "lhevc/htm_2view.bit",
  ]

  @Test(.enabled(if: Corpus.isPresent)) func everyStreamBecomesASoundMovie() throws {
    let folder = try TemporaryFolder()
    #expect(Self.streams.count > 15)
    var compared = 0
    for name in Self.streams {
      let bytes = Corpus.bytes(name)
      let (movie, report) = try mux(bytes, FrameRate(30), to: folder.path + "/movie.mov")
      // Without tags nothing says which view is for which eye.
      let errors = movie.check().findings.filter { $0.severity == .error && $0.rule.id != "MV016" }
      #expect(errors.isEmpty, "\(name): \(errors.map { "\($0.rule.id) \($0.message)" })")
      // Every unit of every layer is there, in its order, but for what is in the sample entry or means nothing.
      let record = Set(
        movie.tracks[0].formatDescriptions.flatMap { $0.configurationUnits.map(\.unit.bytes.array) })
      let plain = MuxTests.plainUnits(bytes.array)
      let expected = plain.filter { unit in
        ![32, 33, 34, 35, 37, 38].contains(unit.type) && !(unit.type == 39 && record.contains(unit.bytes))
      }
      let units = try MuxTests.units(of: movie)
      #expect(units.flatMap { $0 } == expected, "\(name)")
      #expect(plain.allSatisfy { !(32...34).contains($0.type) || record.contains($0.bytes) }, "\(name)")
      // One base picture a sample.
      #expect(
        units.allSatisfy { unit in
          unit.count { $0.type < 32 && $0.layer == 0 && $0.bytes[2] & 0x80 != 0 } == 1
        }, "\(name)")
      #expect(report.notices.isEmpty, "\(name): \(report.notices)")
      if try compareWithGPAC(name, movie) { compared += 1 }
    }
    #expect(compared > 8)
  }

  /// Compares times and sync samples with the packets of GPAC's movie of the same stream, as ffprobe reads them.
  private func compareWithGPAC(_ name: String, _ movie: MovieFile) throws -> Bool {
    guard !Self.missplit.contains(name), let dot = name.lastIndex(of: "."),
      let packets = Corpus.truth(name[..<dot] + "_gpac.mp4", "ffprobe.packets.csv")
    else { return false }
    let rows = packets.split(separator: "\n").filter { $0.contains("codec_type=video") }.map { line in
      Dictionary(
        line.split(separator: ",").dropFirst().compactMap { field -> (String, String)? in
          let parts = field.split(separator: "=", maxSplits: 1).map(String.init)
          return parts.count == 2 ? (parts[0], parts[1]) : nil
        }, uniquingKeysWith: { first, _ in first })
    }
    let samples = Array(try movie.tracks[0].samples())
    #expect(samples.count == rows.count, "\(name)")
    guard samples.count == rows.count else { return false }
    // Readers take open access points for key frames, too.
    let groups = movie.tree?["moov/trak/mdia/minf/stbl"]?.all("sbgp") ?? []
    let open = groups.compactMap { $0.payload(SampleToGroupBox.self) }.first { $0.groupingType == "rap " }
    var isOpen: [Bool] = []
    for entry in open?.entries ?? PackedTable() {
      isOpen += [Bool](repeating: entry.groupDescriptionIndex > 0, count: Int(entry.sampleCount))
    }
    for (sample, row) in zip(samples, rows) {
      let time = row["pts_time"].flatMap { Double($0) } ?? -1
      let own = Double(sample.compositionTime) / 600
      #expect(abs(own - time) < 0.0005, "\(name) sample \(sample.index): \(own), and GPAC has \(time)")
      let isKey = row["flags"]?.hasPrefix("K") == true
      #expect(
        (sample.isSync || !isOpen.isEmpty && isOpen[sample.index]) == isKey, "\(name) sample \(sample.index)")
    }
    return true
  }

  /// Sound comes with its edits, its groups and its sample entries, and is never far from the pictures of its time.
  @Test(
    .enabled(if: Corpus.isPresent),
    arguments: [
      "made/avc_aac_moovlast.mp4", "made/avc_aac_editlist_trim.mp4", "made/aud_alac.m4a", "made/aud_opus.mp4",
    ])
  func soundIsCopied(name: String) throws {
    let folder = try TemporaryFolder()
    let corpus = try #require(Corpus.folder)
    var options = MuxOptions()
    options.frameRate = FrameRate(30_000, 1_001)
    var muxer = StreamMuxer(
      source: MemoryBytes(Corpus.bytes("mvhevc/d256_300f.hevc")), options: options)
    let source = try MovieFile(path: corpus + "/" + name)
    muxer.soundSource = source
    muxer.metadataSource = try MovieFile(path: corpus + "/apple/iphone15promax.mov")
    try muxer.write(to: folder.path + "/movie.mov")
    let movie = try MovieFile(path: folder.path + "/movie.mov")
    #expect(movie.check().findings.filter { $0.severity == .error && $0.rule.id != "MV016" }.isEmpty)
    let (old, new) = try (
      #require(source.tracks.first { $0.mediaType == .audio }),
      #require(movie.tracks.first { $0.mediaType == .audio })
    )
    #expect(movie.tracks.map(\.mediaType) == [.video, .audio, .metadata])
    let samples = try (Array(old.samples()), Array(new.samples()))
    #expect(samples.0.count == samples.1.count && !samples.0.isEmpty)
    for (one, other) in zip(samples.0, samples.1) {
      var moved = one
      moved.offset = other.offset
      #expect(moved == other)
      #expect(try source.source.read(one.range) == movie.source.read(other.range))
    }
    let edits = [(source, old), (movie, new)].map { movie, track -> [Double] in
      let scale = Double(movie.tree?["moov/mvhd"]?.payload(MovieHeaderBox.self)?.timescale ?? 1)
      let list = BoxPath(track.path + "/edts/elst").flatMap { movie.tree?[$0] }?.payload(EditListBox.self)
      return (list?.entries ?? []).flatMap { [Double($0.editDuration) / scale, Double($0.mediaTime)] }
    }
    #expect(edits[0] == edits[1])
    for box: BoxPath in ["mdia/minf/stbl/stsd", "mdia/minf/stbl/sgpd", "mdia/minf/stbl/sbgp", "mdia/mdhd"] {
      let boxes = try [(source, old), (movie, new)].map { movie, track in
        try BoxPath(track.path).flatMap { movie.tree?[$0] }?[box]?.encoded()
      }
      if "\(box)".hasSuffix("stsd"), old.codec == "mp4a" {
        // In a QuickTime movie AAC is described in the form of QuickTime, by the same descriptor.
        let descriptor = try #require(try old.formatDescriptions[0].box.first("esds")?.encoded())
        #expect(PlacedMovie.contains(try #require(boxes[1]), descriptor), "\(name)")
        #expect(new.codecString == old.codecString && new.formatDescriptions[0].box.first("wave") != nil)
      } else {
        #expect(boxes[0] == boxes[1], "\(name): \(box)")
      }
    }
    #expect(movie.metadata[.make] != nil)
    // Sound is at most about a second from the pictures beside it in the file.
    let video = Array(try movie.tracks[0].samples())
    for sample in samples.1 {
      guard let next = video.first(where: { $0.offset > sample.offset }) else { continue }
      let times = (
        Double(sample.decodeTime) / Double(new.timescale),
        Double(next.decodeTime) / Double(movie.tracks[0].timescale)
      )
      #expect(abs(times.0 - times.1) < 1.2)
    }
  }

  /// What was taken out of a movie of Apple's and made a movie again has the same samples, times and records.
  @Test(.enabled(if: Corpus.isPresent), arguments: ["apple/iphone15promax.mov", "apple/stereo_spatial.mp4"])
  func appleMoviesComeBack(name: String) throws {
    let folder = try TemporaryFolder()
    let original = try MovieFile(path: try #require(Corpus.folder) + "/" + name)
    let track = try #require(original.tracks.first { $0.isHEVC })
    var stream: [UInt8] = []
    _ = try track.extract(layers: [0, 1]) { piece in
      stream += piece
      return true
    }
    let old = Array(try track.samples())
    let rate = try #require(FrameRate(UInt32(track.timescale), UInt32(clamping: old[0].duration)))
    var options = MuxOptions()
    options.frameRate = rate
    options.brand = name.hasSuffix("mov") ? .mov : .mp4
    var muxer = StreamMuxer(source: MemoryBytes(ByteView(stream)), options: options)
    muxer.edit = { (editor: inout MovieEditor) throws(EditError) in try editor.copyTags(from: original) }
    try muxer.write(to: folder.path + "/movie")
    let movie = try MovieFile(path: folder.path + "/movie")
    let samples = Array(try movie.tracks[0].samples())
    #expect(samples.map(\.compositionTime) == old.map(\.compositionTime))
    #expect(
      samples.map(\.decodeTime) == old.map(\.decodeTime) && samples.map(\.duration) == old.map(\.duration))
    #expect(samples.map(\.isSync) == old.map(\.isSync))
    // Of the last picture nothing in the stream shows that no later one refers to it.
    #expect(samples.dropLast().map(\.flags) == old.dropLast().map(\.flags))
    let entries = [movie.tracks[0], track].map { $0.formatDescriptions[0].box }
    for type: FourCC in ["vexu", "hfov", "colr"] {
      let boxes = try entries.map { try $0.first(type)?.encoded() }
      #expect(boxes[0] == boxes[1], "\(name): \(type)")
    }
    // Apple's writers leave temporalIdNested clear although the sequence parameter set has the flag; this one says what it says.
    var bases = try entries.map { try #require($0.first(HEVCConfigurationBox.self)).record }
    var layered = try entries.map { try #require($0.first(LHEVCConfigurationBox.self)).record }
    for index in 0...1 { (bases[index].temporalIDNested, layered[index].temporalIDNested) = (true, true) }
    #expect(bases[0] == bases[1] && layered[0] == layered[1], "\(name)")
    #expect(movie.tracks[0].layers == track.layers)
    // The same units in the same samples. Extracting puts the message between the layers before the pictures.
    let units = try MuxTests.units(of: movie)
    for (index, sample) in old.enumerated() {
      let there = LengthPrefixedNALUnits(try original.source.read(sample.range), lengthSize: 4)
        .compactMap { try? $0.get().bytes.array }
      #expect(
        units[index].map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) }
          == there.sorted { $0.lexicographicallyPrecedes($1) }, "\(name) sample \(index)")
      #expect(units[index].filter { $0.type < 32 }.map(\.bytes) == there.filter { $0[0] >> 1 & 63 < 32 })
    }
  }
}
