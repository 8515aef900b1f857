// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
public import HEVC
import ISOBMFF
import Multiview

/// The NAL units of a file, as the library's own readers of boxes, sample tables and byte streams find them.
public struct CorpusVideo: Sendable {
  /// An HEVC track; of a raw stream, the stream.
  public struct Track: Sendable {
    /// The track ID.
    public var id: UInt32
    /// The units of `hvcC` and `lhvC`.
    public var records: [NALUnit] = []
    /// The units of each sample; of a raw stream, of each access unit.
    public var samples: [[NALUnit]] = []
    /// What is wrong with the framing of samples.
    public var problems: [String] = []
    /// Whether samples are encrypted.
    public var isProtected = false

    /// All units in the order of a byte stream: those of the records precede the first slice, after the units
    /// before it in the first sample.
    public var streamUnits: [NALUnit] {
      let first = samples.first ?? []
      let start = first.firstIndex { $0.type.isVideoCodingLayer } ?? first.endIndex
      return first[..<start] + records + first[start...] + samples.dropFirst().joined()
    }
  }

  /// The tracks.
  public var tracks: [Track] = []
  /// The units of records that do not belong to a track: those of images.
  public var itemRecords: [NALUnit] = []

  /// Reads a file of the corpus; `nil` if it is neither a movie nor a stream.
  public init?(_ name: String) {
    guard let folder = Corpus.folder else { return nil }
    self.init(path: folder + "/" + name)
  }

  /// Reads any file; `nil` if it is neither a movie nor a stream.
  public init?(path: String) {
    guard let movie = try? MovieFile(path: path) else { return nil }
    for track in movie.tracks where track.isHEVC { tracks.append(Self.read(track)) }
    movie.tree?.forEachBox { box, path in
      guard path.contains("ipco") else { return }
      itemRecords += box.payload(HEVCConfigurationBox.self)?.record.nalUnits ?? []
      itemRecords += box.payload(LHEVCConfigurationBox.self)?.record.nalUnits ?? []
    }
  }

  private static func read(_ track: Multiview.Track) -> Track {
    var result = Track(id: track.id)
    for description in track.formatDescriptions {
      result.records += description.hevcConfiguration?.nalUnits ?? []
      result.records += description.layeredConfiguration?.nalUnits ?? []
      if description.isProtected { result.isProtected = true }
    }
    do {
      try track.forEachAccessUnit { places, walker in
        if let error = places.error { result.problems.append("sample \(places.index): \(error)") }
        do {
          result.samples.append(try places.units.compactMap { try walker.unit($0) })
        } catch { result.problems.append("sample \(places.index): \(error)") }
        return true
      }
    } catch { result.problems.append("\(error)") }
    return result
  }
}

/// The byte streams of the corpus.
public enum CorpusStreams {
  /// The names of the streams.
  public static let names = (Corpus.files("mvhevc") + Corpus.files("lhevc") + Corpus.files("third-party"))
    .filter {
      $0.hasSuffix(".hevc") || $0.hasSuffix(".bit") || $0.hasSuffix(".265") || $0.hasSuffix(".h265")
    }

  /// Returns the units of a stream.
  public static func units(_ name: String) throws -> [NALUnit] {
    try AnnexBNALUnits(Corpus.bytes(name)).map { try $0.get() }
  }
}
