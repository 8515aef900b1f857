// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
import Foundation

/// The folders of this package, found from where this file was compiled.
public enum PackageFolder {
  /// The top of the package.
  public static let root: String = {
    var url = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    for _ in 0..<3 { url.deleteLastPathComponent() }
    return url.path
  }()
}

/// Reads a whole file, or answers `nil`.
public func contents(_ path: String) -> [UInt8]? {
  guard let data = FileManager.default.contents(atPath: path) else { return nil }
  return [UInt8](data)
}

/// Every file below `folder`, sorted, as paths relative to it.
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
  /// Where they are.
  public static let folder = PackageFolder.root + "/fixtures"

  /// The path of one.
  public static func path(_ name: String) -> String { folder + "/" + name }

  /// The bytes of one; empty where it is missing, which fails the test that asked.
  public static func bytes(_ name: String) -> ByteView { ByteView(contents(path(name)) ?? []) }

  /// The movies and streams, by name.
  public static let media: [String] = filesBelow(folder).filter { name in
    !name.contains("/") && [".mov", ".mp4", ".hevc", ".m4s", ".heic"].contains { name.hasSuffix($0) }
  }
}

/// Real files by other hands, and what other tools say of them. They are not part of the project: tests that need
/// them are skipped where they are absent.
public enum Corpus {
  /// Where they are, or `nil`.
  public static let folder: String? = {
    let candidates =
      [ProcessInfo.processInfo.environment["MV_CORPUS"], PackageFolder.root + "/../shared/corpus"]
      + [PackageFolder.root + "/../../shared/corpus"]
    for case let folder? in candidates where FileManager.default.fileExists(atPath: folder + "/README.md") {
      return folder
    }
    return nil
  }()

  /// Whether they are there; prints why tests are skipped where they are not.
  public static let isPresent: Bool = {
    if folder == nil { print("skipped: no corpus of real files beside this package (MV_CORPUS names one)") }
    return folder != nil
  }()

  /// The files below `subfolder`, as paths relative to the corpus; other tools' readings are left out.
  public static func files(_ subfolder: String) -> [String] {
    guard let folder else { return [] }
    return filesBelow(folder + "/" + subfolder)
      .filter {
        !$0.hasSuffix(".md") && !$0.hasSuffix(".txt") && !$0.hasSuffix(".json") && !$0.hasSuffix(".gz")
      }
      .map { subfolder + "/" + $0 }
  }

  /// The bytes of a file.
  public static func bytes(_ name: String) -> ByteView {
    ByteView(folder.flatMap { contents($0 + "/" + name) } ?? [])
  }

  /// What another tool says of the file `name`, decompressed, or `nil` where there is nothing.
  public static func truth(_ name: String, _ reading: String) -> String? {
    guard let folder else { return nil }
    let path = "\(folder)/truth/\(name)/\(reading)"
    if let plain = contents(path) { return String(decoding: plain, as: UTF8.self) }
    guard FileManager.default.fileExists(atPath: path + ".gz") else { return nil }
    return run("/bin/gzip", ["-dc", path + ".gz"]).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The files that have this reading.
  public static func files(with reading: String) -> [String] {
    guard let folder else { return [] }
    return filesBelow(folder + "/truth")
      .filter { $0.hasSuffix("/" + reading) || $0.hasSuffix("/" + reading + ".gz") }
      .map { String($0[..<($0.lastIndex(of: "/") ?? $0.endIndex)]) }
  }
}

/// Runs a program and answers what it wrote to its standard output, or `nil` where it failed.
public func run(_ program: String, _ arguments: [String]) -> [UInt8]? {
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
}

/// A generator whose sequence is fixed by its seed (SplitMix64), so that a failure can be repeated.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Starts the sequence of `seed`.
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
  /// Bytes from hexadecimal digits; spaces and line breaks are passed over.
  public init(hex: String, fileOffset: Int = 0) {
    let digits = hex.compactMap(\.hexDigitValue)
    self.init(
      stride(from: 0, to: digits.count & ~1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) },
      fileOffset: fileOffset)
  }
}
