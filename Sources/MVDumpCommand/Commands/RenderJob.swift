// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import FieldOutput
import FileAccess
import HEVCDecoding
import MoviePictures
import Multiview

/// Renders the requested pictures of one track.
final class RenderJob {
  /// `nil` for a photo.
  private let track: Track?
  private let movie: MovieFile
  private let name: String
  private let options: RenderOptions
  private let names: RenderNames
  /// Whether nobody wants more pictures.
  private let isUnwanted: () -> Bool
  /// Whether the reader of standard output has gone.
  private var isReaderGone = false
  /// Whether no more pictures are needed.
  private var isStopped: Bool { isReaderGone || isUnwanted() }
  /// Receives a line about a file.
  private let say: (_ file: String, _ message: String) -> Void
  /// Files that have all pictures, by name, until they are finished.
  private var open: [String: OpenFile] = [:]
  private var number = 0
  private(set) var written: [RenderedPicture] = []
  /// Whether no picture was damaged or left out.
  private(set) var isWhole = true
  /// An error of an output, rather than of the input.
  private(set) var failure: InputError?
  private var remarks: Set<String> = []
  /// The images of a stereo pair.
  private var itemOfEye: [StereoEye: UInt32] = [:]
  /// The samples of the track, if they have several descriptions: eyes and layers may be others in each.
  private var samples: TrackSamples?
  /// Why samples of one of the descriptions cannot be shown as was requested.
  private var lack: PictureError?
  /// Why pictures of a series were left out, and how many.
  private var leftOut: (reason: String, count: Int)?

  private struct OpenFile {
    let output: SafeOutput
    let format: [Int]
    var pictures = 0
  }

  init(
    _ track: Track?, _ movie: MovieFile, _ name: String, _ options: RenderOptions, _ names: RenderNames,
    isStopped: @escaping () -> Bool, _ say: @escaping (_ file: String, _ message: String) -> Void
  ) {
    self.name = name
    self.track = track?.joined
    self.movie = movie
    self.options = options
    self.names = names
    isUnwanted = isStopped
    self.say = say
  }

  func run() throws(PictureError) {
    guard let track else {
      try renderPhoto()
      return try finish()
    }
    if track.hasSeveralDescriptions {
      do { samples = try track.samples() } catch { throw .unreadable(error) }
    }
    var how = PictureOptions(layers: try wantedLayers(track))
    how.threads = options.decodingThreads
    let reader = try track.pictures(options: how)
    var ending: PictureError?
    switch options.moments {
    case .one:
      if let time = options.start {
        if track.isRawStream, time != .zero { throw .noTimes }
        if !track.isRawStream {
          guard let group = try reader.group(shownAt: time) else {
            throw .nothingShown(at: time, shown: try track.shownTimes())
          }
          try render(group)
          break
        }
      }
      guard let group = try reader.next() else {
        throw .unsupported(reader.takeProblems().first ?? "the decoder produced no picture")
      }
      try render(group)
    case .sample(let index): try render(try reader.group(ofSample: index))
    case .all:
      if let time = options.start { try reader.move(to: time) }
      ending = try whileReading(reader) { () throws(PictureError) in
        while !isStopped, let group = try reader.next() {
          try tolerating(reader) { () throws(PictureError) in try renderOne(of: group) }
        }
      }
    case .every(let step):
      ending = try whileReading(reader) { () throws(PictureError) in try renderEvery(step, track, reader) }
    }
    leaveOut(reader.lackingCount, lack ?? .unsupported("their sample description lacks the layers"))
    for problem in reader.takeProblems() {
      isWhole = false
      say(name, problem)
    }
    if options.moments.areSeries { try noteLosses(track) }
    noteRate(track)
    if let ending {
      isWhole = false
      say(name, ending.description)
    }
    if let leftOut {
      say(name, Quantity.count(leftOut.count, "picture") + " skipped: " + leftOut.reason)
    }
    if number == 0 {
      if isWhole, let time = options.start, let shown = try track.shownTimes(), time >= shown.upperBound {
        throw .nothingShown(at: time, shown: shown)
      }
      throw .unsupported("the decoder produced no picture")
    }
    try finish()
  }

