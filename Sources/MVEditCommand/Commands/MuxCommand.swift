// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import CommandLineSupport
import FieldOutput
import FileAccess
import MovieEditing
import Multiview

/// `mvedit mux`: makes a movie of a raw HEVC stream.
package enum MuxCommand: Command {
  package static let name = "mux"
  package static let summary = "makes a movie from a raw HEVC stream with one or more layers"
  package static let discussion: [String] = [
    "The stream has start codes (Annex B), and any number of layers: x265, NVENC, HTM and mvdump extract "
      + "write such streams. It is read once, so it may come through a pipe (-). Parameter sets and the "
      + "messages that apply to the whole stream go into the sample entry; delimiters and filler data are left "
      + "out; everything else is unchanged.",
    "Pictures are shown in the order of their picture order counts. With --fps, every picture lasts equally long. "
      + "Otherwise the stream specifies the rate, which may change, and which pictures are repeated. A stream that "
      + "specifies no rate needs --fps. In streams of fields, each field counts as a picture.",
    "Streams that begin in the middle, lack pictures that others refer to, have slices that cannot be read, "
      + "or change parameter sets where decoding cannot begin are refused with the position, and nothing is "
      + "written. --allow-damage accepts damaged streams and reports the damage. Other peculiarities are also "
      + "reported.",
    "All options of tag can be used to tag the movie. A removal that matches nothing is reported, and the exit "
      + "status is 1.",
  ]
  package static let operands = Operands.file
  package static let options =
    [
      WritingOptions.output, MuxOption.fps, MuxOption.audio, MuxOption.metadataFrom, MuxOption.brand,
      MuxOption.reorder,
    ] + TagOptions.all
    + [
      MuxOption.fragment, MuxOption.openSync, MuxOption.skipUndecodable, MuxOption.allowDamage,
      WritingOptions.dryRun, WritingOptions.force,
      WritingOptions.faststart, CommonOptions.json, CommonOptions.jsonLines,
    ]
  package static let examples = [
    Example(
      "mvedit mux --fps 30 --baseline 63 --field-of-view 63.4 --disparity 0 -o spatial.mov two-layers.hevc",
      "Make a spatial movie"),
    Example(
      "mvedit mux --fps 30000/1001 --copy-from camera.mov -o spatial.mov two-layers.hevc",
      "Copy the tags of another movie"),
    Example(
      "mvedit mux --copy-from camera.mov --audio camera.mov --metadata-from camera.mov -o new.mov two-layers.hevc",
      "Also take its sound and metadata"),
    Example(
      "mvdump extract --layer 0 spatial.mov -o - | mvedit mux --fps 30 -o mono.mp4 -",
      "Keep only the base layer"
    ),
  ]

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    let arguments = invocation.arguments
    let path = arguments.operands[0]
    let request = try TagRequest(arguments)
    let destination = try OutputDestination(arguments, invocation)
    try destination.checkSeeking(arguments)
    var options = try MuxOption.options(arguments, destination)
    options.putsMovieFirst = options.putsMovieFirst || request.changesSamples
    return invocation.run { () throws(CommandFailure) in
      try mux(path, options, request, destination, invocation)
    }
  }

  private static func mux(
    _ path: String, _ options: MuxOptions, _ request: TagRequest, _ destination: OutputDestination,
    _ invocation: Invocation
  ) throws(CommandFailure) -> NewMovieReport {
    let donor = try invocation.openMovie(request.donor)
    let sound = try invocation.openSound(invocation.arguments.text(MuxOption.audio))
    let metadata = try invocation.openMovie(invocation.arguments.text(MuxOption.metadataFrom))
    let source: any ByteSource
    do throws(InputError) {
      let input = try Input.open(path, invocation, keeping: .recent)
      try input.check(isOneOf: [.hevcStream])
      source = input.source
    } catch { throw CommandFailure(path, error.message) }
    var muxer = StreamMuxer(source: source, options: options)
    muxer.soundSource = sound
    muxer.metadataSource = metadata
    muxer.consultedMovies = [donor].compactMap { $0 }
    var unmatched: [String] = []
    var lacksEyes = false
    muxer.edit = { editor in
      if request.asksForChanges { unmatched = try request.apply(to: &editor, copyingFrom: donor) }
      lacksEyes = editor.tracks.contains { $0.eyeLayerCount > 1 && $0.stereo.isEmpty }
    }
    let meter = WritingMeter(invocation)
    defer { meter.clear() }
    do throws(EditError) {
      let report: MuxReport
      switch destination {
      case .nowhere: report = try muxer.plannedReport()
      case .file(let path): report = try muxer.write(to: path, progress: meter.show)
      case .standardOutput:
        let folder = temporaryFolder(invocation.surroundings.environment)
        let output = try SafeOutput.standardOutput(inputs: muxer.inputs)
        output.progress = meter.show
        report = try muxer.write(to: output, by: folder + "/mvedit")
      }
      let hint =
        "two views, but no tags: players show one eye. Add --eyes left,right, or --baseline, --field-of-view and "
        + "--disparity for spatial video"
      return report.ofCommand(on: path, destination, lacksEyes ? hint : nil).with(
        unmatched: unmatched, of: path)
    } catch {
      var error = error
      if error.kind == .damagedStream { error.advice += " Or accept the damage\(.allowDamage)." }
      throw CommandFailure(path, error)
    }
  }
}

