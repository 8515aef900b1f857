// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ISOBMFF
import Multiview
import TestSupport
import Testing

/// What holds for every box that this module registers.
@Suite struct EveryMultiviewBox {
  static let boxes = RegisteredBox.all(.standard, beyond: .complete)

  @Test(arguments: boxes)
  func isWrittenAsItWasRead(_ box: RegisteredBox) { #expect(BoxChecks(box).roundTrip() == []) }

  @Test(arguments: boxes)
  func survivesBeingCutOff(_ box: RegisteredBox) { #expect(BoxChecks(box).truncations() == []) }

  @Test(arguments: boxes)
  func survivesChangedBytes(_ box: RegisteredBox) { #expect(BoxChecks(box).mutations() == []) }

  @Test(arguments: boxes)
  func isDescribedAsBefore(_ box: RegisteredBox) { #expect(BoxChecks(box).golden() == []) }

  @Test func noTwoKindsClaimOnePlace() { #expect(BoxRegistry.standard.conflicts == []) }

  @Test func everyPayloadIsRegistered() {
    let registered = Set(BoxRegistry.standard.all.map(\.name))
    let declared = declaredBoxPayloads(in: ["Multiview"])
    #expect(declared.count > 15)
    #expect(declared.keys.filter { !registered.contains($0) }.sorted() == [])
  }

  @Test func goldenTablesHaveRegisteredBoxesOnly() {
    let known = Set(BoxRegistry.standard.all.map(\.name))
    #expect(BoxTable.recordedNames.subtracting(known).sorted() == [])
  }

  @Test func kindsSayWhatTheyAre() {
    for registration in Self.boxes.map(\.registration) {
      #expect(!registration.name.isEmpty && !registration.specification.isEmpty)
      #expect(registration.summary.hasSuffix("."), "\(registration.name)")
      #expect(!registration.scopes.isEmpty, "\(registration.name)")
      #expect(!registration.types.contains(FourCC(0)), "\(registration.name)")
    }
  }
}
