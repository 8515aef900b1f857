// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF
import Multiview

extension FuzzTarget {
  static let movie = FuzzTarget(
    "FuzzMovie",
    "A whole movie or stream: tracks, layers, eyes, tags, classification, samples, cursor, extraction.",
    seeds: {
      FuzzSeeds.movies(whole: false) + FuzzSeeds.smallMovies() + FuzzSeeds.streams(prefix: [], size: 2_000)
        + FuzzSeeds.moviesWithEachBox()
    },
    mutator: mutateFile
  ) { bytes, findings in
    var limits = Limits.standard
    limits.maximumSamples = 1 << 12
    let movie: MovieFile
    do { movie = try MovieFile(source: MemoryBytes(bytes), limits: limits) } catch { return }
    _ = (movie.container, movie.classification, movie.duration, movie.isReadable)
    findings.expect(
      movie.diagnostics.count <= movie.diagnostics.limit + 1, "\(movie.diagnostics.count) diagnostics")
    for track in movie.tracks.prefix(8) { findings.checkTrack(track, bytes) }
  }
}

extension FuzzFindings {
  fileprivate mutating func checkTrack(_ track: Track, _ bytes: ByteView) {
    _ = (track.duration, track.naturalSize, track.references, track.language, track.codecString)
    _ = (track.classificationReport, track.mediaCharacteristics, track.tagCollections, track.sampleCount)
    for description in track.formatDescriptions {
      _ = (description.extensions, description.extensions.entries, description.stereo)
    }
    let analysis = track.layerAnalysis
    expect(analysis.layers.count <= 64, "\(analysis.layers.count) layers")
    expect(
      zip(analysis.layers, analysis.layers.dropFirst()).allSatisfy { $0.layerID < $1.layerID },
      "layers out of order")
    for layer in analysis.layers { _ = (layer.role, layer.isTexture) }
    _ = (track.eyeAssignment.decidedBy, track.eyeAssignment.contradictions)
    do { try checkUnits(track, bytes) } catch { note("memory cannot be read: \(error)") }
    do { try checkCursor(track) } catch { note("memory cannot be read: \(error)") }
    checkExtraction(track, bytes)
  }

  private mutating func checkUnits(_ track: Track, _ bytes: ByteView) throws(SourceError) {
    guard track.isHEVC else { return }
    var problems: [String] = []
    var walked = 0, last = -1
    try track.forEachAccessUnit(0..<500) { places, walker in
      if places.index <= last { problems.append("access unit \(places.index) after \(last)") }
      last = places.index
      for place in places.units {
        walked += place.range.count
        // The header of a unit has been read; the rest may be missing.
        if place.range.lowerBound + 2 > UInt64(bytes.count) {
          problems.append("a NAL unit at \(place.range)")
        }
      }
      if let place = places.units.first { _ = try? walker.unit(place, limit: 64) }
      return problems.isEmpty
    }
    for problem in problems { note(problem) }
  }

  private mutating func checkCursor(_ track: Track) throws(SourceError) {
    guard var cursor = try track.makeSampleCursorAtFirstSampleInDecodeOrder() else { return }
    let count = cursor.samples.count
    for step: Int64 in [1, 7, -3, .max, -1, .min, 2] {
      cursor.stepInDecodeOrder(byCount: step)
      cursor.stepInPresentationOrder(byCount: -(step / 2))
      cursor.step(byDecodeTime: MediaTime(value: step, timescale: 7))
      cursor.step(byPresentationTime: MediaTime(value: 3 &* step, timescale: .max))
      expect((0..<count).contains(cursor.index), "the cursor is at \(cursor.index) of \(count)")
      _ = (cursor.presentationTimeStamp, cursor.decodeTimeStamp.seconds, cursor.currentSampleSyncInfo)
      _ = (cursor.currentSampleDependencyInfo, cursor.samplesRequiredForDecoderRefresh)
      // What is damaged is refused.
      do throws(SampleError) {
        for group in try track.taggedNALUnits(at: cursor) { _ = (group.byteCount, group.tags) }
      } catch {
        if case .unreadable = error { note("memory cannot be read: \(error)") }
      }
    }
    if let other = try track.makeSampleCursor(presentationTimeStamp: MediaTime(value: 1, timescale: 3)) {
      _ = cursor.samplesWithEarlierDecodeTimeStampsMayHaveLaterPresentationTimeStamps(than: other)
      _ = cursor.samplesWithLaterDecodeTimeStampsMayHaveEarlierPresentationTimeStamps(than: other)
    }
    let shown = cursor.samples.presentationCount
    if shown <= count { expect(try track.presentationTimes().count == shown, "\(shown) times are expected") }
  }

  private mutating func checkExtraction(_ track: Track, _ bytes: ByteView) {
    guard let layer = track.layers.last?.layerID else { return }
    var written = 0
    let summary = try? track.extract(layers: [layer]) { piece in
      written += piece.count
      return written < 1 << 20
    }
    if let summary { expect(summary.bytes == written, "\(summary.bytes) bytes were written, not \(written)") }
  }
}
