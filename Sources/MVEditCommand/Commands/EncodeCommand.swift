// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import CommandLineSupport
import FileAccess
import HEVC
import HEVCEncoding
import MovieEditing
import MovieEncoding
import Multiview

/// `mvedit encode`: makes a movie of pictures.
package enum EncodeCommand: Command {
  package static let name = "encode"
  package static let summary = "encodes pictures of one or two eyes into a movie"
  package static let discussion = [
    "SOURCE is a Y4M stream, raw planes with --size, --fps and --pixel-format, or an HEVC movie, whose "
      + "sound, tags and metadata are kept; - is standard input, except for movies. With --layout separate, a "
      + "second source has the pictures of the right eye; a movie with both eyes needs no --layout. All "
      + "pictures are 4:2:0, with 8 bits, or 10 bits for one eye. The pictures of a movie keep their times "
      + "unless --fps is given.",
    "One eye is encoded as HEVC, two as MV-HEVC in the form that Apple's encoders write: the second eye is "
      + "also predicted from the first.",
    "All options of tag but --swap-eyes can be used to tag the movie. A removal that matches nothing is reported, and the exit "
      + "status is 1. The movie appears only when it is complete.",
  ]
  package static let operands = Operands.words("SOURCE", minimum: 1, maximum: 2, allowed: nil)
  package static let options =
    [
      WritingOptions.output, EncodeOption.layout, EncodeOption.rightFirst, EncodeOption.baseEye,
      EncodeOption.size, EncodeOption.fps, EncodeOption.pixelFormat, EncodeOption.crf, EncodeOption.qp,
      EncodeOption.bitRate, EncodeOption.maxRate, EncodeOption.buffer, EncodeOption.adaptive,
      EncodeOption.effort, EncodeOption.keyframeEvery, EncodeOption.noSceneCuts, EncodeOption.noReordering,
      EncodeOption.threads,
      EncodeOption.frames, EncodeOption.hash, EncodeOption.check, EncodeOption.raw, MuxOption.audio,
      MuxOption.metadataFrom,
      MuxOption.brand, MuxOption.reorder,
    ] + EncodeColour.all + TagOptions.ofNewPictures
    + [
      MuxOption.fragment, WritingOptions.force, WritingOptions.faststart, CommonOptions.json,
      CommonOptions.jsonLines,
    ]
  package static let examples = [
    Example(
      "ffmpeg -v error -i sbs.mp4 -pix_fmt yuv420p -f yuv4mpegpipe - | mvedit encode --layout side-by-side "
        + "--baseline 63 --field-of-view 63.4 --disparity 0 -o spatial.mov -",
      "Make a spatial movie from side-by-side pictures"),
    Example(
      "mvedit encode --layout side-by-side --baseline 63 --field-of-view 63.4 --disparity 0 -o spatial.mov sbs.mov",
      "The same from an HEVC movie, with its sound"),
    Example(
      "mvedit encode --layout separate --crf 24 -o stereo.mov left.y4m right.y4m", "Encode two files"),
    Example(
      "mvedit encode --layout mono --size 1920x1080 --fps 30 --pixel-format yuv420p10 -o movie.mp4 planes.yuv",
      "Encode raw planes of one eye with 10 bits"),
  ]

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    let arguments = invocation.arguments
    let layout = arguments.text(EncodeOption.layout).flatMap { SourceLayout(rawValue: $0) }
    let paths = arguments.operands
    guard paths.count == 1 || layout == .separate else {
      throw UsageError("takes two sources only with --layout separate")
    }
    guard paths.count < 2 || paths[0] != paths[1] || paths[0] != "-" else {
      throw UsageError("standard input cannot supply both eyes")
    }
    if layout == .mono {
      let unused = arguments.has(EncodeOption.rightFirst) ? "right-first" : "base-eye"
      guard !arguments.has(EncodeOption.rightFirst), arguments.text(EncodeOption.baseEye) == nil else {
        throw UsageError("--\(unused) is for two eyes: leave it out with --layout mono")
      }
    }
    let isRaw = arguments.has(EncodeOption.raw)
    let request = try TagRequest(arguments)
    let destination = try OutputDestination(arguments, invocation, isStream: isRaw)
    if !isRaw { try destination.checkSeeking(arguments) }
    let given = isRaw ? EncodeOption.unwantedWithRaw(arguments) : nil
    if let given { throw UsageError("--\(given) needs a movie, which --raw does not make") }
    guard !isRaw || !request.asksForChanges else {
      throw UsageError("the options of tag need a movie, which --raw does not make")
    }
    var settings = try EncodeOption.settings(arguments, destination, isRaw: isRaw)
    settings.movie.putsMovieFirst = settings.movie.putsMovieFirst || request.changesSamples
    let raw = try EncodeOption.rawFormat(arguments)
    return invocation.run { () throws(CommandFailure) in
      let encoding = Encoding(
        paths: paths, layout: layout, settings: settings, raw: raw, request: request,
        destination: destination, invocation: invocation)
      return try encoding.run(isRaw: isRaw)
    }
  }

  /// One run of the command.
  private struct Encoding {
    var paths: [String]
    var layout: SourceLayout?
    var settings: SpatialMovieSettings
    var raw: SourceFormat?
    var request: TagRequest
    var destination: OutputDestination
    var invocation: Invocation

    func run(isRaw: Bool) throws(CommandFailure) -> EncodeReport {
      let donor = try invocation.openMovie(request.donor)
      let sound = try invocation.openSound(invocation.arguments.text(MuxOption.audio))
      let metadata = try invocation.openMovie(invocation.arguments.text(MuxOption.metadataFrom))
      let progress = EncodingMeter(invocation.surroundings)
      defer { progress.clear() }
      let picture = try movieOfPictures(isRaw: isRaw)
      let sources = picture == nil ? try paths.map(open) : []
      do throws(EncodingError) {
        var source = try source(picture, sources)
        source.swapsEyes = invocation.arguments.has(EncodeOption.rightFirst)
        var writer = SpatialMovieWriter(source, settings: settings)
        // A movie keeps its own sound, unless another one is given.
        let own = picture?.tracks.contains { $0.mediaType == .audio } == true ? picture : nil
        writer.soundSource = isRaw ? nil : sound ?? own
        // So it does with what it says of its cameras and of itself.
        writer.tagSource = donor == nil ? picture : nil
        writer.metadataSource = isRaw ? nil : metadata ?? picture
        writer.consultedMovies = [donor, picture].compactMap { $0 }
        writer.progress = { progress.show($0) }
        var unmatched: [String] = []
        if request.asksForChanges {
          writer.edit = { editor in unmatched = try request.apply(to: &editor, copyingFrom: donor) }
        }
        let report = try write(writer, isRaw: isRaw)
        return EncodeReport(
          file: paths[0], destination: destination, layout: source.layout,
          isBaseLeft: settings.compression.isBaseLeft, report: report,
          isChecked: settings.checksPictures, seconds: progress.seconds, unmatched: unmatched)
      } catch { throw CommandFailure(paths[0], error) }
    }

    /// The movie whose pictures are encoded; `nil` if the source is not a movie.
    private func movieOfPictures(isRaw: Bool) throws(CommandFailure) -> MovieFile? {
      let path = paths[0]
      guard paths.count == 1, raw == nil, let input = try recognised(path) else { return nil }
      switch input.kind {
      case .boxes, .hevcStream:
        let movie: MovieFile
        do { movie = try input.movie() } catch { throw CommandFailure(path, error.message) }
        guard let track = movie.mainVideoTrack, !track.isHEVC else { return movie }
        throw CommandFailure(
          path,
          "the codec of the video is \(track.codec.map { "\($0)" } ?? "not known"), and only HEVC is decoded. "
            + decodedElsewhere(path, isRaw ? nil : movie))
      case .other(let what?) where input.kind != .text && input.kind != .y4m:
        throw CommandFailure(
          path,
          "is \(what), which is not decoded. "
            + decodedElsewhere(path, nil, mayHaveSound: !isRaw && input.kind.hasForeignPictures))
      case .empty: throw CommandFailure(path, "is empty")
      case .playlist:
        throw CommandFailure(path, "is an HLS playlist. Encode one of the movies that it lists.")
      default: return nil
      }
    }

    /// The kind of a file; `nil` for a pipe, which must not be read in advance.
    private func recognised(_ path: String) throws(CommandFailure) -> Input? {
      guard path != "-", ![.pipe, .other].contains(pathKind(path)) else { return nil }
      do { return try Input.open(path, invocation) } catch { throw CommandFailure(path, error.message) }
    }

    /// How another program decodes a source; this one takes the sound and the metadata of `movie`.
    ///
    /// - Parameter mayHaveSound: whether it may have sound that only another program finds.
    private func decodedElsewhere(
      _ path: String, _ movie: MovieFile?, mayHaveSound: Bool = false
    ) -> String {
      let file = ShellWord.quoted(file: path), given = invocation.arguments
      var words = given.typed
      if layout == nil { words.append("--\(EncodeOption.layout.name) ARRANGEMENT") }
      let hasSound = movie?.tracks.contains { $0.mediaType == .audio } ?? false
      if hasSound, !given.has(MuxOption.audio) { words.append("--\(MuxOption.audio.name) \(file)") }
      if movie != nil, !given.has(MuxOption.metadataFrom) {
        words.append("--\(MuxOption.metadataFrom.name) \(file)")
      }
      var sound = ""
      if mayHaveSound, !given.has(MuxOption.audio) {
        let file = ForeignSound.name(path)
        sound = ForeignSound.command(path) + " && "
        words.append("--\(MuxOption.audio.name) \(ShellWord.quoted(file: file))")
      }
      return
        "Let FFmpeg decode it\(sound.isEmpty ? "" : Self.aboutSound): \(sound)ffmpeg -v error -i \(ForeignSound.input(path)) -pix_fmt yuv420p "
        + "-f yuv4mpegpipe - | mvedit encode \(words.joined(separator: " ")) -"
    }

    private static let aboutSound =
      ", the sound first (if it has none, leave out the first command and --\(MuxOption.audio.name))"

    private func source(
      _ movie: MovieFile?, _ sources: [any ByteSource]
    ) throws(EncodingError) -> StereoSource {
      if let movie {
        return try StereoSource(movie: movie, layout: layout, frameRate: settings.movie.frameRate)
      }
      guard let layout else {
        throw EncodingError(
          .unsupported, "the source does not specify how the eyes are arranged",
          advice: Advice("Add --layout \(listed(SourceLayout.allCases.map(\.rawValue), "or"))."))
      }
      return try StereoSource(sources[0], second: sources.dropFirst().first, layout: layout, raw: raw)
    }

    /// Refuses what is not a source beside another one, with what makes one of it.
    private func checkPlanes(_ input: Input, _ path: String) throws(CommandFailure) {
      let output = ShellWord.quoted(file: path + ".y4m")
      let decoding =
        "Decode it first: ffmpeg -v error -i \(ForeignSound.input(path)) -pix_fmt yuv420p \(output)"
      switch input.kind {
      case .boxes, .hevcStream:
        let isHEVC: Bool
        do { isHEVC = try input.movie().mainVideoTrack?.isHEVC ?? true } catch {
          throw CommandFailure(path, error.message)
        }
        throw CommandFailure(
          path,
          "is a movie; with two sources, only Y4M and raw planes can be read. "
            + (isHEVC
              ? "Decode it first: mvdump render --all -o \(ShellWord.quoted(file: NamePattern.literal(path) + ".y4m")) "
                + ShellWord.quoted(file: path) : decoding))
      case .other(let what?) where input.kind != .text && input.kind != .y4m:
        throw CommandFailure(path, "is \(what), which is not decoded. \(decoding)")
      default: break
      }
    }

    private func open(_ path: String) throws(CommandFailure) -> any ByteSource {
      if paths.count > 1, raw == nil, let input = try recognised(path) { try checkPlanes(input, path) }
      do throws(SourceError) {
        if path == "-" { return try invocation.surroundings.openStandardInput(.recent) }
        return try openInput(path: path, keeping: .recent)
      } catch { throw CommandFailure(path, InputError(error).message) }
    }

    private func write(
      _ writer: SpatialMovieWriter, isRaw: Bool
    ) throws(EncodingError) -> SpatialMovieReport {
      switch destination {
      case .file(let path): return try isRaw ? writer.writeStream(to: path) : writer.write(to: path)
      case .standardOutput, .nowhere:
        let output: SafeOutput
        do { output = try .standardOutput(inputs: writer.inputs) } catch {
          throw EncodingError(.unwritable, error.reason)
        }
        if isRaw { return try writer.writeStream(to: output) }
        let folder = temporaryFolder(invocation.surroundings.environment)
        return try writer.write(to: output, by: folder + "/mvedit")
      }
    }
  }
}

