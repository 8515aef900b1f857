// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import HEVCDecoding
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MoviePictures

@Suite struct PictureReaderTests {
  static func track(_ name: String) throws -> Track {
    try #require(try MovieFile(path: Fixtures.path(name)).tracks.first { $0.isHEVC })
  }

  /// The MD5s of every plane, as a decoder without any movie gives them for each sample and layer.
  static func sums(_ track: Track) throws -> [Int: [[UInt8]]] {
    let decoder = try TrackDecoder(track.joined, HEVCDecoder.Options())
    var found: [Int: [[UInt8]]] = [:]
    while let pictures = try decoder.next() {
      for picture in pictures {
        for plane in 0..<picture.planeCount {
          found[picture.tag, default: []] += [picture.md5(ofPlane: plane) ?? []]
        }
      }
    }
    return found
  }

  static func sums(_ group: PictureGroup) -> [[UInt8]] {
    group.layers.flatMap { picture in
      (0..<picture.decoded.planeCount).map { picture.decoded.md5(ofPlane: $0) ?? [] }
    }
  }

  static let movies = [
    "spatial.mov", "two-views-fragmented.mp4", "two-tracks-lhv1.mp4", "hdr10.mp4", "alpha-layer.mp4",
  ]

  /// What is shown in which order is what the presentation says, and each picture is the one of its sample.
  @Test(arguments: movies) func presentationIsFollowed(_ name: String) throws {
    let track = try Self.track(name), samples = try track.samples()
    let expected = (0..<samples.presentationCount).compactMap { samples.presentation(at: $0) }
      .filter { !$0.range.isEmpty }
    let groups = try Track.picturesOfFixture(name)
    #expect(groups.map(\.sample) == expected.map(\.sample) && !groups.isEmpty)
    #expect(groups.map { $0.presentationTime?.value } == expected.map { $0.range.lowerBound })
    let sums = try Self.sums(track)
    for group in groups { #expect(Self.sums(group) == sums[group.sample], "sample \(group.sample)") }
  }

  /// Any moment by itself is the same picture as in the row of all: seeking changes nothing.
  @Test(arguments: ["spatial.mov", "two-views-fragmented.mp4"])
  func seekingGivesTheSame(_ name: String) throws {
    let track = try Self.track(name)
    let groups = try Track.picturesOfFixture(name)
    let reader = try track.pictures()
    // Forwards by leaps, backwards, and the same again.
    let order =
      Array(groups.indices.filter { $0 % 5 == 0 }) + groups.indices.reversed().filter { $0 % 4 == 1 }
    for index in order.prefix(6) {
      let time = try #require(groups[index].presentationTime)
      let again = try #require(try reader.group(shownAt: time))
      #expect(again.sample == groups[index].sample && Self.sums(again) == Self.sums(groups[index]))
      #expect(try reader.group(shownAt: time)?.sample == again.sample)
    }
    #expect(reader.takeProblems() == [])
    let middle = try #require(groups[groups.count / 2].presentationTime)
    let fresh = try track.pictureGroup(at: middle)
    #expect(Self.sums(fresh) == Self.sums(groups[groups.count / 2]))
    let rest = try track.pictures(from: middle)
    #expect(try rest.next()?.sample == fresh.sample)
    #expect(try rest.next()?.sample == groups[groups.count / 2 + 1].sample)
  }

  @Test func eyesAreFound() throws {
    let group = try #require(try Track.picturesOfFixture("spatial.mov").first)
    let left = try #require(group[.left]), right = try #require(group[.right])
    let track = try Self.track("spatial.mov")
    #expect(left.layerID == track.joined.eyeAssignment.layer(of: .left))
    #expect(right.layerID == track.joined.eyeAssignment.layer(of: .right) && left.layerID != right.layerID)
    #expect(group[layer: left.layerID]?.eye == .left)
    // Only what is needed: the base layer alone, where only that is wanted.
    let base = try track.pictureGroup(at: .zero, options: PictureOptions(layers: [0]))
    #expect(base.layers.map(\.layerID) == [0])
    #expect(throws: PictureError.noSuchLayer(9, available: [0, 1])) {
      try track.pictures(options: PictureOptions(layers: [9]))
    }
  }

