// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// A picture as a reference decoder output it: a line of a truth file of the corpus.
public struct PictureTruth: Hashable, Sendable, CustomStringConvertible {
  /// `layer poc width height bitDepthLuma bitDepthChroma chroma_format_idc crop`
  public var format: String
  /// The MD5 of each plane inside the conformance window; `-` for a plane that does not exist.
  public var hashes: [String]

  /// Makes a line.
  public init(format: String, hashes: [String] = []) {
    self.format = format
    self.hashes = hashes
  }

  public var description: String { ([format] + hashes).joined(separator: " ") }

  /// Returns the lines of a truth file, in output order.
  public static func read(_ text: String) -> [PictureTruth] {
    text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let words = line.split(separator: " ").map(String.init)
      return PictureTruth(format: words.prefix(8).joined(separator: " "), hashes: Array(words.dropFirst(8)))
    }
  }

  /// The streams in `fixtures/pictures` with their truth, by name.
  public static let fixtures: [String: [PictureTruth]] = {
    var found: [String: [PictureTruth]] = [:]
    for name in filesBelow(Fixtures.folder + "/pictures") where name.hasSuffix(".bit") {
      let base = String(name.dropLast(4))
      let text = Fixtures.bytes("pictures/\(base).md5.txt").array
      found[base] = read(String(decoding: text, as: UTF8.self))
    }
    return found
  }()

  /// The truth of streams of the corpus, by the path of the stream in it.
  public static let streams: [String: [PictureTruth]] = {
    guard let folder = Corpus.folder else { return [:] }
    var found: [String: [PictureTruth]] = [:]
    for name in Corpus.files("pictures") {
      guard let slash = name.lastIndex(of: "/") else { continue }
      let base = name[name.index(after: slash)...].split(separator: ".").first ?? ""
      guard let text = contents("\(folder)/\(name[..<slash])/truth/\(base).md5.txt") else { continue }
      found[name] = read(String(decoding: text, as: UTF8.self))
    }
    return found
  }()
}
