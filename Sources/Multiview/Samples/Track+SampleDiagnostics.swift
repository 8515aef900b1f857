// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import FileAccess
import ISOBMFF

extension MovieFile {
  /// What is wrong with the sample tables and fragments, and with the times of samples. Goes once through all samples, of
  /// which no media data is read.
  public func sampleDiagnostics() throws(SourceError) -> DiagnosticList {
    var list = DiagnosticList()
    for track in tracks { list.append(try track.sampleDiagnostics()) }
    if let context = tracks.first?.context, context.hasFragments {
      list.append(try context.fragments().diagnostics)
    }
    return list
  }
}

extension Track {
  /// The problems of the sample tables of the track, the times of its samples and, if it depends on another track,
  /// how their samples correspond.
  public func sampleDiagnostics() throws(SourceError) -> DiagnosticList {
    var list = DiagnosticList()
    guard !isRawStream else { return list }
    let read = try samplesWithDiagnostics()
    list.append(read.diagnostics)
    let samples = read.samples
    if samples.table.count > 0 || samples.fragments.isEmpty {
      list.append(samples.table.diagnostics(fileSize: context.source.size))
    }
    checkPlacesInFragments(samples, &list)
    list.append(TimingSummary(samples).diagnostics(path: path))
    if let base = joined.joinedTracks.first, base.id != id { try checkAlignment(with: base, &list) }
    return list
  }

  /// Samples of fragments that lie beyond the end of the file.
  private func checkPlacesInFragments(_ samples: TrackSamples, _ list: inout DiagnosticList) {
    guard let fileSize = context.source.size else { return }
    var outside = 0
    var first: Sample?
    for sample in samples.fragments where sample.range.upperBound > fileSize {
      if first == nil { first = sample }
      outside += 1
    }
    guard let first else { return }
    list.append(
      .error, "sample-outside-file", path: path, offset: Int(clamping: first.offset),
      "\(outside) samples of fragments reach beyond the end of the file at \(fileSize), first sample "
        + "\(samples.table.count + first.index): \(first.size) bytes at \(first.offset)")
  }

  /// Samples that no sample of the other track is decoded with.
  private func checkAlignment(with base: Track, _ list: inout DiagnosticList) throws(SourceError) {
    var others = try base.samples().makeIterator()
    var other = others.next()
    var count = 0
    var alone: (count: Int, first: Sample?) = (0, nil)
    for sample in try samples() {
      count += 1
      let time = MediaTime(value: sample.decodeTime, timescale: timescale)
      var isFound = false
      while let candidate = other {
        let candidateTime = MediaTime(value: candidate.decodeTime, timescale: base.timescale)
        isFound = candidateTime == time
        if candidateTime > time || isFound { break }
        other = others.next()
      }
      if !isFound { alone = (alone.count + 1, alone.first ?? sample) }
    }
    guard let first = alone.first else { return }
    list.append(
      .warning, "tracks-out-of-step", path: path,
      "\(alone.count) of \(count) samples are decoded at times at which track \(base.id) has no sample, "
        + "first sample \(first.index) at \(MediaTime(value: first.decodeTime, timescale: timescale)): they "
        + "are left out")
  }
}
