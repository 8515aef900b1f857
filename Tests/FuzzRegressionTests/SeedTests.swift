// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FuzzEntries
import ISOBMFF
import LayoutExamples
import Multiview
import Testing

/// What the fuzzer begins with reaches what it is meant to reach.
@Suite struct SeedTests {
  /// A box is known by where it is: in a seed that has it elsewhere nobody knows it.
  @Test(arguments: [("FuzzBoxTree", "box-"), ("FuzzMovie", "movie-with-"), ("FuzzInfo", "movie-with-")])
  func everyBoxIsReadInItsSeed(target: String, prefix: String) throws {
    let seeds = try #require(FuzzTarget.named(target)).seeds().filter { $0.0.hasPrefix(prefix) }
    var read: Set<String> = [], unread: [String] = []
    for (name, bytes) in seeds {
      let kind = String(name.dropFirst(prefix.count).prefix { $0 != "-" })
      var names: Set<String> = []
      BoxTree(ByteView(bytes), registry: .standard).forEachBox { box, _ in
        if let registration = box.registration { names.insert(registration.seedName) }
      }
      if names.contains(kind) { read.insert(kind) } else { unread.append(name) }
    }
    #expect(unread == [])
    // Boxes in samples and in groups of samples are in no tree.
    let elsewhere: Set<BoxScope> = [.webVTTSample, .box("vttc"), .box("scif"), .box("mvif")]
    let kinds = BoxRegistry.standard.all.filter {
      !$0.examples.isEmpty && !elsewhere.isSuperset(of: $0.scopes)
    }
    #expect(kinds.count > 300)
    #expect(kinds.map(\.seedName).filter { !read.contains($0) } == [])
  }
}
