// swift-multiview · SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

// What this package uses of Core Foundation, as Swift imports Apple's headers. For type checks only.

@_exported public import Darwin

public typealias CFIndex = Int
public class CFAllocator {}
public final class CFString: @unchecked Sendable {
  // Only for the constants of the other stubs.
  public init() {}
}
public class CFData {}
public class CFNumber {}
public final class CFBoolean: @unchecked Sendable {}
public class CFDictionary {}
public final class CFMutableDictionary: CFDictionary {}

public let kCFBooleanTrue: CFBoolean! = nil
public let kCFBooleanFalse: CFBoolean! = nil

public struct CFDictionaryKeyCallBacks { public var version: CFIndex = 0 }
public struct CFDictionaryValueCallBacks { public var version: CFIndex = 0 }
public let kCFTypeDictionaryKeyCallBacks = CFDictionaryKeyCallBacks()
public let kCFTypeDictionaryValueCallBacks = CFDictionaryValueCallBacks()

public func CFDictionaryCreateMutable(
  _ allocator: CFAllocator!, _ capacity: CFIndex, _ keyCallBacks: UnsafePointer<CFDictionaryKeyCallBacks>!,
  _ valueCallBacks: UnsafePointer<CFDictionaryValueCallBacks>!
) -> CFMutableDictionary! { nil }
public func CFDictionarySetValue(
  _ theDict: CFMutableDictionary!, _ key: UnsafeRawPointer!, _ value: UnsafeRawPointer!
) {}

public func CFDataCreate(
  _ allocator: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex
) -> CFData! { nil }

public enum CFNumberType: CFIndex, Sendable {
  case sInt32Type = 3
  case sInt64Type = 4
}
public func CFNumberCreate(
  _ allocator: CFAllocator!, _ theType: CFNumberType, _ valuePtr: UnsafeRawPointer!
) -> CFNumber! { nil }

public typealias CFStringEncoding = UInt32
public enum CFStringBuiltInEncodings: CFStringEncoding, Sendable {
  case UTF8 = 0x0800_0100
}
public func CFStringCreateWithCString(
  _ alloc: CFAllocator!, _ cStr: UnsafePointer<CChar>!, _ encoding: CFStringEncoding
) -> CFString! { nil }
