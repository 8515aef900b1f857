// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import TestSupport
import Testing

/// What holds for every box in the registry: a new one is tested by being registered.
@Suite struct EveryRegisteredBox {
  @Test(arguments: RegisteredBox.all(.complete))
  func isWrittenAsItWasRead(_ box: RegisteredBox) { #expect(BoxChecks(box).roundTrip() == []) }

  @Test(arguments: RegisteredBox.all(.complete))
  func survivesBeingCutOff(_ box: RegisteredBox) { #expect(BoxChecks(box).truncations() == []) }

  @Test(arguments: RegisteredBox.all(.complete))
  func survivesChangedBytes(_ box: RegisteredBox) { #expect(BoxChecks(box).mutations() == []) }

  @Test(arguments: RegisteredBox.all(.complete))
  func isDescribedAsBefore(_ box: RegisteredBox) { #expect(BoxChecks(box).golden() == []) }

  @Test func noTwoKindsClaimOnePlace() { #expect(BoxRegistry.complete.conflicts == []) }

  @Test func everyPayloadIsRegistered() {
    let registered = Set(BoxRegistry.complete.all.map(\.name))
    let declared = declaredBoxPayloads(in: ["ISOBMFF", "BoxCatalogue"])
    #expect(declared.count > 300)
    #expect(declared.keys.filter { !registered.contains($0) }.sorted() == [])
  }

  @Test func goldenTablesHaveTheBoxesThatThereAre() {
    #expect(BoxTable.recordedNames == Set(BoxTable.families.keys))
    #expect(Set(filesBelow(BoxTable.folder)).count == 2 * Set(BoxTable.families.values).count)
  }

  /// A program that takes the catalogue leaves nothing out; one without it has what movies are made of.
  @Test func theCatalogueAddsToTheCore() throws {
    let core = Set(BoxRegistry.iso.all.map(ObjectIdentifier.init))
    let complete = Set(BoxRegistry.complete.all.map(ObjectIdentifier.init))
    #expect(core.isSubset(of: complete) && complete.count - core.count > 200)
    for type: FourCC in [
      "moov", "trak", "stsd", "hvc1", "mp4a", "stts", "elst", "moof", "trun", "ilst", "iloc",
    ] {
      #expect(BoxRegistry.iso.all.contains { $0.types.contains(type) }, "\(type) is not in the core")
    }
    // What the core does not know stays bytes, and is written as it was.
    let bytes = ByteView([0, 0, 0, 20] + Array("btrt".utf8) + [0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3])
    let entry = BoxScope.visualSampleEntry
    #expect(BoxRegistry.iso.registration(for: "btrt", in: entry) == nil)
    #expect(BoxRegistry.complete.registration(for: "btrt", in: entry) != nil)
    #expect(try BoxTree(bytes, registry: .iso).encoded() == bytes.array)
  }

  /// What a Swift type is called is nobody's business: names are said where the box is declared.
  @Test func namesOnScreensAreData() throws {
    struct CalledOtherwise: BoxPayload {
      static let info = BoxInfo(["said"], name: "said here", "none", "A box for this test.")
      var number: UInt8 = 0
      mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.u8("number", &number) }
    }
    let registration = BoxRegistration(CalledOtherwise.self)
    #expect(registration.name == "said here")
    let error = #expect(throws: BoxRegistryError.self) {
      try BoxRegistry.complete.adding([registration, BoxRegistration(CalledOtherwise.self)])
    }
    #expect(error?.description == "registered more than once: anywhere/said: said here, said here")
    // No name looks like that of a type, and no two types have the same.
    let kinds = BoxRegistry.complete.all.compactMap { kind in kind.payloadType.map { (kind.name, $0) } }
    for (name, _) in kinds where ["Box", " box", "Entry"].contains(where: name.hasSuffix) {
      Issue.record("\(name) is no name in words")
    }
    #expect(Set(kinds.map(\.0)).count == Set(kinds.map { ObjectIdentifier($0.1) }).count)
  }

  @Test func kindsSayWhatTheyAre() {
    for registration in BoxRegistry.complete.all {
      #expect(!registration.name.isEmpty && !registration.specification.isEmpty)
      #expect(registration.summary.hasSuffix("."), "\(registration.name)")
      #expect(!registration.scopes.isEmpty, "\(registration.name)")
      #expect(
        !registration.types.contains(FourCC(0)), "\(registration.name) has a type that is no four characters")
    }
  }
}
