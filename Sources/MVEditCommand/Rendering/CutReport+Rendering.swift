// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FieldOutput
import MovieEditing
import Multiview

extension CutReport {
  /// What the new movie has, as a viewer would say it.
  var trackWords: String {
    var texts: [String] = []
    let pictures = tracks.filter(\.mediaType.isVisual)
    if !pictures.isEmpty {
      texts.append(Quantity.count(pictures.reduce(0) { $0 + $1.samples - $1.hiddenSamples }, "picture"))
    }
    var others: [(words: String, count: Int)] = []
    for track in tracks where !track.mediaType.isVisual {
      let words = track.mediaType == .audio ? "sound" : track.mediaType.words
      if let index = others.firstIndex(where: { $0.words == words }) {
        others[index].count += 1
      } else {
        others.append((words, 1))
      }
    }
    texts += others.map { $0.count == 1 ? $0.words : "\($0.words) (\($0.count) tracks)" }
    return texts.joined(separator: ", ")
  }

  /// The notices, with one line on everything that is in the file and not presented.
  func noticeLines(_ advice: String = "") -> [String] {
    var lines = notices.compactMap { notice -> String? in
      switch notice {
      case .hiddenPictures, .hiddenSound: nil
      default: notice.message
      }
    }
    if let hidden = hiddenSamplesText {
      let hasPictures = tracks.contains { $0.mediaType.isVisual && $0.hiddenSamples > 0 }
      lines.append(hidden + (hasPictures ? advice : ""))
    }
    return lines
  }

  /// The tracks of a movie that was cut, and what is remarkable about it.
  var json: JSONObject {
    [
      "tracks": JSONList(rows: tracks) {
        [
          "track": $0.id, "mediaType": "\($0.mediaType)", "samples": $0.samples,
          "hiddenSamples": $0.hiddenSamples,
        ]
      },
      "notices": JSONList(rows: notices) { ["kind": $0.kind, "track": $0.trackID, "message": $0.message] },
    ]
  }
}

extension MediaTime {
  /// A time of the movie, exact and in seconds.
  var json: JSONObject { .inline(["value": value, "timescale": timescale, "seconds": seconds]) }
}
