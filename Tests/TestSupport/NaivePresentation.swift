// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ISOBMFF

/// The presentation of samples by an edit list, computed for each unit of time. It is meant for short tracks
/// and small numbers.
public struct NaivePresentation {
  /// A sample where it is presented.
  public struct Shown: Equatable {
    /// The position in presentation order.
    public var position: Int
    /// The index of the sample.
    public var sample: Int
    /// The index of the edit; -1 without an edit list.
    public var edit: Int
    /// The time at which the sample begins.
    public var time: Int64
    /// The time range in which the sample can be seen.
    public var range: Range<Int64>
  }

  /// A stretch of movie time that shows media.
  private struct Part {
    var number: Int
    var start: Int
    var end: Int
    /// The range of its media times; `nil` if it has none.
    var media: Range<Int>?
    var isHeld: Bool
    /// The exact start and the rate, as fractions.
    var exactStart: (Int, over: Int)
    var rate: Int
  }

  /// All presentations, in order.
  public private(set) var all: [Shown] = []
  /// The index in ``all`` of what can be seen, for each unit of time from 0 on.
  public private(set) var seen: [Int?] = []
  private let composed: [Sample]

  /// Computes the presentation of `samples`, and ``seen`` for a number of units of time.
  public init(
    _ samples: [Sample], _ entries: [EditListBox.Entry], movie: Int, media: Int, isFragmented: Bool,
    units: Int
  ) {
    composed = samples.filter { $0.compositionOffset != Int64(Int32.min) }
      .sorted { ($0.compositionTime, $0.index) < ($1.compositionTime, $1.index) }
    let ends = composed.map { Int($0.compositionTime) + max(1, Int($0.duration)) }
    let mediaEnd = ends.max() ?? 0
    seen = Array(repeating: nil, count: units)
    for part in Self.parts(entries, movie, media, isFragmented) {
      guard let shown = part.media else { continue }
      let first = all.count
      for (rank, sample) in composed.enumerated() {
        let time = Int(sample.compositionTime)
        let next = rank + 1 < composed.count ? Int(composed[rank + 1].compositionTime) : mediaEnd
        let isHeldIntoIt = time < shown.lowerBound && next > shown.lowerBound
        guard shown.contains(time) || isHeldIntoIt else { continue }
        all.append(
          .init(
            position: all.count, sample: sample.index, edit: part.number,
            time: Int64(Self.time(time, part)), range: 0..<0))
      }
      guard first < all.count else { continue }
      let isLast = all[all.count - 1].sample == composed.last?.index
      let end = isLast && !part.isHeld ? min(part.end, Self.time(mediaEnd, part)) : part.end
      // In each unit of time, the last sample that has begun is seen.
      for unit in max(0, part.start)..<max(0, part.start, min(end, units)) {
        seen[unit] = (first..<all.count).last { all[$0].time <= unit }
      }
      for index in first..<all.count {
        let begin = min(max(Int(all[index].time), part.start), part.end)
        let stop = index + 1 < all.count ? Int(all[index + 1].time) : end
        all[index].range = Int64(begin)..<Int64(max(begin, min(stop, part.end)))
      }
    }
  }

  private static func parts(
    _ entries: [EditListBox.Entry], _ movie: Int, _ media: Int, _ isFragmented: Bool
  ) -> [Part] {
    guard !entries.isEmpty else {
      return [
        Part(
          number: -1, start: .min / 4, end: .max / 4, media: (.min / 4)..<(.max / 4), isHeld: false,
          exactStart: (0, over: 1), rate: 1 << 16)
      ]
    }
    let isAllZero = entries.allSatisfy { $0.editDuration == 0 }
    var parts: [Part] = []
    var before = 0
    for (number, entry) in entries.enumerated() {
      let length = Int(entry.editDuration)
      let isOpen = length == 0 && number == entries.count - 1 && (isFragmented || isAllZero)
      var rate = Int(entry.mediaRateInteger) * 65_536 + Int(UInt16(bitPattern: entry.mediaRateFraction))
      if rate < 0 { rate = 1 << 16 }
      let from = Int(entry.mediaTime)
      var part = Part(
        number: number, start: halfUp(before * media, movie),
        end: isOpen ? .max / 4 : halfUp((before + length) * media, movie), media: nil, isHeld: rate == 0,
        exactStart: (before * media, over: movie), rate: rate)
      let units = halfUp(length * media, movie)
      if from == -1 {
        part.media = nil
      } else if rate == 0 {
        part.media = isOpen || units > 0 ? from..<from + 1 : nil
      } else {
        let taken = isOpen ? .max / 4 : rate == 1 << 16 ? units : halfUp(units * rate, 1 << 16)
        part.media = taken > 0 ? from..<from + taken : nil
      }
      parts.append(part)
      before += length
    }
    return parts
  }

  /// The presentation time of a media time: the exact start plus the elapsed time at the rate, rounded once.
  private static func time(_ composition: Int, _ part: Part) -> Int {
    if part.number < 0 { return composition }
    if part.isHeld { return part.start }
    let ahead = composition - (part.media?.lowerBound ?? 0)
    if part.rate == 1 << 16 { return part.start + ahead }
    let (start, over) = part.exactStart
    return halfUp(start * part.rate + ahead * 65_536 * over, over * part.rate)
  }

  /// floor(n / d + 1 / 2)
  private static func halfUp(_ numerator: Int, _ denominator: Int) -> Int {
    let (quotient, rest) = (2 * numerator + denominator).quotientAndRemainder(dividingBy: 2 * denominator)
    return rest < 0 ? quotient - 1 : quotient
  }

  /// Returns the number of presentations that precede a sample which is not presented.
  public func numberBefore(unpresented sample: Sample) -> Int {
    let later = Set(
      composed.filter { ($0.compositionTime, $0.index) > (sample.compositionTime, sample.index) }.map(\.index)
    )
    return all.firstIndex { later.contains($0.sample) } ?? all.count
  }
}
