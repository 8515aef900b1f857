// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding

/// A box as bytes.
package func box(_ type: FourCC, _ parts: [UInt8]...) -> [UInt8] {
  let body = parts.flatMap { $0 }
  return u32(UInt32(body.count + 8)) + u32(type.rawValue) + body
}

/// A full box of version 0 as bytes.
package func fullBox(_ type: FourCC, flags: UInt32 = 0, _ parts: [UInt8]...) -> [UInt8] {
  box(type, u32(flags & 0xFF_FFFF), parts.flatMap { $0 })
}

/// A number as four bytes.
package func u32(_ value: UInt32) -> [UInt8] {
  [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
}

/// A signed number as four bytes.
package func i32(_ value: Int32) -> [UInt8] { u32(UInt32(bitPattern: value)) }

/// A number as two bytes.
package func u16(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)] }

/// A signed number as two bytes.
package func i16(_ value: Int16) -> [UInt8] { u16(UInt16(bitPattern: value)) }

/// Four characters as four bytes.
package func code(_ code: FourCC) -> [UInt8] { u32(code.rawValue) }
