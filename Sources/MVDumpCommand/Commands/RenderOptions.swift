// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import MoviePictures
import Multiview
import Threads

/// The options of `mvdump render`.
struct RenderOptions {
  static let output = Option(
    "output", short: "o", .text("OUT", hint: .file),
    "Where to write: a .png, .y4m or .yuv file, or a pattern with %e, %d and %n; - writes Y4M to standard output"
  )
  static let eye = Option(
    "eye", short: "e", .choice("EYE", ["left", "right", "both"]), "The eye to render: left, right or both"
  )
  static let layer = Option(
    "layer", short: "l", .number("ID", 0...62), "The layer to render, instead of an eye")
  static let time = Option(
    "at", short: "a", .text("TIME", hint: .nothing),
    "The picture shown at this time: seconds such as 1.5 or 3/2, or 1:02:03.5")
  static let sample = Option(
    "sample", short: "s", .number("N", 0...Int.max), "The picture of this sample, counted from 0")
  static let item = Option(
    "item", short: "i", .number("ID", 0...Int(UInt32.max)),
    "For a photo: the image with this item ID, instead of the primary image")
  static let every = Option(
    "every", .text("TIME", hint: .nothing), "One picture per interval of this length, to the end")
  static let all = Option("all", "Every picture, from --at or the start to the end")
  static let layout = Option(
    "layout", .choice("LAYOUT", ["separate", "side-by-side", "over-under", "anaglyph"]),
    "How both eyes are combined; side-by-side by default")
  static let width = Option("width", short: "w", .number("N", 1...65_536), "Scale to this width in pixels")
  static let deep = Option("deep", "Write PNGs with 16 bits per sample")
  static let force = Option("force", short: "f", "Overwrite existing files")

  static let threadCount = Option(
    "threads", .number("N", 1...64),
    "Number of decoding threads (default: with --all as many as the machine runs, else 1)")

  static let options: [Option] = [
    output, eye, layer, time, sample, item, every, all, layout, width, deep, force, RowOptions.track,
    threadCount, CommonOptions.json, CommonOptions.jsonLines, CommonOptions.recursive,
  ]

  /// Which picture comes out of each moment.
  enum View: Equatable {
    /// The hero eye's, else the base layer's.
    case standard
    case eye(StereoEye)
    case layer(UInt8)
    /// Both eyes, in one picture or each in its own.
    case both(StereoArrangement?)
  }

  /// Which moments are rendered.
  enum Moments: Equatable {
    case one
    case sample(Int)
    case every(MediaTime)
    case all

    /// The time from one picture to the next, if pictures at intervals are requested.
    var step: MediaTime? { if case .every(let step) = self { step } else { nil } }
    /// Whether they may be several.
    var areSeries: Bool { self == .all || step != nil }
  }

  let view: View
  let moments: Moments
  let start: MediaTime?
  /// The image of a photo; `nil` for the primary one, or a stereo pair.
  let item: UInt32?
  let depth: RGBPicture.Depth
  let width: Int?
  /// The number of decoding threads; `nil` if it is not given.
  let threads: Int?
  let output: RenderOutput
  let isOverwriting: Bool
  let isJSON: Bool
  /// Whether folders are looked into.
  let isRecursive: Bool
  /// Whether several movies are rendered.
  let isBatch: Bool

  /// Whether many pictures may be written.
  var isSeries: Bool { isBatch || moments.areSeries }

  init(_ arguments: ParsedArguments) throws(UsageError) {
    view = try Self.view(arguments)
    start = try arguments.text(Self.time).map { text throws(UsageError) in try Self.time(text, "--at") }
    let chosen = [Self.sample, Self.every, Self.all].filter { arguments.has($0) }
    if chosen.count > 1 {
      throw UsageError("--\(chosen[0].name) and --\(chosen[1].name) cannot be used together")
    }
    if arguments.has(Self.sample), start != nil {
      throw UsageError("--sample and --at cannot be used together")
    }
    if arguments.has(Self.item),
      let other = ([Self.time, Self.eye, Self.layout, RowOptions.track] + chosen).first(where: {
        arguments.has($0)
      })
    {
      throw UsageError("--item and --\(other.name) cannot be used together")
    }
    item = arguments.number(Self.item).map { UInt32(clamping: $0) }
    if let number = arguments.number(Self.sample) {
      moments = .sample(number)
    } else if let text = arguments.text(Self.every) {
      let step = try Self.time(text, "--every")
      guard step > .zero else { throw UsageError("--every must be more than 0") }
      moments = .every(step)
    } else {
      moments = arguments.has(Self.all) ? .all : .one
    }
    depth = arguments.has(Self.deep) ? .sixteen : .eight
    width = arguments.number(Self.width)
    threads = arguments.number(Self.threadCount)
    guard let path = arguments.text(Self.output) else {
      throw UsageError("say where to write: -o OUT.png, -o OUT.y4m, or -o - for Y4M to standard output")
    }
    output = try RenderOutput(path)
    isOverwriting = arguments.has(Self.force)
    isJSON = arguments.has(CommonOptions.json) || arguments.has(CommonOptions.jsonLines)
    isRecursive = arguments.has(CommonOptions.recursive)
    isBatch = isRecursive || arguments.operands.count > 1
    try check(arguments)
  }

