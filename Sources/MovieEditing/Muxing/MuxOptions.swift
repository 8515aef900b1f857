// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import Multiview

/// A number of pictures per second, as a fraction in lowest terms.
public struct FrameRate: Hashable, Sendable, CustomStringConvertible {
  /// The number of pictures in ``denominator`` seconds.
  public let numerator: UInt32
  /// The number of seconds for ``numerator`` pictures.
  public let denominator: UInt32

  /// Makes a rate such as 30000/1001, and reduces it to lowest terms. `nil` for a rate of 0, of more than 1000
  /// pictures per second, or of less than one picture in 1000 seconds.
  public init?(_ numerator: UInt32, _ denominator: UInt32 = 1) {
    guard numerator > 0, denominator > 0, UInt64(numerator) <= 1_000 * UInt64(denominator),
      UInt64(denominator) <= 1_000 * UInt64(numerator)
    else { return nil }
    let divisor = UInt32(MediaTime.divisor(UInt64(numerator), UInt64(denominator)))
    (self.numerator, self.denominator) = (numerator / divisor, denominator / divisor)
  }

  /// Reads `30`, `30000/1001` or `29.97`, which is exactly 2997/100; `nil` for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2 {
      guard let numerator = Self.number(parts[0]), let denominator = Self.number(parts[1]) else { return nil }
      self.init(numerator, denominator)
      return
    }
    let digits = text.split(separator: ".", omittingEmptySubsequences: false)
    guard digits.count <= 2, let whole = digits.first, let number = Self.number(whole) else { return nil }
    guard digits.count == 2 else {
      self.init(number)
      return
    }
    guard let fraction = Self.number(digits[1]), digits[1].utf8.count <= 5 else { return nil }
    var scale: UInt32 = 1
    for _ in digits[1].utf8 { scale *= 10 }
    let (scaled, overflow) = number.multipliedReportingOverflow(by: scale)
    guard !overflow, scaled <= UInt32.max - fraction else { return nil }
    self.init(scaled + fraction, scale)
  }

  private static func number(_ text: Substring) -> UInt32? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return UInt32(text)
  }

  /// The rate as text: `30` or `30000/1001`.
  public var description: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }

  /// A timescale in which the duration of a picture is an integer, 600 if possible, and that duration; `nil` if
  /// it does not fit.
  var timing: (timescale: UInt32, duration: Int64)? {
    if UInt64(denominator) * 600 % UInt64(numerator) == 0 {
      return (600, Int64(UInt64(denominator) * 600 / UInt64(numerator)))
    }
    // Low rates get a timescale that is fine enough for sound that begins between two pictures.
    let factor = UInt64(numerator) >= 600 ? 1 : (599 + UInt64(numerator)) / UInt64(numerator)
    guard let timescale = UInt32(exactly: UInt64(numerator) * factor),
      let duration = Int32(exactly: UInt64(denominator) * factor)
    else { return nil }
    return (timescale, Int64(duration))
  }
}

/// How a movie is made from a stream.
public struct MuxOptions: Hashable, Sendable {
  /// The kind of file.
  public enum Brand: String, Hashable, Sendable, CaseIterable {
    /// QuickTime.
    case mov
    /// MP4.
    case mp4
  }

  /// How the presentation order is written if it differs from the decoding order.
  public enum Reordering: String, Hashable, Sendable, CaseIterable {
    /// Signed offsets in a `ctts` of version 1: the first picture is composed at 0.
    case ctts1
    /// Signed offsets in a `ctts` of version 0, as in QuickTime movies of Apple's cameras. Only for QuickTime.
    case ctts0
    /// Unsigned offsets, and an edit that begins later by the same time.
    case edit
  }

  /// The number of access units per second: pictures, or fields if the stream has fields. `nil` for the rate of
  /// the stream.
  public var frameRate: FrameRate?
  /// The kind of file.
  public var brand = Brand.mov
  /// How the presentation order is written.
  public var reordering = Reordering.ctts1
  /// Whether pictures before the first one at which decoding can begin are left out. Otherwise, such a stream
  /// is refused.
  public var skipsUndecodableStart = false
  /// Whether CRA pictures are sync samples even if their leading pictures need earlier ones.
  public var listsOpenAccessPoints = false
  /// Whether a stream is taken in which pictures are missing that others refer to, or slices that cannot be read.
  /// Otherwise, such a stream is refused.
  public var allowsLostPictures = false
  /// Whether an existing file with the same name is replaced.
  public var isOverwriting = false
  /// The folder in which the file is made until it is complete, on the same disk; `nil` for the folder of the file.
  /// See ``MovieWriteOptions/temporaryFolder``.
  public var temporaryFolder: String?
  /// How the file is written.
  var writing: MovieWriteOptions {
    var options = MovieWriteOptions()
    (options.isOverwriting, options.temporaryFolder) = (isOverwriting, temporaryFolder)
    return options
  }
  /// Whether `moov` precedes the media data.
  public var putsMovieFirst = false
  /// The least duration of fragments; `nil` for an ordinary movie.
  public var fragmentDuration: MediaTime?

  /// Makes options with the rate of the stream, for a QuickTime movie with signed offsets.
  public init() {}
}

