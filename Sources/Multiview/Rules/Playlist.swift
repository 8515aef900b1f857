// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// What an HLS playlist says, line by line. RFC 8216, 4
struct Playlist {
  /// A variant, a rendition, or a stream of single pictures.
  struct Stream {
    var attributes: [String: String]
    /// Where its playlist is; `nil` if it has none of its own.
    var uri: String?
    var line: Int
    /// Whether it has single pictures only.
    var isPictures = false
  }

  /// A file, or a range of its bytes.
  struct Place: Hashable {
    var uri: String
    var range: Range<UInt64>?
  }

  struct Segment {
    var place: Place
    /// In seconds; `nil` if it is not given.
    var duration: Double?
    /// The init segment.
    var map: Place?
    /// Whether it has no media, so that nothing need be there (`EXT-X-GAP`).
    var isGap = false
    var line: Int
  }

  /// What is wrong with a line.
  struct Problem {
    var line: Int
    var message: String
  }

  /// The greatest number of bytes that are read, and of lines that are examined.
  static let maximumBytes = 16 << 20

  private(set) var variants: [Stream] = []
  private(set) var renditions: [Stream] = []
  private(set) var segments: [Segment] = []
  private(set) var version = 1
  private(set) var targetDuration: Int?
  private(set) var isIndependent = false
  private(set) var hasOnlyPictures = false
  private(set) var isEncrypted = false
  /// The description of the venue of Apple Immersive Video (`EXT-X-SESSION-DATA`); `nil` if none is named.
  private(set) var venue: Stream?
  /// The least version that allows what is in it, and because of what.
  private(set) var neededVersion: (number: Int, reason: String) = (1, "")
  private(set) var problems: [Problem] = []

  /// Whether it lists playlists.
  var isMaster: Bool { !variants.isEmpty || !renditions.isEmpty }

  // What holds for the next segment or the next line.
  private var duration: Double?
  private var range: (count: UInt64, start: UInt64?)?
  private var map: Place?
  private var isGap = false
  private var pendingVariant: Stream?
  private var ends: [String: UInt64] = [:]

