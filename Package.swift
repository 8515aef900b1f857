// swift-tools-version: 6.2
// swift-multiview · SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// Continuous integration turns warnings into errors; users never see this switch.
let warningsAreErrors = Context.environment["MV_WARNINGS_AS_ERRORS"] != nil

/// The fuzzer has no `main`, so it exists only where libFuzzer is linked in.
let isFuzzing = Context.environment["MV_FUZZ"] != nil

var settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]
if warningsAreErrors { settings.append(.treatAllWarnings(as: .error)) }

/// The one module that lends bytes by `~Escapable` readers; see docs/decisions.
let lifetimeSettings = settings + [.enableExperimentalFeature("Lifetimes")]

let package = Package(
  name: "swift-multiview",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    .library(name: "Multiview", targets: ["Multiview", "ISOBMFF", "HEVC", "ByteCoding"]),
    .library(name: "ISOBMFF", targets: ["ISOBMFF", "ByteCoding"]),
    .library(name: "HEVC", targets: ["HEVC", "ByteCoding"]),
    .executable(name: "mvdump", targets: ["mvdump"]),
  ],
  targets: [
    .target(name: "ByteCoding", swiftSettings: lifetimeSettings),
    .target(name: "HEVC", dependencies: ["ByteCoding"], swiftSettings: settings),
    .target(name: "ISOBMFF", dependencies: ["ByteCoding"], swiftSettings: settings),
    .target(
      name: "Multiview", dependencies: ["ISOBMFF", "HEVC", "ByteCoding"],
      swiftSettings: settings),
    .target(
      name: "MVDumpCommand", dependencies: ["Multiview", "ISOBMFF", "HEVC", "ByteCoding"],
      swiftSettings: settings),
    .executableTarget(name: "mvdump", dependencies: ["MVDumpCommand"], swiftSettings: settings),
    .target(name: "AllocationCounter", path: "Benchmarks/AllocationCounter"),
    .executableTarget(
      name: "Benchmarks", dependencies: ["Multiview", "ISOBMFF", "HEVC", "ByteCoding", "AllocationCounter"],
      path: "Benchmarks/Sources", swiftSettings: settings),
    .target(
      name: "TestSupport", dependencies: ["ISOBMFF", "HEVC", "ByteCoding", "Multiview"],
      path: "Tests/TestSupport", swiftSettings: settings),
    .target(
      name: "FuzzEntries",
      dependencies: [
        "MVDumpCommand", "Multiview", "ISOBMFF", "HEVC", "ByteCoding", "TestSupport", "AllocationCounter",
      ],
      path: "Tests/Fuzz/Entries", swiftSettings: settings),
    .testTarget(
      name: "FuzzRegressionTests",
      dependencies: [
        "FuzzEntries", "MVDumpCommand", "Multiview", "ISOBMFF", "HEVC", "ByteCoding", "TestSupport",
        "AllocationCounter",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ByteCodingTests", dependencies: ["ByteCoding", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "HEVCTests", dependencies: ["HEVC", "ByteCoding", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "ISOBMFFTests", dependencies: ["ISOBMFF", "ByteCoding", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "MultiviewTests", dependencies: ["Multiview", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "DocumentationTests", dependencies: ["TestSupport", "ByteCoding", "mvdump"],
      swiftSettings: settings),
    .testTarget(
      name: "MVDumpTests", dependencies: ["MVDumpCommand", "mvdump", "Multiview", "TestSupport"],
      swiftSettings: settings),
  ]
    + (isFuzzing
      ? [
        .executableTarget(
          name: "Fuzzer", dependencies: ["FuzzEntries"], path: "Tests/Fuzz/Fuzzer", swiftSettings: settings)
      ] : [])
)