  /// Says that all pictures together last for another time in Y4M, which has one rate.
  private func noteRate(_ track: Track) {
    guard !isStopped, options.output.format == .y4m, options.moments == .all, options.start == nil,
      !track.isRawStream,
      let rate = options.rate(of: track), rate.numerator > 0, let count = open.values.map(\.pictures).max(),
      let shown = try? track.shownTimes()
    else { return }
    let picture = Double(rate.denominator) / Double(rate.numerator)
    let (written, meant) = (Double(count) * picture, (shown.upperBound - shown.lowerBound).seconds)
    guard abs(written - meant) > max(1.5 * picture, meant / 100) else { return }
    say(
      name,
      "the pictures last \(Quantity.decimal(written, 2)) s in Y4M instead of \(Quantity.decimal(meant, 2)) s: it has one "
        + "rate; --every \(rate.denominator)/\(rate.numerator) repeats and drops pictures")
  }

  /// Says that samples of a series were not found.
  private func noteLosses(_ track: Track) throws(PictureError) {
    let damage = SampleDamage()
    do { for loss in try track.sampleLosses() { damage.note(loss) } } catch { throw .unreadable(error) }
    guard let words = damage.lossWords else { return }
    isWhole = false
    say(name, words)
  }

  /// Renders a series. Where too much would be read for pictures that cannot be decoded, it ends and keeps those before.
  ///
  /// - Returns: why it ended early; `nil` if it did not.
  private func whileReading(
    _ reader: PictureGroupReader, _ body: () throws(PictureError) -> Void
  ) throws(PictureError) -> PictureError? {
    do { try body() } catch {
      guard reader.isExhausted, failure == nil else { throw error }
      return error
    }
    return nil
  }

  private func renderEvery(
    _ step: MediaTime, _ track: Track, _ reader: PictureGroupReader
  ) throws(PictureError) {
    guard !track.isRawStream else { throw .noTimes }
    guard let shown = try track.shownTimes() else { throw .nothingShown(at: .zero, shown: nil) }
    var time = options.start ?? max(.zero, shown.lowerBound)
    while time < shown.upperBound, !isStopped {
      try tolerating(reader) { () throws(PictureError) in
        if let group = try reader.group(ofSeriesAt: time) { try renderOne(of: group) }
      }
      let next = time + step
      // What is shown without end is rendered once.
      if next <= time || reader.isAtUnendingPicture { break }
      time = next
    }
  }

  /// Renders a picture of a series, which one that cannot be decoded does not end.
  private func tolerating(
    _ reader: PictureGroupReader, _ body: () throws(PictureError) -> Void
  ) throws(PictureError) {
    let silent = reader.lackingCount + reader.unshownCount
    do throws(PictureError) { try body() } catch {
      guard case .notDecoded = error, !reader.isExhausted else { throw error }
      guard reader.lackingCount + reader.unshownCount == silent else { return }
      isWhole = false
      say(name, error.description)
    }
  }

  /// A photo has one moment: that of its primary image, or of a stereo pair.
  private func renderPhoto() throws(PictureError) {
    guard options.moments == .one, options.start == nil else {
      throw .unsupported("a photo has no times and no samples: leave out --at, --sample, --every and --all")
    }
    var item = options.item
    switch options.view {
    // One picture is that of the primary image, whether or not a pair has it.
    case .standard: item = item ?? movie.items?.primaryItemID
    case .eye, .both:
      guard item == nil, let pair = movie.items?.stereoPairs.first else { break }
      itemOfEye = [.left: pair.left, .right: pair.right]
      if case .eye(let eye) = options.view { item = itemOfEye[eye] }
    case .layer: break
    }
    let group = if let item { try movie.photo(item: item) } else { try movie.photo() }
    if options.view == .standard, let first = group.layers.first {
      try render(group, showing: [first])
    } else if case .layer(let layer) = options.view, group[layer: layer] == nil {
      throw .noSuchLayer(layer, available: Set(group.layers.map(\.layerID)).sorted())
    } else if case .layer(let layer) = options.view {
      try render(group, showing: [group[layer: layer]].compactMap { $0 })
    } else {
      let eyes: [StereoEye] = if case .eye(let eye) = options.view { [eye] } else { [.left, .right] }
      for eye in eyes where group[eye] == nil { throw .oneView }
      try render(group)
    }
  }

