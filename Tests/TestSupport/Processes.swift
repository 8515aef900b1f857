// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Foundation

/// How a program ended, and what it wrote.
public struct ProcessResult: Sendable {
  /// The exit status; negative is the signal that ended it.
  public var status: Int32
  /// The standard output.
  public var output: String
  /// The standard error.
  public var errors: String
}

/// The programs that this package builds.
public enum BuiltProducts {
  /// The folder of the programs: that of the tests, or an enclosing one. A test fails if it is `nil`.
  public static let folder: String? = folder(
    of: CommandLine.arguments, bundles: [Bundle.main] + Bundle.allBundles)

  /// The folder of the programs, according to how the test program was started.
  ///
  /// On Linux that is a program beside them. On macOS it is a helper of the toolchain, and the tests are a bundle
  /// beside them, which the helper loads: `--test-bundle-path …/X.xctest/Contents/MacOS/X`.
  static func folder(of arguments: [String], bundles: [Bundle] = []) -> String? {
    let option = arguments.firstIndex(of: "--test-bundle-path")
    let named = [option.map { $0 + 1 }, 0].compactMap { $0 }.filter(arguments.indices.contains)
    let candidates =
      named.map { URL(fileURLWithPath: arguments[$0]) }
      + bundles.flatMap { [$0.bundleURL, $0.executableURL?.deletingLastPathComponent()].compactMap { $0 } }
    for start in candidates {
      var url = start.resolvingSymlinksInPath()
      for _ in 0..<6 {
        if FileManager.default.isExecutableFile(atPath: url.appendingPathComponent("mvdump").path) {
          return url.path
        }
        url.deleteLastPathComponent()
      }
    }
    return nil
  }

  /// Returns the path of a program.
  public static func path(_ name: String) -> String { (folder ?? "") + "/" + name }
}

/// Runs a shell command in `folder` and waits for it; `$MVDUMP` is the tool.
public func shell(
  _ command: String, in folder: String = PackageFolder.root, environment: [String: String] = [:]
) throws -> ProcessResult {
  #if os(macOS) || !canImport(Darwin)
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/bin/sh")
  process.arguments = ["-c", command]
  process.currentDirectoryURL = URL(fileURLWithPath: folder)
  var variables = ProcessInfo.processInfo.environment
  variables["MVDUMP"] = BuiltProducts.path("mvdump")
  variables["MVEDIT"] = BuiltProducts.path("mvedit")
  variables["NO_COLOR"] = nil
  for (name, value) in environment { variables[name] = value }
  process.environment = variables
  let output = Pipe(), errors = Pipe()
  process.standardOutput = output
  process.standardError = errors
  process.standardInput = FileHandle.nullDevice
  try withoutBlockedSignals { try process.run() }
  // Both pipes must be read at the same time: if one is full, the program stops.
  let collector = Collector()
  let thread = Thread { collector.finish(errors.fileHandleForReading.readDataToEndOfFile()) }
  thread.start()
  let out = output.fileHandleForReading.readDataToEndOfFile()
  let err = collector.wait()
  process.waitUntilExit()
  let isSignal = process.terminationReason == .uncaughtSignal
  return ProcessResult(
    status: isSignal ? -process.terminationStatus : process.terminationStatus,
    output: String(decoding: out, as: UTF8.self), errors: String(decoding: err, as: UTF8.self))
  #else
  throw NoPrograms()
  #endif
}

/// Apps cannot start programs on iOS and its relatives: the tests that do are for macOS and Linux.
public struct NoPrograms: Error {}

/// Returns the shell command that runs another one in a terminal of its own.
public func inTerminal(_ command: String) -> String {
  #if canImport(Darwin)
  "script -q /dev/null sh -c '\(command)'"
  #else
  "script -qec '\(command)' /dev/null"
  #endif
}

/// Threads of the test program may block signals, and a program that is started would inherit that and receive none.
private func withoutBlockedSignals(_ body: () throws -> Void) rethrows {
  var none = sigset_t()
  var before = sigset_t()
  unsafe sigemptyset(&none)
  unsafe pthread_sigmask(SIG_SETMASK, &none, &before)
  defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
  try body()
}

private final class Collector: @unchecked Sendable {
  private let condition = NSCondition()
  private var data: Data?

  func finish(_ data: Data) {
    condition.lock()
    self.data = data
    condition.signal()
    condition.unlock()
  }

  func wait() -> Data {
    condition.lock()
    defer { condition.unlock() }
    while data == nil { condition.wait() }
    return data ?? Data()
  }
}

/// A folder that is empty at first, and is deleted with its last reference.
public final class TemporaryFolder {
  /// The path of the folder.
  public let path: String

  /// Makes the folder.
  public init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("multiview-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file into the folder, and returns its path.
  @discardableResult
  public func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
    let url = URL(fileURLWithPath: path).appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
    return url.path
  }
}
