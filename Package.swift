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

/// What tests and benchmarks look into.
let libraries: [Target.Dependency] = [
  "LayoutExamples", "MoviePictures", "Multiview", "HEVCDecoding", "HEVCCoding", "BoxCatalogue", "ISOBMFF",
  "HEVC", "FieldOutput", "FileAccess", "ByteCoding",
]

let package = Package(
  name: "swift-multiview",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    .library(
      name: "Multiview",
      targets: ["Multiview", "BoxCatalogue", "ISOBMFF", "HEVC", "FieldOutput", "FileAccess", "ByteCoding"]),
    .library(name: "MultiviewFoundation", targets: ["MultiviewFoundation"]),
    .library(name: "ISOBMFF", targets: ["ISOBMFF", "FieldOutput", "FileAccess", "ByteCoding"]),
    .library(
      name: "BoxCatalogue", targets: ["BoxCatalogue", "ISOBMFF", "FieldOutput", "FileAccess", "ByteCoding"]),
    .library(name: "HEVC", targets: ["HEVC", "FieldOutput", "ByteCoding"]),
    .library(name: "MovieEditing", targets: ["MovieEditing"]),
    .library(name: "HEVCDecoding", targets: ["HEVCDecoding", "HEVC", "FieldOutput", "ByteCoding"]),
    .library(name: "HEVCEncoding", targets: ["HEVCEncoding", "HEVC", "FieldOutput", "ByteCoding"]),
    .library(name: "MoviePictures", targets: ["MoviePictures"]),
    .library(name: "MovieEncoding", targets: ["MovieEncoding"]),
    .library(name: "MultiviewApple", targets: ["MultiviewApple"]),
    .executable(name: "mvdump", targets: ["mvdump"]),
    .executable(name: "mvedit", targets: ["mvedit"]),
  ],
  targets: [
    .target(name: "ByteCoding", swiftSettings: lifetimeSettings),
    .target(name: "FieldOutput", dependencies: ["ByteCoding"], swiftSettings: settings),
    .target(name: "Threads", swiftSettings: settings),
    .target(name: "FileAccess", dependencies: ["ByteCoding", "Threads"], swiftSettings: settings),
    .target(name: "HEVC", dependencies: ["ByteCoding"], swiftSettings: settings),
    // What decoding and encoding do with a block: for the two of them, so that everything in it is `package`.
    .target(name: "HEVCCoding", dependencies: ["HEVC", "ByteCoding", "Threads"], swiftSettings: settings),
    .target(
      name: "HEVCDecoding", dependencies: ["HEVCCoding", "HEVC", "ByteCoding", "Threads"],
      swiftSettings: settings),
    .target(
      name: "HEVCEncoding", dependencies: ["HEVCCoding", "HEVC", "ByteCoding", "Threads"],
      swiftSettings: settings),
    .target(name: "ISOBMFF", dependencies: ["FileAccess", "ByteCoding"], swiftSettings: settings),
    // The kinds of boxes that no other code refers to by name.
    .target(name: "BoxCatalogue", dependencies: ["ISOBMFF", "ByteCoding"], swiftSettings: settings),
    .target(
      name: "Multiview", dependencies: ["BoxCatalogue", "ISOBMFF", "HEVC", "FileAccess", "ByteCoding"],
      swiftSettings: settings),
    // Values of every structure that is declared, for `mvdump explain` and tests: in no library product.
    .target(
      name: "LayoutExamples", dependencies: ["Multiview", "BoxCatalogue", "ISOBMFF", "HEVC", "ByteCoding"],
      swiftSettings: settings),
    // The one library that imports Foundation; nothing here depends on it.
    .target(
      name: "MultiviewFoundation",
      dependencies: [
        "MovieEditing", "MoviePictures", "Multiview", "HEVCEncoding", "ISOBMFF", "FileAccess", "ByteCoding",
      ],
      swiftSettings: settings),
    .target(
      name: "MovieEditing", dependencies: ["Multiview", "ISOBMFF", "HEVC", "FileAccess", "ByteCoding"],
      swiftSettings: settings),
    .target(
      name: "MoviePictures",
      dependencies: [
        "Multiview", "HEVCDecoding", "HEVCCoding", "BoxCatalogue", "ISOBMFF", "HEVC", "FileAccess",
        "ByteCoding",
      ],
      swiftSettings: settings),
    // Sources of pictures in, movies out.
    .target(
      name: "MovieEncoding",
      dependencies: [
        "MovieEditing", "MoviePictures", "HEVCEncoding", "HEVCDecoding", "Multiview", "HEVC", "FileAccess",
        "ByteCoding",
      ],
      swiftSettings: settings),
    // Bridges to Core Video, Core Media and Core Graphics; empty on systems without them.
    .target(
      name: "MultiviewApple", dependencies: ["MoviePictures", "Multiview", "ISOBMFF", "ByteCoding"],
      swiftSettings: settings),
    .target(
      name: "CommandLineSupport",
      dependencies: ["Multiview", "FieldOutput", "FileAccess", "ByteCoding", "Threads"],
      swiftSettings: settings),
    .target(
      name: "MVDumpCommand",
      dependencies: [
        "CommandLineSupport", "LayoutExamples", "MoviePictures", "Multiview", "HEVCDecoding", "ISOBMFF",
        "HEVC", "FieldOutput", "FileAccess", "Threads", "ByteCoding",
      ],
      swiftSettings: settings),
    .executableTarget(name: "mvdump", dependencies: ["MVDumpCommand"], swiftSettings: settings),
    .target(
      name: "MVEditCommand",
      dependencies: [
        "CommandLineSupport", "MovieEncoding", "MovieEditing", "HEVCEncoding", "Multiview", "HEVC",
        "FieldOutput",
        "FileAccess", "ByteCoding",
      ],
      swiftSettings: settings),
    .executableTarget(name: "mvedit", dependencies: ["MVEditCommand"], swiftSettings: settings),
    .target(name: "AllocationCounter", path: "Benchmarks/AllocationCounter"),
    .executableTarget(
      name: "Benchmarks", dependencies: libraries + ["MovieEditing", "AllocationCounter"],
      path: "Benchmarks/Sources", swiftSettings: settings),
    .target(
      name: "TestSupport", dependencies: libraries,
      path: "Tests/TestSupport", swiftSettings: settings),
    // Movies in which one thing is wrong, for the tests of rules and those of repairs.
    .target(
      name: "MovieCases", dependencies: libraries + ["TestSupport"], path: "Tests/MovieCases",
      swiftSettings: settings),
    .target(
      name: "FuzzEntries",
      dependencies: libraries + [
        "HEVCEncoding", "MovieEditing", "MVDumpCommand", "CommandLineSupport", "TestSupport",
        "AllocationCounter",
      ],
      path: "Tests/Fuzz/Entries", swiftSettings: settings),
    .testTarget(
      name: "FuzzRegressionTests",
      dependencies: libraries + [
        "FuzzEntries", "MVDumpCommand", "CommandLineSupport", "TestSupport", "AllocationCounter",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ByteCodingTests", dependencies: ["ByteCoding", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "FieldOutputTests", dependencies: ["FieldOutput", "ByteCoding", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "FileAccessTests", dependencies: ["FileAccess", "ByteCoding", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "HEVCCodingTests", dependencies: ["HEVCCoding", "HEVC", "ByteCoding", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "HEVCDecodingTests",
      dependencies: ["HEVCDecoding", "HEVCCoding", "HEVC", "ByteCoding", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "HEVCEncodingTests",
      dependencies: ["HEVCEncoding", "HEVCDecoding", "HEVCCoding", "HEVC", "ByteCoding", "TestSupport"],
      swiftSettings: settings),
    .testTarget(name: "HEVCTests", dependencies: libraries + ["TestSupport"], swiftSettings: settings),
    .testTarget(name: "ISOBMFFTests", dependencies: libraries + ["TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "MultiviewTests", dependencies: libraries + ["MovieCases", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "MultiviewFoundationTests", dependencies: libraries + ["MultiviewFoundation", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "CommandLineSupportTests", dependencies: ["CommandLineSupport", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "DocumentationTests", dependencies: ["TestSupport", "ByteCoding", "mvdump"],
      swiftSettings: settings),
    .testTarget(
      name: "MovieEditingTests", dependencies: libraries + ["MovieEditing", "MovieCases", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "MoviePicturesTests", dependencies: libraries + ["TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "MVEditTests",
      dependencies: libraries + [
        "MovieEditing", "MVEditCommand", "MVDumpCommand", "CommandLineSupport", "mvedit", "MovieCases",
        "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "MVDumpTests",
      dependencies: libraries + [
        "MVDumpCommand", "CommandLineSupport", "mvdump", "MovieCases", "TestSupport",
      ],
      swiftSettings: settings),
  ]
    + (isFuzzing
      ? [
        .executableTarget(
          name: "Fuzzer", dependencies: ["FuzzEntries"], path: "Tests/Fuzz/Fuzzer", swiftSettings: settings)
      ] : [])
)