/// The options of `mvedit encode` that other commands do not have.
enum EncodeOption {
  static let layout = Option(
    "layout", .choice("ARRANGEMENT", SourceLayout.allCases.map(\.rawValue)),
    "How the eyes are arranged in the source (for pictures squeezed to half their width or height, add -vf setsar=2 or "
      + "setsar=1/2 to ffmpeg)"
  )
  .called("format", "packing", "stereo-mode")
  static let rightFirst = Option(
    "right-first", "The right eye comes first in the source: on the left, at the top, or as the first source"
  )
  .called("swap-eyes", "swap")
  static let baseEye = Option(
    "base-eye", .choice("EYE", ["left", "right"]),
    "The eye of the base layer, which every player shows; left by default")
  static let size = Option(
    "size", .text("WxH", hint: .nothing), "The picture size of raw planes, both eyes together"
  )
  .called("input-res", "video_size", "resolution")
  static let fps = Option(
    "fps", .text("RATE", hint: .nothing), "The frame rate: 30, 30000/1001"
  )
  .called("rate", "frame-rate", "framerate")
  static let pixelFormat = Option(
    "pixel-format", .choice("FORMAT", ["yuv420p", "yuv420p10"]),
    "The sample format of raw planes; yuv420p by default"
  )
  .called("pix_fmt", "pix-fmt")
  static let crf = Option(
    "crf", .number("N", 0...51),
    "The quality: 0 is best, 51 smallest; 27 by default. Pictures that later ones depend on are coded better"
  )
  .called("quality", "q")
  static let qp = Option(
    "qp", .number("N", 0...51),
    "The quantisation of all blocks, instead of --crf, which makes smaller files of the same quality")
  static let bitRate = Option(
    "bit-rate", .text("RATE", hint: .nothing),
    "The average bit rate, both eyes together: 8M, 500k; instead of --crf"
  )
  .called("bitrate", "b:v")
  static let maxRate = Option(
    "max-rate", .text("RATE", hint: .nothing),
    "The maximum bit rate at which a player receives data: each picture arrives in time with --buffer"
  )
  .called("maxrate", "vbv-maxrate")
  static let buffer = Option(
    "buffer", .text("BITS", hint: .nothing),
    "The size of the player's buffer in bits: 8M, 500k; by default, one second of --max-rate"
  )
  .called("bufsize", "vbv-bufsize")
  static let adaptive = Option(
    "adaptive", .text("STRENGTH", hint: .nothing),
    "Code smooth areas better than busy ones, where losses are less visible: 1 is usual, 3 the maximum, 0 the default"
  )
  .called("aq-strength", "aq-mode", "aq")
  static let effort = Option(
    "effort", .number("N", 1...5),
    "How hard to search for savings in bits: 1 is fastest, 5 smallest; 3 by default"
  )
  .called("preset")
  static let keyframeEvery = Option(
    "keyframe-every", .text("SECONDS", hint: .nothing),
    "The maximum interval between pictures at which decoding can begin; 2 by default, 0 for every picture"
  )
  .called("keyint", "gop")
  static let noSceneCuts = Option(
    "no-scene-cuts",
    "Do not start a new group of pictures at a cut: all groups are as long as --keyframe-every"
  )
  .called("no-scenecut")
  static let noReordering = Option(
    "no-reordering", "Code pictures in the order in which they are shown, which takes more bits"
  )
  .called("no-b-frames", "zerolatency")
  static let threads = Option(
    "threads", .number("N", 1...64),
    "The number of pictures encoded at the same time; by default, as many as the machine can run"
  )
  static let frames = Option(
    "frames", .number("N", 1...1_000_000_000),
    "Encode only the first N pictures of each eye, and the sound until they end")
  static let hash = Option("hash", "Put an MD5 hash of each picture into the stream, for decoders to compare")
  static let check = Option("check", "Decode every picture while encoding, and compare it")
  static let raw = Option("raw", "Write a byte stream with start codes (Annex B) instead of a movie")

