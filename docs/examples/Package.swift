// swift-tools-version: 6.2
// swift-multiview · SPDX-License-Identifier: Apache-2.0

import PackageDescription

let multiview = Target.Dependency.product(name: "Multiview", package: "swift-multiview")

let multiviewFoundation = Target.Dependency.product(name: "MultiviewFoundation", package: "swift-multiview")

let movieEditing = Target.Dependency.product(name: "MovieEditing", package: "swift-multiview")

let decoding = Target.Dependency.product(name: "HEVCDecoding", package: "swift-multiview")

let pictures = Target.Dependency.product(name: "MoviePictures", package: "swift-multiview")

let encoding = Target.Dependency.product(name: "MovieEncoding", package: "swift-multiview")

let apple = Target.Dependency.product(name: "MultiviewApple", package: "swift-multiview")

let package = Package(
  name: "examples",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-multiview", path: "../..")],
  targets: [
    .executableTarget(name: "spatial-scan", dependencies: [multiview]),
    .executableTarget(name: "split-eyes", dependencies: [multiview]),
    .executableTarget(name: "http-info", dependencies: [multiview]),
    .executableTarget(name: "stereo-report", dependencies: [multiview]),
    .executableTarget(name: "timed-metadata", dependencies: [multiview]),
    .executableTarget(name: "set-field-of-view", dependencies: [multiview]),
    .executableTarget(name: "make-spatial", dependencies: [multiview, encoding]),
    .executableTarget(name: "process-spatial", dependencies: [multiview, encoding, pictures]),
    // The code of the cookbook.
    .executableTarget(name: "cookbook", dependencies: [multiview, multiviewFoundation, movieEditing]),
    // The code of README.md, and that of the articles.
    .executableTarget(name: "tour", dependencies: [multiview]),
    .target(name: "Articles", dependencies: [multiview, movieEditing, decoding, pictures, apple, encoding]),
    // Next to Foundation and SwiftUI, without prefixes.
    .target(name: "Neighbours", dependencies: [multiview, multiviewFoundation]),
  ]
)