  /// The layers that are decoded: of each description that samples have, those that it takes for the view.
  private func wantedLayers(_ track: Track) throws(PictureError) -> Set<UInt8> {
    var wanted: Set<UInt8> = []
    for track in track.variants {
      do throws(PictureError) {
        wanted.formUnion(try layers(of: track))
        try requireLayer(in: track)
      } catch {
        lack = lack ?? error
      }
    }
    // A part without that eye does not keep the others from being shown.
    if wanted.isEmpty, let lack { throw lack }
    return wanted
  }

  /// Throws if a description lacks the layer that was named.
  private func requireLayer(in track: Track) throws(PictureError) {
    let available = track.layers.map(\.layerID)
    guard case .layer(let layer) = options.view, !available.contains(layer) else { return }
    throw .noSuchLayer(layer, available: available)
  }

  private func layers(of track: Track) throws(PictureError) -> [UInt8] {
    switch options.view {
    case .standard: [try track.layer(showing: nil)]
    case .eye(let eye): [try track.layer(showing: eye)]
    case .layer(let layer): [layer]
    case .both: [try track.layer(showing: .left), try track.layer(showing: .right)]
    }
  }

  /// The track as a sample shows it.
  private func track(forSample index: Int) -> Track? {
    guard let track, let sample = samples?.sample(at: index) else { return track }
    return track.described(for: sample)
  }

  // MARK: One moment

  private func render(_ group: PictureGroup) throws(PictureError) {
    try render(group, showing: try pictures(of: group))
  }

  /// Renders one sample of a series. If its description lacks what was requested, the series continues with the next.
  private func renderOne(of group: PictureGroup) throws(PictureError) {
    if let track = track(forSample: group.sample), samples != nil {
      do throws(PictureError) {
        _ = try layers(of: track)
        try requireLayer(in: track)
      } catch { return leaveOut(1, error) }
    }
    try render(group)
  }

  private func leaveOut(_ count: Int, _ reason: PictureError) {
    guard count > 0 else { return }
    leftOut = (leftOut?.reason ?? reason.description, (leftOut?.count ?? 0) + count)
  }

  private func render(_ group: PictureGroup, showing pictures: [Picture]) throws(PictureError) {
    remark(group, pictures)
    if case .both(let arrangement?) = options.view, let left = pictures.first, let right = pictures.last {
      try write(group, [left, right], "both", arrangement)
    } else {
      for picture in pictures {
        try write(group, [picture], picture.eye?.rawValue ?? "\(picture.layerID)", nil)
      }
    }
    number += 1
  }

