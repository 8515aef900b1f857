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
    /// How many of these precede everything that is presented.
    public internal(set) var hiddenBefore = 0
  }

  /// Something remarkable about the new movie. New kinds may be added: handle them with a `default`.
  public enum Notice: Hashable, Sendable {
    /// Pictures before or after the part are in the file, because others need them for decoding.
    case hiddenPictures(trackID: UInt32, count: Int)
    /// Packets of sound outside the part are in the file, because others need them for decoding.
    case hiddenSound(trackID: UInt32, count: Int)
    /// A track is left out, with the reason.
    case trackLeftOut(trackID: UInt32, mediaType: MediaType, reason: String)
    /// The first pictures need others that the movie does not have.
    case lacksStart(trackID: UInt32)
    /// From the beginning of a movie on, layers show other eyes than before.
    case eyesChange(String)
    /// The video of the movies differs in size, orientation, layers or tags.
    case spatialDifference(String)
    /// The sound of movies that is joined to one track differs in its sample rate or its channels.
    case soundDifference(String)
    /// The sound of a movie is in a track of its own, with the reason; players play one track of sound.
    case soundApart(trackID: UInt32, file: String, reason: String)
    /// A metadata key is left out, with the reason.
    case keyLeftOut(String, reason: String)
    /// Boxes that apply only to the fragments or the times of the original movies are left out.
    case boxesLeftOut([FourCC])
    /// The degradation priorities and padding bits of the samples of a track are left out.
    case sampleFlagsLeftOut(trackID: UInt32)
    /// The last chapters are left out, because a list has no more than 255.
    case chaptersLeftOut(Int)

    /// The notice in words.
    public var message: String {
      switch self {
      case .hiddenPictures(_, let count):
        "\(count == 1 ? "1 picture stays" : "\(count) pictures stay") in the file, hidden: players need "
          + "\(count == 1 ? "it" : "them")"
      case .hiddenSound(_, let count):
        "\(count == 1 ? "1 packet of sound stays" : "\(count) packets of sound stay") in the file, hidden: "
          + "players need \(count == 1 ? "it" : "them")"
      case .trackLeftOut(let id, let type, let reason): "track \(id) (\(type.words)) is left out: \(reason)"
      case .lacksStart(let id):
        "track \(id) has no sync sample before the part: it is kept from its first sample on"
      case .spatialDifference(let what), .soundDifference(let what), .eyesChange(let what): what
      case .soundApart(let id, let file, let reason):
        "sound of \(file) is in a separate track (\(id)), and most players play only one: \(reason)"
      case .keyLeftOut(let key, let reason): "the key \(key) is left out: \(reason)"
      case .boxesLeftOut(let types): LeftOutBoxes.message(types)
      case .sampleFlagsLeftOut(let id): LeftOutBoxes.message(flagsOf: id)
      case .chaptersLeftOut(let count):
        "the last \(count == 1 ? "chapter is" : "\(count) chapters are") left out: a list has at most 255"
      }
    }
  }

  /// The part of the original presentation that the new movie presents; of movies that are joined or composed,
  /// from 0 to their duration.
  public internal(set) var range: Range<MediaTime>
  /// The parts of the original presentation that the new movie presents, if several were cut from one movie;
  /// ``range`` is the first of them.
  public internal(set) var ranges: [Range<MediaTime>] = []
  /// The time at which each of several joined movies begins in the new one.
  public internal(set) var parts: [MediaTime] = []
  /// The tracks of the new movie.
  public internal(set) var tracks: [CutTrack] = []
  /// The notices.
  public internal(set) var notices: [Notice] = []
  /// What was written; `nil` if nothing was.
  public internal(set) var written: MovieWriteReport?

  /// The duration of the new movie.
  public var duration: MediaTime {
    ranges.isEmpty
      ? range.upperBound - range.lowerBound
      : ranges.reduce(.zero) { $0 + ($1.upperBound - $1.lowerBound) }
  }

  /// What is in the file and not presented, in one sentence; `nil` if nothing is.
  public var hiddenSamplesText: String? {
    var (hidden, before): ([String], Int) = ([], 0)
    func count(_ type: (CutTrack) -> Bool, _ one: String, _ several: String) -> Int {
      let tracks = tracks.filter(type)
      let count = tracks.reduce(0) { $0 + $1.hiddenSamples }
      before += tracks.reduce(0) { $0 + $1.hiddenBefore }
      if count > 0 { hidden.append(count == 1 ? "1 \(one)" : "\(count) \(several)") }
      return count
    }
    let all =
      count({ $0.mediaType.isVisual }, "picture", "pictures")
      + count({ $0.mediaType == .audio }, "packet of sound", "packets of sound")
    guard all > 0 else { return nil }
    let place = before == all ? " before the beginning" : ""
    return hidden.joined(separator: " and ") + place
      + (all == 1
        ? " stays in the file, hidden: players need it" : " stay in the file, hidden: players need them")
  }
}

extension CutReport.Notice {
  /// The kind of the notice, as it is called in JSON.
  public var kind: String {
    switch self {
    case .hiddenPictures: "hiddenPictures"
    case .hiddenSound: "hiddenSound"
    case .trackLeftOut: "trackLeftOut"
    case .lacksStart: "lacksStart"
    case .eyesChange: "eyesChange"
    case .spatialDifference: "spatialDifference"
    case .soundDifference: "soundDifference"
    case .soundApart: "soundApart"
    case .keyLeftOut: "keyLeftOut"
    case .boxesLeftOut: "boxesLeftOut"
    case .sampleFlagsLeftOut: "sampleFlagsLeftOut"
    case .chaptersLeftOut: "chaptersLeftOut"
    }
  }

  /// The ID of the track that the notice is about; `nil` if it is not about one track.
  public var trackID: UInt32? {
    switch self {
    case .hiddenPictures(let id, _), .hiddenSound(let id, _), .trackLeftOut(let id, _, _),
      .lacksStart(let id),
      .soundApart(let id, _, _), .sampleFlagsLeftOut(let id):
      id
    case .spatialDifference, .soundDifference, .eyesChange, .keyLeftOut, .boxesLeftOut, .chaptersLeftOut: nil
    }
  }
}
