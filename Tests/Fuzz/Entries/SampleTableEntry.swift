// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import Multiview
import TestSupport

extension FuzzTarget {
  static let sampleTable = FuzzTarget(
    "FuzzSampleTable",
    "The boxes of a sample table, an edit list and fragments: looked up and walked, samples are the same.",
    seeds: {
      FuzzSeeds.movies(whole: false).flatMap { name, bytes -> [(String, [UInt8])] in
        let tree = BoxTree(ByteView(bytes), registry: .standard)
        let fragments = tree.matches("moof").prefix(3).flatMap { $0.box.bytes.array }
        return tree.matches("moov/trak").map { match in
          let boxes = match.box["mdia/minf/stbl"]?.children.filter { $0.type != "stsd" } ?? []
          let edits = match.box["edts/elst"]?.bytes.array ?? []
          return (name, boxes.flatMap { $0.bytes.array } + edits + fragments)
        }
      }
    },
    mutator: mutateTables
  ) { bytes, findings in
    let table = FuzzTables.stbl(around: bytes.array)
    var limits = Limits.standard
    limits.maximumSamples = 1 << 14
    let samples = table.samples(limits)
    findings.checkSamples(samples, limits)
    findings.checkDiagnostics(table, limits)
  }
}

/// A sample table, an edit list and fragments that stand side by side in some bytes.
private struct FuzzTables {
  var tree: BoxTree
  var stbl: Box?

  /// Reads the bytes as the children of a `stbl`; boxes that are elsewhere are found there too.
  static func stbl(around bytes: [UInt8]) -> FuzzTables {
    var whole = bytes
    // Boxes are known by where they are.
    for type in ["stbl", "minf", "mdia", "trak", "moov"] {
      let size = UInt32(clamping: whole.count + 8)
      whole = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> UInt32($0)) } + Array(type.utf8) + whole
    }
    let tree = BoxTree(ByteView(whole), registry: .standard)
    return FuzzTables(tree: tree, stbl: tree["moov/trak/mdia/minf/stbl"])
  }

  var contents: SampleTableContents {
    var list = DiagnosticList()
    guard let stbl, let contents = try? SampleTableContents(stbl, in: tree, diagnostics: &list) else {
      return SampleTableContents()
    }
    return contents
  }

  /// The payloads of the boxes of one type, wherever they belong.
  private func payloads<P: BoxPayload>(_ type: FourCC, _ scope: FourCC, _: P.Type) -> [P] {
    (stbl?.children ?? []).filter { $0.type == type }.compactMap { box in
      BoxRegistry.standard.registration(for: type, in: .box(scope))?
        .decode(box.body, BoxContext(type: type, scope: .box(scope)))?.payload as? P
    }
  }

  func samples(_ limits: Limits) -> TrackSamples {
    var extends = TrackExtendsBox()
    extends.trackID = 1
    var builder = FragmentedSamplesBuilder(extends: [extends], limits: limits)
    for moof in stbl?.children.filter({ $0.type == "moof" }) ?? [] {
      let inner = BoxTree(moof.bytes, registry: .standard)
      builder.beginMovieFragment(at: UInt64(clamping: moof.offset))
      for traf in inner.first("moof")?.all("traf") ?? [] {
        try? builder.append(trackFragment: traf.children, at: traf.offset, in: inner)
      }
    }
    let id = builder.trackIDs.first ?? 1
    let entries = payloads("elst", "edts", EditListBox.self).first?.entries
    let edits = entries.map { EditList(entries: $0, movieTimescale: 600, mediaTimescale: 90_000) }
    let hasFragments = !builder.trackIDs.isEmpty
    return TrackSamples(
      table: SampleTable(contents, limits: limits),
      fragments: hasFragments ? builder.samples(ofTrack: id) : nil,
      edits: edits ?? EditList())
  }
}

