// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import BoxCatalogue
package import ByteCoding
package import HEVC
package import ISOBMFF

/// A structure with example values, from which `mvdump explain` lists its fields, and with which tests begin.
package protocol ExampleProviding: FieldLayout {
  /// At least one value; together they cover every branch of the layout.
  static var examples: [Self] { get }
}

extension BoxRegistration {
  /// Example payloads; none for a plain container, and for a kind of box that is not this package's.
  package var examples: [any BoxPayload] {
    (payloadType as? any (BoxPayload & ExampleProviding).Type)?.examples ?? []
  }
}

extension SampleGroupEntryRegistry.Kind {
  /// Example entries.
  package var examples: [any SampleGroupEntry] {
    (type as? any (SampleGroupEntry & ExampleProviding).Type)?.examples ?? []
  }
}

extension SEIPayloadKind {
  /// Example payloads.
  package var examples: [any SEIPayload] {
    (payloadType as? any (SEIPayload & ExampleProviding).Type)?.examples ?? []
  }
}
