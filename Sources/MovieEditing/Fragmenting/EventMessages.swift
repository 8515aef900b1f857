// swift-multiview · SPDX-License-Identifier: Apache-2.0

import FileAccess
import ISOBMFF
import Multiview

/// The event messages of a movie that have times of the presentation, in the order of these. Each precedes the
/// fragment in which its time is, so that it is read in time. ISO/IEC 23009-1, 5.10.3.3
struct EventMessages {
  private let messages: [(time: MediaTime, range: Range<UInt64>)]
  private var taken = 0

  init(of movie: MovieFile) {
    var found: [(time: MediaTime, range: Range<UInt64>)] = []
    for box in movie.tree?.boxes ?? [] {
      guard let time = box.eventTime else { continue }
      found.append((time, UInt64(box.offset)..<UInt64(clamping: box.fileRange.upperBound)))
    }
    // Those of the same time keep their order.
    messages = found.enumerated().sorted {
      $0.element.time == $1.element.time ? $0.offset < $1.offset : $0.element.time < $1.element.time
    }.map(\.element)
  }

  /// Whether all were taken.
  var isEmpty: Bool { taken == messages.count }

  /// Takes the messages before a time, or all that are left for `nil`, and returns their ranges in the file.
  mutating func take(before end: MediaTime?) -> [Range<UInt64>] {
    let first = taken
    while !isEmpty, end.map({ messages[taken].time < $0 }) ?? true { taken += 1 }
    return messages[first..<taken].map(\.range)
  }
}

extension Box {
  /// The time of an event message in the presentation; `nil` for one whose time is relative to its segment, and for
  /// other boxes.
  var eventTime: MediaTime? {
    guard type == "emsg", structuralProblem == nil, let message = payload(EventMessageBox.self),
      message.version == 1, message.timescale > 0
    else { return nil }
    return MediaTime(value: Int64(clamping: message.presentationTime), timescale: message.timescale)
  }
}
