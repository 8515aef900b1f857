// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
public import FieldOutput

/// A trace that the reference decoder printed while it read a stream: every syntax element of every NAL unit.
public struct ReferenceTrace: Sendable {
  /// One line of the trace.
  public struct Element: Hashable, Sendable {
    /// The name, without indices.
    public var name: String
    /// The descriptor: `u(n)`, `ue(v)` or `se(v)`.
    public var descriptor: String
    /// The value.
    public var value: Int64
    /// The structure that the trace announced last, as it prints it: `SPS Layer 1`, `SEI message`.
    public var structure: String
    /// The line in the trace, from 1.
    public var line: Int
  }

  /// A NAL unit, with the elements after its header.
  public struct NALUnit: Hashable, Sendable {
    /// The type as the trace names it: `VPS`, `Prefix SEI`.
    public var label: String
    /// The type (`nal_unit_type`).
    public var type: Int
    /// The layer (`nuh_layer_id`).
    public var layerID: Int
    /// The temporal sub-layer, plus 1 (`nuh_temporal_id_plus1`).
    public var temporalIDPlus1: Int
    /// The elements after the header.
    public var elements: [Element]
    /// The picture order counts that the trace prints between elements.
    public var pictureOrderCounts: [Int]
  }

  /// The NAL units in order. The last one may be incomplete, because some traces end early.
  public var nalUnits: [NALUnit] = []

  /// Parses the text of a trace.
  public init(_ text: String) {
    var structure = ""
    var number = 0
    for line in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
      number += 1
      let line = String(Substring(line))
      if line.hasPrefix("*****") {
        let label = line.drop { $0 != "(" }.dropFirst().prefix { $0 != ")" }
        nalUnits.append(
          NALUnit(
            label: String(label), type: -1, layerID: -1, temporalIDPlus1: -1, elements: [],
            pictureOrderCounts: []))
        structure = ""
      } else if line.hasPrefix("=====") || line.hasPrefix("-----") {
        structure = line.trimming { "=- ".contains($0) }
      } else if let poc = Self.pictureOrderCount(line), let last = nalUnits.indices.last {
        nalUnits[last].pictureOrderCounts.append(poc)
      } else if let element = Self.element(line, structure, number), let last = nalUnits.indices.last {
        switch element.name {
        case "forbidden_zero_bit" where nalUnits[last].type < 0: break
        case "nal_unit_type" where nalUnits[last].type < 0: nalUnits[last].type = Int(element.value)
        case "nuh_layer_id" where nalUnits[last].layerID < 0: nalUnits[last].layerID = Int(element.value)
        case "nuh_temporal_id_plus1" where nalUnits[last].temporalIDPlus1 < 0:
          nalUnits[last].temporalIDPlus1 = Int(element.value)
        default: nalUnits[last].elements.append(element)
        }
      }
    }
  }

  /// `427  POC: 0 Layer: 0`
  private static func pictureOrderCount(_ line: String) -> Int? {
    let words = line.split { $0 == " " || $0 == "\t" }
    guard words.count >= 3, words[1] == "POC:" else { return nil }
    return Int(words[2])
  }

  /// `12  general_profile_space                              u(2)  : 0`
  private static func element(_ line: String, _ structure: String, _ number: Int) -> Element? {
    let parts = line.split(separator: " : ", maxSplits: 1)
    guard parts.count == 2, let value = Int64(parts[1].trimming { " \t".contains($0) }) else { return nil }
    var words = parts[0].split(separator: " ")
    guard words.count >= 3, Int(words[0]) != nil, let descriptor = words.popLast() else { return nil }
    var name = words.dropFirst().joined(separator: " ")
    while let open = name.firstIndex(of: "["), let close = name[open...].firstIndex(of: "]") {
      name.removeSubrange(open...close)
    }
    return Element(
      name: name.trimming { $0 == " " }, descriptor: String(descriptor), value: value, structure: structure,
      line: number)
  }
}

