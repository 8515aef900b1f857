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
    ("InterpolationFilters", ["copy", "halfTaps", "quarterTaps", "fourTaps", "down", "across"]),
    ("InverseTransforms", ["small4", "block8", "strips", "hold"]),
    ("OffsetStatistics", ["byteEdges", "wideEdges"]),
    ("PackedPlane", ["packRow", "unpackRow", "differences", "samples"]),
    ("QuantisationKernels", ["quantiseWithDeltas"]),
    ("ResidualRows", ["add"]),
  ]

  /// Generic kernels are in the object of the file that uses them.
  private static let kernelObjects = kernels.map(\.file) + ["InterKernels", "InterPrediction"]

  /// Whether a function is one of the kernels: not the form of a generic one that nothing calls.
  private static func isKernel(_ symbol: String, _ file: String, _ function: String) -> Bool {
    symbol.contains("\(file.utf8.count)\(file)") && symbol.contains("\(function.utf8.count)\(function)")
      && (!symbol.contains("RzlF") || symbol.hasSuffix("g5") || symbol.contains("Tf"))
  }

  private struct Instruction {
    var address: UInt64
    var name: String
    /// Where it jumps to, if it does.
    var target: UInt64?
    /// The number that it makes the third argument of a call, if it does.
    var size: Int?
    /// Whether it calls what copies memory.
    var copies = false
  }

  /// The objects of files of a module in a release build after their last change, if there is one: a user's, or better that of
  /// the checks before a change lands.
  ///
  /// - Parameters:
  ///   - part: where the files are below the folder of the module.
  ///   - files: their names, without endings; `nil` for all.
  private static func objects(_ module: String, _ part: String, _ files: [String]? = nil) -> [String]? {
    let manager = FileManager.default
    func date(_ path: String) -> Date? {
      (try? manager.attributesOfItem(atPath: path))?[.modificationDate] as? Date
    }
    let folder = "\(PackageFolder.root)/Sources/\(module)/\(part)"
    let sources = (manager.subpaths(atPath: folder) ?? []).filter { $0.hasSuffix(".swift") }
    let newest = sources.compactMap { date("\(folder)/\($0)") }.max()
    let names = files ?? sources.map { URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent }
    guard let newest, !names.isEmpty else { return nil }
    let builds = [".build", ".build/warnings"].map { build in
      names.map { "\(PackageFolder.root)/\(build)/release/\(module).build/\($0).swift.o" }
    }
    // An object that came out the same is not written again.
    return builds.last {
      $0.allSatisfy { date($0) != nil } && $0.compactMap(date).max() ?? .distantPast >= newest
    }
  }

  /// The functions of objects; `nil` if they cannot be read here, which it prints.
  private static func functions(
    of objects: [String]?, _ options: String...
  ) throws -> [(name: String, body: [Instruction])]? {
    #if arch(x86_64)
    guard let objects else {
      print("skipped: no release build that is newer than the sources")
      return nil
    }
    guard let version = run("/usr/bin/env", ["objdump", "--version"]), !version.isEmpty else {
      print("skipped: no objdump on this machine")
      return nil
    }
    return try objects.flatMap { object in
      let output = try #require(
        run("/usr/bin/env", ["objdump", "-d", "--no-show-raw-insn"] + options + [object]))
      return functions(String(decoding: output, as: UTF8.self))
    }
    #else
    print("skipped: this machine has other instructions")
    return nil
    #endif
  }

  /// The instructions of each function, in order.
  private static func functions(_ text: String) -> [(name: String, body: [Instruction])] {
    var functions: [(name: String, body: [Instruction])] = []
    for line in text.split(separator: "\n") {
      if line.hasSuffix(">:"), let start = line.firstIndex(of: "<") {
        functions.append((String(line[line.index(after: start)...].dropLast(2)), []))
        continue
      }
      if line.contains("R_X86_64_PLT32"), let last = functions.last?.body.indices.last {
        functions[functions.count - 1].body[last].copies =
          line.contains("\tmemcpy") || line.contains("\tmemmove")
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
        Instruction(address: address, name: String(name), target: target, size: size(words)))
    }
    return functions
  }

  /// The number that an instruction puts into the register of a third argument.
  private static func size(_ words: [Substring]) -> Int? {
    guard words.count > 1, words[0] == "mov", words[1].hasPrefix("$0x"), words[1].hasSuffix(",%edx") else {
      return nil
    }
    return Int(words[1].dropFirst(3).dropLast(5), radix: 16)
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
    guard let all = try Self.functions(of: Self.objects("HEVCCoding", "Kernels", Self.kernelObjects)) else {
      return
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
  }

  /// What is known of a block is too large to be copied for each call that only looks at it.
  @Test(arguments: [("HEVCCoding", ""), ("HEVCDecoding", "Syntax"), ("HEVCEncoding", "Search")])
  func contextsStayInPlace(_ module: String, _ part: String) throws {
    guard let all = try Self.functions(of: Self.objects(module, part), "--reloc") else { return }
    let types = ["12BlockContextV", "12SliceDecoderV", "10TreeSearchC"]
    let found = all.filter { function in types.contains(where: function.name.contains) }
    #expect(found.contains { $0.body.count > 100 })
    // Those that make them copy what they are made of.
    for (name, body) in found where !name.contains("cfC") && !name.contains("cfc") {
      let sizes = body.indices.filter { body[$0].copies && $0 > 0 }.compactMap { call in
        body[max(0, call - 8)..<call].last { $0.size != nil }?.size
      }
      #expect(sizes.allSatisfy { $0 < 1_024 }, "\(name) copies \(sizes) bytes")
    }
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
