// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Multiview
import Testing

@Suite struct PersonalDataKeyTests {
  /// Words of a name are told apart by whatever is neither a letter nor a digit.
  @Test(arguments: [
    ("com.apple.quicktime.location.ISO6709", PersonalDataKind.location), ("©location", .location),
    ("example–location…name", .location), ("Gps/Coordinates", .location),
    ("com.example.Camera.Model", .device),
  ])
  func names(_ key: String, _ kind: PersonalDataKind) {
    #expect(PersonalDataKind(ofKey: MetadataKey(rawValue: key)) == kind)
  }

  /// A part of a longer word is not that word, in whatever alphabet it goes on.
  @Test(arguments: ["mislocationé", "élocation", "com.example.title"])
  func otherNames(_ key: String) {
    #expect(PersonalDataKind(ofKey: MetadataKey(rawValue: key)) == nil)
  }
}