extension StringProtocol {
  /// The text without the characters at either end that `isCut` names.
  fileprivate func trimming(_ isCut: (Character) -> Bool) -> String {
    guard let first = firstIndex(where: { !isCut($0) }), let last = lastIndex(where: { !isCut($0) }) else {
      return ""
    }
    return String(self[first...last])
  }
}

/// Compares the syntax elements of this library with those of the reference decoder, which spells some names
/// differently and divides some fields in another way.
public struct TraceComparison: Sendable {
  /// The reference decoder's names, with the specification's name of the same element.
  public var names: [String: String]
  /// Elements of either side that may be divided differently on the other: their bits are joined before they
  /// are compared.
  public var regrouped: Set<String>
  /// Elements of this library that the reference decoder reads without printing them.
  public var unprinted: Set<String>

  /// Makes a comparison.
  public init(names: [String: String] = [:], regrouped: Set<String> = [], unprinted: Set<String> = []) {
    self.names = names
    self.regrouped = regrouped
    self.unprinted = unprinted
  }

  /// The result of a comparison.
  public struct Outcome: Sendable {
    /// The number of elements of the reference that were equal.
    public var equal = 0
    /// The first difference; `nil` if there is none.
    public var difference: String?

    /// Makes an outcome.
    public init(equal: Int = 0, difference: String? = nil) {
      self.equal = equal
      self.difference = difference
    }
  }

  /// Compares the elements in order. With `isPrefix`, the reference may end early.
  public func compare(
    _ reference: [ReferenceTrace.Element], _ elements: [SyntaxElement], isPrefix: Bool = false
  ) -> Outcome {
    var outcome = Outcome()
    var theirs = reference[...]
    var ours = elements.filter { !unprinted.contains($0.name) }[...]
    while let their = theirs.popFirst() {
      guard let our = ours.popFirst() else {
        outcome.difference = "line \(their.line): \(their.name) has no counterpart"
        return outcome
      }
      let name = names[their.name] ?? their.name
      if name == our.name, their.descriptor == our.descriptor {
        guard String(their.value) == our.value else {
          outcome.difference = "line \(their.line): \(name) is \(their.value), here \(our.value)"
          return outcome
        }
        outcome.equal += 1
      } else if let count = regroup(their, &theirs, our, &ours) {
        outcome.equal += count
      } else {
        outcome.difference =
          "line \(their.line): \(name) \(their.descriptor) \(their.value), "
          + "here \(our.name) \(our.descriptor) \(our.value)"
        return outcome
      }
    }
    if !isPrefix, let more = ours.first { outcome.difference = "the reference lacks \(more.name) at the end" }
    return outcome
  }

  /// Joins elements of both sides until they have the same number of bits, and returns the number of joined
  /// elements of the reference; `nil` if their bits differ.
  private func regroup(
    _ their: ReferenceTrace.Element, _ theirs: inout ArraySlice<ReferenceTrace.Element>,
    _ our: SyntaxElement, _ ours: inout ArraySlice<SyntaxElement>
  ) -> Int? {
    guard regrouped.contains(their.name), regrouped.contains(our.name),
      var theirBits = Self.width(their.descriptor), var ourBits = Self.width(our.descriptor),
      var ourValue = UInt64(our.value)
    else { return nil }
    var theirValue = UInt64(clamping: their.value)
    var count = 1
    while theirBits != ourBits {
      if theirBits < ourBits {
        guard let next = theirs.popFirst(), regrouped.contains(next.name),
          let bits = Self.width(next.descriptor)
        else { return nil }
        theirValue = theirValue << UInt64(bits) | UInt64(clamping: next.value)
        theirBits += bits
        count += 1
      } else {
        guard let next = ours.popFirst(), regrouped.contains(next.name),
          let bits = Self.width(next.descriptor), let value = UInt64(next.value)
        else { return nil }
        ourValue = ourValue << UInt64(bits) | value
        ourBits += bits
      }
    }
    return theirValue == ourValue ? count : nil
  }

  /// The number of bits of a `u(n)`.
  private static func width(_ descriptor: String) -> Int? {
    descriptor.hasPrefix("u(") ? Int(descriptor.dropFirst(2).dropLast()) : nil
  }
}
