// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FieldOutput
import FuzzEntries
import HEVC
import ISOBMFF
import Multiview
import TestSupport
import Testing

/// Structures made so that reading them takes long or much.
@Suite struct HostileStructureTests {
  /// Every table, with every number in it as large as it can be: no more is taken than bytes are there.
  @Test(arguments: RegisteredBox.all(.standard))
  func countBombs(_ box: RegisteredBox) {
    for example in box.registration.examples {
      guard let bytes = try? example.encoded() else { continue }
      for place in stride(from: 0, to: min(bytes.count, 48), by: 2) {
        for width in [2, 4] where place + width <= bytes.count {
          var damaged = bytes
          for index in place..<(place + width) { damaged[index] = 0xFF }
          expectCheap(ByteView(damaged), box, "bytes \(place) to \(place + width - 1)")
        }
      }
    }
  }

  private func expectCheap(_ bytes: ByteView, _ box: RegisteredBox, _ what: String) {
    let registration = box.registration
    let context = BoxContext(
      type: registration.types.first ?? "test", scope: registration.scopes.first ?? .anywhere)
    let cost = spent {
      guard let payload = registration.decode(bytes, context)?.payload else { return }
      let text = OutputBuffer()
      let sink = TextSink(text)
      payload.describe(into: sink)
      #expect(
        text.text.utf8.count <= 20_000 + 200 * bytes.count, "\(what): \(text.text.utf8.count) bytes of text")
    }
    #expect(cost.peak <= 1 << 20, "\(what): \(cost.peak) bytes of memory")
    #expect(cost.allocations <= 20_000, "\(what): \(cost.allocations) allocations")
  }

  @Test func patternsOfCompactSampleGroups() {
    // A million patterns of four billions each, in a box of a few bytes; and as many as fit, all without end.
    let few = Raw.u32(0x3F, 0x726F_6C6C, 1_000_000) + Raw.u32(0xFFFF_FFFF, 0xFFFF_FFFF)
    let many = Raw.u32(0x3F, 0x726F_6C6C, 10_000) + [UInt8](repeating: 0xFF, count: 80_000)
    for bytes in [few, many] {
      var value = CompactSampleToGroupBox()
      let cost = spent { value = ByteView(bytes).decode(CompactSampleToGroupBox()).value }
      #expect(value.patterns.count <= 10_000 && value.indices.isEmpty)
      #expect(cost.peak <= 8 * bytes.count + 10_000)
    }
  }

  @Test func itemsWithExtentsThatTakeNoBits() throws {
    // 5 000 items of 65 535 extents that have neither offset nor length.
    let items = (0..<5_000).flatMap { Raw.u16($0, 0, 0xFFFF) }
    let (value, _, error) = ByteView(Raw.u32(0) + Raw.u16(0, 5_000) + items).decode(ItemLocationBox())
    #expect(error == nil && value.items.count == 5_000)
    #expect(value.items.allSatisfy { $0.extents.isEmpty && $0.bareExtentCount == 0xFFFF })
    let bomb = Raw.u32(1 << 24) + Raw.u16(0x4400, 0xFFFF) + Raw.u16(1, 0, 0, 0xFFFF)
    #expect(ByteView(bomb).decode(ItemLocationBox()).error != nil)
  }

  @Test func subpicturesThatTakeNoBits() throws {
    // 10 000 descriptions of four bytes, each of 4096 subpictures of which only the first has an identifier.
    let entries = (0..<10_000).flatMap { _ in [0x1F, 0xFF, 0, 5] as [UInt8] }
    let bytes = Raw.u32(1 << 24, 0x7370_6964, 4, 10_000) + entries
    var read: SampleGroupDescriptionBox?
    let cost = spent { read = ByteView(bytes).decode(SampleGroupDescriptionBox()).value }
    #expect(cost.peak <= 40 * bytes.count)
    let box = try #require(read)
    let descriptions = box.entries.compactMap { $0.content as? VVCSubpictureIDEntry }
    #expect(descriptions.count == 10_000)
    #expect(descriptions.allSatisfy { $0.subpictures == [.init(subpictureID: 5)] })
    #expect(descriptions.allSatisfy { $0.impliedSubpictureCount == 4095 })
  }

  @Test func sampleGroupsOfAByte() throws {
    func bytes(_ count: Int) -> [UInt8] {
      Raw.u32(1 << 24, 0x7361_7020, 1, count) + [UInt8](repeating: 0x85, count: count)
    }
    let most = ByteView(bytes(65_535)).decode(SampleGroupDescriptionBox()).value
    #expect(most.entries.count == 65_535 && most.undivided == nil)
    // One by one a million would take 64 bytes each.
    let many = bytes(1_000_000)
    var read: SampleGroupDescriptionBox?
    let cost = spent { read = ByteView(many).decode(SampleGroupDescriptionBox()).value }
    #expect(cost.peak <= many.count + 1_000)
    let box = try #require(read)
    #expect(box.entries.isEmpty && box.undividedEntryCount == 1_000_000 && box.undivided?.count == 1_000_000)
    #expect(try box.encoded() == many)
  }

  @Test func descriptorsOfTwoBytes() throws {
    let bytes = Raw.u32(0) + (0..<50_000).flatMap { _ in [0x0E, 0] as [UInt8] }
    var read: ElementaryStreamDescriptorBox?
    let cost = spent { read = ByteView(bytes).decode(ElementaryStreamDescriptorBox()).value }
    #expect(cost.peak <= 45 * bytes.count, "\(cost.peak / bytes.count)")
    #expect(read?.descriptors.count == 50_000)
  }

  @Test func associationsOfItems() {
    // 255 associations for each of four billions of items.
    let bytes = Raw.u32(0, 0xFFFF_FFFF) + Raw.u16(1) + [0xFF] + [UInt8](repeating: 0x81, count: 255)
    let cost = spent { _ = ByteView(bytes).decode(ItemPropertyAssociationBox()).value }
    #expect(cost.peak <= 100_000)
  }

  // MARK: Bitstreams

  /// Bits without end: `ue(v)` of 0 in one bit each, the longest codes there are, and whatever comes between.
  @Test(arguments: [UInt8](arrayLiteral: 0xFF, 0x00, 0xAA, 0x55, 0x01, 0x80, 0x24, 0x92))
  func endlessExpGolombCodes(_ pattern: UInt8) {
    for type: UInt8 in [32, 33, 34] {
      for layer: UInt8 in [0, 1] {
        let bytes = [type << 1, layer << 3 | 1] + [UInt8](repeating: pattern, count: 60_000)
        let findings = FuzzTarget.named("FuzzParameterSet")?.run(ByteView(bytes))
        #expect(findings?.problems == [], "type \(type), layer \(layer)")
      }
    }
  }

  @Test func chainsOfSizeBytes() {
    // A type that is the sum of a hundred thousand bytes, a size that is, and messages of nothing.
    for bytes in [
      [UInt8](repeating: 0xFF, count: 100_000) + [1, 0, 0x80],
      [5] + [UInt8](repeating: 0xFF, count: 100_000) + [1, 0x80],
      [UInt8](repeating: 0, count: 100_000) + [0x80],
    ] {
      let unit = NALUnit(ByteView([0x4E, 0x01] + bytes))
      let cost = spent {
        let messages = unit?.seiMessages().messages ?? []
        #expect(messages.count <= 50_000)
        #expect(messages.allSatisfy { $0.payload.count <= 100_000 })
      }
      #expect(cost.peak <= 100 * bytes.count)
      let findings = FuzzTarget.named("FuzzSEI")?.run(ByteView([0xFF, 0xFF] + bytes.suffix(4_000)))
      #expect(findings?.problems == [])
    }
  }

  @Test func messagesInMessages() {
    // Each nests the next, as deep as bytes reach.
    var payload: [UInt8] = [0x80]
    for _ in 0..<200 where payload.count < 250 {
      payload = [0x20, 133, UInt8(payload.count)] + payload
    }
    let findings = FuzzTarget.named("FuzzSEI")?.run(
      ByteView([0, 0, 133, UInt8(payload.count)] + payload + [0x80]))
    #expect(findings?.problems == [])
  }

  @Test func oversizedParameterSets() {
    var store = ParameterSetStore()
    for type: UInt8 in [32, 33, 34] {
      let bytes = [type << 1, 1] + [UInt8](repeating: 0x5A, count: Limits.maximumParameterSetBytes)
      guard let unit = NALUnit(ByteView(bytes)), case .refused(let error) = store.insert(unit) else {
        return #expect(Bool(false), "type \(type) was taken in")
      }
      guard case .limitExceeded = error.code else { return #expect(Bool(false), "\(error)") }
    }
  }
}
