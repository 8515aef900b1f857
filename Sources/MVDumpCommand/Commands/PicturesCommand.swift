// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import CommandLineSupport
import FieldOutput
import FileAccess
import HEVC
import HEVCDecoding
import MoviePictures
import Multiview

/// `mvdump pictures`: one row a decoded picture.
package enum PicturesCommand: Command {
  static let layer = Option("layer", short: "l", .number("ID", 0...62), "Only the pictures of this layer")

  package static let name = "pictures"
  package static let summary =
    "one row per decoded picture: layer, eye, order count, time, format, MD5s"
  package static let discussion = [
    "Every layer is decoded, and pictures are listed in output order. For a raw stream, 'sample' is the "
      + "access unit. The MD5 of a plane covers what is inside the conformance window, row by row: one "
      + "byte per sample for up to 8 bits, otherwise two, least significant first. 'hash' compares the "
      + "picture with the picture hash message of the stream: match, mismatch, or - if there is no "
      + "message.",
    "The images of a file, including tiles and thumbnails, follow its tracks; 'sample' is then the item "
      + "ID. They are omitted if tracks or samples are selected.",
    "Pictures that the standard does not output are not listed, nor are layers outside the output layer "
      + "set with the most layers. A damaged picture is listed as far as it can be decoded, and standard "
      + "error reports what is missing.",
  ]
  package static let operands = Operands.files
  package static let options =
    [layer, RowOptions.samples, RowOptions.track, DecodingOptions.threads, CommonOptions.csv]
    + CommonOptions.input
  package static let examples = [
    Example("mvdump pictures movie.mov", "Every picture of both eyes"),
    Example("mvdump pictures --layer 1 --csv movie.mov > right.csv", "The pictures of one layer, as a table"),
    Example("mvdump pictures --samples 0 --json movie.mov", "The pictures of the first sample, for a script"),
  ]

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    let arguments = invocation.arguments
    let range = try RowOptions.range(arguments)
    let layer = arguments.number(layer)
    return Batch.ofMovies(invocation).forEachStreaming("pictures", PictureRow.csvTitles, invocation) {
      input, rows throws(InputError) in
      let movie = try input.movie()
      let tracks = TrackPictures.tracks(try RowOptions.tracks(movie, arguments) { $0.isHEVC })
      let images = RowOptions.choosesTracks(arguments) ? [] : movie.codedImages
      if tracks.isEmpty, images.isEmpty { throw InputError("has no HEVC track, so no pictures to decode") }
      if images.isEmpty { try RowOptions.check(range, in: tracks) }
      var isAnyFound = false
      for track in tracks {
        let pictures = TrackPictures(track, layer: layer, threads: DecodingOptions.threads(arguments))
        guard !pictures.isProtected else {
          throw InputError("track \(track.id) is encrypted: its pictures cannot be decoded")
        }
        try rows.table(
          of: track, list: "pictures", titles: PictureRow.textTitles,
          fact: track.isRawStream ? nil : ("timescale", track.timescale)
        ) { () throws(SourceError) in
          let samples = track.isRawStream ? nil : try track.samples()
          let eyes = SampleEyes(track, samples)
          try pictures.forEach(range, noting: { rows.note($0.description, sample: $0.sample) }) { picture in
            for problem in picture.problems {
              rows.note("layer \(picture.layerID): \(problem)", sample: picture.tag)
            }
            let time = samples.flatMap { samples in
              samples.sample(at: picture.tag).flatMap { samples.presentationTime(of: $0) }
            }
            let eye = eyes.eye(ofLayer: picture.layerID, sample: picture.tag)
            isAnyFound = true
            rows.write(PictureRow(picture, eye: eye?.rawValue, presentationTime: time))
            return !invocation.isOutputClosed
          }
        }
      }
      guard !images.isEmpty else {
        guard isAnyFound || layer == nil || invocation.isOutputClosed else {
          throw InputError("has no picture of layer \(layer ?? 0)")
        }
        return
      }
      try rows.images(titles: PictureRow.imageTitles) { () throws(SourceError) in
        for image in images where !invocation.isOutputClosed {
          let decoded = try ImageDecoder(image, layer: layer).decode()
          for problem in decoded.problems { rows.note(problem.description, item: image.id) }
          for picture in decoded.pictures {
            for problem in picture.problems {
              rows.note("layer \(picture.layerID): \(problem)", item: image.id)
            }
            rows.write(
              PictureRow(
                picture, eye: image.eye(ofLayer: picture.layerID)?.rawValue, presentationTime: nil,
                isImage: true))
          }
        }
      }
    }
  }
}