  private func pictures(of group: PictureGroup) throws(PictureError) -> [Picture] {
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
      let layers = try track(forSample: group.sample).map { track throws(PictureError) in
        try self.layers(of: track)
      }
      guard let layer = layers?.first, let found = group[layer: layer] else {
        throw .notDecoded(sample: group.sample, reason: "its layer has no picture there")
      }
      return [found]
    }
  }

  /// Says once what people may not expect.
  private func remark(_ group: PictureGroup, _ pictures: [Picture]) {
    guard let picture = pictures.first else { return }
    func once(_ words: String) { if remarks.insert(words).inserted { say(name, words) } }
    if picture.isField { once("the stream codes fields: each picture is every other row of a whole one") }
    guard options.output.format == .png else { return }
    if let profile = track(forSample: group.sample)?.ownColourProfile(picture.colour) {
      return once(
        "Dolby Vision profile \(profile) codes colours in a way that is not converted: the PNG has wrong colours"
      )
    }
    guard options.depth == .eight, picture.colour.isHDR else { return }
    let range = picture.colour.videoRange ?? "HDR"
    once("the picture is \(range), adapted to ordinary displays; --deep keeps its full range")
  }

  private func write(
    _ group: PictureGroup, _ pictures: [Picture], _ eye: String, _ arrangement: StereoArrangement?
  ) throws(PictureError) {
    let path =
      options.output.isStandardOutput ? "-" : options.output.pattern.name(for: name, eye: eye, number: number)
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
      try append(frame, path, sample: group.sample)
    }
    let problems = pictures.flatMap { picture in picture.problems.map { "layer \(picture.layerID): \($0)" } }
    for picture in pictures {
      for problem in picture.problems {
        isWhole = false
        let place = track == nil ? "item \(item(of: picture, group))" : "sample \(group.sample)"
        say(name, "\(place) is damaged: layer \(picture.layerID): \(problem)")
      }
    }
    let rendered = RenderedPicture(
      path: path, track: track?.id, item: track == nil ? pictures.first.map { item(of: $0, group) } : nil,
      sample: group.sample, eye: eye, layers: pictures.map(\.layerID),
      time: group.presentationTime, width: size.width, height: size.height, problems: problems)
    written.append(rendered)
    if !options.isJSON, options.output.format == .png { say(path, RenderReport.words(rendered)) }
  }

  /// The item of a picture of a photo.
  private func item(of picture: Picture, _ group: PictureGroup) -> UInt32 {
    picture.eye.flatMap { itemOfEye[$0] } ?? UInt32(clamping: group.sample)
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

  private func append(_ frame: PlanarFrame, _ path: String, sample: Int) throws(PictureError) {
    var file: OpenFile
    if let known = open[path] {
      file = known
      guard file.format == frame.formatKey else {
        throw .unsupported(
          "a file of \(options.output.format.name) can have only one size and format: the picture of sample \(sample) "
            + "differs; write PNG, or trim the movie")
      }
    } else {
      let header =
        options.output.format == .y4m ? try frame.y4mHeader(rate: track.flatMap { options.rate(of: $0) }) : []
      file = OpenFile(output: try begin(path), format: frame.formatKey)
      try put(header, file.output, path)
    }
    for piece in options.output.format == .y4m ? frame.y4mPieces : frame.planes {
      try put(piece, file.output, path)
    }
    file.pictures += 1
    open[path] = file
  }

  private func finish() throws(PictureError) {
    for (path, file) in open.sorted(by: { $0.key < $1.key }) {
      try complete(file.output, path)
      if !options.output.isStandardOutput, !options.isJSON {
        say(path, Quantity.count(file.pictures, "picture"))
      }
    }
    open = [:]
  }

  private func begin(_ path: String) throws(PictureError) -> SafeOutput {
    if path == "-" {
      return try writing(path) { () throws(SourceError) in
        try SafeOutput(descriptor: 1, name: "standard output", inputs: [movie.source])
      }
    }
    guard names.claim(path) else {
      failure = InputError(
        "cannot write \(ValueText.printable(path)): another movie has the same name. Put %f, the name with its "
          + "extension, into the name of the output, or render one movie at a time.")
      throw .unsupported("another movie has the same name")
    }
    return try writing(path) { () throws(SourceError) in
      var how = SafeOutput.Options()
      how.isOverwriting = options.isOverwriting
      how.isFlushed = !options.isSeries
      return try SafeOutput(path: path, inputs: [movie.source], options: how)
    }
  }

  private func put(
    _ bytes: [UInt8], _ output: SafeOutput, _ path: String
  ) throws(PictureError) {
    try writing(path, output) { () throws(SourceError) in try output.write(bytes) }
  }

  private func complete(_ output: SafeOutput, _ path: String) throws(PictureError) {
    try writing(path, output) { () throws(SourceError) in try output.finish() }
  }

  /// Does nothing once the reader of standard output has gone, which may have all that it wants.
  private func writing(
    _ path: String, _ output: SafeOutput, _ body: () throws(SourceError) -> Void
  ) throws(PictureError) {
    if isReaderGone { return }
    try writing(path) { () throws(SourceError) in
      do throws(SourceError) { try body() } catch {
        isReaderGone = output.isReaderGone
        if !isReaderGone { throw error }
      }
    }
  }

  /// Errors of the file that is written name that file, not the one that is read.
  private func writing<Result>(
    _ path: String, _ body: () throws(SourceError) -> Result
  ) throws(PictureError) -> Result {
    do { return try body() } catch {
      let name = path == "-" ? "standard output" : ValueText.printable(path)
      failure = InputError("cannot write \(name): " + InputError(error).message)
      throw .unreadable(error)
    }
  }
}
