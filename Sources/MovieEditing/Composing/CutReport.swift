// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import Multiview

/// What is in a movie that was cut.
public struct CutReport: Sendable {
  /// A track of the new movie.
  public struct CutTrack: Hashable, Sendable {
    /// Its ID.
    public let id: UInt32
    /// What it holds.
    public let mediaType: MediaType
    /// How many samples it has.
    public let samples: Int
    /// How many of them are never presented: they are there because others need them to be decoded.
    public let hiddenSamples: Int
  }

  /// What is remarkable about the new movie. New kinds may come: handle them with a `default`.
  public enum Notice: Hashable, Sendable {
    /// Pictures before or after the part are in the file, because others need them.
    case hiddenPictures(trackID: UInt32, count: Int)
    /// A track is left out, because nothing of it is presented.
    case trackLeftOut(trackID: UInt32, mediaType: MediaType, reason: String)
    /// The pictures at the beginning need others that the movie does not have.
    case lacksStart(trackID: UInt32)
    /// The end of a track that is longer than the pictures of its movie is left out, because the next movie begins there.
    case endLeftOut(file: String, trackID: UInt32, seconds: Double)
    /// Pictures of the movies differ in size, orientation, layers or tags.
    case spatialDifference(String)
    /// Sound of the movies that is in one track differs in its rate or its channels.
    case soundDifference(String)
    /// Sound of a movie is a track of its own, of which players play one.
    case soundApart(trackID: UInt32, file: String, reason: String)
    /// A metadata key is left out.
    case keyLeftOut(String, reason: String)

    /// What is the matter, in words.
    public var message: String {
      switch self {
      case .hiddenPictures(let id, let count):
        "\(count == 1 ? "1 picture" : "\(count) pictures") of track \(id) that the part does not show "
          + "\(count == 1 ? "is" : "are") still in the file, for others to be decoded"
      case .trackLeftOut(let id, let type, let reason): "track \(id) (\(type)) is left out: \(reason)"
      case .lacksStart(let id):
        "track \(id) has no sync sample before the part: it is kept from its first sample on"
      case .endLeftOut(let file, let id, let seconds):
        "the last \(MediaTime(seconds: seconds, timescale: 1_000).seconds) s of track \(id) of \(file) are left out: its pictures end before"
      case .spatialDifference(let what), .soundDifference(let what): what
      case .soundApart(let id, let file, let reason):
        "sound of \(file) is a track of its own (\(id)), and most players play one track of sound: \(reason)"
      case .keyLeftOut(let key, let reason): "the key \(key) is left out: \(reason)"
      }
    }
  }

  /// The part of the presentation of the movie that the new one presents.
  public internal(set) var range: Range<MediaTime>
  /// Where each of several movies begins in the new one.
  public internal(set) var parts: [MediaTime] = []
  /// The tracks of the new movie.
  public internal(set) var tracks: [CutTrack] = []
  /// What is remarkable.
  public internal(set) var notices: [Notice] = []
  /// What was written; `nil` where nothing was.
  public internal(set) var written: MovieWriteReport?

  /// How long the new movie is.
  public var duration: MediaTime { range.upperBound - range.lowerBound }
}

extension CutReport.Notice {
  /// What kind of notice it is, as JSON names it.
  public var kind: String {
    switch self {
    case .hiddenPictures: "hiddenPictures"
    case .trackLeftOut: "trackLeftOut"
    case .lacksStart: "lacksStart"
    case .endLeftOut: "endLeftOut"
    case .spatialDifference: "spatialDifference"
    case .soundDifference: "soundDifference"
    case .soundApart: "soundApart"
    case .keyLeftOut: "keyLeftOut"
    }
  }

  /// The track that it is about.
  public var trackID: UInt32? {
    switch self {
    case .hiddenPictures(let id, _), .trackLeftOut(let id, _, _), .lacksStart(let id),
      .endLeftOut(_, let id, _), .soundApart(let id, _, _):
      id
    case .spatialDifference, .soundDifference, .keyLeftOut: nil
    }
  }
}
