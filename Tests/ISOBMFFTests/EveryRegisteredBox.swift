// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import TestSupport
import Testing

/// What holds for every box in the registry: a new one is tested by being registered.
@Suite struct EveryRegisteredBox {
  @Test(arguments: RegisteredBox.all(.iso))
  func isWrittenAsItWasRead(_ box: RegisteredBox) { #expect(BoxChecks(box).roundTrip() == []) }

  @Test(arguments: RegisteredBox.all(.iso))
  func survivesBeingCutOff(_ box: RegisteredBox) { #expect(BoxChecks(box).truncations() == []) }

  @Test(arguments: RegisteredBox.all(.iso))
  func survivesChangedBytes(_ box: RegisteredBox) { #expect(BoxChecks(box).mutations() == []) }

  @Test(arguments: RegisteredBox.all(.iso))
  func isDescribedAsBefore(_ box: RegisteredBox) { #expect(BoxChecks(box).golden() == []) }

  @Test func noTwoKindsClaimOnePlace() { #expect(BoxRegistry.iso.conflicts == []) }

  @Test func everyPayloadIsRegistered() {
    let registered = Set(BoxRegistry.iso.all.map(\.name))
    let declared = declaredBoxPayloads(in: ["ISOBMFF"])
    #expect(declared.count > 20)
    #expect(declared.subtracting(registered).sorted() == [])
  }

  @Test func goldenFilesBelongToABox() {
    let declared = declaredBoxPayloads(in: ["ISOBMFF", "Multiview"])
    let golden = Set(filesBelow(Fixtures.folder + "/golden/boxes").map { String($0.prefix { $0 != "." }) })
    #expect(golden.subtracting(declared).sorted() == [])
  }

  @Test func kindsSayWhatTheyAre() {
    for registration in BoxRegistry.iso.all {
      #expect(!registration.name.isEmpty && !registration.specification.isEmpty)
      #expect(registration.summary.hasSuffix("."), "\(registration.name)")
      #expect(!registration.scopes.isEmpty, "\(registration.name)")
      #expect(
        !registration.types.contains(FourCC(0)), "\(registration.name) has a type that is no four characters")
    }
  }
}
