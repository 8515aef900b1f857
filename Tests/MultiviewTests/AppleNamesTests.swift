// swift-multiview · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// docs/apple-names.md names what exists.
@Suite struct AppleNamesTests {
  static let page = String(
    decoding: contents(PackageFolder.root + "/docs/apple-names.md") ?? [], as: UTF8.self
  ).components("# How a movie is classified")[0]

  /// The rows of tables: of each the cells.
  static let rows: [[String]] = page.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { row in
    row.split(separator: "|").map { String($0.drop { $0 == " " }) }
  }

  /// The names between backticks, without arguments and without the type or value in front of a dot.
  static func names(_ cell: String) -> [String] {
    let quoted = cell.components("`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    return quoted.flatMap { text -> [String] in
      let head = text.prefix { $0 != "(" && $0 != "[" }
      let last = head.split(separator: ".").last.map(String.init) ?? ""
      return last.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } && !last.isEmpty ? [last] : []
    }
  }

  /// Everything that the sources declare.
  static let declared: Set<String> = {
    var found: Set<String> = []
    let words: Set<Substring> = [
      "func", "var", "let", "case", "struct", "enum", "typealias", "class", "protocol",
    ]
    for path in filesBelow(PackageFolder.root + "/Sources") where path.hasSuffix(".swift") {
      let text = String(decoding: contents(PackageFolder.root + "/Sources/" + path) ?? [], as: UTF8.self)
      for line in text.split(separator: "\n") {
        let tokens = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        for (word, name) in zip(tokens, tokens.dropFirst()) where words.contains(word) {
          found.insert(String(name))
        }
      }
    }
    return found
  }()

  @Test func everyNameExists() {
    var checked = 0
    for row in Self.rows where row.count >= 3 {
      // Ours are in the second column, and where a row says "the same" under Apple's names in the first.
      let isSame = row[1].contains("the same")
      let names = Self.names(row[1]) + (isSame ? Self.names(row[0]).filter { !$0.hasPrefix("CM") } : [])
      for name in names {
        checked += 1
        #expect(Self.declared.contains(name), "docs/apple-names.md: no '\(name)' in \(row)")
      }
    }
    #expect(checked > 90)
  }

  /// The names that people look for.
  @Test(arguments: [
    "HasLeftStereoEyeView", "HasRightStereoEyeView", "HasAdditionalViews", "HeroEye", "StereoCameraBaseline",
    "HorizontalDisparityAdjustment", "HorizontalFieldOfView", "ProjectionKind", "ViewPackingKind",
    "CameraCalibrationDataLensCollection", "tagCollections", "CMTag", "mediaCharacteristics",
    "containsStereoMultiviewVideo", "naturalSize", "nominalFrameRate", "AVSampleCursor",
    "makeSampleCursorAtFirstSampleInDecodeOrder", "makeSampleCursor(presentationTimeStamp:)",
    "stepInDecodeOrder(byCount:)", "stepInPresentationOrder(byCount:)", "step(byDecodeTime:",
    "step(byPresentationTime:", "currentSampleSyncInfo", "currentSampleDependencyInfo",
    "currentSampleStorageRange", "samplesRequiredForDecoderRefresh", "CMTaggedBuffer", "AVMetadataItem",
    "loadAssociatedTracks(ofType:)", "isReadable",
  ])
  func isMapped(name: String) { #expect(Self.page.contains(name)) }
}
