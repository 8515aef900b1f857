// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Whether kernels became the instructions that they are written for. One function of the standard library that is
/// not inlined, or one vector that is put together lane by lane, makes a kernel several times as slow, without any
/// difference in its results.
@Suite struct DisassemblyTests {
  /// The kernels that are written in lanes, by file.
  private static let kernels: [(file: String, functions: [String])] = [
    (
      "DifferenceKernels",
      [
        "sad8", "sad16", "sad32", "sad64", "byteSad", "wideSad", "byteSquares", "wideSquares", "byteSatd8",
        "wideSatd8", "byteSatd4", "wideSatd4",
      ]
    ),
    ("ForwardTransformKernels", ["transform4", "transform8", "finish8", "transformStrips", "wholeStage"]),
    ("InterpolationFilters", ["down", "across"]),
    ("InverseTransforms", ["small4", "block8", "strips", "hold"]),
    ("OffsetStatistics", ["byteEdges", "wideEdges"]),
    ("QuantisationKernels", ["quantiseWithDeltas"]),
    ("ResidualRows", ["add"]),
  ]

  /// Generic kernels are in the object of the file that uses them.
  private static let objects = kernels.map(\.file) + ["InterKernels"]

  /// Whether a function is one of the kernels: not the form of a generic one that nothing calls.
  private static func isKernel(_ symbol: String, _ file: String, _ function: String) -> Bool {
    symbol.contains("\(file.utf8.count)\(file)") && symbol.contains("\(function.utf8.count)\(function)")
      && (!symbol.contains("RzlF") || symbol.contains("Tg5") || symbol.contains("Tf"))
  }

  private struct Instruction {
    var address: UInt64
    var name: String
    /// Where it jumps to, if it does.
    var target: UInt64?
  }

  /// The objects of a release build that is newer than the kernels, if there is one: a user's, or better that of the
  /// checks before a change lands.
  private static func folder() -> String? {
    let root = PackageFolder.root
    let manager = FileManager.default
    func date(_ path: String) -> Date? {
      (try? manager.attributesOfItem(atPath: path))?[.modificationDate] as? Date
    }
    let sources = objects.compactMap { date("\(root)/Sources/HEVCCoding/Kernels/\($0).swift") }.max()
    let folders = [".build", ".build/warnings"].map { "\(root)/\($0)/release/HEVCCoding.build" }
    return folders.last { folder in
      let built = objects.map { date("\(folder)/\($0).swift.o") ?? .distantPast }
      return sources != nil && built.allSatisfy { $0 >= sources ?? .distantFuture }
    }
  }

  /// The instructions of each function, in order.
  private static func functions(_ text: String) -> [(name: String, body: [Instruction])] {
    var functions: [(name: String, body: [Instruction])] = []
    for line in text.split(separator: "\n") {
      if line.hasSuffix(">:"), let start = line.firstIndex(of: "<") {
        functions.append((String(line[line.index(after: start)...].dropLast(2)), []))
        continue
      }
      let parts = line.split(separator: "\t", maxSplits: 1)
      guard parts.count == 2, !functions.isEmpty,
        let address = UInt64(parts[0].trimmingCharacters(in: [" ", ":"]), radix: 16)
      else { continue }
      let words = parts[1].split(separator: " ")
      guard let name = words.first else { continue }
      let target = name.hasPrefix("j") && words.count > 1 ? UInt64(words[1], radix: 16) : nil
      functions[functions.count - 1].body.append(
        Instruction(address: address, name: String(name), target: target))
    }
    return functions
  }

  /// The instructions between a jump backwards and its target.
  private static func loops(_ body: [Instruction]) -> [Instruction] {
    guard let first = body.first?.address else { return [] }
    let ranges = body.compactMap { jump in
      jump.target.flatMap { $0 >= first && $0 <= jump.address ? $0...jump.address : nil }
    }
    return body.filter { instruction in ranges.contains { $0.contains(instruction.address) } }
  }

  @Test func kernelsAreInstructionsOfVectors() throws {
    #if arch(x86_64)
    guard let folder = Self.folder() else {
      return print("skipped: no release build that is newer than the kernels")
    }
    guard let version = run("/usr/bin/env", ["objdump", "--version"]), !version.isEmpty else {
      return print("skipped: no objdump on this machine")
    }
    var all: [(name: String, body: [Instruction])] = []
    for object in Self.objects {
      let output = try #require(
        run("/usr/bin/env", ["objdump", "-d", "--no-show-raw-insn", "\(folder)/\(object).swift.o"]))
      all += Self.functions(String(decoding: output, as: UTF8.self))
    }
    for (file, functions) in Self.kernels {
      for function in functions {
        let found = all.filter { Self.isKernel($0.name, file, function) }
        #expect(!found.isEmpty, "\(file) has no \(function)")
        for (name, body) in found {
          // A call in a loop is one for each row, column or number.
          #expect(!Self.loops(body).contains { $0.name.hasPrefix("call") }, "\(name) calls in a loop")
          #expect(!body.contains { $0.name == "pinsrw" }, "\(name) inserts single lanes")
          #expect(!body.contains { $0.name == "pmuludq" }, "\(name) multiplies 64 bits")
        }
      }
    }
    #else
    print("skipped: this machine has other instructions")
    #endif
  }

  /// The reading of a disassembly: what is a loop, and what is not.
  @Test func loopsAreFoundInADisassembly() {
    let text = """
      0000000000000000 <one>:
         0:\tpush   %rbp
         1:\tcall   17 <one+0x17>
         6:\tpaddw  %xmm0,%xmm1
         a:\tpinsrw $0x1,%eax,%xmm1
         f:\tjne    6 <one+0x6>
        11:\tjmp    20 <two>
        16:\tret

      0000000000000020 <two>:
        20:\tnop
        21:\tjmp    6 <one+0x6>
      """
    let functions = Self.functions(text)
    #expect(functions.map(\.name) == ["one", "two"])
    #expect(functions.map(\.body.count) == [7, 2])
    #expect(Self.loops(functions[0].body).map(\.name) == ["paddw", "pinsrw", "jne"])
    #expect(Self.loops(functions[1].body).isEmpty)
  }
}
