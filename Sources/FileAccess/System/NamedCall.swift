// swift-multiview · SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

#if os(Linux) || os(Android)
/// Calls of the system that are looked up by name: headers hide them, or older libraries do not have them.
enum NamedCall {
  /// The call; `nil` if the library does not have it. `Function` must be its type in C.
  @unsafe
  static func find<Function>(_ name: String, as type: Function.Type) -> Function? {
    guard let symbol = unsafe dlsym(nil, name) else { return nil }
    return unsafe unsafeBitCast(symbol, to: Function.self)
  }
}
#endif
