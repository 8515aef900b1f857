// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Multiview

/// What `--remove` calls personal data.
enum PersonalDataName: String, CaseIterable {
  case location
  case timedLocation = "timed-location"
  case personal, names, devices, dates

  var kinds: Set<PersonalDataKind> {
    switch self {
    case .location, .timedLocation: [.location]
    case .personal: [.name, .device]
    case .names: [.name]
    case .devices: [.device]
    case .dates: [.date]
    }
  }

  /// Whether values in the samples of tracks are removed, too.
  var includesSamples: Bool { self == .timedLocation }

  /// How a message begins that says that there is none.
  var absence: String {
    switch self {
    case .location: "no location"
    case .timedLocation: "no track with positions"
    case .personal: "no name or device"
    case .names: "no name"
    case .devices: "no device"
    case .dates: "no date"
    }
  }
}
