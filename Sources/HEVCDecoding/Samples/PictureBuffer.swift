// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import HEVC
import Threads

/// What the samples of a picture are: its size and sample format.
package struct SampleFormat: Hashable, Sendable {
  /// Luma samples in a row, before cropping.
  package var width: Int
  /// Rows of luma samples, before cropping.
  package var height: Int
  /// ChromaArrayType: 0 for no chroma.
  package var chromaArrayType: Int
  /// BitDepthY
  package var bitDepthLuma: Int
  /// BitDepthC
  package var bitDepthChroma: Int

  /// The format of the pictures of a sequence; `nil` where the set does not say it.
  package init?(_ sps: SequenceParameterSet) {
    guard let format = sps.format else { return nil }
    self.init(format)
  }

  /// The format of pictures.
  init(_ format: PictureFormat) {
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
  /// How many planes there are: 1 or 3.
  package var planeCount: Int { chromaArrayType == 0 ? 1 : 3 }
  /// Whether samples are kept in two bytes: both components in the same way.
  package var isWide: Bool { max(bitDepthLuma, chromaArrayType == 0 ? 0 : bitDepthChroma) > 8 }

  /// The bits of a sample of a component.
  package func bitDepth(_ component: Int) -> Int { component == 0 ? bitDepthLuma : bitDepthChroma }
}

/// A picture in memory: its samples, and the motion that later pictures may take over.
///
/// One thread writes it, row by row. What is above ``finishedRows`` does not change any more, and any number may read it.
package final class PictureBuffer: @unchecked Sendable {
  /// Luma, and Cb and Cr where there are any.
  package let planes: [Plane]
  /// PicOrderCntVal
  package var orderCount = 0
  /// nuh_layer_id
  package var layerID: UInt8 = 0

  private let memory: PictureMemory
  private let pool: PicturePool?

  /// Size and sample format.
  package var format: SampleFormat { memory.format }

  /// The motion of each block of 16x16 luma samples, as temporal prediction sees it. 8.5.3.2.9
  let collocated: Memory<CollocatedMotion>
  /// How many of these blocks a row has.
  let collocatedStride: Int

  /// How many rows of luma samples, with chroma and motion, are there for good.
  private let finishedRows = Monitor(0)

  /// A picture whose samples are 0, in memory that `pool` has or takes back.
  package init(_ format: SampleFormat, _ pool: PicturePool? = nil) {
    self.pool = pool
    memory = pool?.memory(format) ?? PictureMemory(format)
    planes = memory.planes
    collocated = memory.collocated
    collocatedStride = PictureMemory.collocatedStride(format)
  }

  deinit {
    if let pool { pool.takeBack(memory) } else { memory.free() }
  }

  /// Says that the first `rows` rows of luma samples do not change any more; all of them if `nil`.
  func finish(rows: Int? = nil) {
    let rows = rows ?? format.height
    finishedRows.change { $0 = max($0, rows) }
  }

  /// Waits until the first `rows` rows of luma samples are there for good. Answers how many are.
  ///
  /// Only a picture that is decoded after this one may wait for it: see ``DecodingThreads``.
  @discardableResult
  func wait(forRows rows: Int) -> Int {
    let needed = min(rows, format.height)
    return finishedRows.wait { $0 >= needed ? $0 : nil }
  }

  /// Waits until all of it is there.
  func waitUntilFinished() { wait(forRows: format.height) }

  /// Makes it what replaces a picture that is missing: grey, without motion. 8.3.3.2
  package func makeGrey() {
    for plane in planes { plane.fill(with: 1 &<< (plane.bitDepth &- 1)) }
    collocated.fill(with: CollocatedMotion())
    finish()
  }

  /// Makes the samples and the motion those of `other`; which it waits for; nothing where the formats
  /// differ.
  package func copy(from other: PictureBuffer) {
    guard format == other.format else { return }
    other.waitUntilFinished()
    for (plane, source) in zip(planes, other.planes) {
      plane.copy(from: source, x: 0, y: 0, width: plane.width, height: plane.height)
    }
    collocated.copy(from: other.collocated, count: collocated.count)
    finish()
  }
}

/// A motion vector in quarters of a luma sample.
package struct MotionVector: Hashable, Sendable, BitwiseCopyable {
  package var x: Int16 = 0
  package var y: Int16 = 0

  @inline(__always)
  init(x: Int16 = 0, y: Int16 = 0) {
    self.x = x
    self.y = y
  }
}

/// The motion of a block of a finished picture: pictures are named by order count, since its lists are gone.
struct CollocatedMotion: BitwiseCopyable {
  var vector0 = MotionVector()
  var vector1 = MotionVector()
  var orderCount0: Int32 = 0
  var orderCount1: Int32 = 0
  /// Bit 0 and 1: whether there is a vector of list 0 and 1; bit 2 and 3: whether its picture was a long-term one.
  var flags: UInt8 = 0
}