extension FuzzFindings {
  fileprivate mutating func checkSamples(_ samples: TrackSamples, _ limits: Limits) {
    expect(samples.count <= 2 * limits.maximumSamples, "\(samples.count) samples")
    expect(samples.sample(at: -1) == nil && samples.sample(at: samples.count) == nil, "a sample outside")
    var count = 0
    var random = SeededGenerator(seed: UInt64(samples.count))
    for sample in samples {
      expect(sample.index == count, "sample \(sample.index) where \(count) is expected")
      count += 1
      // Looked up, a sample is what it is in the walk.
      guard count < 64 || Int.random(in: 0..<samples.count, using: &random) < 64 else { continue }
      expect(samples.sample(at: sample.index) == sample, "looked up, sample \(sample.index) is another one")
      expect(
        samples.compositionTime(at: sample.index) == sample.compositionTime,
        "looked up, sample \(sample.index) is composed at another time")
      _ = (sample.range, samples.presentationTime(of: sample))
    }
    expect(count == samples.count, "\(count) samples were walked, of \(samples.count)")
    checkOrder(samples, &random)
    let summary = TimingSummary(samples)
    expect(summary.sampleCount == samples.count, "the summary counts \(summary.sampleCount) samples")
    _ = summary.diagnostics()
  }

  private mutating func checkOrder(_ samples: TrackSamples, _ random: inout SeededGenerator) {
    guard samples.count > 0 else { return }
    for _ in 0..<24 {
      let index = Int.random(in: 0..<samples.count, using: &random)
      let rank = samples.compositionRank(of: index)
      expect(
        samples.index(atCompositionRank: rank) == index || samples.sample(at: index)?.isNeverComposed == true,
        "rank \(rank) is not that of sample \(index)")
      let step = Int.random(in: -9...9, using: &random)
      let moved = samples.index(inDecodeOrder: step, from: index)
      expect(moved.index - index == moved.stepped, "a step of \(step) moves from \(index) to \(moved.index)")
      let position = samples.firstPosition(of: index)
      let next = samples.step(inPresentationOrder: step, from: position, sample: index)
      expect((0..<samples.presentationCount).contains(next.position ?? 0) || next.position == nil, "outside")
      let time = Int64.random(in: .min ... .max, using: &random) >> Int64.random(in: 0...62, using: &random)
      for found in [
        samples.index(atDecodeTime: time), samples.index(atCompositionTime: time),
        samples.index(atPresentationTime: time), samples.syncSample(atOrBefore: index),
        samples.step(byDecodeTime: time, from: index).index,
        samples.presentation(atOrBefore: time)?.sample,
        samples.step(byPresentationTime: time, from: position, sample: index)
          .flatMap { samples.presentation(at: $0.position)?.sample },
      ] {
        if let found { expect((0..<samples.count).contains(found), "sample \(found) of \(samples.count)") }
      }
      _ = samples.hasEarlierDecodedSample(before: index, composedAfter: moved.index)
      _ = samples.hasLaterDecodedSample(after: index, composedBefore: moved.index)
      if let chunk = samples.table.chunk(containing: index) {
        expect(chunk.samples.contains(index), "sample \(index) is not in its chunk \(chunk.samples)")
      }
    }
  }

  fileprivate mutating func checkDiagnostics(_ tables: FuzzTables, _ limits: Limits) {
    let table = SampleTable(tables.contents, limits: limits)
    let list = table.diagnostics(fileSize: 1_000)
    expect(list.count <= list.limit + 1, "\(list.count) diagnostics")
  }
}

/// Changes boxes, or numbers at their places in rows.
@Sendable
private func mutateTables(_ mutation: inout FuzzMutation) {
  guard mutation.chance(2), mutation.bytes.count > 16 else { return mutateBoxes(&mutation) }
  let boxes = BoxTree(ByteView(mutation.bytes), registry: .standard).boxes.filter { $0.size >= 16 }
  guard !boxes.isEmpty else { return mutateBoxes(&mutation) }
  let box = boxes[mutation.below(boxes.count)]
  for _ in 0...mutation.below(3) {
    let index = box.offset + 8 + (mutation.below(min(box.size - 11, 400)) & ~3)
    let value = mutation.edgeValue()
    for offset in 0..<4 where index + offset < mutation.bytes.count {
      mutation.bytes[index + offset] = UInt8(truncatingIfNeeded: value >> UInt64(24 - 8 * offset))
    }
  }
}
