// swift-multiview · SPDX-License-Identifier: Apache-2.0

import AllocationCounter
public import ByteCoding

/// One way into the library that is fuzzed: what it does with the bytes of a stranger, and what must hold then.
public struct FuzzTarget: Sendable, CustomStringConvertible {
  /// The name, which is also that of the executable.
  public let name: String
  /// What the bytes are taken for, and what is checked.
  public let summary: String
  /// How mutations keep the bytes plausible.
  let mutator: @Sendable (inout FuzzMutation) -> Void
  /// How many times over the input is read: so many budgets there are.
  let readings: Int
  /// Inputs to begin with, by name.
  public let seeds: @Sendable () -> [(String, [UInt8])]
  /// Memory beyond what the size of the input allows: decoded pictures are larger than their bytes.
  private let additionalMemory: Int
  /// Whether work is counted in allocations. That of decoding follows the samples of pictures, and without optimisation each
  /// block of them allocates.
  private let countsAllocations: Bool
  private let body: @Sendable (ByteView, inout FuzzFindings) -> Void

  init(
    _ name: String, _ summary: String, additionalMemory: Int = 0, countsAllocations: Bool = true,
    seeds: @escaping @Sendable () -> [(String, [UInt8])],
    mutator: @escaping @Sendable (inout FuzzMutation) -> Void, readings: Int = 1,
    _ body: @escaping @Sendable (ByteView, inout FuzzFindings) -> Void
  ) {
    self.name = name
    self.summary = summary
    self.additionalMemory = additionalMemory
    self.countsAllocations = countsAllocations
    self.seeds = seeds
    self.mutator = mutator
    self.readings = readings
    self.body = body
  }

  public var description: String { name }

  /// All targets.
  public static let all: [FuzzTarget] = [
    boxTree, parameterSet, configurationRecord, sei, slice, nalUnits, sampleTable, movie, edit, compose, mux,
    repair, info, pictures, encode,
  ]

  /// The target of that name.
  public static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }

  /// Does what is done with such bytes, and answers what does not hold. What traps is not answered.
  public func run(_ bytes: ByteView) -> FuzzFindings {
    var findings = FuzzFindings()
    allocation_meter_reset()
    body(bytes, &findings)
    let meter = allocation_meter_read()
    let budget = FuzzBudget(bytes: bytes.count)
    let (memory, allocations) = (Int(clamping: meter.peak), Int(clamping: meter.count))
    let size = "for \(bytes.count) bytes of input"
    findings.expect(
      memory <= budget.memory * readings + additionalMemory, "\(memory) bytes of memory \(size)")
    if countsAllocations {
      findings.expect(allocations <= budget.allocations * readings, "\(allocations) allocations \(size)")
    }
    findings.peakMemory = memory
    findings.allocations = allocations
    return findings
  }
}

/// How much memory and work so many bytes may cost.
///
/// Work is counted in allocations: they follow the steps of a walk, and unlike time they are the same each time.
public struct FuzzBudget {
  /// The most memory held at one time.
  public let memory: Int
  /// The most allocations.
  public let allocations: Int

  /// The budget of an input of that size.
  public init(bytes: Int) {
    memory = (4 << 20) + 256 * bytes
    allocations = 50_000 + 200 * bytes
  }
}

/// What does not hold for some bytes.
public struct FuzzFindings: Sendable {
  /// What does not hold, one line each; at most a few are kept.
  public private(set) var problems: [String] = []
  /// The most memory held at one time; 0 where it cannot be measured.
  public internal(set) var peakMemory = 0
  /// How often memory was allocated; 0 where it cannot be measured.
  public internal(set) var allocations = 0

  /// Notes `what` unless `condition` holds.
  mutating func expect(_ condition: Bool, _ what: @autoclosure () -> String) {
    if !condition { note(what()) }
  }

  /// Notes that something does not hold.
  mutating func note(_ what: String) {
    if problems.count < 10 { problems.append(String(what.prefix(1_000))) }
  }
}
