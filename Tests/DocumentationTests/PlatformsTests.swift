// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// What the jobs for Apple's systems and the package index build is what the package has.
@Suite struct PlatformsTests {
  private static let libraries: Set<String> = Set(
    projectText("Package.swift").matches(of: /\.library\(\s*name: "(\w+)"/).map { String($0.1) })

  @Test func theWorkflowBuildsEveryLibrary() throws {
    let workflow = projectText(".github/workflows/ci.yml")
    let list = try #require(workflow.firstMatch(of: /for scheme in ([\w ]+);/)).1
    #expect(Self.libraries.count >= 9)
    #expect(Set(list.split(separator: " ").map(String.init)) == Self.libraries)
    for platform in ["macOS", "iOS", "tvOS", "visionOS", "watchOS"] { #expect(workflow.contains(platform)) }
  }

  /// The newest version of the change log is that of the programs, whether or not it is released.
  @Test func theChangeLogHasTheVersion() throws {
    let source = projectText("Sources/CommandLineSupport/PackageVersion.swift")
    let version = try #require(source.firstMatch(of: /packageVersion = "([0-9.]+)"/)).1
    let newest = projectText("CHANGELOG.md").firstMatch(of: /(?m)^## ([0-9.]+)/)?.1
    #expect(newest == version)
  }

  /// Every product has documentation, and so have the modules that it consists of.
  @Test func thePackageIndexDocumentsEveryLibrary() {
    let index = projectText(".spi.yml")
    let documented = Set(index.matches(of: /(?m)^        - (\w+)$/).map { String($0.1) })
    #expect(Self.libraries.subtracting(documented).isEmpty)
    let script = projectText("docs/build-documentation")
    let built =
      script.firstMatch(of: /for module in ([\w ]+);/)?.1.split(separator: " ").map(String.init) ?? []
    // Its declarations do not exist on Linux.
    #expect(documented == Set(built).union(["MultiviewApple"]))
    // The scheme of the package would build tests, which cannot start programs on these systems.
    for platform in ["ios", "tvos", "visionos", "watchos"] {
      let row = index.firstMatch(of: try! Regex("platform: \(platform)\n *scheme: (\\w+)"))
      #expect(row?.output[1].substring.map { Self.libraries.contains(String($0)) } == true, "\(platform)")
    }
  }

  /// Where a system is not supported, the reason comes before any other error.
  @Test func otherSystemsAreRefusedWithAReason() {
    let refusal = /#else\n#error\(\s*"[^"]*docs\/platforms\.md\."\s*\)\n#endif/
    for path in ["Sources/ByteCoding/Locked.swift", "Sources/Threads/StartThread.swift"] {
      #expect(projectText(path).contains(refusal), "\(path)")
    }
    // All lists of systems have the same ones.
    for path in projectFiles where path.hasSuffix(".swift") && !path.hasPrefix("docs/") {
      let text = projectText(path)
      guard text.contains("\nimport Musl\n") else { continue }
      #expect(text.contains("\nimport Android\n"), "\(path) does not import Android")
    }
  }
}
