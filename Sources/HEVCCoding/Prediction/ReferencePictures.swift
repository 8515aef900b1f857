// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The pictures that the current slice refers to, kept so that it can wait for those still being decoded.
package final class ReferencePictures {
  package init() {}

  private var entries = [PictureBuffer?](repeating: nil, count: 32)

  /// Sets the picture of an entry. Entries of list 1 begin at 16.
  package func set(_ picture: PictureBuffer, entry: Int) { entries[entry] = picture }

  /// Removes all pictures.
  package func removeAll() { for index in entries.indices { entries[index] = nil } }

  /// Waits for rows of luma samples, and returns how many are finished. For an entry without a picture, returns
  /// `.max`.
  package func wait(forRows rows: Int, entry: Int) -> Int { entries[entry]?.wait(forRows: rows) ?? .max }
}

extension BlockContext {
  /// Waits until the samples that a vector points to are decoded.
  @inline(__always)
  func waitForSamples(_ block: PredictionBlock, _ vector: MotionVector, entry: Int) {
    // Interpolation uses four rows below, for luma as for half as many rows of chroma, and vectors are rounded.
    waitForRows(max(1, block.y &+ block.height &+ (Int(vector.y) &>> 2) &+ 8), entry: entry)
  }

  /// Waits until the first `rows` rows of an entry are decoded.
  @inline(__always)
  func waitForRows(_ rows: Int, entry: Int) {
    if rows > Int(references.finishedRows[entry]) { reallyWait(forRows: rows, entry: entry) }
  }

  @inline(never)
  private func reallyWait(forRows rows: Int, entry: Int) {
    let finished = pictures.wait(forRows: rows, entry: entry)
    // Once the picture is complete, it is never asked again: vectors may point below the picture.
    references.finishedRows[entry] = finished >= v.height ? .max : Int32(clamping: finished)
  }
}
