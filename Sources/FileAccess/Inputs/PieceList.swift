// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// Bytes that arrive in pieces of any size, in ascending order and possibly with gaps.
///
/// Short adjacent pieces are merged: otherwise a pipe that delivers a few bytes at a time would cost a hundred
/// bytes for each piece.
struct PieceList {
  /// How long a piece may grow by appending. Bytes of at least half that length form a piece of their own.
  static let pieceBytes = 64 << 10

  private var whole: [ByteView] = []
  /// The bytes of the last piece, which may still grow, and where it begins.
  private var growing: [UInt8] = []
  private var growingStart = 0

  /// How many pieces there are.
  var count: Int { whole.count + (growing.isEmpty ? 0 : 1) }

  /// Adds bytes that follow all bytes already present.
  ///
  /// - Parameter copying: whether they must be copied because they are part of memory that should not be kept
  ///   alive.
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

  /// Drops the first pieces, so that at most `limit` of those that no longer grow are left.
  mutating func dropFirst(keeping limit: Int) {
    if whole.count > limit { whole.removeFirst(whole.count - limit) }
  }

  /// The bytes from `position` on, up to `end`, as far as one piece holds them; `nil` if none does.
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
