// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import Multiview

/// A number of pictures in a second, as a fraction.
public struct FrameRate: Hashable, Sendable, CustomStringConvertible {
  /// Pictures in ``denominator`` seconds.
  public let numerator: UInt32
  /// Seconds.
  public let denominator: UInt32

  /// A rate in its lowest terms: 30000/1001. `nil` for none at all, for more than 1000 and for less than one in 1000 seconds.
  public init?(_ numerator: UInt32, _ denominator: UInt32 = 1) {
    guard numerator > 0, denominator > 0, UInt64(numerator) <= 1_000 * UInt64(denominator),
      UInt64(denominator) <= 1_000 * UInt64(numerator)
    else { return nil }
    var (a, b) = (numerator, denominator)
    while b != 0 { (a, b) = (b, a % b) }
    self.numerator = numerator / a
    self.denominator = denominator / a
  }

  /// Reads `30`, `30000/1001` or `29.97`, which is 2997/100 and nothing else. `nil` for what is not a rate.
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

  /// `30` or `30000/1001`.
  public var description: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }

  /// The timescale in which each picture lasts a whole number of units, and how many: 600 where that is possible.
  var timing: (timescale: UInt32, duration: Int64)? {
    if UInt64(denominator) * 600 % UInt64(numerator) == 0 {
      return (600, Int64(UInt64(denominator) * 600 / UInt64(numerator)))
    }
    // Slow rates get a scale fine enough for sound that begins between two pictures.
    let factor = UInt64(numerator) >= 600 ? 1 : (599 + UInt64(numerator)) / UInt64(numerator)
    guard let timescale = UInt32(exactly: UInt64(numerator) * factor),
      let duration = Int32(exactly: UInt64(denominator) * factor)
    else { return nil }
    return (timescale, Int64(duration))
  }
}

/// How a movie is made of a stream.
public struct MuxOptions: Hashable, Sendable {
  /// The kind of file.
  public enum Brand: String, Hashable, Sendable, CaseIterable {
    /// QuickTime.
    case mov
    /// MP4.
    case mp4
  }

  /// How the order of presentation is written where it is not that of decoding.
  public enum Reordering: String, Hashable, Sendable, CaseIterable {
    /// Signed offsets in a table of version 1: the first picture is composed at 0.
    case ctts1
    /// Signed offsets in a table of version 0, as QuickTime movies of Apple's cameras have them. Only for QuickTime.
    case ctts0
    /// Offsets without a sign, and an edit that begins as much later.
    case edit
  }

  /// How many access units there are in a second: pictures, or fields where the stream has fields. `nil` takes what the stream
  /// says.
  public var frameRate: FrameRate?
  /// The kind of file.
  public var brand = Brand.mov
  /// How the order of presentation is written.
  public var reordering = Reordering.ctts1
  /// Whether pictures before the first one at which decoding can begin are left out. Otherwise such a stream is refused.
  public var skipsUndecodableStart = false
  /// Whether CRA pictures whose leading pictures need earlier ones are listed as sync samples, too.
  public var listsOpenAccessPoints = false
  /// Whether a file that has the name already is replaced.
  public var isOverwriting = false
  /// Whether the boxes that describe the movie come before the media data.
  public var putsMovieFirst = false
  /// How long fragments last at least, where the movie is to have some; `nil` for an ordinary movie.
  public var fragmentDuration: MediaTime?

  /// The stream's own rate, QuickTime, signed offsets.
  public init() {}
}

/// Something about a stream that whoever makes a movie of it should know.
public struct MuxNotice: Hashable, Sendable {
  /// What kind of thing it is. New kinds may come: handle them with a `default`.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// An access unit has no picture of a layer that others have.
    case missingLayer
    /// Leading pictures cannot be decoded, because decoding begins at the picture that they lead.
    case undecodableLeading
    /// Pictures that the stream says are not shown take a time of their own.
    case hiddenPicture
    /// A base picture begins decoding, and that of another layer does not: it is not a sync sample.
    case layerNotAccessPoint
    /// The pictures of an access unit have different places in the order of output.
    case orderCountsDiffer
    /// The first slice segment of a picture is missing.
    case firstSliceMissing
    /// A slice segment header cannot be read.
    case damagedSlice
    /// Slice segments of one picture have different types.
    case mixedTypes
    /// Pictures before the first one at which decoding can begin were left out.
    case skippedStart
    /// Units after the last picture that belong to a picture that did not come.
    case unitsAfterEnd
    /// Units too short for a header were left out.
    case shortUnits
    /// A video parameter set that does not belong to the base layer was left out.
    case videoSetInLayer
  }

  /// What kind of thing it is.
  public let kind: Kind
  /// How often it is so.
  public internal(set) var count: Int
  /// Where in the stream it is so first; `nil` where that is not known.
  public let firstOffset: Int?

  /// What it means, in words, without the number and the place.
  public var message: String {
    switch kind {
    case .missingLayer: "access units without a picture of a layer that others have"
    case .undecodableLeading: "leading pictures that cannot be decoded, because decoding begins after them"
    case .hiddenPicture: "pictures that the stream does not show; each takes a time of its own"
    case .layerNotAccessPoint: "pictures of the base layer begin decoding, and those of another layer do not"
    case .orderCountsDiffer: "access units whose layers have different places in the order of output"
    case .firstSliceMissing: "pictures without their first slice segment"
    case .damagedSlice: "slice segment headers that cannot be read"
    case .mixedTypes: "pictures with slice segments of different types"
    case .skippedStart: "access units left out before the first one at which decoding can begin"
    case .unitsAfterEnd: "units left out at the end, which belong to a picture that did not come"
    case .shortUnits: "units left out that are too short for a header"
    case .videoSetInLayer: "video parameter sets left out that do not belong to the base layer"
    }
  }
}

/// What was made of a stream.
public struct MuxReport: Sendable {
  /// Where the rate of the pictures comes from.
  public enum RateSource: String, Hashable, Sendable {
    /// It was asked for.
    case option
    /// The sequence parameter set of the base layer. (VUI)
    case sequenceParameterSet
    /// The video parameter set.
    case videoParameterSet
  }

  /// How many samples the track has: one an access unit.
  public internal(set) var samples = 0
  /// How many of them are listed as sync samples.
  public internal(set) var syncSamples = 0
  /// The layers that have pictures.
  public internal(set) var layers: [UInt8] = []
  /// How many sample entries there are: one more for each change of parameter sets.
  public internal(set) var descriptions = 0
  /// How many access units there are in a second.
  public internal(set) var frameRate: FrameRate?
  /// Where the rate comes from.
  public internal(set) var rateSource: RateSource?
  /// How many NAL units of the stream are not in samples, by the name of their type: those in the configuration records, and
  /// those that movies do not have.
  public internal(set) var unitsLeftOut: [String: Int] = [:]
  /// What is remarkable about the stream.
  public internal(set) var notices: [MuxNotice] = []
  /// The tags and metadata that were written.
  public internal(set) var changes: [TagChange] = []
  /// What was written; `nil` where nothing was.
  public internal(set) var written: MovieWriteReport?
}
