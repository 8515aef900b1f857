// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import MoviePictures
import Multiview

/// What `mvdump render` was asked for.
struct RenderOptions {
  static let output = Option(
    "output", short: "o", .text("OUT", hint: .file),
    "Where to write: a .png, .y4m or .yuv file, or a pattern with %e and %d; - is Y4M to standard output")
  static let eye = Option(
    "eye", short: "e", .choice("EYE", ["left", "right", "both"]), "The eye whose picture is rendered, or both"
  )
  static let layer = Option(
    "layer", short: "l", .number("ID", 0...62), "The layer whose picture is rendered, instead of an eye")
  static let time = Option(
    "at", short: "a", .text("TIME", hint: .nothing),
    "What is shown at this time: seconds as in 1.5 or 3/2, or 1:02:03.5")
  static let sample = Option(
    "sample", short: "s", .number("N", 0...Int.max), "The picture of this sample, counted from 0")
  static let item = Option(
    "item", short: "i", .number("ID", 0...Int(UInt32.max)),
    "Of a photo: this image, by its number, instead of the primary one")
  static let every = Option(
    "every", .text("TIME", hint: .nothing), "A picture again and again after so much time, to the end")
  static let all = Option("all", "Every picture, from --at or the start to the end")
  static let layout = Option(
    "layout", .choice("LAYOUT", ["separate", "side-by-side", "over-under", "anaglyph"]),
    "How both eyes are put together; side-by-side unless said otherwise")
  static let width = Option("width", short: "w", .number("N", 1...65_536), "Scale to so many pixels in a row")
  static let deep = Option("deep", "Write PNGs of 16 bits a sample")
  static let force = Option("force", short: "f", "Overwrite files that are there")

  static let options: [Option] = [
    output, eye, layer, time, sample, item, every, all, layout, width, deep, force, RowOptions.track,
    DecodingOptions.threads,
    CommonOptions.json, CommonOptions.jsonLines,
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
  }

  let view: View
  let moments: Moments
  let start: MediaTime?
  /// The image of a photo; `nil` for the primary one, or a stereo pair.
  let item: UInt32?
  let depth: RGBPicture.Depth
  let width: Int?
  /// How many threads decode, if that was said.
  private let threads: Int?
  let output: RenderOutput

  init(_ arguments: ParsedArguments) throws(UsageError) {
    view = try Self.view(arguments)
    start = try arguments.text(Self.time).map { text throws(UsageError) in try Self.time(text, "--at") }
    let chosen = [Self.sample, Self.every, Self.all].filter { arguments.has($0) }
    if chosen.count > 1 {
      throw UsageError("--\(chosen[0].name) and --\(chosen[1].name) cannot both be asked for")
    }
    if arguments.has(Self.sample), start != nil {
      throw UsageError("--sample and --at cannot both be asked for")
    }
    if arguments.has(Self.item),
      let other = ([Self.time, Self.eye, Self.layout, RowOptions.track] + chosen).first(where: {
        arguments.has($0)
      })
    {
      throw UsageError("--item and --\(other.name) cannot both be asked for")
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
    threads = arguments.number(DecodingOptions.threads)
    guard let path = arguments.text(Self.output) else {
      throw UsageError("say where to write: -o OUT.png, -o OUT.y4m, or -o - for Y4M to standard output")
    }
    output = try RenderOutput(path)
    try check(arguments)
  }

  /// How many threads decode. For single pictures one, unless several are asked for: it decodes no more than is needed.
  func threads(for track: Track) -> Int {
    threads ?? (moments == .all ? DecodingOptions.usualThreads(for: track) : 1)
  }

  /// Pictures in a second of what is written, as a fraction; `nil` where it is not known.
  func rate(of track: Track) -> (numerator: Int, denominator: Int)? {
    guard case .every(let step) = moments else { return track.pictureRate }
    return (Int(step.timescale), Int(clamping: step.value))
  }

  /// Refuses what does not go together.
  private func check(_ arguments: ParsedArguments) throws(UsageError) {
    if output.format != .png {
      for option in [Self.deep, Self.width] where arguments.has(option) {
        throw UsageError(
          "--\(option.name) is for PNG: \(output.format.name) has the samples as they are decoded")
      }
      if view == .both(.anaglyph) {
        throw UsageError("an anaglyph is made of colours, not of planes: write a PNG")
      }
    }
    if view == .both(nil), !output.hasEye {
      throw UsageError(
        "two pictures need two names: put %e for the eye into the name, as in -o picture-%e.png")
    }
    let isSeveral: Bool
    switch moments {
    case .one, .sample: isSeveral = false
    case .every, .all: isSeveral = true
    }
    if isSeveral, output.format == .png, !output.hasNumber {
      throw UsageError(
        "several pictures need several names: put %d for the number into the name, as in -o picture-%03d.png")
    }
    if output.format != .png, output.hasNumber {
      throw UsageError("a file of \(output.format.name) has all pictures: leave %d out of its name")
    }
  }

  private static func view(_ arguments: ParsedArguments) throws(UsageError) -> View {
    let layout = arguments.text(Self.layout)
    let eye = arguments.text(Self.eye)
    if let layer = arguments.number(Self.layer) {
      if let other = [Self.eye, Self.layout].first(where: { arguments.has($0) }) {
        throw UsageError("--layer and --\(other.name) cannot both be asked for")
      }
      return .layer(UInt8(clamping: layer))
    }
    if let eye = eye.flatMap({ StereoEye(rawValue: $0) }) {
      if layout != nil { throw UsageError("--layout is for both eyes: --eye both") }
      return .eye(eye)
    }
    guard eye != nil || layout != nil else { return .standard }
    if layout == "separate" { return .both(nil) }
    return .both(layout.flatMap { StereoArrangement(rawValue: $0) } ?? .sideBySide)
  }

  /// A time: seconds with a point, a fraction of seconds, or hours, minutes and seconds.
  static func time(_ text: String, _ option: String) throws(UsageError) -> MediaTime {
    guard let time = time(text) else {
      throw UsageError("\(option) needs a time, as in 1.5, 3/2 or 1:02:03.5, not '\(text)'")
    }
    return time
  }

  private static func time(_ text: String) -> MediaTime? {
    let halves = text.split(separator: "/", omittingEmptySubsequences: false)
    if halves.count == 2 {
      guard let value = digits(halves[0]), let scale = digits(halves[1]), scale > 0, scale <= UInt32.max
      else { return nil }
      return MediaTime(value: value, timescale: UInt32(scale))
    }
    var parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count), let last = parts.popLast() else { return nil }
    let pieces = last.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard var seconds = digits(pieces[0]) else { return nil }
    var factor: Int64 = 60
    for part in parts.reversed() {
      guard let count = digits(part), count < 1 << 32 else { return nil }
      seconds += count * factor
      factor *= 60
    }
    var scale: UInt32 = 1
    if pieces.count == 2 {
      guard (1...9).contains(pieces[1].utf8.count), let rest = digits(pieces[1]) else { return nil }
      for _ in 0..<pieces[1].utf8.count { scale *= 10 }
      let (whole, overflow) = seconds.multipliedReportingOverflow(by: Int64(scale))
      guard !overflow, whole <= .max - rest else { return nil }
      seconds = whole + rest
    }
    return MediaTime(value: seconds, timescale: scale)
  }