/// A picture in a table.
private struct PictureRow: Row {
  static let columns: [Column<PictureRow>] = [
    Column(json: "item") { $0.isImage ? .number($0.picture.tag) : .omitted },
    Column(json: "sample") { $0.isImage ? .omitted : .number($0.picture.tag) },
    Column(csv: "sample") { .number($0.picture.tag) }.right("sample", 8),
    Column("layer") { .number(Int64($0.picture.layerID)) }.right("layer", 7),
    Column("eye") { .text($0.eye) }.left("eye", 5),
    Column("poc") { .number($0.picture.orderCount) }.right("POC", 7),
    Column("pts") { $0.presentationTime.map { .number($0) } ?? ($0.isImage ? .omitted : .missing) }
      .right("pts", 12, missing: "-"),
    Column(json: "type") { .text($0.picture.type.name) }.left("type", 10),
    Column("width") { .number($0.picture.size.width) },
    Column("height") { .number($0.picture.size.height) },
    Column { .text($0.picture.size.description) }.left("size", 12),
    Column("chroma") { .text($0.picture.format.chromaFormatName) },
    Column("bitDepthLuma") { .number($0.picture.format.bitDepthLuma) },
    Column("bitDepthChroma") { .number($0.picture.format.bitDepthChroma) },
    Column { .text($0.formatText) }.left("format", 13),
    Column(json: "md5") { _ in .omitted }.json { $0.sums.inline },
    Column(csv: "md5y") { .text($0.sum(0)) },
    Column(csv: "md5cb") { .text($0.sum(1)) },
    Column(csv: "md5cr") { .text($0.sum(2)) },
    Column(csv: "hash") { .text($0.picture.hash.rawValue) }.left("hash", 8),
    Column(csv: "type") { .text($0.picture.type.name) },
    Column { .text($0.sums.joined(separator: " ")) }.left("MD5"),
    Column { .text($0.picture.problems.isEmpty ? "" : "damaged") }.left(""),
    Column(json: "hash") { .text($0.picture.hash == .none ? nil : $0.picture.hash.rawValue) },
    Column(json: "problems") { _ in .omitted }.json { $0.picture.problems.map { "\($0)" }.inline },
  ]
  /// The titles where the pictures are images.
  static let imageTitles = "    item" + textTitles.dropFirst(8)

  let picture: DecodedPicture
  let eye: String?
  let presentationTime: Int64?
  /// Whether it belongs to an item, of which `picture.tag` is the number.
  let isImage: Bool
  /// The MD5 of each plane, in hexadecimal digits.
  private let sums: [String]

  init(_ picture: DecodedPicture, eye: String?, presentationTime: Int64?, isImage: Bool = false) {
    self.picture = picture
    self.isImage = isImage
    self.eye = eye
    self.presentationTime = presentationTime
    sums = (0..<picture.planeCount).map { component in
      ByteView(picture.md5(ofPlane: component) ?? []).hexadecimalText()
    }
  }

  private func sum(_ component: Int) -> String? { component < sums.count ? sums[component] : nil }

  private var formatText: String {
    let luma = picture.format.bitDepthLuma, other = picture.format.bitDepthChroma
    let depth = luma == other || picture.planeCount == 1 ? "\(luma) bit" : "\(luma)/\(other) bit"
    return (picture.format.chromaFormatName ?? "") + " " + depth
  }
}