  /// The name of an option that has no meaning without a movie.
  static func unwantedWithRaw(_ arguments: ParsedArguments) -> String? {
    let options = [
      MuxOption.audio, MuxOption.metadataFrom, MuxOption.brand, MuxOption.reorder, MuxOption.fragment,
      WritingOptions.faststart,
    ]
    return options.first(where: arguments.has)?.name
  }

  static func settings(
    _ arguments: ParsedArguments, _ destination: OutputDestination, isRaw: Bool
  ) throws(UsageError) -> SpatialMovieSettings {
    var settings = SpatialMovieSettings()
    let qualities = [crf, qp, bitRate].filter(arguments.has)
    guard qualities.count <= 1 else {
      throw UsageError("\(listed(qualities.map { "--" + $0.name }, "and")) cannot be used together")
    }
    settings.compression.constantQP = arguments.number(qp)
    if let factor = arguments.number(crf) { settings.compression.constantRateFactor = factor }
    if let text = arguments.text(bitRate) {
      settings.compression.averageBitRate = try bits(text, bitRate)
    }
    settings.compression.maximumBitRate = try arguments.text(maxRate).map { text throws(UsageError) in
      try bits(text, maxRate)
    }
    settings.compression.bufferSize = try arguments.text(buffer).map { text throws(UsageError) in
      try bits(text, buffer)
    }
    guard !arguments.has(buffer) || arguments.has(maxRate) else {
      throw UsageError("--buffer needs --max-rate")
    }
    guard !arguments.has(maxRate) || !arguments.has(qp) else {
      throw UsageError("--qp and --max-rate cannot be used together: use --crf")
    }
    if let text = arguments.text(adaptive) {
      guard let strength = Double(text), (0...3).contains(strength) else {
        throw UsageError("--adaptive needs a number from 0 to 3, not '\(text)'")
      }
      guard !arguments.has(qp) else {
        throw UsageError("--adaptive and --qp cannot be used together: use --crf")
      }
      settings.compression.smoothAreaStrength = strength
    }
    if let effort = arguments.number(effort) { settings.compression.effort = effort }
    if let text = arguments.text(keyframeEvery) {
      guard let seconds = Double(text), seconds >= 0, seconds <= 1e6 else {
        throw UsageError("--keyframe-every needs a number of seconds, not '\(text)'")
      }
      settings.compression.maxKeyFrameIntervalDuration = seconds
    }
    settings.compression.meaning = try EncodeColour.meaning(arguments)
    settings.compression.findsSceneCuts = !arguments.has(noSceneCuts)
    settings.compression.allowsReordering = !arguments.has(noReordering)
    settings.compression.threads = arguments.number(threads)
    settings.compression.isBaseLeft = arguments.text(baseEye) != "right"
    settings.compression.writesPictureHashes = arguments.has(hash)
    settings.checksPictures = arguments.has(check)
    settings.maximumPictures = arguments.number(frames)
    settings.movie =
      isRaw ? MuxOptions() : try MuxOption.encodingOptions(arguments, destination)
    settings.movie.isOverwriting = arguments.has(WritingOptions.force)
    if let rate = try MuxOption.frameRate(arguments) { settings.movie.frameRate = rate }
    return settings
  }