  /// Of two eyes that share a picture each gets its half.
  @Test func packedEyesAreHalves() throws {
    let track = try Self.track("side-by-side-packed.mov")
    let layer = try track.layer(showing: .right)
    let group = try track.pictureGroup(at: .zero, options: PictureOptions(layers: [layer]))
    let whole = try #require(group.layers.first), left = try #require(group[.left])
    let right = try #require(group[.right])
    #expect(left.size.width * 2 == whole.size.width && left.size.height == whole.size.height)
    let all = try #require(whole.bytes(ofPlane: 0)), first = try #require(left.bytes(ofPlane: 0))
    let second = try #require(right.bytes(ofPlane: 0))
    let width = left.size.width
    var isSame = true
    for y in 0..<left.size.height {
      let row = all[(y * 2 * width)..<((y + 1) * 2 * width)]
      isSame = isSame && row.prefix(width).elementsEqual(first[(y * width)..<((y + 1) * width)])
      isSame = isSame && row.suffix(width).elementsEqual(second[(y * width)..<((y + 1) * width)])
    }
    #expect(isSame)
  }

  /// The eyes that share a picture see the same part of an aperture of all of it, if their seam is in its middle.
  @Test func packedEyesHaveApertures() throws {
    let plain = try #require(
      try Self.track("side-by-side-packed.mov").pictures().next()?.layers.first?.size)
    let half = plain.width / 2
    func eyes(_ width: Int, _ height: Int, _ x: Int = 0, _ y: Int = 0) throws -> [Picture] {
      var movie = try RemadeMovie(videoOf: Fixtures.path("side-by-side-packed.mov"))
      let numbers = [width, 1, height, 1, x, 2, y, 2]
      let fields = numbers.flatMap { PlainBox.bytes(UInt64(UInt32(truncatingIfNeeded: $0)), 4) }
      movie.editEntry { $0.children.append(PlainBox("clap", fields)) }
      let track = try #require(try MovieFile(bytes: movie.encoded()).tracks.first)
      let group = try #require(try track.pictures().next())
      return [try #require(group[.left]), try #require(group[.right])]
    }
    func sizes(_ eyes: [Picture]) -> [PictureSize] { eyes.map(\.displaySize) }
    // Rows of padding at the bottom.
    let rows = try eyes(plain.width, plain.height - 8, 0, -8)
    #expect(sizes(rows) == Array(repeating: PictureSize(width: half, height: plain.height - 8), count: 2))
    for eye in rows {
      let all = try eye.rgb(isUpright: false)
      #expect(try eye.rgb() == all.cropped(to: .init(x: 0, y: 0, width: half, height: plain.height - 8)))
    }
    // Columns at both sides: each eye has one of them.
    let columns = try eyes(plain.width - 16, plain.height - 4)
    #expect(
      sizes(columns) == Array(repeating: PictureSize(width: half - 8, height: plain.height - 4), count: 2))
    for (eye, x) in zip(columns, [8, 0]) {
      let part = DisplayGeometry.Region(x: x, y: 2, width: half - 8, height: plain.height - 4)
      #expect(try eye.rgb() == eye.rgb(isUpright: false).cropped(to: part))
    }
    // The eyes would differ in size.
    let whole = Array(repeating: PictureSize(width: half, height: plain.height), count: 2)
    #expect(try sizes(eyes(plain.width - 16, plain.height, 4)) == whole)
    #expect(try sizes(eyes(half, plain.height, -half)) == whole)
  }

  // MARK: Sequences that differ

  /// The sequence parameter set of the base layer with other colours and pixels.
  private static func changed(_ unit: NALUnit, isWide: Bool) throws -> NALUnit {
    guard unit.type == .sequenceParameterSet, unit.layerID == 0 else { return unit }
    var set = unit.rbsp.decode(SequenceParameterSet()).value
    var vui = VUIParameters(), signal = VideoSignalType(), colour = ColourDescription()
    (colour.colourPrimaries, colour.transferCharacteristics, colour.matrixCoeffs) =
      isWide ? (9, 16, 9) : (1, 1, 1)
    (signal.colour, signal.videoFullRangeFlag) = (colour, isWide)
    (vui.videoSignalType, vui.chromaLocation) = (signal, isWide ? ChromaLocation() : nil)
    vui.chromaLocation?.topField = 2
    if isWide {
      vui.aspectRatio = AspectRatio()
      vui.aspectRatio?.aspectRatioIdc = 14
    }
    set.vui = vui
    return try NALUnit(unit.header, set)
  }

  private static func colours(of groups: [PictureGroup]) -> [[Int?]] {
    groups.flatMap { group in
      group.layers.map { picture in
        let colour = picture.colour, shape = picture.geometry.pixelShape
        return [
          colour.primaries, colour.transfer, colour.matrix, colour.isFullRange.map { $0 ? 1 : 0 },
          picture.chromaLocation, shape.width, shape.height,
        ]
      }
    }
  }

  private static let narrow: [Int?] = [1, 1, 1, 0, nil, 1, 1], wide: [Int?] = [9, 16, 9, 1, 2, 4, 3]

  /// What the VUI says holds for its coded video sequence. ISO/IEC 23008-2, E.3.1
  @Test(
    arguments: [
      ("pictures/ids_a.bit", nil), ("two-views.hevc", nil), ("two-views.hevc", [0]), ("two-views.hevc", [1]),
    ] as [(String, Set<UInt8>?)]) func coloursFollowTheStream(name: String, layers: Set<UInt8>?) throws
  {
    var bytes: [UInt8] = []
    for isWide in [false, true] {
      for unit in AnnexBNALUnits(Fixtures.bytes(name)) {
        bytes += [0, 0, 0, 1] + (try Self.changed(try unit.get(), isWide: isWide)).bytes.array
      }
    }
    let track = try #require(try MovieFile(bytes: bytes).tracks.first)
    var options = PictureOptions()
    options.layers = layers
    let reader = try track.pictures(options: options)
    var groups: [PictureGroup] = []
    while let group = try reader.next() { groups.append(group) }
    let colours = Self.colours(of: groups)
    try #require(!colours.isEmpty && colours.count % 2 == 0)
    #expect(colours.prefix(colours.count / 2).allSatisfy { $0 == Self.narrow }, "\(colours[0])")
    #expect(colours.suffix(colours.count / 2).allSatisfy { $0 == Self.wide }, "\(colours[colours.count / 2])")
  }

  /// Messages that prefer HLG and say how bright the pictures become.
  private static func messages() throws -> NALUnit {
    var transfer = AlternativeTransferCharacteristics(), light = ContentLightLevelInfo()
    (transfer.preferred, light.maxCLL) = (18, 1_000)
    return try NALUnit(
      NALUnitHeader(type: .prefixSEI), SEIMessages([SEIMessage(transfer), SEIMessage(light)]))
  }

  /// What messages say holds for the coded video sequence that they begin with, and for no later one.
  /// ISO/IEC 23008-2, D.3.35 and D.3.38
  @Test(arguments: ["pictures/ids_a.bit", "two-views.hevc"])
  func messagesEndWithTheirSequence(name: String) throws {
    var parts: [[UInt8]] = []
    for hasMessages in [false, true, false] {
      var bytes: [UInt8] = []
      for unit in AnnexBNALUnits(Fixtures.bytes(name)) {
        let unit = try Self.changed(try unit.get(), isWide: false)
        if hasMessages, unit.type.isRandomAccessPoint, unit.startsPicture, unit.layerID == 0 {
          bytes += [0, 0, 0, 1] + (try Self.messages()).bytes.array
        }
        bytes += [0, 0, 0, 1] + unit.bytes.array
      }
      parts.append(bytes)
    }
    let track = try #require(try MovieFile(bytes: Array(parts.joined())).tracks.first)
    let reader = try track.pictures()
    var groups: [PictureGroup] = []
    while let group = try reader.next() { groups.append(group) }
    let count = groups.count / 3
    try #require(count > 0 && groups.count == 3 * count)
    for (index, group) in groups.enumerated() {
      let hasMessages = index / count == 1
      for picture in group.layers {
        #expect(
          picture.colour.transfer == (hasMessages ? 18 : 1) && picture.peak == (hasMessages ? 1_000 : nil))
        // The stream alone says the same.
        let own = Picture(picture.decoded)
        #expect(
          picture.layerID > 0 || own.colour.transfer == picture.colour.transfer && own.peak == picture.peak)
      }
    }
    // Where the messages are those of the first sequence, too.
    let cut = try #require(try MovieFile(bytes: parts[1] + parts[2]).tracks.first)
    #expect(cut.preferredTransfer == 18)
    let last = try #require(groups.last).sample - count
    #expect(try cut.pictures().group(ofSample: last).layers.first?.colour.transfer == 1)
  }

  /// A picture at which decoding can begin may be in the middle of the sequence whose messages are in the first sample.
  @Test func messagesHoldWhereDecodingBegins() throws {
    var movie = try RemadeMovie.spliced(["cmaf-hevc-sidx.mp4"], first: 20)
    movie.samples[0][0].units.insert(try Self.messages().bytes.array, at: 0)
    let track = try #require(try MovieFile(bytes: movie.encoded()).tracks.first)
    let samples = try track.samples()
    #expect(samples.syncSample(atOrBefore: 19) == 13)
    for sample in [0, 13, 19] {
      let picture = try #require(try track.pictures().group(ofSample: sample).layers.first)
      #expect(picture.colour.transfer == 18 && picture.peak == 1_000, "sample \(sample)")
    }
  }

  // MARK: Pictures that are not output, layers that come later

  /// Leading pictures whose references precede the first picture are not output: nothing is wrong. ISO/IEC 23008-2, 8.3.1
  @Test func skippedLeadingPictures() throws {
    let movie = try RemadeMovie.spliced(["cmaf-hevc-sidx.mp4@13"])
    let track = try #require(try MovieFile(bytes: movie.encoded()).tracks.first)
    let reader = try track.pictures()
    var found: Set<Int> = []
    while let group = try reader.next() { found.insert(group.sample) }
    #expect(reader.takeProblems() == [])
    let unshown = Set(movie.samples[0].indices).subtracting(found)
    #expect(found.contains(0) && !unshown.isEmpty && reader.unshownCount == unshown.count)
    for sample in unshown {
      #expect(throws: PictureError.notDecoded(sample: sample, reason: "the stream does not output it")) {
        try track.pictures().group(ofSample: sample)
      }
    }
    // With the pictures before them they are shown, though decoding is first tried from the nearest sync sample.
    let whole = try RemadeMovie.spliced(["cmaf-hevc-sidx.mp4"], first: 18)
    let other = try #require(try MovieFile(bytes: whole.encoded()).tracks.first)
    let all = try other.pictures()
    for sample in [13, 14, 15] { #expect(try all.group(ofSample: sample).sample == sample) }
    #expect(all.takeProblems() == [] && all.unshownCount == 0)
  }

  /// A raw stream may begin with one layer, and have another one only later.
  @Test func layersOfLaterSequences() throws {
    var bytes: [UInt8] = []
    for isMono in [true, false] {
      for unit in AnnexBNALUnits(Fixtures.bytes("two-views.hevc")) {
        var unit = try unit.get()
        if isMono, unit.layerID > 0 { continue }
        if isMono, unit.type == .videoParameterSet { unit = try unit.withBaseLayerAlone() }
        bytes += [0, 0, 0, 1] + unit.bytes.array
      }
    }
    let track = try #require(try MovieFile(bytes: bytes).tracks.first)
    #expect(track.layers.map(\.layerID) == [0])
    let truth = try Track.picturesOfFixture("two-views.hevc").compactMap { $0[layer: 1]?.bytes(ofPlane: 0) }
    func pictures(_ track: Track) throws -> [[UInt8]?] {
      let reader = try track.pictures(options: PictureOptions(layers: [1]))
      var found: [[UInt8]?] = []
      while let group = try reader.next() { found.append(group[layer: 1]?.bytes(ofPlane: 0)) }
      #expect(reader.takeProblems() == [])
      return found
    }
    #expect(try pictures(track) == truth && !truth.isEmpty)
    var stream: [UInt8] = []
    let summary = try track.extract(layers: [1]) { piece in
      stream += piece
      return true
    }
    #expect(summary.layers == [0, 1] && summary.samplesWithoutLayer == 0)
    #expect(try pictures(try #require(try MovieFile(bytes: stream).tracks.first)) == truth)
    #expect(throws: ExtractionError.noSuchLayer(9, available: [0, 1])) {
      try track.extract(layers: [1, 9]) { _ in true }
    }
  }

  /// Boxes of the sample entry take precedence in each of them.
  @Test(arguments: [false, true]) func boxesComeBeforeTheStream(hasBoxes: Bool) throws {
    let name = "hdr10.mp4"
    let sets = try Self.track(name).layerAnalysis.units.map(\.unit)
    let set = try #require(sets.first { $0.type == .sequenceParameterSet })
    var movie = try RemadeMovie(videoOf: Fixtures.path(name))
    movie.samples[0] = Array(movie.samples[0].prefix(2))
    movie.standAlone()
    let part = movie.samples[0]
    movie.samples[0] = []
    for isWide in [false, true] {
      var samples = part
      samples[0].units.insert(try Self.changed(set, isWide: isWide).bytes.array, at: 0)
      movie.samples[0] += samples
    }
    movie.editEntry { entry in
      entry.children.removeAll { ["colr", "pasp"].contains($0.type) }
      guard hasBoxes else { return }
      entry.children.append(
        PlainBox("colr", Array("nclx".utf8) + [0, 12, 0, 18, 0, 5, 0]))
      entry.children.append(PlainBox("pasp", PlainBox.bytes(8, 4) + PlainBox.bytes(9, 4)))
    }
    let track = try #require(try MovieFile(bytes: movie.encoded()).tracks.first)
    let reader = try track.pictures()
    var groups: [PictureGroup] = []
    while let group = try reader.next() { groups.append(group) }
    func boxed(_ chroma: Int?) -> [Int?] { [12, 18, 5, 0, chroma, 8, 9] }
    let expected = hasBoxes ? [boxed(nil), boxed(2)] : [Self.narrow, Self.wide]
    #expect(
      Self.colours(of: groups) == expected.flatMap { Array(repeating: $0, count: part.count) })
    let last = try #require(groups.last)
    #expect(Self.colours(of: [try track.pictures().group(ofSample: last.sample)]).first == expected[1])
    let picture = try #require(last.layers.first)
    #expect(Picture(picture.decoded, of: track).colour == picture.colour)
  }

  /// A movie with other edits: the last two samples first, then the second one held, then nothing, then all.
  @Test func editsAreFollowed() throws {
    let movie = try MovieFile(path: Fixtures.path("spatial.mov"))
    let track = try #require(movie.tracks.first { $0.isHEVC })
    let samples = try track.samples()
    let times = (0..<samples.count).map { samples.compositionTime(at: $0) }.sorted()
    let unit = times[1] - times[0]
    var tree = try #require(movie.tree)
    let header = try #require(tree["moov/mvhd"])
    let scale = try #require(header.payload(MovieHeaderBox.self)?.timescale)
    // Durations are in movie time.
    func duration(_ count: Int64) -> UInt64 { UInt64(count * unit * Int64(scale) / Int64(track.timescale)) }
    var list = EditListBox()
    list.entries = [
      EditListBox.Entry(editDuration: duration(2), mediaTime: times[2]),
      EditListBox.Entry(editDuration: duration(3), mediaTime: times[1], mediaRateInteger: 0),
      EditListBox.Entry(editDuration: duration(1), mediaTime: -1),
      EditListBox.Entry(editDuration: duration(4), mediaTime: times[0]),
    ]
    try tree.insert(Box("edts", children: [Box("elst", list)]), in: "moov/trak[0]")
    let edited = try #require(try MovieFile(edited: tree).tracks.first { $0.isHEVC })
    let reader = try edited.pictures()
    var shown: [Int64] = [], from: [Int64] = []
    let sums = try Self.sums(track)
    while let group = try reader.next() {
      shown.append((samples.compositionTime(at: group.sample) - times[0]) / unit)
      from.append((group.presentationTime?.value ?? -1) / unit)
      #expect(Self.sums(group) == sums[group.sample])
    }
    #expect(shown == [2, 3, 1, 0, 1, 2, 3] && from == [0, 1, 2, 6, 7, 8, 9])
    #expect(reader.takeProblems() == [])
    #expect(throws: PictureError.self) {
      try edited.pictureGroup(at: MediaTime(value: 5 * unit, timescale: edited.timescale))
    }
    let held = try edited.pictureGroup(at: MediaTime(value: 4 * unit, timescale: edited.timescale))
    #expect(samples.compositionTime(at: held.sample) == times[1])
  }

  @Test func rawStreamsHaveNoTimes() throws {
    let track = try Self.track("two-views.hevc")
    let groups = try Track.picturesOfFixture("two-views.hevc")
    #expect(groups.count > 2 && groups.allSatisfy { $0.presentationTime == nil && $0.layers.count == 2 })
    #expect(throws: PictureError.noTimes) { try track.pictures(from: MediaTime(value: 1, timescale: 2)) }
    #expect(throws: PictureError.noTimes) { try track.pictureGroup(at: MediaTime(value: 1, timescale: 2)) }
    let second = try track.pictures().group(ofSample: groups[1].sample)
    #expect(Self.sums(second) == Self.sums(groups[1]))
  }

  @Test func whereNothingIsShown() throws {
    let track = try Self.track("spatial.mov")
    let shown = try #require(try track.shownTimes())
    let late = MediaTime(value: 1_000, timescale: 1)
    #expect(throws: PictureError.nothingShown(at: late, shown: shown)) { try track.pictureGroup(at: late) }
    #expect(try track.pictures().group(shownAt: shown.upperBound) == nil)
    let reader = try track.pictures(from: late)
    #expect(try reader.next() == nil)
    #expect(throws: PictureError.self) { try track.pictures().group(ofSample: 100_000) }
  }

  @Test func sequencesCanBeAwaited() async throws {
    let track = try Self.track("spatial.mov")
    let expected = try Track.picturesOfFixture("spatial.mov").map(\.sample)
    var found: [Int] = []
    for try await group in track.pictureGroups() { found.append(group.sample) }
    #expect(found == expected)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      var count = 0
      for try await _ in track.pictureGroups() { count += 1 }
      return count
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func thumbnailsAreSmall() throws {
    let track = try Self.track("spatial.mov")
    let small = try track.thumbnail(eye: .right, maximumWidth: 40)
    let whole = try track.thumbnail(eye: .right, maximumWidth: 10_000)
    let picture = try #require(try Track.picturesOfFixture("spatial.mov").first?[.right])
    let size = picture.displaySize
    #expect(small.width == 40 && whole.width == size.width && whole.height == size.height)
    #expect(try picture.rgb(width: 40) == small)
  }
}
