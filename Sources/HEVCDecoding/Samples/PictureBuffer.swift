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
/// One thread writes it, row by row. What is above ``finishedRows`` does not change any more, and any number may read it. A
/// picture that waits to be decoded has no memory yet.
package final class PictureBuffer: @unchecked Sendable {
  /// Size and sample format.
  package let format: SampleFormat
  /// Luma, and Cb and Cr where there are any; none before the picture has memory.
  package private(set) var planes: [Plane] = []
  /// PicOrderCntVal
  package var orderCount = 0
  /// nuh_layer_id
  package var layerID: UInt8 = 0

  private var memory: PictureMemory?
  private let pool: PicturePool?

  /// How many blocks of 16x16 luma samples a row has.
  let collocatedStride: Int

  /// How many rows of luma samples, with chroma and motion, are there for good; less than 0 before there is memory for them.
  private let finishedRows = Monitor(-1)

  /// A picture whose memory is that of `pool`, and goes back there.
  package init(_ format: SampleFormat, _ pool: PicturePool? = nil) {
    self.format = format
    self.pool = pool
    collocatedStride = PictureMemory.collocatedStride(format)
  }

  deinit {
    guard let memory else { return }
    if let pool { pool.takeBack(memory) } else { memory.free() }
  }

  /// Takes memory, in which all samples are 0. Only the thread that writes the picture may do so.
  package func allocate() {
    guard memory == nil else { return }
    let taken = pool?.memory(format) ?? PictureMemory(format)
    memory = taken
    planes = taken.planes
    finish(rows: 0)
  }

  /// The motion of each block of 16x16 luma samples, as temporal prediction sees it; `nil` before there is memory. 8.5.3.2.9
  var collocated: Memory<CollocatedMotion>? { memory?.collocated }

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
    allocate()
    for plane in planes { plane.fill(with: 1 &<< (plane.bitDepth &- 1)) }
    collocated?.fill(with: CollocatedMotion())
    finish()
  }

  /// Makes the samples and the motion those of `other`, for which it waits; nothing where the formats differ.
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
