// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Calls of Linux that headers hide or older libraries do not have, by their numbers.
///
/// To look them up by name would not do: a static program has no names.
enum LinuxCall {
  case copyFileRange, syncFileRange, fstatfs

  /// Makes the call. Returns its result, or -1 with the reason in `errno`; `nil` on other systems and processors.
  @unsafe
  func callAsFunction(
    _ a: Int, _ b: Int, _ c: Int = 0, _ d: Int = 0, _ e: Int = 0, _ f: Int = 0
  ) -> Int? {
    #if os(Linux) && (arch(x86_64) || arch(arm64))
    return systemCall(number, a, b, c, d, e, f)
    #else
    return nil
    #endif
  }

  #if os(Linux) && arch(x86_64)
  private var number: Int {
    switch self {
    case .copyFileRange: 326
    case .syncFileRange: 277
    case .fstatfs: 138
    }
  }
  #elseif os(Linux) && arch(arm64)
  private var number: Int {
    switch self {
    case .copyFileRange: 285
    case .syncFileRange: 84
    case .fstatfs: 44
    }
  }
  #endif
}

#if os(Linux) && (arch(x86_64) || arch(arm64))
/// The function of the C library that makes any call. Swift does not import it, because it takes any number of
/// arguments; on Linux with these processors, whole numbers are passed to such a function as to any other.
@_silgen_name("syscall")
private func systemCall(_ number: Int, _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int) -> Int
#endif
