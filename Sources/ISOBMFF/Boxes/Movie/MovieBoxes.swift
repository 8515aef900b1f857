// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

let movieBoxes: [BoxRegistration] = [
  BoxRegistration(
    container: "moov", name: "MovieBox", in: [.file], "ISO/IEC 14496-12, 8.2.1",
    "Everything about the presentation but its media data."),
  BoxRegistration(MovieHeaderBox.self),
  BoxRegistration(ObjectDescriptorBox.self),
  BoxRegistration(IPMPControlBox.self),
  BoxRegistration(IPMPInfoBox.self),
  BoxRegistration(
    container: "mvex", name: "MovieExtendsBox", in: [.box("moov")], "ISO/IEC 14496-12, 8.8.1",
    "Says that movie fragments may follow, and holds their defaults."),
  BoxRegistration(MovieExtendsHeaderBox.self),
  BoxRegistration(TrackExtendsBox.self),
]
