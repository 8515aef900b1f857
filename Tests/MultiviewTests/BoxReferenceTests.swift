// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import Multiview
import TestSupport
import Testing

/// Boxes of real files against the dumps of MP4Box: the same types, sizes and nesting in the same places.
@Suite(.enabled(if: Corpus.isPresent)) struct BoxReferenceTests {
  /// What the other tool gets wrong, and why it is that tool and not this library.
  enum KnownFault: CaseIterable {
    case stri, metadataNumbers, timedMetadata

    var reason: String {
      switch self {
      case .stri:
        "prints `stri` under the type and size of the `eyes` around it, and its siblings a second time beneath it: "
          + "the header in the file says stri"
      case .metadataNumbers:
        "prints the type of a numbered metadata item as eight digits: the number is the same"
      case .timedMetadata:
        "has no description of `mebx`: prints it with the size 0 and leaves out the boxes in it"
      }
    }

    init?(_ our: Box, _ their: ReferenceBox) {
      switch (our.type, their.type) {
      case ("stri", "eyes"): self = .stri
      case ("mebx", "mebx") where their.size == 0: self = .timedMetadata
      default:
        guard our.registration?.payloadType == MetadataItemBox.self, our.size == their.size,
          their.type.utf8.count == 8, UInt32(their.type, radix: 16) == our.type.rawValue
        else { return nil }
        self = .metadataNumbers
      }
    }

    /// Whether the boxes inside can be compared all the same.
    var hasComparableChildren: Bool { self == .metadataNumbers }
  }

  struct Comparison {
    var files = 0, boxes = 0, offsets = 0
    var faults: [KnownFault: Int] = [:]
    var differences: [String] = []

    /// Compares the boxes between two places of a file. Where nothing but boxes is there, their offsets follow
    /// from their sizes.
    mutating func compare(_ ours: [Box], _ theirs: [ReferenceBox], end: Int?, at place: String) {
      guard ours.count == theirs.count else {
        differences.append("\(place): \(ours.map(\.type)), there \(theirs.map(\.type))")
        return
      }
      var offset = end.map { $0 - ours.reduce(0) { $0 + $1.size } }
      for (our, their) in zip(ours, theirs) {
        let here = "\(place)/\(our.type)"
        boxes += 1
        if let expected = offset {
          offsets += 1
          if our.offset != expected { differences.append("\(here) at \(our.offset), there \(expected)") }
          offset = expected + our.size
        }
        if let fault = KnownFault(our, their) {
          faults[fault, default: 0] += 1
          guard fault.hasComparableChildren else { continue }
        } else if our.type.description != their.type || our.size != their.size {
          differences.append("\(here) \(our.size), there \(their.type) \(their.size)")
          continue
        }
        let isFilled = end != nil && our.trailing.isEmpty
        compare(our.children, their.children, end: isFilled ? our.fileRange.upperBound : nil, at: here)
      }
    }

    func report(_ tool: String) {
      print(
        "\(files) files, \(boxes) boxes as in \(tool), \(offsets) of them with their offset; known faults:")
      for fault in KnownFault.allCases where faults[fault] != nil {
        print("  \(faults[fault] ?? 0) times it \(fault.reason)")
      }
    }
  }

  @Test func boxesAreWhereMP4BoxFindsThem() {
    var comparison = Comparison()
    for name in Corpus.files(with: "MP4Box.diso.xml") {
      let tree = BoxTree(Corpus.bytes(name), registry: .standard)
      let theirs = ReferenceBox.boxes(inXML: Corpus.truth(name, "MP4Box.diso.xml") ?? "")
      let end = tree.trailingRange.isEmpty ? tree.trailingRange.upperBound : nil
      comparison.files += 1
      comparison.compare(tree.boxes, theirs, end: end, at: name)
    }
    comparison.report("MP4Box")
    #expect(comparison.differences == [])
    #expect(comparison.files >= 60 && comparison.offsets > 2_500)
  }

  /// The dumps of the conformance files are JSON, in which siblings of one type are together: their order is lost.
  @Test func imageFilesHaveTheBoxesOfTheirConformanceDumps() throws {
    func sorted(_ boxes: [Box]) -> [Box] {
      boxes.sorted { ($0.type.description, $0.size) < ($1.type.description, $1.size) }.map { box in
        var box = box
        box.children = sorted(box.children)
        return box
      }
    }
    func sorted(_ boxes: [ReferenceBox]) -> [ReferenceBox] {
      boxes.sorted { ($0.type, $0.size) < ($1.type, $1.size) }
        .map { ReferenceBox(type: $0.type, size: $0.size, children: sorted($0.children)) }
    }
    var comparison = Comparison()
    for name in Corpus.files(with: "conformance_gpac.json") {
      let tree = BoxTree(Corpus.bytes(name), registry: .standard)
      let dump = try #require(JSONValue(Corpus.truth(name, "conformance_gpac.json") ?? ""))
      comparison.files += 1
      comparison.compare(sorted(tree.boxes), sorted(ReferenceBox.boxes(inJSON: dump)), end: nil, at: name)
    }
    comparison.report("the conformance dumps")
    #expect(comparison.differences == [])
    #expect(comparison.files >= 17 && comparison.boxes > 300)
  }
}
