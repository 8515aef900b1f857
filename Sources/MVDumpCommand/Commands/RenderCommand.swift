// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import CommandLineSupport
import FieldOutput
import FileAccess
import HEVCDecoding
import MoviePictures
import Multiview
import Threads

/// `mvdump render`: pictures of eyes as files.
package enum RenderCommand: Command {
  package static let name = "render"
  package static let summary = "pictures of each eye as PNG, Y4M or raw planes"
  package static let discussion = [
    "Without --at or --sample, the first picture is written. Without --eye or --layer, the hero eye's layer is "
      + "rendered, or the base layer if there is no hero eye. Decoding starts at the preceding sync sample, "
      + "and only the layers that are needed are decoded.",
    "A PNG shows the picture as it is meant to be seen: the clean aperture, the pixel aspect ratio and the "
      + "rotation of the track are applied. Colours are converted with the matrix, range and chroma "
      + "location that the file specifies; an unspecified matrix follows from the primaries, or is BT.709 "
      + "above 576 rows, otherwise BT.601; of photos it is BT.601. HDR (PQ, HLG) is adapted to ordinary displays; with --deep it is kept as it is, and the "
      + "cICP chunk specifies how it is coded.",
    "Y4M (.y4m) and raw planes (.yuv) have the samples as decoded, inside the conformance window, neither "
      + "rotated nor scaled. One file holds all pictures.",
    "In the name of the output, %e is the eye, or the number of the layer; %d is the number of the "
      + "picture, counted from 0, and %03d has three digits; %n is the name of the movie without its "
      + "extension, %f with it. Several movies, or a folder with -r, need %n or %f; they are read several "
      + "at a time, with one thread each. With -r, movies without HEVC are skipped. Each file appears only "
      + "when it is complete. A damaged picture is written as far as it can be decoded; standard error "
      + "reports what is missing, and the exit status is 1.",
    "For a photo (HEIC), the primary image is rendered, or the eyes of its first stereo pair, or the image "
      + "that --item selects. Images derived from others are assembled: grids, overlays, and images with "
      + "their own properties. If an image has an alpha channel, so does the PNG.",
    "If a layer of the movie is an alpha plane, the PNG has an alpha channel; Y4M and raw planes have only "
      + "the colours.",
    "An anaglyph takes red from the left eye, and green and blue from the right eye.",
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
      "mvdump render --all --eye both -o - movie.mov | ffplay -", "Play all pictures side by side"),
    Example(
      "mvdump render --all --eye both -o - a.mov | ffmpeg -i - -i a.mov -map 0:v -map '1:a?' sbs.mp4",
      "Make a side-by-side movie, with the sound, for headsets without MV-HEVC"),
    Example(
      "mvdump render -r --width 320 --layout separate -o thumbnails/%n-%e.png clips/",
      "Thumbnails of both eyes of every stereo clip in a folder, written to an existing folder"),
  ]

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    let arguments = invocation.arguments
    let options = try RenderOptions(arguments)
    if options.output.isStandardOutput {
      if invocation.isJSON { throw UsageError("pictures and JSON cannot both go to standard output") }
      if invocation.surroundings.output.isTerminal {
        throw UsageError("standard output is a terminal: name a file with -o")
      }
    }
    let names = RenderNames()
    guard options.isBatch else {
      return Batch.ofMovies(invocation).forEach { input throws(InputError) in
        let answer = try render(
          input, options, names, arguments, isStopped: { invocation.isOutputClosed },
          { invocation.report($0, $1) })
        return try report(answer, invocation)
      }
    }
    // A movie each keeps processors busier than several pictures of one.
    return Batch.ofMovies(invocation).forEach(threads: options.threads ?? processorCount) {
      input throws(InputError) in
      var messages: [(file: String, text: String)] = []
      var answer = try render(input, options, names, arguments, isStopped: { false }) {
        messages.append(($0, $1))
      }
      answer.messages = messages
      return answer
    } _: { answer in
      for message in answer.messages { invocation.report(message.file, message.text) }
      do throws(InputError) { return try report(answer, invocation) } catch {
        invocation.report(answer.name, error.message)
        return .unreadable
      }
    }
  }

  /// What was made of one input.
  private struct Answer: Sendable {
    var name: String
    var messages: [(file: String, text: String)] = []
    var written: [RenderedPicture] = []
    var isWhole = true
    var error: InputError?
  }

  private static func render(
    _ input: Input, _ options: RenderOptions, _ names: RenderNames, _ arguments: ParsedArguments,
    isStopped: @escaping () -> Bool, _ say: @escaping (String, String) -> Void
  ) throws(InputError) -> Answer {
    var answer = Answer(name: input.name)
    let movie = try input.movie()
    let track: Track?
    do throws(InputError) {
      track = try options.item == nil ? self.track(of: movie, options, arguments) : nil
    } catch {
      // In a folder there may be anything.
      guard options.isRecursive, !movie.tracks.contains(where: \.isHEVC) else { throw error }
      say(input.name, "has no HEVC track: skipped")
      return answer
    }
    let job = RenderJob(track, movie, input.name, options, names, isStopped: isStopped, say)
    do throws(PictureError) { try job.run() } catch {
      answer.error = job.failure ?? InputError(error.description + hint(error))
    }
    answer.written = job.written
    answer.isWhole = job.isWhole
    return answer
  }

  /// What to do about an error that options cause.
  private static func hint(_ error: PictureError) -> String {
    guard case .oneView = error else { return "" }
    return ". Leave out --eye and --layout; if each picture does hold both eyes, tag the movie first "
      + "(mvedit tag --packing side --eyes left,right)"
  }

  /// Writes the document of an input: it lists what was written before an error, too.
  private static func report(_ answer: Answer, _ invocation: Invocation) throws(InputError) -> ExitCode {
    if invocation.isJSON, answer.error == nil || !answer.written.isEmpty {
      invocation.jsonWriter().write(RenderReport.json(answer.written, answer.name))
    }
    if let error = answer.error { throw error }
    return answer.isWhole ? .success : .no
  }

  /// The brands of files that are photos first, whatever tracks they have. ISO/IEC 23008-12, 10.2
  private static let photoBrands: Set<FourCC> = ["mif1", "mif2", "heic", "heix", "heim", "heis"]

  /// The main track of those with pictures that are decoded, or the one that is named; `nil` for a photo.
  private static func track(
    of movie: MovieFile, _ options: RenderOptions, _ arguments: ParsedArguments
  ) throws(InputError) -> Track? {
    let tracks = try RowOptions.tracks(movie, arguments)
    let isNamed = RowOptions.choosesTracks(arguments)
    if !isNamed, options.moments == .one, options.start == nil, movie.items?.primaryItemID != nil,
      movie.container.majorBrand.map(photoBrands.contains) == true, !movie.codedImages.isEmpty
    {
      return nil
    }
    let decodable = TrackPictures.tracks(tracks)
    // Tracks that are not enabled are not presented. ISO/IEC 14496-12, 8.3.2
    let shown = isNamed ? decodable : decodable.filter { $0.isEnabled && $0.mediaType == .video }
    let main = movie.mainVideoTrack?.joined.id
    if let track = shown.first(where: { $0.id == main }) ?? shown.first ?? decodable.first { return track }
    if let track = tracks.first, arguments.has(RowOptions.track) {
      throw InputError("track \(track.id) is not HEVC: only HEVC can be decoded")
    }
    if !movie.codedImages.isEmpty { return nil }
    throw InputError("has no HEVC track, so no pictures to render")
  }
}

