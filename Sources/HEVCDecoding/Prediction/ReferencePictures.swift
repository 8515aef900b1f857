// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The pictures to which the current slice refers, to wait for those that other threads still decode.
final class ReferencePictures {
  private var entries = [PictureBuffer?](repeating: nil, count: 32)

  /// Makes a picture an entry. Those of list 1 begin at 16.
  func set(_ picture: PictureBuffer, entry: Int) { entries[entry] = picture }

  /// Forgets all pictures.
  func removeAll() { for index in entries.indices { entries[index] = nil } }

  /// Waits for rows of luma samples, and answers how many are finished. Of an entry without a picture, all are.
  func wait(forRows rows: Int, entry: Int) -> Int { entries[entry]?.wait(forRows: rows) ?? .max }
}

extension SliceDecoder {
  /// Waits until what a vector points to is there.
  @inline(__always)
  func waitForSamples(_ block: PredictionBlock, _ vector: MotionVector, entry: Int) {
    // Four rows below are taken for interpolation, of luma as of half as many rows of chroma, and vectors are rounded.
    waitForRows(max(1, block.y &+ block.height &+ (Int(vector.y) &>> 2) &+ 8), entry: entry)
  }

  /// Waits until the first `rows` rows of an entry are there.
  @inline(__always)
  func waitForRows(_ rows: Int, entry: Int) {
    if rows > Int(references.finishedRows[entry]) { reallyWait(forRows: rows, entry: entry) }
  }

  @inline(never)
  private func reallyWait(forRows rows: Int, entry: Int) {
    let finished = pictures.wait(forRows: rows, entry: entry)
    // Once it is whole, it is never asked again: vectors may point below the picture.
    references.finishedRows[entry] = finished >= v.height ? .max : Int32(clamping: finished)
  }
}
