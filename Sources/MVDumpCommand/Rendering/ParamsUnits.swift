// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
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

  /// Hands each unit to `body`, with the parameter sets that hold there; `body` returns whether to continue.
  ///
  /// - Parameter damage: hears of samples that cannot be read whole.
  func forEach(
    noting damage: (_ sample: Int, ParseError) -> Void, _ show: (DescribableUnit) -> Bool
  ) throws(SourceError) {
    guard !allowance.isExceeded else { return }
    var store = track.layerAnalysis.parameterSetStore()
    let contexts = SEIContexts()
    func insert(_ located: LocatedNALUnit) -> ParameterSetStore.Change {
      let change = store.insert(located.unit, source: "\(located.source)")
      if change != .ignored, change != .same { contexts.forget() }
      return change
    }
    func describable(_ located: LocatedNALUnit) -> DescribableUnit {
      DescribableUnit(located: located, store: store, contexts: contexts)
    }
    func body(_ unit: DescribableUnit) -> Bool { allowance.admits(unit.unit) && show(unit) }
    for located in track.layerAnalysis.units {
      if case .sample = located.source { continue }
      _ = insert(located)
      if isWanted(located.unit.header), !body(describable(located)) { return }
    }
    if track.isProtected { return }
    var known: Set<UInt32> = [track.mainDescriptionNumber]
    try track.forEachAccessUnit(0..<(samples?.upperBound ?? .max)) { places, walker throws(SourceError) in
      if let error = places.error { damage(places.index, error) }
      if let number = places.sample?.descriptionIndex, known.insert(number).inserted {
        // The records of another description hold from here on.
        for located in track.described(byDescription: number).layerAnalysis.units {
          if case .sample = located.source { continue }
          let change = insert(located)
          guard change != .same, isWanted(located.unit.header) else { continue }
          if !body(describable(located)) { return false }
        }
      }
      let isShown = samples?.contains(places.index) ?? (places.index == 0)
      for place in places.units {
        let type = place.header.type
        guard type.isParameterSet || (type.isSEI && isShown) else { continue }
        if let excess = type.excess(place.byteCount, at: Int(clamping: place.range.lowerBound)) {
          damage(places.index, excess)
          continue
        }
        guard let unit = try walker.unit(place) else { continue }
        let located = LocatedNALUnit(unit, .sample(places.index))
        let change = insert(located)
        let isNews = samples == nil && change != .same && change != .ignored
        guard isShown || isNews, isWanted(unit.header) else { continue }
        if !body(describable(located)) { return false }
      }
      return true
    }
  }

  private func isWanted(_ header: NALUnitHeader) -> Bool { layer == nil || Int(header.layerID) == layer }
}

/// How many bytes of parameter sets and messages are shown.
///
/// A few bytes of them make a page of text. So a file that repeats or changes its sets endlessly, or has any number of
/// tracks that share them, is not shown to its end.
final class ParamsAllowance {
  /// How many bytes are shown where no samples are selected.
  private static let usual = 1 << 17
  /// The minimum that a unit counts for, in bytes.
  private static let smallestUnit = 64
  /// How many bytes of text there may be before the last thing that is shown: an element of a bit, or of none, makes a
  /// line.
  private static let usualText = 1 << 23

  private let limit: Int
  private let out: OutputBuffer
  private let lastText: Int
  private var used = 0
  /// Whether something was left out.
  private(set) var isExceeded = false

  /// The units that are shown if no samples are selected.
  init(_ out: OutputBuffer) {
    limit = Self.usual
    self.out = out
    lastText = out.total &+ Self.usualText
  }

  /// All units that a file of that size can have, unless they overlap: the smallest take six bytes.
  init(_ out: OutputBuffer, wholeFile size: UInt64?) {
    self.out = out
    lastText = .max
    let (all, overflow) = Int(clamping: size ?? .max).multipliedReportingOverflow(by: Self.smallestUnit / 4)
    limit = overflow ? .max : max(Self.usual, all)
  }

  /// Whether a unit is still shown: one is that follows no more than the limit.
  func admits(_ unit: NALUnit) -> Bool {
    isExceeded = isExceeded || used > limit
    guard admitsText(), !isExceeded else { return false }
    used &+= max(unit.bytes.count, Self.smallestUnit)
    return true
  }

  /// Whether there may be more text; where not, something was left out.
  func admitsText() -> Bool {
    guard out.total > lastText else { return true }
    isExceeded = true
    return false
  }

  /// The note on omitted units.
  var diagnostic: Diagnostic {
    Diagnostic(
      .warning, "limit-exceeded",
      used > limit
        ? "more than \(limit) bytes of parameter sets and messages: the others are not shown"
        : "more than \(Self.usualText) bytes of text: the rest is not shown")
  }
}

/// A NAL unit of the kinds that `params` shows, ready to be described.
struct DescribableUnit {
  let located: LocatedNALUnit
  /// The parameter sets that hold where it is, itself among them.
  let store: ParameterSetStore
  let contexts: SEIContexts

  var unit: NALUnit { located.unit }

  /// Describes the elements of a parameter set after its header, and returns the error that stopped the
  /// reading; `nil` for none.
  func describeSet(into sink: any FieldSink) -> ParseError? { store.describe(unit, into: sink) }

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

  /// The context that the payloads of messages depend on.
  var context: SEIContext { contexts.context(of: unit.layerID, in: store) }
}

/// The context of the messages of each layer, made once for all messages between two changes of the parameter sets.
final class SEIContexts {
  private var known: [UInt8: SEIContext] = [:]

  func context(of layerID: UInt8, in store: ParameterSetStore) -> SEIContext {
    if let context = known[layerID] { return context }
    let context = store.seiContext(layerID: layerID)
    known[layerID] = context
    return context
  }

  func forget() { known.removeAll() }
}