  /// At most fifteen digits, and nothing else.
  private static func digits(_ text: Substring) -> Int64? {
    guard (1...15).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int64(text)
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

  private enum Piece {
    case text(String)
    case eye
    /// With so many digits at least.
    case number(Int)
  }

  let format: Format
  /// Whether it goes to standard output.
  let isStandardOutput: Bool
  private let pieces: [Piece]

  /// Whether the name has a place for the eye.
  var hasEye: Bool {
    pieces.contains { if case .eye = $0 { true } else { false } }
  }

  /// Whether the name has a place for the number of the picture.
  var hasNumber: Bool {
    pieces.contains { if case .number = $0 { true } else { false } }
  }

  init(_ path: String) throws(UsageError) {
    isStandardOutput = path == "-"
    pieces = try Self.pieces(path)
    let ending = path.lastIndex(of: ".").map { path[path.index(after: $0)...].lowercased() }
    switch ending {
    case _ where isStandardOutput: format = .y4m
    case "png": format = .png
    case "y4m": format = .y4m
    case "yuv": format = .planes
    default:
      throw UsageError("the name of the output says what it is: it must end in .png, .y4m or .yuv")
    }
  }

  private static func pieces(_ path: String) throws(UsageError) -> [Piece] {
    var found: [Piece] = []
    var text = ""
    var rest = path[...]
    while let character = rest.popFirst() {
      guard character == "%" else {
        text.append(character)
        continue
      }
      var digits = ""
      while let next = rest.first, next.isASCII, next.isNumber {
        digits.append(next)
        rest.removeFirst()
      }
      let kind = rest.popFirst()
      switch kind {
      case "%" where digits.isEmpty: text.append("%")
      case "e" where digits.isEmpty, "d" where digits.utf8.count <= 2:
        found.append(.text(text))
        text = ""
        found.append(kind == "e" ? .eye : .number(Int(digits) ?? 0))
      default:
        throw UsageError(
          "'%\(digits)\(kind.map(String.init) ?? "")' in the name of the output is not %e, %d or %03d; %% is a %"
        )
      }
    }
    found.append(.text(text))
    return found
  }

  /// The name for an eye and a number.
  func path(eye: String, number: Int) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text): return text
      case .eye: return eye
      case .number(let width):
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
      }
    }.joined()
  }
}
