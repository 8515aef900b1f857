// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Multiview
import Testing

@Suite struct PersonalDataKeyTests {
  /// Anything but letters and digits separates the words of a name.
  @Test(arguments: [
    ("com.apple.quicktime.location.ISO6709", PersonalDataKind.location), ("©location", .location),
    ("example–location…name", .location), ("Gps/Coordinates", .location),
    ("com.example.Camera.Model", .device), ("com.arri.camera.CameraSerialNumber", .device),
    ("com.apple.proapps.modelname", .device), ("com.example.recordingLocation", .location),
    ("com.apple.quicktime.originalartist", .name), ("com.example.shootDate", .date),
  ])
  func names(_ key: String, _ kind: PersonalDataKind) {
    #expect(PersonalDataKind(ofKey: MetadataKey(rawValue: key)) == kind)
  }

  /// No pattern matches a part of a longer word, in any alphabet.
  @Test(arguments: [
    "mislocationé", "élocation", "com.example.title", "com.example.colorModel", "com.example.placeHolder",
    "com.example.personCount",
  ])
  func otherNames(_ key: String) {
    #expect(PersonalDataKind(ofKey: MetadataKey(rawValue: key)) == nil)
  }
}
