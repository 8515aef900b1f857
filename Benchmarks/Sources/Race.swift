// swift-multiview · SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// Runs two commands in turn, and measures the time and memory of each.
struct Race {
  /// What one run of a command took.
  struct Run {
    var seconds: Double
    /// The processor time: the work of other programs does not count.
    var processorSeconds: Double
    var peakBytes: Int
    var status: Int32
  }

  /// The command lines, each in words.
  let commands: [[String]]
  let rounds: Int

  /// Runs the race; `nil` if a command cannot be started.
  func run() -> [[Run]]? {
    var runs = [[Run]](repeating: [], count: commands.count)
    for _ in 0..<rounds {
      for (index, command) in commands.enumerated() {
        guard let run = Self.run(command) else { return nil }
        runs[index].append(run)
      }
    }
    return runs
  }

  /// Runs a command to its end, and discards its output; `nil` on systems on which nothing can be started.
  private static func run(_ command: [String]) -> Run? {
    #if os(tvOS) || os(watchOS)
    return nil
    #else
    guard let name = command.first else { return nil }
    let arguments = unsafe CStrings(command)
    let environment = unsafe CStrings(
      ["PATH", "HOME", "LC_ALL", "LD_LIBRARY_PATH"].compactMap { name in
        unsafe getenv(name).map { unsafe name + "=" + String(cString: $0) }
      })
    #if canImport(Darwin)
    var actions = unsafe posix_spawn_file_actions_t(bitPattern: 0)
    #else
    var actions = unsafe posix_spawn_file_actions_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for descriptor: Int32 in 1...2 {
      unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
    }
    var process: pid_t = 0
    let start = ContinuousClock.now
    guard unsafe posix_spawnp(&process, name, &actions, nil, arguments.pointers, environment.pointers) == 0
    else {
      return nil
    }
    var status: Int32 = 0
    var usage = rusage()
    guard unsafe wait4(process, &status, 0, &usage) == process else { return nil }
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    #if canImport(Darwin)
    let peak = Int(usage.ru_maxrss)
    #else
    let peak = Int(usage.ru_maxrss) * 1024
    #endif
    let processor = [usage.ru_utime, usage.ru_stime].reduce(0.0) {
      $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
    }
    return Run(
      seconds: Double(seconds) + Double(attoseconds) / 1e18, processorSeconds: processor, peakBytes: peak,
      status: status)
    #endif
  }
}

/// Strings as C wants a list of them.
@unsafe
private final class CStrings {
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ strings: [String]) {
    unsafe count = strings.count
    unsafe pointers = .allocate(capacity: strings.count + 1)
    for (index, string) in strings.enumerated() {
      unsafe (pointers + index).initialize(to: strdup(string))
    }
    unsafe (pointers + strings.count).initialize(to: nil)
  }

  deinit {
    for index in unsafe 0..<count { unsafe free(pointers[index]) }
    unsafe pointers.deallocate()
  }
}

/// Prints a race as a row of a table: the fastest times and their ratio, the least processor times and
/// their ratio, the peak memory.
func printRow(_ title: String, _ runs: [[Race.Run]]) {
  var cells = [title]
  for times in [runs.map { $0.map(\.seconds) }, runs.map { $0.map(\.processorSeconds) }] {
    let fastest = times.map { max($0.min() ?? 0, 1e-6) }
    cells += fastest.map { duration($0 * 1e9) }
    cells.append(threeDigits(fastest[0] / fastest[1]))
  }
  cells += runs.map { scaled(Double($0.map(\.peakBytes).max() ?? 0)) + "B" }
  let failed = runs.map { $0.contains { $0.status != 0 } }
  cells.append(failed[0] ? "the first fails" : failed[1] ? "the second fails" : "")
  print("| " + cells.joined(separator: " | ") + " |")
}
