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
    ("com.xiaomi.product.marketname", .device), ("com.huawei.productname", .device),
    ("com.samsung.android.utc_offset", .date), ("CameraModelName", .device), ("cameraMake", .device),
    ("cameraOwner", .name), ("albumArtist", .name), ("CreateDate", .date),
    ("com.apple.quicktime.user.name", .name), ("com.example.lat", .location), ("com.example.lon", .location),
    ("com.example.lng", .location), ("com.example.elevation", .location),
    ("com.example.device.imei", .device),
    ("modificationdate", .date), ("timestamp", .date), ("com.apple.iTunes.ARTISTS", .name),
    ("com.apple.iTunes.CONDUCTOR", .name), ("com.apple.iTunes.ENGINEER", .name),
    ("com.example.countryCode", .location), ("com.example.userLocation", .location),
    ("com.example.captureDate", .date), ("com.example.softwareVersion", .device),
  ])
  func names(_ key: String, _ kind: PersonalDataKind) {
    #expect(PersonalDataKind(ofKey: MetadataKey(rawValue: key)) == kind)
  }

  /// No pattern matches a part of a longer word, in any alphabet.
  @Test(arguments: [
    "mislocationé", "élocation", "com.example.title", "com.example.colorModel", "com.example.placeHolder",
    "com.example.personCount", "com.example.textureCoordinates", "com.example.faceLandmarkCount",
    "com.example.frameTimestampScale", "com.example.makeUp", "com.example.latency", "com.example.platform",
    "com.example.lateralShift", "com.example.updateCount", "com.example.product", "com.example.username2",
    "com.example.longform", "com.example.semiConductor",
  ])
  func otherNames(_ key: String) {
    #expect(PersonalDataKind(ofKey: MetadataKey(rawValue: key)) == nil)
  }
}