  init(_ text: String) {
    var number = 0
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      let line = line.drop { $0 == "\u{FEFF}" && number == 1 }
      if number == 1, line != "#EXTM3U" { problem(1, "the first line is not #EXTM3U") }
      if line.isEmpty { continue }
      if line.hasPrefix("#EXT") {
        let parts = line.dropFirst().split(separator: ":", maxSplits: 1)
        guard let tag = parts.first else { continue }
        add(String(tag), parts.count > 1 ? String(parts[1]) : "", number)
      } else if !line.hasPrefix("#") {
        add(uri: String(line), number)
      }
    }
    if let pendingVariant { problem(pendingVariant.line, "no address follows the variant") }
    if duration != nil { problem(number, "no address follows the last EXTINF") }
  }

  private mutating func problem(_ line: Int, _ message: String) {
    if problems.count < 100 { problems.append(Problem(line: line, message: message)) }
  }

  private mutating func needs(_ version: Int, _ reason: String) {
    if version > neededVersion.number { neededVersion = (version, reason) }
  }

  private mutating func add(_ tag: String, _ value: String, _ line: Int) {
    switch tag {
    case "EXT-X-VERSION":
      if let number = Int(value), number > 0 {
        version = number
      } else {
        problem(line, "the version is not a number")
      }
    case "EXT-X-TARGETDURATION":
      targetDuration = Int(value)
      if targetDuration == nil { problem(line, "the target duration is not a whole number of seconds") }
    case "EXTINF":
      let text = value.prefix { $0 != "," }
      duration = Double(text)
      if let seconds = duration, seconds.isFinite, seconds >= 0 {
        if text.contains(".") { needs(3, "EXTINF with a fraction") }
      } else {
        duration = nil
        problem(line, "EXTINF has no duration")
      }
    case "EXT-X-BYTERANGE":
      range = Self.range(value)
      if range == nil { problem(line, "the range of bytes cannot be read") }
      needs(4, "EXT-X-BYTERANGE")
    case "EXT-X-I-FRAMES-ONLY":
      hasOnlyPictures = true
      needs(4, tag)
    case "EXT-X-INDEPENDENT-SEGMENTS": isIndependent = true
    case "EXT-X-KEY", "EXT-X-SESSION-KEY":
      if attributes(value, line)["METHOD"] != "NONE" { isEncrypted = true }
    case "EXT-X-GAP": isGap = true
    case "EXT-X-MAP": addMap(attributes(value, line), line)
    case "EXT-X-STREAM-INF":
      if let pendingVariant { problem(pendingVariant.line, "no address follows the variant") }
      pendingVariant = Stream(attributes: attributes(value, line), line: line)
      needLayouts(pendingVariant)
    case "EXT-X-I-FRAME-STREAM-INF":
      let attributes = attributes(value, line)
      let stream = Stream(attributes: attributes, uri: attributes["URI"], line: line, isPictures: true)
      if stream.uri == nil { problem(line, "the I-frame stream has no URI") }
      needLayouts(stream)
      variants.append(stream)
    case "EXT-X-MEDIA":
      let attributes = attributes(value, line)
      for key in ["TYPE", "GROUP-ID", "NAME"] where attributes[key] == nil {
        problem(line, "\(key) is missing")
      }
      renditions.append(Stream(attributes: attributes, uri: attributes["URI"], line: line))
    case "EXT-X-SESSION-DATA":
      let attributes = attributes(value, line)
      if attributes["DATA-ID"] == nil { problem(line, "DATA-ID is missing") }
      if attributes["DATA-ID"] == PlaylistAttributes.venueDataID {
        venue = Stream(attributes: attributes, uri: attributes["URI"], line: line)
      }
    default: break
    }
  }

  private mutating func needLayouts(_ stream: Stream?) {
    if stream?.attributes["REQ-VIDEO-LAYOUT"] != nil { needs(12, "REQ-VIDEO-LAYOUT") }
  }

  private mutating func addMap(_ attributes: [String: String], _ line: Int) {
    guard let uri = attributes["URI"] else { return problem(line, "EXT-X-MAP has no URI") }
    // Version 5 allows maps in playlists of pictures, 6 in all. RFC 8216, 7
    needs(hasOnlyPictures ? 5 : 6, "EXT-X-MAP")
    map = Place(uri: uri)
    guard let text = attributes["BYTERANGE"] else { return }
    guard let found = Self.range(text) else { return problem(line, "the range of bytes cannot be read") }
    let start = found.start ?? 0
    map?.range = start..<start.addingReportingOverflow(found.count).partialValue
  }

  private mutating func add(uri: String, _ line: Int) {
    if var variant = pendingVariant {
      pendingVariant = nil
      variant.uri = uri
      variants.append(variant)
      return
    }
    var place = Place(uri: uri)
    if let range {
      let start = range.start ?? ends[uri] ?? 0
      let (end, overflow) = start.addingReportingOverflow(range.count)
      if overflow {
        problem(line, "the range of bytes ends beyond 64 bits")
      } else {
        place.range = start..<end
      }
      ends[uri] = overflow ? start : end
    }
    if duration == nil { problem(line, "no EXTINF precedes the segment") }
    segments.append(Segment(place: place, duration: duration, map: map, isGap: isGap, line: line))
    (duration, range, isGap) = (nil, nil, false)
  }

  /// `1000@200`: how many bytes, and where they begin. A sum beyond 64 bits is not a range.
  private static func range(_ text: String) -> (count: UInt64, start: UInt64?)? {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard let first = parts.first, let count = UInt64(first), parts.count <= 2 else { return nil }
    guard parts.count == 2 else { return (count, nil) }
    guard let start = UInt64(parts[1]), !start.addingReportingOverflow(count).overflow else { return nil }
    return (count, start)
  }

  /// `KEY=value,KEY="text, with commas"`. RFC 8216, 4.2
  private mutating func attributes(_ text: String, _ line: Int) -> [String: String] {
    var found: [String: String] = [:]
    var rest = text[...]
    while !rest.isEmpty {
      guard let sign = rest.firstIndex(of: "=") else {
        problem(line, "an attribute has no value")
        break
      }
      let key = rest[..<sign].drop { $0 == " " }
      rest = rest[rest.index(after: sign)...]
      let value: Substring
      if rest.first == "\"" {
        rest = rest.dropFirst()
        guard let end = rest.firstIndex(of: "\"") else {
          problem(line, "a quotation mark is missing after \(key)")
          break
        }
        value = rest[..<end]
        rest = rest[rest.index(after: end)...].drop { $0 != "," }
      } else {
        value = rest.prefix { $0 != "," }
        rest = rest.dropFirst(value.count)
      }
      if found.updateValue(String(value), forKey: String(key)) != nil { problem(line, "\(key) is repeated") }
      rest = rest.dropFirst()
    }
    return found
  }
}