  /// The number of decoding threads. For single pictures it is 1, unless more are requested: it decodes no more
  /// than is needed. Of several movies each has one.
  var decodingThreads: Int {
    if isBatch { return 1 }
    return threads ?? (moments == .all ? processorCount : 1)
  }

  /// Pictures in a second of what is written, as a fraction; `nil` if it is not known.
  func rate(of track: Track) -> (numerator: Int, denominator: Int)? {
    guard let step = moments.step else { return track.pictureRate }
    return (Int(step.timescale), Int(clamping: step.value))
  }

  /// Refuses what does not go together.
  private func check(_ arguments: ParsedArguments) throws(UsageError) {
    if output.format != .png {
      for option in [Self.deep, Self.width] where arguments.has(option) {
        throw UsageError(
          "--\(option.name) is only for PNG: \(output.format.name) has the samples as decoded")
      }
      if view == .both(.anaglyph) {
        throw UsageError("an anaglyph can only be written as PNG")
      }
    }
    if view == .both(nil), !output.pattern.has("e") {
      throw UsageError(
        "two pictures need two names: put %e for the eye into the name, as in -o picture-%e.png")
    }
    if isBatch, !output.pattern.has("n", "f") {
      throw UsageError(
        output.isStandardOutput
          ? "the pictures of several movies cannot all go to standard output: write files with %n in their names"
          : "several movies need several names: put %n for the name of the movie into the name, as in -o %n-%e.png"
      )
    }
    if moments.areSeries, output.format == .png, !output.pattern.has("d") {
      throw UsageError(
        "several pictures need several names: put %d for the number into the name, as in -o picture-%03d.png")
    }
    if output.format != .png, output.pattern.has("d") {
      throw UsageError("a single file of \(output.format.name) holds all pictures: leave %d out of its name")
    }
  }

  private static func view(_ arguments: ParsedArguments) throws(UsageError) -> View {
    let layout = arguments.text(Self.layout)
    let eye = arguments.text(Self.eye)
    if let layer = arguments.number(Self.layer) {
      if let other = [Self.eye, Self.layout].first(where: { arguments.has($0) }) {
        throw UsageError("--layer and --\(other.name) cannot be used together")
      }
      return .layer(UInt8(clamping: layer))
    }
    if let eye = eye.flatMap({ StereoEye(rawValue: $0) }) {
      if layout != nil { throw UsageError("--layout needs both eyes: --eye both") }
      return .eye(eye)
    }
    guard eye != nil || layout != nil else { return .standard }
    if layout == "separate" { return .both(nil) }
    return .both(layout.flatMap { StereoArrangement(rawValue: $0) } ?? .sideBySide)
  }

  /// A time: seconds with a point, a fraction of seconds, or hours, minutes and seconds.
  static func time(_ text: String, _ option: String) throws(UsageError) -> MediaTime {
    guard let time = MediaTime(text) else {
      throw UsageError("\(option) needs a time, as in 1.5, 3/2 or 1:02:03.5, not '\(text)'")
    }
    return time
  }
}

/// The names of the files that are written, and what is in them.
struct RenderOutput {
  enum Format {
    case png, y4m, planes

    var name: String {
      switch self {
      case .png: "PNG"
      case .y4m: "Y4M"
      case .planes: "raw planes"
      }
    }
  }

  let format: Format
  /// Whether it goes to standard output.
  let isStandardOutput: Bool
  let pattern: NamePattern

  init(_ path: String) throws(UsageError) {
    isStandardOutput = path == "-"
    pattern = try NamePattern(path, places: ["e", "n", "f", "d"])
    let ending = path.lastIndex(of: ".").map { path[path.index(after: $0)...].lowercased() }
    switch ending {
    case _ where isStandardOutput: format = .y4m
    case "png": format = .png
    case "y4m": format = .y4m
    case "yuv": format = .planes
    default:
      let isMovie = ending.map { ["mp4", "m4v", "mov", "mkv", "webm", "avi"].contains($0) } ?? false
      throw UsageError(
        "the name of the output selects the format: it must end in .png, .y4m or .yuv"
          + (isMovie ? "; for a movie of pictures side by side: " + Advice.Step.sideBySidePipe : ""))
    }
  }
}

/// The names of files that were written, so that two movies are not written to the same one.
final class RenderNames: Sendable {
  private let taken = Locked<Set<String>>([])

  /// Whether the name was not taken before.
  func claim(_ path: String) -> Bool { taken.withLock { $0.insert(path).inserted } }
}
