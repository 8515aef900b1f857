// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import CommandLineSupport
import FieldOutput
import FileAccess
import HEVCDecoding
import MoviePictures
import Multiview

/// `mvdump render`: pictures of eyes as files.
package enum RenderCommand: Command {
  package static let name = "render"
  package static let summary = "pictures of each eye: PNG, Y4M or raw planes"
  package static let discussion = [
    "Without --at or --sample the first picture is written, without --eye or --layer that of the hero eye, else of the base "
      + "layer. Decoding starts at the sync sample before, and only the layers that are needed are decoded.",
    "A PNG shows the picture as it is meant to be seen: the clean aperture, the shape of pixels and the rotation of the track "
      + "are applied. Colours are computed by the matrix, range and chroma location that the file names; a matrix that it "
      + "leaves open is BT.709 above 576 rows, else BT.601. HDR (PQ, HLG) is made to fit for ordinary displays; with --deep it stays as "
      + "it is, and the chunk cICP says what the numbers mean.",
    "Y4M (.y4m) and raw planes (.yuv) have the samples as they are decoded, inside the conformance window, neither turned nor "
      + "scaled. One file has all pictures.",
    "In the name of the output %e is the eye, or the number of the layer; %d is the number of the picture, counted from 0, and "
      + "%03d has three digits. Each file appears when it is complete. A damaged picture is written as far as it can be decoded; "
      + "standard error says what it lacks, and the exit status is 1.",
    "Of a photo (HEIC) the primary image is rendered, or the eyes of its first stereo pair, or the image that --item names. "
      + "Images that are made of others are put together: grids, overlays, and images with properties of their own. Where an "
      + "image has an alpha channel, so has the PNG.",
    "An anaglyph has red from the left eye, green and blue from the right eye.",
  ]
  package static let operands = Operands.files
  package static let options = RenderOptions.options
  package static let examples = [
    Example("mvdump render -o picture.png movie.mov", "The first picture of the hero eye"),
    Example(
      "mvdump render --at 1.5 --eye both --layout separate -o %e.png movie.mov",
      "left.png and right.png: what each eye sees after 1.5 seconds"),
    Example(
      "mvdump render --layout anaglyph --every 10 -o scene-%03d.png movie.mov",
      "Both eyes every ten seconds, for red and cyan glasses"),
    Example(
      "mvdump render --all --eye both -o - movie.mov | ffplay -", "All pictures side by side, to a player"),
  ]

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    let arguments = invocation.arguments
    guard arguments.operands.count == 1 else { throw UsageError("takes one file") }
    let options = try RenderOptions(arguments)
    if options.output.isStandardOutput {
      if invocation.isJSON { throw UsageError("pictures and JSON cannot both go to standard output") }
      if invocation.surroundings.output.isTerminal {
        throw UsageError("standard output is a terminal: name a file with -o")
      }
    }
    return Batch.ofMovies(invocation).forEach { input throws(InputError) in
      let movie = try input.movie()
      let track = try options.item == nil ? track(of: movie, arguments) : nil
      let job = RenderJob(track, movie, input.name, options, invocation)
      do throws(PictureError) { try job.run() } catch {
        // What was written before is there, and is said to be.
        if invocation.isJSON, !job.written.isEmpty { RenderReport.write(job.written, input.name, invocation) }
        throw job.failure ?? InputError(error.description)
      }
      if invocation.isJSON { RenderReport.write(job.written, input.name, invocation) }
      return job.isWhole ? .success : .no
    }
  }

  /// The first track with pictures that are decoded, or the one that is named; `nil` for a photo.
  private static func track(
    of movie: MovieFile, _ arguments: ParsedArguments
  ) throws(InputError) -> Track? {
    let tracks = try RowOptions.tracks(movie, arguments)
    if let track = TrackPictures.tracks(tracks).first { return track }
    if let track = tracks.first, arguments.has(RowOptions.track) {
      throw InputError("track \(track.id) is not HEVC: only HEVC is decoded")
    }
    if !movie.codedImages.isEmpty { return nil }
    throw InputError("has no HEVC track, so no pictures to render")
  }
}

/// Renders what was asked for of one track.
private final class RenderJob {
  /// `nil` for a photo.
  private let track: Track?
  private let movie: MovieFile
  private let name: String
  private let options: RenderOptions
  private let invocation: Invocation
  /// Files that have all pictures, by name, until they are finished.
  private var open: [String: OpenFile] = [:]
  private var number = 0
  private(set) var written: [RenderedPicture] = []
  /// Whether no picture was damaged or left out.
  private(set) var isWhole = true
  /// What is wrong with an output, rather than with the input.
  private(set) var failure: InputError?
  private var isRemarked = false

  private struct OpenFile {
    let output: SafeOutput
    let format: [Int]
    var pictures = 0
  }

  init(
    _ track: Track?, _ movie: MovieFile, _ name: String, _ options: RenderOptions, _ invocation: Invocation
  ) {
    self.name = name
    self.track = track?.joined
    self.movie = movie
    self.options = options
    self.invocation = invocation
  }

