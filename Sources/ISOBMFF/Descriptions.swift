// swift-multiview · SPDX-License-Identifier: Apache-2.0

// What `print` shows: a line for people to read, and not how a value is stored in memory.

extension Box: CustomStringConvertible {
  /// Type, size and offset: `hvcC, 126 bytes at 580`.
  public var description: String { "\(type), \(size) bytes at \(offset)" }
}

extension BoxTree: CustomStringConvertible {
  /// The types of the boxes at the top level: `ftyp moov mdat`; if there are many, of the first ones.
  public var description: String {
    let shown = boxes.prefix(16).map { "\($0.type)" }.joined(separator: " ")
    return boxes.count > 16 ? "\(shown) … (\(boxes.count) boxes)" : shown
  }
}

extension Sample: CustomStringConvertible {
  /// Number, time and location: `sample 3: decoded at 60 for 20, 1234 bytes at 40960, sync`.
  public var description: String {
    "sample \(index): decoded at \(decodeTime) for \(duration), \(size) bytes at \(offset)"
      + (isSync ? ", sync" : "")
  }
}

extension EditList.Edit: CustomStringConvertible {
  /// The time, and what is presented then: `0..<23040: the media from 1024 on`.
  public var description: String {
    let range = "\(start)..<\(end.map { "\($0)" } ?? "the end")"
    switch content {
    case .empty: return "\(range): nothing"
    case .dwell(let time): return "\(range): the picture at \(time)"
    case .media(let from, let rate):
      return "\(range): the media from \(from) on"
        + (rate == 65_536 ? "" : " at rate \(Double(rate) / 65_536)")
    }
  }
}
