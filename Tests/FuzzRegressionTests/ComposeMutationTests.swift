// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Foundation
import FuzzEntries
import Testing

/// Damaged movies are composed at random: with fixed seeds, so that a failure can be repeated.
@Suite struct ComposeMutationTests {
  /// How often each seed is changed; `MV_COMPOSE_ROUNDS` asks for more.
  private static let rounds = ProcessInfo.processInfo.environment["MV_COMPOSE_ROUNDS"].flatMap(Int.init) ?? 12

  @Test func whatIsMadeOfDamagedMoviesCanBeRead() throws {
    let target = try #require(FuzzTarget.named("FuzzCompose"))
    var count = 0
    for (name, seed) in target.seeds() where seed.count < 1 << 17 {
      for round in 0...Self.rounds {
        let bytes =
          round == 0 ? seed : target.mutated(seed, maximumSize: seed.count + 4_096, seed: UInt64(round))
        let problems = target.run(ByteView(bytes)).problems
        #expect(problems.isEmpty, "\(name), round \(round): \(problems.prefix(2))")
        count += 1
      }
    }
    print("\(count) movies were composed")
    #expect(count > 100)
  }
}
