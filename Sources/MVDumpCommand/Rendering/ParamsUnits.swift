// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import Multiview

/// The NAL units that `params` shows of a track, in the order in which a decoder gets them: those of the records, of the
/// first sample, and parameter sets of later samples where they are new.
struct ParamsUnits {
  let track: Track
  /// The one layer that is wanted.
  let layer: Int?
  /// Samples of which every parameter set and message is shown, instead of the first one and what is new.
  let samples: Range<Int>?
  /// How much may be shown, of all tracks together.
  let allowance: ParamsAllowance

  /// Hands each unit to `body`, with the parameter sets that hold there; `body` answers whether to go on.
  ///
  /// - Parameter damage: hears of samples that cannot be read whole.
  func forEach(
    noting damage: (_ sample: Int, ParseError) -> Void, _ show: (DescribableUnit) -> Bool
  ) throws(SourceError) {
    guard !allowance.isExceeded else { return }
    var store = ParameterSetStore()
    func body(_ unit: DescribableUnit) -> Bool { allowance.admits(unit.unit) && show(unit) }
    for located in track.layerAnalysis.units {
      if case .sample = located.source { continue }
      store.insert(located.unit, source: "\(located.source)")
      if isWanted(located.unit.header), !body(DescribableUnit(located: located, store: store)) { return }
    }
    if track.formatDescriptions.first?.isProtected == true { return }
    var failure: SourceError?
    try track.forEachAccessUnit(0..<(samples?.upperBound ?? .max)) { places, walker in
      if let error = places.error { damage(places.index, error) }
      let isShown = samples?.contains(places.index) ?? (places.index == 0)
      for place in places.units {
        let type = place.header.type
        guard type.isParameterSet || (type.isSEI && isShown) else { continue }
        do throws(SourceError) {
          guard let unit = try walker.unit(place, limit: Limits.standard.maximumParameterSetBytes) else {
            continue
          }
          let located = LocatedNALUnit(unit, .sample(places.index))
          let change = store.insert(unit, source: "\(located.source)")
          let isNews = samples == nil && change != .same && change != .none
          guard isShown || isNews, isWanted(unit.header) else { continue }
          if !body(DescribableUnit(located: located, store: store)) { return false }
        } catch {
          failure = error
          return false
        }
      }
      return true
    }
    if let failure { throw failure }
  }

  private func isWanted(_ header: NALUnitHeader) -> Bool { layer == nil || Int(header.layerID) == layer }
}

/// How many bytes of parameter sets and messages are shown.
///
/// A few bytes of them make a page of text. So a file that repeats or changes its sets without end, or has tracks without
/// number that share them, is not shown to its end.
final class ParamsAllowance {
  /// How many bytes are shown where nobody asks for certain samples.
  private static let usual = 1 << 18
  /// What units count for at least.
  private static let smallestUnit = 64

  private let limit: Int
  private var used = 0
  /// Whether something was left out.
  private(set) var isExceeded = false

  /// What is shown where nobody asks for certain samples.
  init() { limit = Self.usual }

  /// All units that a file of that size can have, unless they lie upon one another: the smallest take six bytes.
  init(wholeFile size: UInt64?) {
    let (all, overflow) = Int(clamping: size ?? .max).multipliedReportingOverflow(by: Self.smallestUnit / 4)
    limit = overflow ? .max : max(Self.usual, all)
  }

  /// Whether a unit is still shown: one is that stands behind no more than the limit.
  func admits(_ unit: NALUnit) -> Bool {
    isExceeded = isExceeded || used > limit
    guard !isExceeded else { return false }
    used &+= max(unit.bytes.count, Self.smallestUnit)
    return true
  }

  /// What is said of the rest.
  var diagnostic: Diagnostic {
    Diagnostic(
      .warning, "limit-exceeded",
      "more than \(limit) bytes of parameter sets and messages: the others are not shown")
  }
}

/// A NAL unit of the kinds that `params` shows, ready to be described.
struct DescribableUnit {
  let located: LocatedNALUnit
  /// The parameter sets that hold where it stands, itself among them.
  let store: ParameterSetStore

  var unit: NALUnit { located.unit }

  /// Describes the elements of a parameter set behind its header; answers what stopped the reading.
  func describeSet(into sink: inout some FieldSink) -> ParseError? {
    let rbsp = unit.rbsp
    switch unit.type {
    case .videoParameterSet:
      var set = VideoParameterSet()
      return rbsp.trace(&set, into: &sink).error
    case .sequenceParameterSet:
      var set = SequenceParameterSet()
      set.nuhLayerID = unit.layerID
      set.inherited = store.sequenceParameterSets.first { $0.unit == unit }?.content.inherited
      return rbsp.trace(&set, into: &sink).error
    case .pictureParameterSet:
      var set = PictureParameterSet()
      return rbsp.trace(&set, into: &sink).error
    default: return nil
    }
  }

  /// How many messages of one unit are shown: half a million fit into one, and take a page each.
  private static let maximumMessages = 4_096

  /// The messages of an SEI unit as far as they can be read, and what stopped the reading.
  func messages() -> (content: SEIMessages, error: ParseError?) {
    var (content, _, error) = unit.rbsp.decode(SEIMessages())
    let count = content.messages.count
    if count > Self.maximumMessages {
      content.messages.removeLast(count - Self.maximumMessages)
      error = ParseError(
        .limitExceeded(limit: "\(Self.maximumMessages) messages", value: UInt64(count)),
        offset: unit.bytes.fileOffset, field: "sei_message")
    }
    return (content, error)
  }

  /// What the payloads of messages depend on.
  var context: SEIContext { store.seiContext(layerID: unit.layerID) }
}