extension MuxReport {
  fileprivate func ofCommand(
    on file: String, _ destination: OutputDestination, _ hint: String?
  ) -> NewMovieReport {
    let rate = frameRate.map { "\($0) pictures a second" } ?? "no frame rate"
    let entries = descriptions > 1 ? ", \(descriptions) sample entries" : ""
    var lines = [
      Quantity.count(samples, "sample") + (layers.count == 1 ? " of layer " : " of layers ")
        + listed(layers.map(String.init), "and") + ", " + rate + entries + written.ending
    ]
    lines += notices.map { notice in
      "\(notice.count) " + notice.message + (notice.firstOffset.map { ", first at \($0)" } ?? "")
    }
    if let hint { lines.append(hint) }
    if destination == .nowhere { lines += changes.map(\.line) }
    return NewMovieReport(
      MuxCommand.name, of: ["file": file], destination, written, lines,
      [
        "samples": samples, "syncSamples": syncSamples, "layers": layers.inline,
        "sampleEntries": descriptions, "frameRate": frameRate.map { "\($0)" },
        "frameRateSource": rateSource?.rawValue,
        "unitsLeftOut": JSONObject(unitsLeftOut.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }),
        "notices": JSONList(rows: notices) {
          [
            "kind": $0.kind.rawValue, "count": $0.count, "firstOffset": $0.firstOffset, "message": $0.message,
          ]
        },
        "changes": changes.json,
      ])
  }
}

/// The options of `mvedit mux` that `mvedit tag` does not have.
enum MuxOption {
  static let fps = Option(
    "fps", .text("RATE", hint: .nothing),
    "The frame rate, or the field rate of a stream of fields: 30, 30000/1001"
  )
  .called("rate", "frame-rate", "framerate", "timescale")
  static let audio = Option(
    "audio", .text("MOVIE", hint: .file), "Take the sound of another movie, with its edits"
  )
  .called("sound")
  static let metadataFrom = Option(
    "metadata-from", .text("MOVIE", hint: .file),
    "Take the metadata of another movie: its date, its keys, and its timed metadata tracks")
  static let brand = Option(
    "brand", .choice("KIND", ["mov", "mp4"]), "The kind of file; by default, that of the output name")
  static let reorder = Option(
    "reorder", .choice("FORM", ["ctts1", "ctts0", "edit"]),
    "How the presentation order is written: by signed offsets, by signed offsets in version 0, or by an edit")
  static let fragment = Option(
    "fragment", .text("SECONDS", hint: .nothing),
    "Put the samples into fragments that last at least this long, and begin with sync samples")
  static let openSync = Option(
    "cra-sync", "List CRA pictures as sync samples even if pictures shown before them need earlier ones")
  static let skipUndecodable = Option(
    "skip-undecodable", "Leave out everything before the first picture at which decoding can begin")

  static let allowDamage = Option(
    "allow-damage", "Accept a stream with missing or unreadable pictures, and report the damage")

  /// The frame rate, if it is given.
  static func frameRate(_ arguments: ParsedArguments) throws(UsageError) -> FrameRate? {
    guard let text = arguments.text(fps) else { return nil }
    guard let rate = FrameRate(text) else {
      throw UsageError("--fps needs a rate such as 30, 29.97 or 30000/1001, not '\(text)'")
    }
    return rate
  }

  static func options(
    _ arguments: ParsedArguments, _ destination: OutputDestination
  ) throws(UsageError) -> MuxOptions {
    let rate = try frameRate(arguments)
    var options = try encodingOptions(arguments, destination)
    if let rate { options.frameRate = rate }
    options.listsOpenAccessPoints = arguments.has(openSync)
    options.skipsUndecodableStart = arguments.has(skipUndecodable)
    options.allowsLostPictures = arguments.has(allowDamage)
    options.isOverwriting = arguments.has(WritingOptions.force)
    return options
  }

  /// The options of `encode` that say what kind of movie is made.
  static func encodingOptions(
    _ arguments: ParsedArguments, _ destination: OutputDestination
  ) throws(UsageError) -> MuxOptions {
    var options = MuxOptions()
    options.brand = try chosenBrand(arguments, destination)
    options.reordering = try reordering(arguments, options.brand)
    options.putsMovieFirst = arguments.has(WritingOptions.faststart)
    options.fragmentDuration = try FragmentCommand.seconds(fragment, arguments)
    return options
  }

  private static func reordering(
    _ arguments: ParsedArguments, _ brand: MuxOptions.Brand
  ) throws(UsageError) -> MuxOptions.Reordering {
    let chosen = arguments.text(reorder).flatMap { MuxOptions.Reordering(rawValue: $0) } ?? .ctts1
    guard chosen != .ctts0 || brand == .mov else {
      throw UsageError("--reorder ctts0 is for QuickTime movies only")
    }
    return chosen
  }

  private static func chosenBrand(
    _ arguments: ParsedArguments, _ destination: OutputDestination
  ) throws(UsageError) -> MuxOptions.Brand {
    if let text = arguments.text(brand) { return .init(rawValue: text) ?? .mov }
    guard let path = arguments.text(WritingOptions.output) else { return .mov }
    switch path.split(separator: ".").last?.lowercased() {
    case "mov", "qt": return .mov
    case "mp4", "m4v": return .mp4
    default:
      if destination == .nowhere { return .mov }
      throw UsageError(
        "the name of the output does not determine the kind of file: add --brand mov or --brand mp4")
    }
  }
}
