// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

extension SampleTable {
  /// Problems with the tables. Reads all of them once.
  ///
  /// - Parameter fileSize: the length of the file; with `nil`, checks that depend on it are omitted.
  public func diagnostics(fileSize: UInt64? = nil) -> DiagnosticList {
    var list = DiagnosticList()
    let check = SampleTableCheck(contents: contents, stored: stored)
    check.checkPresence(&list)
    check.checkCounts(&list)
    check.checkTimes(&list)
    check.checkChunks(&list)
    check.checkSampleNumbers(&list)
    check.checkPlaces(&list, fileSize: fileSize, samples: self)
    return list
  }
}

extension SampleTable {
  /// Errors that make samples missing or different from what they should be. Reads only the rows of `stsc`.
  package var losses: DiagnosticList {
    var all = DiagnosticList()
    let check = SampleTableCheck(contents: contents, stored: stored)
    check.checkPresence(&all)
    check.checkCounts(&all)
    check.checkChunks(&all)
    // If no table mentions samples, none are missing.
    let hasSamples = stored.times.count > 0 || stored.sizes.count > 0 || stored.chunks.chunkCount > 0
    var list = DiagnosticList()
    for item in all where item.severity == .error && Self.codesOfLosses.contains(item.code) && hasSamples {
      list.append(item)
    }
    return list
  }

  private static let codesOfLosses: Set<Diagnostic.Code> = [
    "missing-sample-table", "sample-count-mismatch", "chunk-run-order", "limit-exceeded",
  ]
}

/// The checks, in order.
struct SampleTableCheck {
  let contents: SampleTableContents
  let stored: SampleTableStorage

  private func report(
    _ list: inout DiagnosticList, _ severity: Diagnostic.Severity, _ code: Diagnostic.Code, _ box: FourCC,
    _ message: String
  ) {
    let path = contents.path.isEmpty ? "\(box)" : contents.path + "/\(box)"
    list.append(severity, code, path: path, offset: contents.boxOffsets[box], message)
  }

  private var sizeBox: FourCC {
    contents.sampleSize == nil && contents.compactSampleSize != nil ? "stz2" : "stsz"
  }
  private var offsetBox: FourCC {
    contents.chunkOffset == nil && contents.chunkLargeOffset != nil ? "co64" : "stco"
  }

  /// Reports missing tables without which samples cannot be found.
  func checkPresence(_ list: inout DiagnosticList) {
    let hasSizes = contents.sampleSize != nil || contents.compactSampleSize != nil
    let hasOffsets = contents.chunkOffset != nil || contents.chunkLargeOffset != nil
    let required: [(FourCC, Bool)] = [
      ("stts", contents.timeToSample != nil), ("stsc", contents.sampleToChunk != nil),
      (sizeBox, hasSizes), (offsetBox, hasOffsets),
    ]
    for (box, isPresent) in required where !isPresent {
      report(
        &list, .error, "missing-sample-table", box, "is missing: without it no sample can be found")
    }
    let kinds: [(used: FourCC, forms: [FourCC])] = [
      (offsetBox, ["stco", "co64"]), (sizeBox, ["stsz", "stz2"]),
    ]
    for (used, forms) in kinds {
      guard let other = forms.first(where: { $0 != used && contents.boxOffsets[$0] != nil }) else { continue }
      report(&list, .warning, "duplicate-sample-table", other, "is ignored, because \(used) is also present")
    }
  }

  /// Checks that all tables have the same number of samples. ISO/IEC 14496-12, 8.6.1, 8.7
  func checkCounts(_ list: inout DiagnosticList) {
    var counts: [(box: FourCC, count: Int)] = []
    if contents.timeToSample != nil { counts.append(("stts", stored.times.count)) }
    if let offsets = stored.offsets { counts.append(("ctts", offsets.count)) }
    if contents.sampleSize != nil || contents.compactSampleSize != nil {
      counts.append((sizeBox, stored.sizes.count))
    }
    if contents.sampleToChunk != nil, contents.chunkOffset != nil || contents.chunkLargeOffset != nil {
      counts.append(("stsc", stored.chunks.count))
    }
    guard let least = counts.map(\.count).min(), let most = counts.map(\.count).max() else { return }
    if least < most {
      let longest = counts.first { $0.count == most }?.box ?? sizeBox
      for (box, count) in counts where count < most {
        report(
          &list, .error, "sample-count-mismatch", box,
          "lists \(count) samples, but \(longest) lists \(most): the first \(stored.count) are used")
      }
    }
    // If a table is missing, there are no samples, and that is not because of a limit.
    if least > stored.count, counts.contains(where: { $0.box == "stsc" }), contents.timeToSample != nil,
      contents.sampleSize != nil || contents.compactSampleSize != nil
    {
      let name = contents.hasSmallRows ? "maximumUniformSamples" : "maximumSamples"
      report(
        &list, .error, "limit-exceeded", sizeBox,
        "\(least) samples are over the limit of \(stored.count) (\(name))")
    }
    if contents.sampleDependencyType != nil, stored.dependencies.count < stored.count {
      report(
        &list, .warning, "sample-count-mismatch", "sdtp",
        "lists \(stored.dependencies.count) samples, but \(sizeBox) lists \(stored.count): "
          + "the dependencies of the others are unknown")
    }
  }

