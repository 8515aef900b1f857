// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Foundation
import Multiview
import MultiviewFoundation

// The code of the articles "Scanning a library" and "Reading many movies at once".

/// What a library shows of a movie.
struct Card: Codable, Sendable {
  var file: String
  var classification: Classification
  var seconds: Double?
  var taken: Date?
  var place: GeographicLocation?
  var lacking: [String]?
}

func card(of url: URL) throws -> Card {
  let movie = try MovieFile(url: url)
  return Card(
    file: url.lastPathComponent, classification: movie.classification, seconds: movie.duration?.seconds,
    taken: movie.creationDate, place: movie.location,
    lacking: movie.mainVideoTrack?.classificationReport.strict?.lacking.map(\.rawValue))
}

func printLibrary(_ folder: URL) throws {
  let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
  for url in files.sorted(by: { $0.path < $1.path }) where ["mov", "mp4"].contains(url.pathExtension) {
    do {
      let card = try card(of: url)
      guard card.classification == .spatial || card.classification == .stereo else { continue }
      print(card.file, card.classification, card.lacking ?? [])
    } catch {
      // One that is not a movie hides no other.
      print(url.lastPathComponent, error.localizedDescription)
    }
  }
}

func printSummary(_ url: URL) throws {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys]
  let summary = MovieSummary(try MovieFile(url: url))
  let json = try encoder.encode(summary)
  print(json.count > 400, try JSONDecoder().decode(MovieSummary.self, from: json) == summary)
}

/// The cards of many files, as many at once as there are processors.
func cards(of files: [URL]) async -> [Card] {
  await withTaskGroup(of: Card?.self) { group in
    var waiting = files[...]
    for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
      if let url = waiting.popFirst() { group.addTask { try? card(of: url) } }
    }
    var cards: [Card] = []
    while let found = await group.next() {
      if let url = waiting.popFirst() { group.addTask { try? card(of: url) } }
      if let found { cards.append(found) }
    }
    return cards
  }
}