/// An anomaly of a stream that a movie is made from.
public struct MuxNotice: Hashable, Sendable {
  /// The kind of an anomaly. New kinds may be added: handle them with a `default`.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// An access unit has no picture of a layer that others have.
    case missingLayer
    /// Leading pictures cannot be decoded, because decoding begins at the picture that they lead.
    case undecodableLeading
    /// Pictures that the stream marks as not to be output are samples with a time of their own.
    case hiddenPicture
    /// Decoding can begin at the base picture, but not at that of another layer: the access unit is not a sync
    /// sample.
    case layerNotAccessPoint
    /// The pictures of an access unit have different positions in output order.
    case orderCountsDiffer
    /// A picture refers to others that the stream does not have: they were lost.
    case lostPictures
    /// The first slice segment of a picture is missing.
    case firstSliceMissing
    /// A slice segment header cannot be read.
    case damagedSlice
    /// Slice segments of one picture have different types.
    case mixedTypes
    /// Pictures before the first one at which decoding can begin were left out.
    case skippedStart
    /// Units after the last picture, which would belong to another picture, were left out.
    case unitsAfterEnd
    /// Units too short for a header were left out.
    case shortUnits
    /// A video parameter set that does not belong to the base layer was left out.
    case videoSetInLayer
    /// Pictures are shown for longer than one period, as the stream says.
    case longerPictures
    /// The stream has another frame rate from a picture on.
    case rateChanges
    /// Pictures were left out at the start, and nothing is shown in their place, which keeps other tracks in sync.
    case laterStart
    /// Pictures at the start cannot be shown, and other tracks are not cut by as much.
    case startNotCut
    /// The stream has units of Dolby Vision, which the sample entry does not signal.
    case dolbyVision
    /// A copied track has sound in a form of QuickTime that MP4 does not have.
    case quickTimeSound
  }

  /// The kind of the anomaly.
  public let kind: Kind
  /// How often it occurs.
  public internal(set) var count: Int
  /// The offset in the stream at which it occurs first; `nil` if not known.
  public let firstOffset: Int?

  /// The anomaly in words, without the count and the offset.
  public var message: String {
    switch kind {
    case .missingLayer: "access units without a picture of a layer that other access units have"
    case .undecodableLeading: "leading pictures that cannot be decoded, because decoding begins after them"
    case .hiddenPicture: "pictures that are not shown; each still takes up the duration of a picture"
    case .layerNotAccessPoint:
      "access units at which decoding can begin in the base layer, but not in all layers"
    case .orderCountsDiffer: "access units whose layers have different positions in output order"
    case .lostPictures: "pictures refer to missing pictures: players show them damaged"
    case .firstSliceMissing: "pictures without their first slice segment"
    case .damagedSlice: "slice segment headers that cannot be read"
    case .mixedTypes: "pictures with slice segments of different types"
    case .skippedStart: "access units left out before the first one at which decoding can begin"
    case .unitsAfterEnd: "units left out at the end, which belong to a missing picture"
    case .shortUnits: "units left out that are too short for a header"
    case .videoSetInLayer: "video parameter sets left out that do not belong to the base layer"
    case .longerPictures: "pictures shown for longer than the others, as the stream specifies"
    case .rateChanges: "changes of the frame rate; each part of the stream has its own"
    case .laterStart:
      "pictures missing at the start; nothing is shown in their place, to keep other tracks in sync"
    case .startNotCut:
      "pictures hidden at the start; other tracks are not cut by as much, and may be out of sync"
    case .dolbyVision:
      "units of Dolby Vision, which the sample entry does not signal: players show the pictures without it"
    case .quickTimeSound: "sound tracks in a QuickTime format that many MP4 players do not support"
    }
  }
}

/// The report on a movie that was made from a stream.
public struct MuxReport: Sendable {
  /// The source of the picture rate.
  public enum RateSource: String, Hashable, Sendable {
    /// The options.
    case option
    /// The sequence parameter set of the base layer (VUI).
    case sequenceParameterSet
    /// The video parameter set.
    case videoParameterSet
  }

  /// The number of samples of the track: one for each access unit.
  public internal(set) var samples = 0
  /// The number of sync samples.
  public internal(set) var syncSamples = 0
  /// The layers that have pictures.
  public internal(set) var layers: [UInt8] = []
  /// The number of sample entries: one, and another for each change of parameter sets.
  public internal(set) var descriptions = 0
  /// The number of access units per second.
  public internal(set) var frameRate: FrameRate?
  /// The source of the rate.
  public internal(set) var rateSource: RateSource?
  /// The number of NAL units of the stream that are not in samples, by the name of their type: those in the
  /// configuration records, and those that movies do not have.
  public internal(set) var unitsLeftOut: [String: Int] = [:]
  /// The anomalies of the stream.
  public internal(set) var notices: [MuxNotice] = []
  /// The tags and metadata that were written.
  public internal(set) var changes: [TagChange] = []
  /// The tracks of other movies, by their IDs there, that last longer than the pictures because they cannot be cut.
  package internal(set) var uncutTracks: [UInt32] = []
  /// The tracks of other movies, by their IDs there, whose sound has a form that the new movie should not have.
  package internal(set) var quickTimeSound: [UInt32] = []
  /// What was written; `nil` if nothing was.
  public internal(set) var written: MovieWriteReport?
}
