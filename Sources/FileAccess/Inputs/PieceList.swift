// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// Bytes that come in pieces of any size, ascending and with gaps.
///
/// Short pieces that follow one another become one: a pipe that drips would otherwise cost a hundred bytes for each.
struct PieceList {
  /// How long a piece becomes by what is appended to it. What has half of that is a piece of its own.
  static let pieceBytes = 64 << 10

  private var whole: [ByteView] = []
  /// What the last piece grows in, and where it begins.
  private var growing: [UInt8] = []
  private var growingStart = 0

  /// How many pieces there are.
  var count: Int { whole.count + (growing.isEmpty ? 0 : 1) }

  /// Adds bytes that follow all that are there.
  ///
  /// - Parameter copying: whether they are part of memory that should not be held on to.
  mutating func append(_ bytes: ByteView, copying: Bool) {
    guard !bytes.isEmpty else { return }
    let isNext = bytes.fileOffset == growingStart + growing.count
    if !isNext || bytes.count > Self.pieceBytes - growing.count { finishPiece() }
    guard bytes.count < Self.pieceBytes / 2 else {
      finishPiece()
      whole.append(copying ? bytes.copy() : bytes)
      return
    }
    if growing.isEmpty { growingStart = bytes.fileOffset }
    growing.append(contentsOf: bytes)
  }

  private mutating func finishPiece() {
    guard !growing.isEmpty else { return }
    whole.append(ByteView(growing, fileOffset: growingStart))
    growing.removeAll(keepingCapacity: true)
  }

  /// Drops the first pieces, so that no more than `limit` of those that no longer grow are left.
  mutating func dropFirst(keeping limit: Int) {
    if whole.count > limit { whole.removeFirst(whole.count - limit) }
  }

  /// What there is in one piece from `position` on, up to `end`; `nil` where there is nothing.
  func bytes(from position: Int, to end: Int) -> ByteView? {
    if let start = growingIndex(of: position) {
      return ByteView(growing[start...].prefix(end - position), fileOffset: position)
    }
    let index = whole.partitionIndex { $0.fileOffset <= position } - 1
    guard index >= 0, whole[index].fileRange.contains(position) else { return nil }
    return whole[index].suffix(from: position - whole[index].fileOffset).prefix(end - position)
  }

  private func growingIndex(of position: Int) -> Int? {
    let index = position - growingStart
    return growing.indices.contains(index) ? index : nil
  }
}
