// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import TestSupport
import Testing

@testable import ISOBMFF

/// The samples of all tracks of a movie, in the order of its `trak` boxes.
func samplesOfAllTracks(_ tree: BoxTree) throws -> [(trak: Box, samples: TrackSamples)] {
  guard let moov = tree.first("moov") else { return [] }
  var list = DiagnosticList()
  let movie = moov.first(MovieHeaderBox.self)
  let isFragmented = moov.first("mvex") != nil
  let extends = (moov.first("mvex")?.all("trex") ?? []).compactMap { $0.payload(TrackExtendsBox.self) }
  var tables: [(trak: Box, id: UInt32, table: SampleTable, edits: EditList)] = []
  for trak in moov.all("trak") {
    guard let mdia = trak.first("mdia"), let stbl = mdia.first("minf")?.first("stbl") else { continue }
    var contents = try SampleTableContents(stbl, in: tree, diagnostics: &list)
    let media = mdia.first(MediaHeaderBox.self)
    contents.mediaDuration = media?.duration ?? 0
    contents.isFragmented = isFragmented
    let edits = trak.first("edts")?.first(EditListBox.self)
    tables.append(
      (
        trak, trak.first(TrackHeaderBox.self)?.trackID ?? 0, SampleTable(contents),
        EditList(
          entries: edits?.entries ?? [], movieTimescale: movie?.timescale ?? 1,
          mediaTimescale: media?.timescale ?? 1, isFragmented: isFragmented)
      ))
  }
  var builder = FragmentedSamplesBuilder(
    extends: extends, startTimes: Dictionary(tables.map { ($0.id, $0.table.endTime) }) { first, _ in first })
  for moof in tree.boxes where moof.type == "moof" {
    builder.beginMovieFragment(at: UInt64(moof.offset))
    for traf in moof.all("traf") {
      try builder.append(trackFragment: traf.children, at: traf.offset, in: tree)
    }
  }
  return tables.map {
    ($0.trak, TrackSamples(table: $0.table, fragments: builder.samples(ofTrack: $0.id), edits: $0.edits))
  }
}

/// The samples that a group of type `rap ` marks: access is possible there, though they are no sync samples.
func randomAccessPoints(_ trak: Box) -> Set<Int> {
  var samples: Set<Int> = []
  for box in trak.first("mdia")?.first("minf")?.first("stbl")?.all("sbgp") ?? [] {
    // version and flags, grouping_type, in version 1 a parameter, entry_count, then pairs of 32 bits.
    guard box.body.fourCC(at: 4) == "rap " else { continue }
    let start = box.body[0] == 1 ? 12 : 8
    var sample = 0
    var position = start + 4
    while let count = box.body.bigEndian(at: position, width: 4),
      let group = box.body.bigEndian(at: position + 4, width: 4)
    {
      if group > 0 { samples.formUnion(sample..<sample + Int(count)) }
      sample += Int(count)
      position += 8
    }
  }
  return samples
}

/// Every sample against another tool's packets. Where that tool means something else by its numbers, the
/// difference is computed, and nothing else is let through; docs/timing-notes.md gives the reasons.
@Suite(.enabled(if: Corpus.isPresent)) struct CorpusTiming {
  @Test func everySampleIsWhereAndWhenFFprobeFindsIt() throws {
    var explained: [String: Int] = [:]
    var (files, compared, others) = (0, 0, 0)
    for name in Corpus.files(with: "ffprobe.packets.csv") {
      let tree = BoxTree(Corpus.bytes(name))
      let packets = PacketReading.packets(of: name)
      #expect(!packets.isEmpty)
      guard tree.first("moov") != nil else {
        // A raw stream has no times (StreamPacketTests), and items of an image file have none either.
        others += 1
        if let meta = tree.first("meta") { expectItems(of: meta, packets, name) }
        continue
      }
      files += 1
      for (index, track) in try samplesOfAllTracks(tree).enumerated() {
        let theirs = packets.filter { $0.stream == index }
        #expect(theirs.count == track.samples.count, "\(name)")
        let accessPoints = randomAccessPoints(track.trak)
        let summary = TimingSummary(track.samples)
        #expect(summary.backwardSteps == 0, "\(name)")
        for (sample, packet) in zip(track.samples, theirs) {
          compared += 1
          var expected = packet
          expected.size = Int64(sample.size)
          expected.position = Int64(sample.offset)
          expected.duration = sample.duration
          expected.isKey = sample.isSync
          if packet.isKey, !sample.isSync, accessPoints.contains(sample.index) {
            expected.isKey = true
            explained["not a sync sample, but in a group of random access points", default: 0] += 1
          }
          let isPresented = track.samples.presentationTime(of: sample) != nil
          expected.isDiscarded = !isPresented
          if !isPresented { explained["cut away by the edit list", default: 0] += 1 }
          var shown = sample.compositionTime
          if let edit = track.samples.edits.edits.first {
            shown = track.samples.edits.presentationTime(of: shown, in: edit)
          }
          expected.presentationTime = shown
          expected.decodeTime = sample.decodeTime + shown - sample.compositionTime
          let shift = summary.compositionToDecodeShift
          if shift > 0, track.samples.fragments.isEmpty {
            expected.decodeTime = (expected.decodeTime ?? 0) - shift
            explained["decoding time moved before the composition time", default: 0] += 1
          } else if shift > 0 {
            expected.presentationTime = shown + shift
            explained["presentation time moved after the decoding time, in fragments", default: 0] += 1
          }
          #expect(packet == expected, "\(name) track \(index) sample \(sample.index)")
        }
      }
    }
    print("\(files) movies, \(compared) samples equal to ffprobe's packets, of which:")
    for (reason, count) in explained.sorted(by: { $0.key < $1.key }) { print("  \(count) \(reason)") }
    print("  \(others) files without samples: raw streams and image items")
    #expect(files + others == Corpus.files(with: "ffprobe.packets.csv").count && files >= 60)
  }

  /// The items of an image file that ffprobe takes for packets are extents of `iloc`.
  private func expectItems(of meta: Box, _ packets: [PacketReading], _ name: String) {
    let items = meta.first(ItemLocationBox.self)?.items ?? []
    let extents = items.flatMap { item in
      item.extents.map { (Int64(clamping: item.baseOffset &+ $0.offset), Int64(clamping: $0.length)) }
    }
    for packet in packets {
      #expect(extents.contains { $0.0 == packet.position && $0.1 == packet.size }, "\(name)")
    }
  }
}
