// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import CommandLineSupport
import FieldOutput
import FileAccess
import MovieEditing
import Multiview

/// `mvedit package`: makes a folder that is streamed by HLS.
package enum PackageCommand: Command {
  package static let name = "package"
  package static let summary = "makes a folder of segments and playlists for HLS streaming"
  package static let discussion = [
    "The main video track of each movie becomes a variant, and each audio track of the first movie with "
      + "sound, and of movies without video, becomes a rendition. OUT/master.m3u8 describes them: codecs, size, rate, range, the layout of "
      + "the eyes (REQ-VIDEO-LAYOUT), and the measured bit rates. Segments begin with sync samples. Any web "
      + "server can serve the folder, which appears only when it is complete.",
    "A stereo variant is accompanied by one with its base layer, for players that show one eye, and for the "
      + "I-frame playlist; a projection stays. The description of the venue of Apple Immersive Video (aime-data) becomes "
      + "a file that the playlist names (EXT-X-SESSION-DATA).",
    "A segment ends at the next sync sample from which all pictures can be decoded, or, if none is near, at any. "
      + "Then EXT-X-INDEPENDENT-SEGMENTS is left out, and the report says so. Audio tracks with different codecs are "
      + "alternatives (groups) if they have the same languages.",
    "Encrypted tracks, layers in several tracks, and edits that HLS players do not follow are refused with "
      + "the reason. mvdump check OUT/master.m3u8 checks the result, and also playlists of other tools.",
  ]
  package static let operands = Operands.files
  package static let options = [
    output, duration, singleFile, noFlat, programDate, FragmentCommand.reorder, WritingOptions.dryRun,
    CommonOptions.json,
    CommonOptions.jsonLines,
  ]
  package static let examples = [
    Example("mvedit package -o stream spatial.mov", "Make a folder with the movie in stereo and flat"),
    Example(
      "mvedit package --single-file -o stream high.mov low.mov",
      "Make two variants, with a file for each track"),
  ]

  static let output = Option(
    "output", short: "o", .text("FOLDER", hint: .file), "The folder, which must not exist yet")
  static let duration = Option(
    "duration", .text("SECONDS", hint: .nothing),
    "The minimum duration of a segment (6); it ends before the next sync sample")
  static let singleFile = Option(
    "single-file", "Put all segments of a track into one file, and byte ranges into the playlists")
  static let noFlat = Option("no-flat", "Do not add a flat variant to a stereo one")
  static let programDate = Option(
    "program-date", .text("DATE", hint: .nothing), "When the presentation begins: 2026-01-31T12:00:00Z")

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    let arguments = invocation.arguments
    let paths = arguments.operands
    guard !paths.isEmpty else { throw UsageError("takes one or more movies") }
    let isDry = arguments.has(WritingOptions.dryRun)
    let folder = arguments.text(output)
    guard isDry || folder != nil else {
      throw UsageError("say where to write: -o FOLDER, or --dry-run")
    }
    guard folder != "-" else { throw UsageError("a folder cannot go to standard output") }
    let length = try FragmentCommand.seconds(duration, arguments)
    let date = arguments.text(programDate)
    if let date, !isDate(date) {
      throw UsageError("--program-date needs a date such as 2026-01-31T12:00:00Z, not '\(date)'")
    }
    return invocation.run { () throws(CommandFailure) in
      let movies = try paths.map { path throws(CommandFailure) in try invocation.openMovie(path) as MovieFile
      }
      do throws(EditError) {
        var packager = try MoviePackager(movies)
        if let length { packager.duration = length }
        packager.usesSingleFiles = arguments.has(singleFile)
        packager.addsFlatVariants = !arguments.has(noFlat)
        packager.programDate = date
        packager.writesEditsForOffsets = arguments.text(FragmentCommand.reorder) == "edit"
        let meter = WritingMeter(invocation)
        defer { meter.clear() }
        let report =
          if let folder, !isDry {
            try packager.write(to: folder, progress: meter.show)
          } else {
            try packager.plannedReport()
          }
        let untagged = zip(paths, movies).filter { $0.1.hasUntaggedViews }.map(\.0)
        return report.ofCommand(on: paths, isDry ? .nowhere : .file(folder ?? ""), untagged: untagged)
      } catch { throw CommandFailure(paths.count == 1 ? paths[0] : "", error) }
    }
  }

  /// Whether a text is a date and a time with their zone. (RFC 3339, 5.6)
  private static func isDate(_ text: String) -> Bool {
    let pattern = Array("0000-00-00T00:00:00".utf8)
    let bytes = Array(text.utf8)
    // The day and the time exist.
    guard bytes.count > pattern.count, CreationDate(text) != nil else { return false }
    func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    for (byte, wanted) in zip(bytes, pattern) {
      guard wanted == 0x30 ? isDigit(byte) : byte == wanted else { return false }
    }
    var rest = bytes.dropFirst(pattern.count)
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      guard let digit = rest.first, isDigit(digit) else { return false }
      rest = rest.drop(while: isDigit)
    }
    if rest.elementsEqual("Z".utf8) { return true }
    let zone = Array(rest)
    return zone.count == 6 && [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(zone[0]) && isDigit(zone[1])
      && isDigit(zone[2]) && zone[3] == UInt8(ascii: ":") && isDigit(zone[4]) && isDigit(zone[5])
  }
}

extension MovieFile {
  /// Whether there are layers for two eyes, and no tag says so.
  fileprivate var hasUntaggedViews: Bool {
    guard let track = mainVideoTrack else { return false }
    return track.layers.count { $0.isTexture } > 1
      && StereoTags(track.stereo).isEmpty
  }
}

extension PackageReport {
  fileprivate func ofCommand(
    on files: [String], _ destination: OutputDestination, untagged: [String]
  ) -> NewMovieReport {
    var lines = renditions.map { rendition in
      let attributes = rendition.attributes.entries.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
      return
        "\(rendition.name): track \(rendition.trackID), \(Quantity.count(rendition.segments, "segment")), "
        + "\(rendition.averageBandwidth) bits a second, up to \(rendition.bandwidth), \(attributes)"
    }
    if let written { lines.append("\(Quantity.bytes(written.bytesWritten)) written") }
    let rows =
      untagged.map { file in
        (
          kind: "untaggedViews",
          message:
            "\(file): two views, but no tags: players show one eye. Tag it first: mvedit tag --eyes left,right"
        )
      } + notices.map { (kind: $0.kind, message: Self.words($0)) }
    lines += rows.map(\.message)
    return NewMovieReport(
      PackageCommand.name, of: ["files": files], destination, written, lines,
      [
        "renditions": JSONList(renditions) { rendition in
          [
            "name": rendition.name, "file": files[rendition.movieIndex], "track": rendition.trackID,
            "mediaType": "\(rendition.mediaType)",
            "segments": rendition.segments, "targetDuration": rendition.targetDuration,
            "bandwidth": rendition.bandwidth, "averageBandwidth": rendition.averageBandwidth,
            "attributes": rendition.attributes.json,
          ]
        },
        "notices": JSONList(rows: rows) { ["kind": $0.kind, "message": $0.message] },
      ])
  }

  private static func words(_ notice: Notice) -> String {
    guard case .publishes(let kind, _) = notice else { return notice.message }
    let name = PersonalDataName.allCases.first { $0.kinds == [kind] }?.rawValue ?? ""
    return notice.message + ": to leave it out, use mvedit tag --remove \(name) first"
  }
}
