// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC

/// The limit of the work of one operation, such as a walk over the samples of a track with everything that is read on the way.
///
/// Samples may overlap, those of one track and those of many, and extractors may name the same bytes any number of
/// times, so that a small file can ask for much work. An operation may do as much as it takes to pass through the
/// file so many times (`Limits.maximumSampleOverlap`). It has a budget of its own, which no other takes from, so
/// that no result depends on earlier requests.
package final class WorkBudget {
  /// A kind of work, whose cost is counted in bytes.
  package enum Work {
    /// A NAL unit of so many bytes: these, and 64 for the unit; 32 more for each byte that is parsed, which are all
    /// of a parameter set or message, up to the longest that is read, and the first of a slice. That is never more
    /// than 64 times what the unit and its length take in the file, so that one walk over samples beside one another
    /// is always within the budget.
    case unit(NALUnitType?, bytes: Int)
    /// Bytes that are copied.
    case bytes(Int)
    /// Constructors that are followed, or samples that are searched for by their times.
    case searches(Int)
    /// Samples that are passed, and entries about them in boxes other than the tables. A sample takes at least half a
    /// byte of a table.
    case steps(Int)

    /// The cost of reading parameter sets and messages.
    package static func cost(of units: some Sequence<NALUnit>) -> Int {
      units.reduce(0) { $0 + unit($1.type, bytes: $1.bytes.count).cost }
    }

    var cost: Int {
      switch self {
      case .unit(let type, let bytes):
        guard let type else { return 64 + bytes }
        var parsed = type.isSliceSegment ? 16 : 0
        if type.isParameterSet || type.isSEI { parsed = Limits.maximumParameterSetBytes }
        return 64 + bytes + 32 * min(bytes, parsed)
      case .bytes(let count): return count
      case .searches(let count): return 256 * count
      case .steps(let count): return 32 * count
      }
    }
  }

  private let allowed: Int
  /// The cost of the work so far.
  package private(set) var spent = 0
  /// The error, once the budget is exhausted; no more work is done then.
  package private(set) var exhaustion: ParseError?
  package var isExhausted: Bool { exhaustion != nil }

  /// A budget without bounds, unless there is one.
  init(_ allowed: Int = .max) { self.allowed = allowed }

  /// The budget of an operation on a track, or on one of so many sample descriptions of a track. Of more than eight
  /// HEVC tracks each has less, because each may be asked for.
  convenience init(_ context: MovieContext, sharedBy count: Int = 1) {
    let whole = Self.whole(context.source, context.limits)
    self.init(whole == .max ? .max : whole / (max(8, context.hevcTracks) * count) * 8)
  }

  /// The budget of an operation on a track.
  package convenience init(_ track: Track) { self.init(track.context) }

  /// The budget of an operation on all tracks of two movies.
  convenience init(_ first: MovieFile, _ second: MovieFile) {
    let (sum, overflow) = Self.whole(first.source, first.limits).addingReportingOverflow(
      Self.whole(second.source, second.limits))
    self.init(overflow ? .max : sum)
  }

  /// The cost of reading a file as many times as allowed.
  private static func whole(_ source: any ByteSource, _ limits: Limits) -> Int {
    let (product, overflow) = Int(clamping: source.size ?? .max).multipliedReportingOverflow(
      by: max(1, limits.maximumSampleOverlap))
    return overflow ? .max : product
  }

  /// Takes back what was paid since so much was spent: it led to something that whoever reads the file asked for.
  package func forgive(since spent: Int) { if !isExhausted { self.spent = spent } }

  /// Begins another operation.
  package func begin() { (spent, exhaustion) = (0, nil) }

  /// Pays for some work at a place of the file; `false` if that is too much.
  package func admits(_ work: Work, at offset: UInt64) -> Bool {
    spent &+= work.cost
    guard spent > allowed else { return true }
    exhaustion =
      exhaustion
      ?? ParseError(
        .limitExceeded(limit: "\(allowed) (maximumSampleOverlap)", value: UInt64(clamping: spent)),
        offset: Int(clamping: offset), field: "NALUnit")
    return false
  }
}
