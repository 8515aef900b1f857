// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ISOBMFF
import Multiview
import TestSupport

/// A box as bytes.
func box(_ type: FourCC, _ parts: [UInt8]...) -> [UInt8] {
  let body = parts.flatMap { $0 }
  return u32(UInt32(body.count + 8)) + u32(type.rawValue) + body
}

/// A full box of version 0 as bytes.
func fullBox(_ type: FourCC, flags: UInt32 = 0, _ parts: [UInt8]...) -> [UInt8] {
  box(type, u32(flags & 0xFF_FFFF), parts.flatMap { $0 })
}

/// A number as four bytes.
func u32(_ value: UInt32) -> [UInt8] {
  [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
}

/// A signed number as four bytes.
func i32(_ value: Int32) -> [UInt8] { u32(UInt32(bitPattern: value)) }

/// A number as two bytes.
func u16(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)] }

/// A signed number as two bytes.
func i16(_ value: Int16) -> [UInt8] { u16(UInt16(bitPattern: value)) }

/// Four characters as four bytes.
func code(_ code: FourCC) -> [UInt8] { u32(code.rawValue) }

/// The boxes of a sample entry in a tree of their own: what surrounds a sample entry is left out.
struct SampleEntryBytes {
  static let registry = BoxRegistry.standard.joined([
    BoxRegistration(
      container: "test", name: "TestSampleEntry", in: [.file], "", "", childScope: .visualSampleEntry)
  ])

  let tree: BoxTree

  init(_ children: [UInt8]) {
    tree = BoxTree(ByteView(box("test", children)), registry: Self.registry)
  }

  var entry: Box { tree.boxes[0] }
  var layout: StereoLayout { StereoLayout(sampleEntry: entry, path: "hvc1") }
}

/// `vexu` and `hfov` as AVAssetWriter wrote them into a real movie.
let realStereoBoxes = ByteView(
  hex: """
    0000005a 76657875 00000052 65796573 0000000d 73747269 00000000 03 0000000d 6865726f 00000000 01
    00000018 63616d73 00000010 626c696e 00000000 00004b28
    00000018 636d6679 00000010 6461646a 00000000 000000c8
    0000000c 68666f76 0000f7a8
    """
).array
