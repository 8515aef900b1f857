// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import FileAccess

/// Where bytes come from: the objects that hold or compute them, and the places in these. Bytes of the same origins are the same.
package struct ByteOrigins: Equatable {
  private struct Origin: Equatable {
    var object: ObjectIdentifier
    var range: Range<UInt64>
  }

  private var origins: [Origin] = []

  /// The origins of a range of bytes; `nil` if they are not known.
  package init?(of range: Range<UInt64>, in source: any ByteSource) {
    guard let plan = source.exactly(WritePlan.self) else {
      guard add(.range(range, of: source)) else { return nil }
      return
    }
    guard range.upperBound <= plan.byteCount else { return nil }
    var areKnown = true
    do throws(SourceError) {
      areKnown = try plan.forEachPart(of: range) { (part, _) throws(SourceError) in add(part) }
    } catch { return nil }
    guard areKnown else { return nil }
  }

  private mutating func add(_ part: WritePlan.Piece) -> Bool {
    switch part {
    case .bytes(let bytes):
      let place = bytes.place
      add(
        Origin(object: place.memory, range: UInt64(place.range.lowerBound)..<UInt64(place.range.upperBound)))
    case .range(let range, let source):
      if let memory = source.exactly(MemoryBytes.self) {
        guard range.upperBound <= UInt64(memory.bytes.count) else { return false }
        return add(
          .bytes(
            memory.bytes.suffix(from: Int(range.lowerBound)).prefix(Int(range.upperBound - range.lowerBound)))
        )
      }
      // Nearly all are files. Any other is cast to an object, for which the runtime searches at first.
      if let file = source.exactly(FileBytes.self) {
        add(Origin(object: ObjectIdentifier(file), range: range))
      } else if type(of: source) is AnyObject.Type {
        add(Origin(object: ObjectIdentifier(source as AnyObject), range: range))
      } else {
        return false
      }
    }
    return true
  }

  private mutating func add(_ origin: Origin) {
    if origin.range.isEmpty { return }
    if let last = origins.last, last.object == origin.object, last.range.upperBound == origin.range.lowerBound
    {
      origins[origins.count - 1].range = last.range.lowerBound..<origin.range.upperBound
    } else {
      origins.append(origin)
    }
  }
}