  func run() throws(PictureError) {
    guard let track else {
      try renderPhoto()
      return try finish()
    }
    let layers = try wantedLayers(track)
    var how = PictureOptions(layers: Set(layers))
    how.threads = options.threads(for: track)
    let reader = try track.pictures(options: how)
    switch options.moments {
    case .one:
      if let time = options.start {
        if track.isRawStream, time != .zero { throw .noTimes }
        if !track.isRawStream {
          guard let group = try reader.group(shownAt: time) else {
            throw .nothingShown(at: time, shown: try track.shownTimes())
          }
          try render(group, layers)
          break
        }
      }
      guard let group = try reader.next() else {
        throw .unsupported(reader.takeProblems().first ?? "no picture comes out of the decoder")
      }
      try render(group, layers)
    case .sample(let index): try render(try reader.group(ofSample: index), layers)
    case .all:
      if let time = options.start { try reader.move(to: time) }
      while !invocation.isOutputClosed, let group = try reader.next() { try render(group, layers) }
    case .every(let step): try renderEvery(step, track, reader, layers)
    }
    for problem in reader.takeProblems() {
      isWhole = false
      invocation.report(name, problem)
    }
    if number == 0 { throw .unsupported("no picture comes out of the decoder") }
    try finish()
  }

  private func renderEvery(
    _ step: MediaTime, _ track: Track, _ reader: PictureGroupReader, _ layers: [UInt8]
  ) throws(PictureError) {
    guard !track.isRawStream else { throw .noTimes }
    guard let shown = try track.shownTimes() else { throw .nothingShown(at: .zero, shown: nil) }
    var time = options.start ?? max(.zero, shown.lowerBound)
    while time < shown.upperBound, !invocation.isOutputClosed {
      do throws(PictureError) {
        if let group = try reader.group(shownAt: time) { try render(group, layers) }
      } catch {
        // One picture that cannot be decoded does not end the series.
        guard case .notDecoded = error else { throw error }
        isWhole = false
        invocation.report(name, error.description)
      }
      let next = time + step
      if next <= time { break }
      time = next
    }
  }

  /// A photo has one moment: that of its primary image, or of a stereo pair.
  private func renderPhoto() throws(PictureError) {
    guard options.moments == .one, options.start == nil else {
      throw .unsupported("a photo has no times and no samples: leave --at, --sample, --every and --all away")
    }
    let group = if let item = options.item { try movie.photo(item: item) } else { try movie.photo() }
    let primary = movie.items?.primaryItemID
    let first = group.layers.first { UInt32(clamping: $0.decoded.tag) == primary } ?? group.layers.first
    if options.view == .standard, let first {
      try render(group, showing: [first])
    } else if case .layer(let layer) = options.view, group[layer: layer] == nil {
      throw .noSuchLayer(layer, available: Set(group.layers.map(\.layerID)).sorted())
    } else if case .layer(let layer) = options.view {
      try render(group, [layer])
    } else {
      let eyes: [StereoEye] = if case .eye(let eye) = options.view { [eye] } else { [.left, .right] }
      for eye in eyes where group[eye] == nil { throw .unknownEye(eye) }
      try render(group, [])
    }
  }

  /// The layers that are decoded, the left eye's first.
  private func wantedLayers(_ track: Track) throws(PictureError) -> [UInt8] {
    switch options.view {
    case .standard: [try track.layer(showing: nil)]
    case .eye(let eye): [try track.layer(showing: eye)]
    case .layer(let layer): [layer]
    case .both: [try track.layer(showing: .left), try track.layer(showing: .right)]
    }
  }

  // MARK: One moment

  private func render(_ group: PictureGroup, _ layers: [UInt8]) throws(PictureError) {
    try render(group, showing: try pictures(of: group, layers))
  }

  private func render(_ group: PictureGroup, showing pictures: [Picture]) throws(PictureError) {
    remark(pictures)
    if case .both(let arrangement?) = options.view, let left = pictures.first, let right = pictures.last {
      try write(group, [left, right], "both", arrangement)
    } else {
      for picture in pictures {
        try write(group, [picture], picture.eye?.rawValue ?? "\(picture.layerID)", nil)
      }
    }
    number += 1
  }

  private func pictures(of group: PictureGroup, _ layers: [UInt8]) throws(PictureError) -> [Picture] {
    func picture(_ eye: StereoEye) throws(PictureError) -> Picture {
      guard let found = group[eye] else {
        throw .notDecoded(sample: group.sample, reason: "the \(eye) eye has no picture there")
      }
      return found
    }
    switch options.view {
    case .eye(let eye): return [try picture(eye)]
    case .both: return [try picture(.left), try picture(.right)]
    case .standard, .layer:
      guard let layer = layers.first, let found = group[layer: layer] else {
        throw .notDecoded(sample: group.sample, reason: "its layer has no picture there")
      }
      return [found]
    }
  }

