// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Multiview

/// The text of a playlist, line by line. RFC 8216, 4.1
struct PlaylistText {
  private(set) var text = "#EXTM3U\n"

  init(version: Int) { add("EXT-X-VERSION", "\(version)") }

  /// Adds a tag.
  mutating func add(_ tag: String, _ value: String? = nil) {
    text += "#" + tag + (value.map { ":" + $0 } ?? "") + "\n"
  }

  /// Adds a tag with attributes.
  mutating func add(_ tag: String, _ attributes: [(key: String, value: String)]) {
    add(tag, attributes.map { "\($0.key)=\($0.value)" }.joined(separator: ","))
  }

  /// Adds a line with a URI.
  mutating func add(uri: String) { text += uri + "\n" }

  /// Returns a string in quotes, with spaces in place of quotes and control characters, which it cannot contain.
  static func quoted(_ text: String) -> String {
    "\"" + String(text.unicodeScalars.map { $0 == "\"" || $0.value < 32 ? " " : Character($0) }) + "\""
  }

  /// Returns a time in seconds with six decimal places: `4.004000`.
  static func seconds(_ time: MediaTime) -> String {
    decimal(microseconds(time), over: 1_000_000, places: 6)
  }

  /// Returns a time as playlists have it, in microseconds.
  static func microseconds(_ time: MediaTime) -> Int64 { max(0, time.converted(to: 1_000_000).value) }
}

extension StreamRendition {
  /// How the media playlists of a rendition are written.
  struct PlaylistOptions {
    /// Whether all segments are in one file.
    var usesSingleFile = false
    /// The date and time at which the presentation begins; `nil` for none.
    var programDate: String?
  }

  /// The name of the file with the init segment, or with all segments.
  func mediaFile(_ options: PlaylistOptions) -> String { options.usesSingleFile ? "media.mp4" : "init.mp4" }

  /// The file name of a segment, by its index from 0.
  static func segmentFile(_ number: Int) -> String { "segment\(number + 1).m4s" }

  /// Returns the date and time that is a time after another, with milliseconds, in UTC; the same text for no time.
  static func date(_ text: String, after time: MediaTime) -> String {
    guard time > .zero, let seconds = Multiview.secondsSince1970(iso8601: text, isInUTC: true) else {
      return text
    }
    let milliseconds = ((seconds + MovieFile.boxEpoch + time.seconds) * 1_000).rounded()
    guard milliseconds >= 0, milliseconds < 1e15, let date = macintoshDate(UInt64(milliseconds) / 1_000)
    else {
      return text
    }
    let part = decimal(Int64(milliseconds) % 1_000, over: 1_000, places: 3)
    return date.prefix { $0 != "Z" } + part.dropFirst() + "Z"
  }

  /// The media playlist.
  func playlist(_ options: PlaylistOptions) -> String {
    var text = start(options, isPictures: false)
    var position = UInt64(initSegment.count)
    for (index, segment) in segments.enumerated() {
      if index == 0, let date = options.programDate {
        // It is the date of the first sample. RFC 8216, 4.3.2.6
        text.add("EXT-X-PROGRAM-DATE-TIME", Self.date(date, after: emptyStart))
      }
      text.add("EXTINF", PlaylistText.seconds(segment.duration) + ",")
      if options.usesSingleFile {
        text.add("EXT-X-BYTERANGE", "\(segment.size)@\(position)")
        position += segment.size
        text.add(uri: mediaFile(options))
      } else {
        text.add(uri: Self.segmentFile(index))
      }
    }
    text.add("EXT-X-ENDLIST")
    return text.text
  }

  /// The I-frame playlist: the first pictures of the segments.
  func picturePlaylist(_ options: PlaylistOptions) -> String {
    var text = start(options, isPictures: true)
    var position = UInt64(initSegment.count)
    for (index, segment) in segments.enumerated() {
      text.add("EXTINF", PlaylistText.seconds(segment.duration) + ",")
      text.add(
        "EXT-X-BYTERANGE", "\(segment.firstPictureSize)@\(options.usesSingleFile ? position : 0)")
      text.add(uri: options.usesSingleFile ? mediaFile(options) : Self.segmentFile(index))
      position += segment.size
    }
    text.add("EXT-X-ENDLIST")
    return text.text
  }

  private func start(_ options: PlaylistOptions, isPictures: Bool) -> PlaylistText {
    var text = PlaylistText(version: 7)
    text.add("EXT-X-TARGETDURATION", "\(targetDuration)")
    text.add("EXT-X-MEDIA-SEQUENCE", "0")
    text.add("EXT-X-PLAYLIST-TYPE", "VOD")
    if isPictures {
      text.add("EXT-X-I-FRAMES-ONLY")
    } else if isIndependent {
      text.add("EXT-X-INDEPENDENT-SEGMENTS")
    }
    var map = [(key: "URI", value: PlaylistText.quoted(mediaFile(options)))]
    if options.usesSingleFile { map.append(("BYTERANGE", "\"\(initSegment.count)@0\"")) }
    text.add("EXT-X-MAP", map)
    return text
  }
}
