// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
import Foundation

/// The folders of this package, derived from the path of this source file.
public enum PackageFolder {
  /// The top of the package.
  public static let root: String = {
    var url = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    for _ in 0..<3 { url.deleteLastPathComponent() }
    return url.path
  }()
}

/// Reads a whole file; `nil` if that is not possible.
public func contents(_ path: String) -> [UInt8]? {
  guard let data = FileManager.default.contents(atPath: path) else { return nil }
  return [UInt8](data)
}

/// Returns the paths of all files in `folder` and its subfolders, sorted and relative to it.
public func filesBelow(_ folder: String) -> [String] {
  guard let walk = FileManager.default.enumerator(atPath: folder) else { return [] }
  var files: [String] = []
  while let name = walk.nextObject() as? String {
    if walk.fileAttributes?[.type] as? FileAttributeType == .typeRegular { files.append(name) }
  }
  return files.sorted()
}

/// The small movies and streams that come with the project.
public enum Fixtures {
  /// The folder of the fixtures.
  public static let folder = PackageFolder.root + "/fixtures"

  /// Returns the path of a fixture.
  public static func path(_ name: String) -> String { folder + "/" + name }

  /// Returns the bytes of a fixture; empty if it is missing, which fails the test.
  public static func bytes(_ name: String) -> ByteView { ByteView(contents(path(name)) ?? []) }

  /// The names of the movies and streams.
  public static let media: [String] = filesBelow(folder).filter { name in
    !name.contains("/") && [".mov", ".mp4", ".hevc", ".m4s", ".heic"].contains { name.hasSuffix($0) }
  }
}

/// Real files from other sources, and the readings of other tools. They are not part of the project: tests that need
/// them are skipped if they are absent.
public enum Corpus {
  /// The folder of the files; `nil` if they are absent.
  public static let folder: String? = {
    let candidates =
      [ProcessInfo.processInfo.environment["MV_CORPUS"], PackageFolder.root + "/../shared/corpus"]
      + [PackageFolder.root + "/../../shared/corpus"]
    for case let folder? in candidates where FileManager.default.fileExists(atPath: folder + "/README.md") {
      return folder
    }
    return nil
  }()

  /// Whether the files are present; if not, prints why tests are skipped.
  public static let isPresent: Bool = {
    if folder == nil { print("skipped: no corpus of real files beside this package (MV_CORPUS names one)") }
    return folder != nil
  }()

  /// Returns the paths of the files in `subfolder`, relative to the corpus, without the readings of other tools.
  public static func files(_ subfolder: String) -> [String] {
    guard let folder else { return [] }
    return filesBelow(folder + "/" + subfolder)
      .filter {
        !$0.hasSuffix(".md") && !$0.hasSuffix(".txt") && !$0.hasSuffix(".json") && !$0.hasSuffix(".gz")
      }
      .map { subfolder + "/" + $0 }
  }

  /// Returns the bytes of a file.
  public static func bytes(_ name: String) -> ByteView {
    ByteView(folder.flatMap { contents($0 + "/" + name) } ?? [])
  }

  /// Returns another tool's reading of the file `name`, decompressed; `nil` if there is none.
  public static func truth(_ name: String, _ reading: String) -> String? {
    guard let folder else { return nil }
    let path = "\(folder)/truth/\(name)/\(reading)"
    if let plain = contents(path) { return String(decoding: plain, as: UTF8.self) }
    guard FileManager.default.fileExists(atPath: path + ".gz") else { return nil }
    return run("/usr/bin/env", ["gzip", "-dc", path + ".gz"]).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the files that have a reading of this kind.
  public static func files(with reading: String) -> [String] {
    guard let folder else { return [] }
    return filesBelow(folder + "/truth")
      .filter { $0.hasSuffix("/" + reading) || $0.hasSuffix("/" + reading + ".gz") }
      .map { String($0[..<($0.lastIndex(of: "/") ?? $0.endIndex)]) }
  }
}

/// Runs a program and returns its standard output; `nil` if it failed.
public func run(_ program: String, _ arguments: [String]) -> [UInt8]? {
  #if os(macOS) || !canImport(Darwin)
  let process = Process()
  process.executableURL = URL(fileURLWithPath: program)
  process.arguments = arguments
  let output = Pipe()
  process.standardOutput = output
  process.standardError = FileHandle.nullDevice
  do { try process.run() } catch { return nil }
  let data = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return process.terminationStatus == 0 ? [UInt8](data) : nil
  #else
  return nil
  #endif
}

/// A generator of random numbers that are determined by its seed (SplitMix64), so that a failure can be reproduced.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Makes a generator with a seed.
  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}

extension ByteView {
  /// Makes bytes from hexadecimal digits; spaces and line breaks are skipped.
  public init(hex: String, fileOffset: Int = 0) {
    let digits = hex.compactMap(\.hexDigitValue)
    self.init(
      stride(from: 0, to: digits.count & ~1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) },
      fileOffset: fileOffset)
  }
}

/// Bytes of which each tells its place.
public func patternedBytes(_ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
}
