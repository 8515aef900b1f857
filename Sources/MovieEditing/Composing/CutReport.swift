// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import Multiview

/// The report on a movie that was cut, joined or composed.
public struct CutReport: Sendable {
  /// A track of the new movie.
  public struct CutTrack: Hashable, Sendable {
    /// The track ID.
    public let id: UInt32
    /// The media type of the track.
    public let mediaType: MediaType
    /// The number of samples.
    public let samples: Int
    /// The number of samples that are never presented: they are kept because others need them for decoding.
    public let hiddenSamples: Int
  }

  /// Something remarkable about the new movie. New kinds may be added: handle them with a `default`.
  public enum Notice: Hashable, Sendable {
    /// Pictures before or after the part are in the file, because others need them for decoding.
    case hiddenPictures(trackID: UInt32, count: Int)
    /// A track is left out, with the reason.
    case trackLeftOut(trackID: UInt32, mediaType: MediaType, reason: String)
    /// The first pictures need others that the movie does not have.
    case lacksStart(trackID: UInt32)
    /// The end of a track that is longer than the video of its movie is left out, because the next movie begins
    /// there.
    case endLeftOut(file: String, trackID: UInt32, seconds: Double)
    /// The video of the movies differs in size, orientation, layers or tags.
    case spatialDifference(String)
    /// The sound of movies that is joined to one track differs in its sample rate or its channels.
    case soundDifference(String)
    /// The sound of a movie is in a track of its own, with the reason; players play one track of sound.
    case soundApart(trackID: UInt32, file: String, reason: String)
    /// A metadata key is left out, with the reason.
    case keyLeftOut(String, reason: String)

    /// The notice in words.
    public var message: String {
      switch self {
      case .hiddenPictures(let id, let count):
        "\(count == 1 ? "1 picture" : "\(count) pictures") of track \(id) that the part does not show "
          + "\(count == 1 ? "is" : "are") still in the file, for others to be decoded"
      case .trackLeftOut(let id, let type, let reason): "track \(id) (\(type.words)) is left out: \(reason)"
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

  /// The part of the original presentation that the new movie presents; of movies that are joined or composed,
  /// from 0 to their duration.
  public internal(set) var range: Range<MediaTime>
  /// The time at which each of several joined movies begins in the new one.
  public internal(set) var parts: [MediaTime] = []
  /// The tracks of the new movie.
  public internal(set) var tracks: [CutTrack] = []
  /// The notices.
  public internal(set) var notices: [Notice] = []
  /// What was written; `nil` if nothing was.
  public internal(set) var written: MovieWriteReport?

  /// The duration of the new movie.
  public var duration: MediaTime { range.upperBound - range.lowerBound }
}

extension CutReport.Notice {
  /// The kind of the notice, as it is called in JSON.
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

  /// The ID of the track that the notice is about; `nil` if it is not about one track.
  public var trackID: UInt32? {
    switch self {
    case .hiddenPictures(let id, _), .trackLeftOut(let id, _, _), .lacksStart(let id),
      .endLeftOut(_, let id, _), .soundApart(let id, _, _):
      id
    case .spatialDifference, .soundDifference, .keyLeftOut: nil
    }
  }
}