  /// A number of bits, which may end in k, M or G.
  private static func bits(_ text: String, _ option: Option) throws(UsageError) -> Int {
    let units: [Character: Double] = ["k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9]
    let unit = text.last.flatMap { units[$0] }
    guard let number = Double(unit == nil ? text : String(text.dropLast())),
      (1_000...1e11).contains(number * (unit ?? 1))
    else {
      throw UsageError(
        "--\(option.name) needs a number of bits such as 8M, 500k or 8000000, not '\(text)'")
    }
    return Int(number * (unit ?? 1))
  }

  /// The format of raw planes; `nil` if no size is given.
  static func rawFormat(_ arguments: ParsedArguments) throws(UsageError) -> SourceFormat? {
    guard let text = arguments.text(size) else {
      guard arguments.text(pixelFormat) == nil else {
        throw UsageError("--pixel-format is for raw planes, which need --size")
      }
      return nil
    }
    let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let width = parts[0], let height = parts[1], width > 0, height > 0,
      width <= 65_535,
      height <= 65_535
    else { throw UsageError("--size needs a width and a height such as 1920x1080, not '\(text)'") }
    return SourceFormat(
      size: PictureSize(width: width, height: height),
      bitDepth: arguments.text(pixelFormat) == "yuv420p10" ? 10 : 8)
  }
}

extension CommandFailure {
  /// - Parameter file: the source; what goes wrong with the output names it already.
  fileprivate init(_ file: String, _ error: EncodingError) {
    let kind: EditError.Kind
    switch error.kind {
    case .unreadable: kind = .unreadable
    case .unwritable, .failed: kind = .failed
    default: kind = .refused
    }
    self.init(
      file,
      EditError(kind, (error.picture.map { "picture \($0): " } ?? "") + error.reason, advice: error.advice))
  }
}
