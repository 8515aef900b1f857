// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import TestSupport

/// Suites that run the programs are skipped if these are not found: this one is not.
@Suite struct BuiltProductsTests {
  #if os(macOS) || os(Linux)
  @Test func theProgramsAreFound() {
    for name in ["mvdump", "mvedit"] {
      #expect(FileManager.default.isExecutableFile(atPath: BuiltProducts.path(name)), "\(name)")
    }
  }
  #endif

  /// The helper of macOS is part of the toolchain; the bundle with the tests is beside the programs.
  @Test func theyAreFoundBesideTheBundleThatAHelperLoads() throws {
    let folder = try TemporaryFolder()
    let products = "products/debug"
    let tests = "\(products)/AllTests.xctest/Contents/MacOS/AllTests"
    for name in ["toolchain/libexec/swiftpm-testing-helper", tests, "\(products)/mvdump"] {
      let path = try folder.write(name, [])
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
    let helper = folder.path + "/toolchain/libexec/swiftpm-testing-helper"
    let expected = URL(fileURLWithPath: folder.path + "/" + products).resolvingSymlinksInPath().path
    let option = ["--test-bundle-path", folder.path + "/" + tests]
    #expect(BuiltProducts.folder(of: [helper] + option + ["--testing-library", "swift-testing"]) == expected)
    #expect(BuiltProducts.folder(of: [helper, "--filter", "A"] + option) == expected)
    #expect(BuiltProducts.folder(of: [helper]) == nil)
    #expect(BuiltProducts.folder(of: [helper, "--test-bundle-path"]) == nil)
    #expect(BuiltProducts.folder(of: [folder.path + "/" + products + "/AllTests.xctest"]) == expected)
    #expect(BuiltProducts.folder(of: []) == nil)
  }
}
