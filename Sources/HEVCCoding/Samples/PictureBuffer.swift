// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import HEVC
import Threads

/// The size and sample format of a picture.
package struct SampleFormat: Hashable, Sendable {
  /// The number of luma samples in a row, before cropping.
  package var width: Int
  /// The number of rows of luma samples, before cropping.
  package var height: Int
  /// The chroma format (`ChromaArrayType`): 0 for no chroma, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4.
  package var chromaArrayType: Int
  /// The number of bits of a luma sample (`BitDepthY`).
  package var bitDepthLuma: Int
  /// The number of bits of a chroma sample (`BitDepthC`).
  package var bitDepthChroma: Int

  /// The format of the pictures of a sequence; `nil` if the parameter set does not specify it.
  package init?(_ sps: SequenceParameterSet) {
    guard let format = sps.format else { return nil }
    self.init(format)
  }

  /// The format of pictures.
  package init(_ format: PictureFormat) {
    width = format.codedSize.width
    height = format.codedSize.height
    chromaArrayType = format.chromaArrayType
    bitDepthLuma = format.bitDepthLuma
    bitDepthChroma = format.bitDepthChroma
  }

  /// Log2 of SubWidthC.
  package var chromaShiftX: Int { chromaArrayType == 1 || chromaArrayType == 2 ? 1 : 0 }
  /// Log2 of SubHeightC.
  package var chromaShiftY: Int { chromaArrayType == 1 ? 1 : 0 }
  /// The number of planes: 1 or 3.
  package var planeCount: Int { chromaArrayType == 0 ? 1 : 3 }
  /// Whether samples are stored in two bytes, which is the same for all components.
  package var isWide: Bool { max(bitDepthLuma, chromaArrayType == 0 ? 0 : bitDepthChroma) > 8 }

  /// The number of bits of a sample of a component.
  package func bitDepth(_ component: Int) -> Int { component == 0 ? bitDepthLuma : bitDepthChroma }
}

/// A picture in memory: its samples, and the motion that later pictures may use.
///
/// One thread writes it, row by row. Rows above ``finishedRows`` do not change any more, and any number of threads
/// may read them. A picture that waits to be decoded has no memory yet.
package final class PictureBuffer: @unchecked Sendable {
  /// Size and sample format.
  package let format: SampleFormat
  /// Luma, then Cb and Cr if it has chroma; empty before the picture has memory.
  package private(set) var planes: [Plane] = []
  /// The position in output order (`PicOrderCntVal`).
  package var orderCount = 0
  /// The layer (`nuh_layer_id`).
  package var layerID: UInt8 = 0

  private var memory: PictureMemory?
  private let pool: PicturePool?

  /// How many blocks of 16x16 luma samples are in a row.
  package let collocatedStride: Int

  /// How many rows of luma samples, with chroma and motion, are final; less than 0 before they have memory.
  private let finishedRows = Monitor(-1)

  /// Makes a picture whose memory comes from `pool`, and is returned there.
  package init(_ format: SampleFormat, _ pool: PicturePool? = nil) {
    self.format = format
    self.pool = pool
    collocatedStride = PictureMemory.collocatedStride(format)
  }

  deinit {
    guard let memory else { return }
    if let pool { pool.takeBack(memory) } else { memory.free() }
  }

  /// Allocates memory. Only the thread that writes the picture may call this.
  ///
  /// - Parameters:
  ///   - number: how many pictures were to be decoded before it, if it may have to wait for memory.
  ///   - isCleared: whether all samples are 0, without motion. If not, the caller writes all of them: those of a large
  ///     picture take a while.
  package func allocate(for number: Int? = nil, isCleared: Bool = true) {
    guard memory == nil else { return }
    let taken = pool?.memory(format, for: number, isCleared: isCleared) ?? PictureMemory(format)
    memory = taken
    planes = taken.planes
    finish(rows: 0)
  }

  /// Sets all samples to 0, and removes all motion.
  package func clear() { memory?.clear() }

  /// The motion of each block of 16x16 luma samples, as used by temporal prediction; `nil` before the picture has
  /// memory. 8.5.3.2.9
  package var collocated: Memory<CollocatedMotion>? { memory?.collocated }

  /// Marks the first `rows` rows of luma samples as final; all rows if `nil`.
  package func finish(rows: Int? = nil) {
    let rows = rows ?? format.height
    finishedRows.change { $0 = max($0, rows) }
  }

  /// Waits until the first `rows` rows of luma samples are final. Returns how many are.
  ///
  /// Only a picture that begins after this one may wait for it: see ``DecodingThreads``.
  @discardableResult
  package func wait(forRows rows: Int) -> Int {
    let needed = min(rows, format.height)
    return finishedRows.read { $0 >= needed ? $0 : nil }
  }

  /// Waits until the whole picture is final.
  package func waitUntilFinished() { wait(forRows: format.height) }

  /// Makes it a substitute for a missing picture: grey, without motion. 8.3.3.2
  package func makeGrey() {
    allocate()
    for plane in planes { plane.fill(with: 1 &<< (plane.bitDepth &- 1)) }
    collocated?.fill(with: CollocatedMotion())
    finish()
  }

  /// Copies samples and motion from `other`, after waiting for it; does nothing if the formats differ.
  package func copy(from other: PictureBuffer) {
    guard format == other.format else { return }
    allocate()
    other.waitUntilFinished()
    for (plane, source) in zip(planes, other.planes) {
      plane.copy(from: source, x: 0, y: 0, width: plane.width, height: plane.height)
    }
    if let collocated, let source = other.collocated {
      collocated.copy(from: source, count: collocated.count)
    }
    finish()
  }
}

/// A motion vector in quarters of a luma sample.
@usableFromInline
package struct MotionVector: Hashable, Sendable, BitwiseCopyable {
  @usableFromInline package var x: Int16 = 0
  @usableFromInline package var y: Int16 = 0

  @inlinable @inline(__always)
  package init(x: Int16 = 0, y: Int16 = 0) {
    self.x = x
    self.y = y
  }
}

/// The motion of a block of a finished picture: pictures are identified by order count, because its lists no
/// longer exist.
package struct CollocatedMotion: BitwiseCopyable {
  package var vector0 = MotionVector()
  package var vector1 = MotionVector()
  package var orderCount0: Int32 = 0
  package var orderCount1: Int32 = 0
  /// Bits 0 and 1: whether there is a vector of list 0 and of list 1; bits 2 and 3: whether its picture was a
  /// long-term one.
  package var flags: UInt8 = 0

  /// No motion.
  package init() {}
}
