// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import Multiview

/// When the pictures of a stream are shown, in the order of presentation, if each has a time of its own.
package struct PresentationTimes: Sendable {
  /// When each picture begins.
  private var starts: [MediaTime] = []
  /// When the last one ends.
  private var end: MediaTime?

  package init() {}

  /// Adds the next picture; returns whether it begins after the one before.
  ///
  /// - Parameter duration: how long it is shown if it is the last one; `nil` for as long as the one before, and a 30th of a second
  ///   if there is none.
  package mutating func append(_ start: MediaTime, duration: MediaTime?) -> Bool {
    guard starts.last.map({ $0 < start }) ?? (start >= .zero), duration.map({ $0 > .zero }) ?? true else {
      return false
    }
    end = start + (duration ?? starts.last.map { start - $0 } ?? MediaTime(value: 1, timescale: 30))
    starts.append(start)
    return true
  }

  /// When a picture begins, by its number in the order of presentation; when the last one does if there are fewer. `nil` if there is
  /// none.
  func start(of number: Int) -> MediaTime? { starts.indices.contains(number) ? starts[number] : starts.last }

  /// From the beginning of the first picture to the end of the last one.
  package var duration: MediaTime {
    guard let first = starts.first, let end else { return .zero }
    return end - first
  }

  /// Whether each picture begins within half a period of when it does at a rate, from time 0 on.
  package func isEven(_ rate: FrameRate) -> Bool {
    let period = Double(rate.denominator) / Double(rate.numerator)
    return starts.enumerated().allSatisfy { number, start in
      abs(start.seconds - Double(number) * period) < period / 2
    }
  }

  /// The times in units of which all are whole numbers.
  func timetable() throws(EditError) -> Timetable {
    let all = starts + (end.map { [$0] } ?? [])
    var scales = Set(all.map(\.reduced.timescale))
    // Fine enough for sound that begins between two pictures.
    if let scale = commonTimescale(scales.sorted()), scale < 600 { scales.insert(600) }
    guard let timescale = commonTimescale(scales.sorted()), let first = all.first else {
      throw EditError(
        .exceedsLimit, "no timescale can express the times of all pictures",
        advice: "Give all times in the same timescale.")
    }
    let start = first.converted(to: timescale).value
    var bounds: [Int64] = []
    bounds.reserveCapacity(all.count)
    for time in all {
      let (units, overflow) = time.converted(to: timescale).value.subtractingReportingOverflow(start)
      guard !overflow, units <= Int64.max / 4 else {
        throw EditError(.exceedsLimit, "the times of pictures are too far apart")
      }
      bounds.append(units)
    }
    return Timetable(timescale: timescale, delay: start, bounds: bounds)
  }
}

/// The times of pictures in units of their media, in the order of presentation.
struct Timetable: Sendable {
  let timescale: UInt32
  /// How long nothing is shown before the first picture.
  let delay: Int64
  /// When each picture begins after the first one, and when the last one ends.
  let bounds: [Int64]
}