  /// Says once what people may not expect.
  private func remark(_ pictures: [Picture]) {
    guard !isRemarked, options.output.format == .png, let picture = pictures.first else { return }
    isRemarked = true
    if picture.colour.isHDR, options.depth == .eight {
      let range = picture.colour.videoRange ?? "HDR"
      invocation.report(
        name, "the picture is \(range), made to fit for ordinary displays: --deep keeps all of its shades")
    }
  }

  private func write(
    _ group: PictureGroup, _ pictures: [Picture], _ eye: String, _ arrangement: StereoArrangement?
  ) throws(PictureError) {
    let path = options.output.isStandardOutput ? "-" : options.output.path(eye: eye, number: number)
    var size: (width: Int, height: Int)
    if options.output.format == .png {
      let picture = try colours(pictures, arrangement)
      size = (picture.width, picture.height)
      let output = try begin(path)
      try put(picture.png(), output, path)
      try complete(output, path)
    } else {
      let frame = try planes(pictures, arrangement)
      size = (frame.width, frame.height)
      try append(frame, path)
    }
    let problems = pictures.flatMap { picture in picture.problems.map { "layer \(picture.layerID): \($0)" } }
    for problem in problems {
      isWhole = false
      invocation.report(name, "\(track == nil ? "item" : "sample") \(group.sample) is damaged: \(problem)")
    }
    let rendered = RenderedPicture(
      path: path, track: track?.id, item: track == nil ? UInt32(clamping: group.sample) : nil,
      sample: group.sample, eye: eye, layers: pictures.map(\.layerID),
      time: group.presentationTime, width: size.width, height: size.height, problems: problems)
    if invocation.isJSON {
      written.append(rendered)
    } else if options.output.format == .png {
      invocation.report(path, RenderReport.words(rendered))
    }
  }

  private func colours(
    _ pictures: [Picture], _ arrangement: StereoArrangement?
  ) throws(PictureError) -> RGBPicture {
    let range = options.depth == .eight ? DynamicRange.standard : .coded
    if arrangement == nil, let width = options.width, let picture = pictures.first {
      return try picture.rgb(width: width, depth: options.depth, range: range)
    }
    var found: [RGBPicture] = []
    for picture in pictures { found.append(try picture.rgb(depth: options.depth, range: range)) }
    guard var picture = found.first, let other = found.last else { throw .unsupported("there is no picture") }
    if let arrangement { picture = try .combining(left: picture, right: other, arrangement) }
    return try options.width.map { width throws(PictureError) in try picture.scaled(width: width) } ?? picture
  }

  private func planes(
    _ pictures: [Picture], _ arrangement: StereoArrangement?
  ) throws(PictureError) -> PlanarFrame {
    var found: [PlanarFrame] = []
    for picture in pictures { found.append(try PlanarFrame(picture)) }
    guard let frame = found.first, let other = found.last else { throw .unsupported("there is no picture") }
    return try arrangement.map { how throws(PictureError) in
      try PlanarFrame.combining(left: frame, right: other, how)
    } ?? frame
  }

  // MARK: Files

  private func append(_ frame: PlanarFrame, _ path: String) throws(PictureError) {
    var file: OpenFile
    if let known = open[path] {
      file = known
      guard file.format == frame.formatKey else {
        throw .unsupported(
          "the pictures change their size or format: \(options.output.format.name) has one for all of them")
      }
    } else {
      let header =
        options.output.format == .y4m ? try frame.y4mHeader(rate: track.flatMap { options.rate(of: $0) }) : []
      file = OpenFile(output: try begin(path), format: frame.formatKey)
      try put(header, file.output, path)
    }
    try put(options.output.format == .y4m ? frame.y4mFrame : frame.bytes, file.output, path)
    file.pictures += 1
    open[path] = file
  }

  private func finish() throws(PictureError) {
    for (path, file) in open.sorted(by: { $0.key < $1.key }) {
      try complete(file.output, path)
      if !options.output.isStandardOutput, !invocation.isJSON {
        invocation.report(path, Quantity.count(file.pictures, "picture"))
      }
    }
    open = [:]
  }

  private func begin(_ path: String) throws(PictureError) -> SafeOutput {
    if path == "-" {
      return SafeOutput(descriptor: 1, name: "standard output", inputs: [movie.source])
    }
    return try writing(path) { () throws(SourceError) in
      var how = SafeOutput.Options()
      how.isOverwriting = invocation.arguments.has(RenderOptions.force)
      return try SafeOutput(path: path, inputs: [movie.source], options: how)
    }
  }

  private func put(
    _ bytes: [UInt8], _ output: SafeOutput, _ path: String
  ) throws(PictureError) {
    try writing(path) { () throws(SourceError) in try output.write(bytes) }
  }

  private func complete(_ output: SafeOutput, _ path: String) throws(PictureError) {
    try writing(path) { () throws(SourceError) in try output.finish() }
  }

  /// What goes wrong with the file that is written is said of that file, not of the one that is read.
  private func writing<Result>(
    _ path: String, _ body: () throws(SourceError) -> Result
  ) throws(PictureError) -> Result {
    do { return try body() } catch {
      failure = InputError("cannot write \(ValueText.printable(path)): " + InputError(error).message)
      throw .unreadable(error)
    }
  }
}