/// A picture that was written.
struct RenderedPicture {
  var path: String
  /// The track; `nil` for a photo.
  var track: UInt32?
  /// The item of a photo; `nil` for a track.
  var item: UInt32?
  var sample: Int
  var eye: String
  var layers: [UInt8]
  var time: MediaTime?
  var width: Int
  var height: Int
  var problems: [String]
}

/// The report of `mvdump render` on the pictures that it has written.
enum RenderReport {
  /// `left eye of sample 12 at 0.4 s, 1920×1080`
  static func words(_ picture: RenderedPicture) -> String {
    let what =
      switch picture.eye {
      case "both": "both eyes"
      case "left", "right": "\(picture.eye) eye"
      default: "layer \(picture.eye)"
      }
    let time = picture.time.map { " at \(Quantity.duration($0))" } ?? ""
    let place = picture.item.map { "item \($0)" } ?? "sample \(picture.sample)"
    return "\(what) of \(place)\(time), \(Quantity.size(picture.width, picture.height))"
  }

  /// The document of `mvdump render`.
  static func json(_ pictures: [RenderedPicture], _ file: String) -> JSONObject {
    [
      "schema": "mvdump.render/1", "file": file,
      "pictures": JSONList(pictures) { picture in
        [
          "output": picture.path, "track": picture.track, "item": picture.item,
          "sample": picture.item == nil ? picture.sample : nil,
          "eye": ["left", "right", "both"].contains(picture.eye) ? picture.eye : nil,
          "layers": picture.layers.inline,
          "time": picture.time.map {
            JSONObject.inline(["value": $0.value, "timescale": $0.timescale])
          },
          "width": picture.width, "height": picture.height, "problems": picture.problems,
        ]
      },
    ]
  }
}