  func checkTimes(_ list: inout DiagnosticList) {
    if stored.times.isSigned {
      report(
        &list, .warning, "negative-sample-delta", "stts",
        "has deltas of 2^31 or more, which are treated as negative: times run backwards")
    } else if stored.times.sum < 0 {
      report(&list, .error, "time-overflow", "stts", "the sum of the deltas exceeds 63 bits")
    }
    var zeroes = 0
    var firstZero = 0
    for index in 0..<stored.times.rowCount {
      let (count, delta) = stored.times.row(index)
      // The last sample of a track often has a duration of 0.
      guard delta == 0, count > 0, index + 1 < stored.times.rowCount || count > 1 else { continue }
      if zeroes == 0 { firstZero = index }
      zeroes &+= count
    }
    if zeroes > 0 {
      report(
        &list, .note, "zero-sample-delta", "stts",
        "\(zeroes) samples have a duration of 0, the first of them in row \(firstZero)")
    }
    let total = stored.times.sum
    if contents.mediaDuration > 0, contents.timeToSample != nil, !contents.isFragmented || stored.count > 0,
      total >= 0, UInt64(total) != contents.mediaDuration
    {
      report(
        &list, .note, "duration-mismatch", "stts",
        "the samples last \(total), but the media (mdhd) lasts \(contents.mediaDuration)")
    }
  }

  func checkChunks(_ list: inout DiagnosticList) {
    guard let rows = contents.sampleToChunk?.entries else { return }
    let chunkCount = stored.chunks.chunkCount
    var last: UInt32 = 0
    for index in rows.indices {
      let row = rows[index]
      if index == 0, row.firstChunk != 1 {
        report(&list, .error, "chunk-run-order", "stsc", "row 0 begins at chunk \(row.firstChunk), not at 1")
      } else if row.firstChunk <= last {
        report(
          &list, .error, "chunk-run-order", "stsc",
          "row \(index) begins at chunk \(row.firstChunk), not after chunk \(last): it is skipped")
      } else if Int(row.firstChunk) > chunkCount {
        report(
          &list, .error, "chunk-out-of-range", "stsc",
          "row \(index) begins at chunk \(row.firstChunk), but \(offsetBox) has \(chunkCount)")
      }
      last = max(last, row.firstChunk)
      let descriptions = contents.descriptionCount ?? .max
      if row.sampleDescriptionIndex == 0 || Int(row.sampleDescriptionIndex) > descriptions {
        let known = contents.descriptionCount.map { "\($0)" } ?? "at least one"
        report(
          &list, .error, "sample-description-out-of-range", "stsc",
          "row \(index) refers to sample entry \(row.sampleDescriptionIndex), of \(known)")
      }
      if list.omitted > 0 { return }
    }
  }

  func checkSampleNumbers(_ list: inout DiagnosticList) {
    for (box, numbers) in [("stss" as FourCC, stored.sync), ("stps", stored.partialSync)] {
      guard let numbers, numbers.count > 0 else { continue }
      if !numbers.isOrdered {
        report(&list, .warning, "sample-number-order", box, "sample numbers are not in ascending order")
      }
      let first = numbers.sample(0)
      let last = numbers.sample(numbers.count - 1)
      if first < 0 || last >= stored.count {
        report(
          &list, .warning, "sample-number-out-of-range", box,
          "lists samples \(first + 1) to \(last + 1), but the track has \(stored.count)")
      }
    }
  }

  /// Reports samples after the end of the file, and media data in other files.
  func checkPlaces(_ list: inout DiagnosticList, fileSize: UInt64?, samples: SampleTable) {
    for description in contents.externalDescriptions.sorted() {
      report(
        &list, .note, "external-media", "stsd",
        "the samples of entry \(description) are in another file, which is not read")
    }
    if contents.isOtherMediaExternal, contents.descriptionCount ?? 0 == 0 {
      report(&list, .note, "external-media", "stsd", "the samples are in another file, which is not read")
    }
    guard let fileSize else { return }
    var outside = 0
    var first: Sample?
    for sample in samples {
      let (end, overflow) = sample.offset.addingReportingOverflow(UInt64(sample.size))
      guard overflow || end > fileSize, !isExternal(sample.descriptionIndex) else { continue }
      if first == nil { first = sample }
      outside += 1
    }
    if let first {
      report(
        &list, .error, "sample-outside-file", offsetBox,
        "\(outside) samples extend beyond the end of the file at \(fileSize); the first is sample \(first.index): "
          + "\(first.size) bytes at \(first.offset)")
    }
  }

  private func isExternal(_ description: UInt32) -> Bool {
    if contents.externalDescriptions.contains(description) { return true }
    let isListed = description > 0 && Int(description) <= contents.descriptionCount ?? 0
    return !isListed && contents.isOtherMediaExternal
  }
}
