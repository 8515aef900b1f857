// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// Decides, while a movie passes through a pipe, which of its bytes are kept: box headers, and the boxes with
/// metadata. Of media data and free space only a first part is kept.
struct TopLevelWalk {
  /// How much is kept of all media data and free space together: enough for the first samples, in which
  /// parameter sets may be.
  static let keptMediaBytes: UInt64 = 256 << 10
  private static let dropped: Set<FourCC> = ["mdat", "free", "skip", "wide"]

  private var header: [UInt8] = []
  private var headerSize = 8
  private var bodyLeft: UInt64 = 0
  private var keepLeft: UInt64 = 0
  private var mediaBudget = TopLevelWalk.keptMediaBytes

  /// Whether the first bytes of a file look like a box. If not, it is not a movie.
  static func looksLikeBox(_ bytes: ByteView) -> Bool {
    guard let size = bytes.bigEndian(at: 0, width: 4), let type = bytes.fourCC(at: 4) else { return false }
    return type.isPrintable && (size < 2 || size >= 8)
  }

  /// How many of the next bytes belong together, and whether they are kept.
  mutating func next(_ bytes: ByteView) -> (count: Int, isKept: Bool) {
    if bodyLeft > 0 {
      let isKept = keepLeft > 0
      let count = UInt64(bytes.count)
      let taken = min(count, isKept ? min(keepLeft, bodyLeft) : bodyLeft)
      bodyLeft -= taken
      if isKept { keepLeft -= taken }
      return (Int(taken), isKept)
    }
    let taken = min(bytes.count, headerSize - header.count)
    header += bytes.prefix(taken).array
    if header.count == headerSize { finishHeader() }
    return (taken, true)
  }

  private mutating func finishHeader() {
    let fields = ByteView(header)
    let shortSize = fields.bigEndian(at: 0, width: 4) ?? 0
    let type = fields.fourCC(at: 4) ?? FourCC(0)
    if shortSize == 1, headerSize == 8 {
      headerSize = 16
      return
    }
    let size = shortSize == 1 ? fields.bigEndian(at: 8, width: 8) ?? 0 : shortSize
    let isWhole = size >= UInt64(headerSize)
    // Size 0 means to the end. If the size is smaller than the header, nothing after it can be told apart.
    bodyLeft = isWhole ? size - UInt64(headerSize) : .max
    if Self.dropped.contains(type) || (!isWhole && size != 0) {
      keepLeft = min(bodyLeft, mediaBudget)
      mediaBudget -= keepLeft
    } else {
      keepLeft = bodyLeft
    }
    header.removeAll(keepingCapacity: true)
    headerSize = 8
  }
}
