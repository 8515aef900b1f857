// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import FileAccess
package import ISOBMFF

extension ByteSource {
  /// The source with other bytes in some places; of patches that overlap, the last one counts.
  package func patched(_ patches: [BytePatch]) throws(ParseError) -> WritePlan {
    var pieces: [WritePlan.Piece] = []
    var position: UInt64 = 0
    for patch in patches.ordered where patch.offset >= position {
      if patch.offset > position { pieces.append(.range(position..<patch.offset, of: self)) }
      pieces.append(.bytes(patch.bytes))
      position = patch.range.upperBound
    }
    if let size, position < size { pieces.append(.range(position..<size, of: self)) }
    return try WritePlan(pieces: pieces)
  }
}

extension [BytePatch] {
  /// The patches with those of whole boxes, in the order of the file, which include what others change inside these boxes.
  package func replaced(by boxes: [BytePatch]) -> [BytePatch] {
    filter { patch in
      let last = boxes.partitionIndex { $0.offset < patch.range.upperBound } - 1
      return last < 0 || !boxes[last].range.overlaps(patch.range)
    } + boxes
  }

  /// The patches in the order of the file, without overlaps: where there were any, the last one counts.
  package var ordered: [BytePatch] {
    let sorted = enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
    var result: [BytePatch] = []
    for patch in sorted.map(\.element) {
      guard let last = result.last, last.range.upperBound > patch.offset else {
        result.append(patch)
        continue
      }
      var joined = last.bytes.array
      let start = Int(patch.offset - last.offset)
      let end = Swift.min(joined.count, start + patch.bytes.count)
      joined.replaceSubrange(start..<end, with: patch.bytes.array)
      result[result.count - 1] = BytePatch(offset: last.offset, bytes: ByteView(joined))
    }
    return result
  }
}

extension BoxTree {
  /// Patches that make of this tree another one with the same boxes at the top level, of which some are smaller or
  /// missing, without moving a byte: what they leave becomes free space of zeros.
  ///
  /// - Throws: `ParseError` if a box is larger than before, or by so little smaller that no box fits.
  package func patches(to other: BoxTree) throws(ParseError) -> [BytePatch] {
    var patches: [BytePatch] = []
    var rest = other.boxes[...]
    for old in boxes {
      guard let new = rest.first, new.offset == old.offset else {
        patches.append(old.erased(after: []))
        continue
      }
      rest.removeFirst()
      guard new.isEdited else { continue }
      let bytes = try new.encoded()
      guard bytes.count == old.size || bytes.count + 8 <= old.size else {
        throw ParseError(
          .invalid("has no room for what replaces it"), offset: old.offset, path: "\(old.type)")
      }
      patches.append(old.erased(after: bytes))
    }
    return patches
  }
}

extension Box {
  /// The bytes for the range of the box: the new ones, and free space for the rest.
  fileprivate func erased(after bytes: [UInt8]) -> BytePatch {
    let left = size - bytes.count
    var all = bytes
    if left >= 8 {
      all += (0..<4).map { UInt8(truncatingIfNeeded: left >> (24 - 8 * $0)) } + Array("free".utf8)
      all += [UInt8](repeating: 0, count: left - 8)
    }
    return BytePatch(offset: UInt64(offset), bytes: ByteView(all))
  }
}
