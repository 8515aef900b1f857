// swift-multiview · SPDX-License-Identifier: Apache-2.0

// One file that imports the library next to Foundation, and next to SwiftUI where there is one: each name is used without
// its module. If it compiles, no name of the library hides one of theirs.

import Foundation
import Multiview
import MultiviewFoundation

#if canImport(SwiftUI)
import SwiftUI
#endif

/// A type that is coded by hand: `Encoder`, `Decoder` and their containers are those of the standard library.
struct SceneCard: Codable, Identifiable {
  var id = UUID()
  var file: URL
  var date: Date
  var classification: Classification
  var duration: MediaTime?

  private enum CodingKeys: String, CodingKey {
    case id, file, date, classification, seconds
  }

  init(file: URL, date: Date, movie: MovieFile) {
    self.file = file
    self.date = date
    classification = movie.classification
    duration = movie.duration
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(UUID.self, forKey: .id)
    file = try container.decode(URL.self, forKey: .file)
    date = try container.decode(Date.self, forKey: .date)
    classification = Classification(rawValue: try container.decode(String.self, forKey: .classification))
    guard let seconds = try container.decodeIfPresent(Double.self, forKey: .seconds) else { return }
    duration = MediaTime(value: Int64((seconds * 1_000).rounded()), timescale: 1_000)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(file, forKey: .file)
    try container.encode(date, forKey: .date)
    try container.encode(classification.rawValue, forKey: .classification)
    try container.encodeIfPresent(duration?.seconds, forKey: .seconds)
  }
}

/// Names that say what is theirs and what is ours.
struct Names {
  var data = Data()
  var formatter = DateFormatter()
  var measurement = Measurement(value: 63, unit: UnitLength.millimeters)
  var progress = Progress(totalUnitCount: 200)
  var box: Box?
  var track: Track?
  var type: FourCC = "hvc1"
  var bytes = ByteView()
  var unit: NALUnit?
  var colour = Chromaticity()
}

func card(of url: URL) throws -> Data {
  let movie = try MovieFile(url: url)
  return try JSONEncoder().encode(SceneCard(file: url, date: Date(), movie: movie))
}

#if canImport(SwiftUI)
/// A layout and a view of SwiftUI, with a movie in it.
struct Columns: Layout {
  func sizeThatFits(proposal: ProposedViewSize, subviews: Subviews, cache: inout ()) -> CGSize { .zero }
  func placeSubviews(in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews, cache: inout ()) {}
}

struct CardView: View {
  var card: SceneCard
  var colour = Color.primary

  var body: some View {
    Group {
      Label(card.file.lastPathComponent, systemImage: "view.3d")
      Text(card.classification.description).foregroundStyle(colour)
    }
  }
}
#endif
