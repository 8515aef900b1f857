// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import HEVC

/// The references of a slice, in the form that each block needs. Entries of list 1 begin at 16.
///
/// A plain value that owns nothing: ``PictureContext`` allocates and frees its memory, and keeps the pictures.
package struct ReferenceTables: @unchecked Sendable {
  /// The planes of each entry, three per entry.
  package let planes: Memory<Plane>
  /// Which picture an entry refers to: a number among all pictures that the current one refers to.
  package let slot: Memory<UInt8>
  /// The order count of each entry's picture.
  package let orderCount: Memory<Int32>
  /// Whether each entry is used as a long-term reference picture.
  package let isLongTerm: Memory<Bool>
  /// How many rows of luma samples of each entry are known to be decoded: by now it may be more.
  package let finishedRows: Memory<Int32>
  /// The weight and offset of each component of each entry.
  package let weights: Memory<Int32>
  /// CuQpOffsetCb and CuQpOffsetCr that coding units may choose.
  package let chromaOffsets: Memory<Int8>

  /// The number of entries in that list.
  package var chromaOffsetCount = 0
  /// luma_log2_weight_denom
  package var lumaDenominator = 0
  /// ChromaLog2WeightDenom
  package var chromaDenominator = 0
  /// PicOrderCntVal of the current picture.
  package var currentOrderCount = 0
  /// NoBackwardPredFlag: no entry follows the current picture in output order.
  package var hasNoBackward = true
  /// `collocated_from_l0_flag`
  package var isCollocatedFromL0 = true
  /// The motion of ColPic.
  package var collocated: Memory<CollocatedMotion>
  package var collocatedStride = 0
  /// PicOrderCntVal of ColPic.
  package var collocatedOrderCount = 0
  /// The entry that refers to ColPic.
  package var collocatedEntry = 0

  package init(any plane: Plane) {
    planes = Memory(count: 32 * 3, repeating: plane)
    slot = Memory(count: 32, repeating: 0)
    orderCount = Memory(count: 32, repeating: 0)
    isLongTerm = Memory(count: 32, repeating: false)
    finishedRows = Memory(count: 32, repeating: 0)
    weights = Memory(count: 32 * 6, repeating: 0)
    chromaOffsets = Memory(count: 16, repeating: 0)
    collocated = Memory(count: 0, repeating: CollocatedMotion())
    nothing = collocated
  }

  private let nothing: Memory<CollocatedMotion>

  package func free() {
    planes.free()
    slot.free()
    orderCount.free()
    isLongTerm.free()
    finishedRows.free()
    weights.free()
    chromaOffsets.free()
    nothing.free()
  }

  /// Stores the weights of a slice. 7.4.7.3
  package mutating func setWeights(_ table: PredictionWeightTable, _ values: SliceValues) {
    lumaDenominator = Int(clamping: min(7, table.lumaLog2WeightDenom))
    chromaDenominator = max(0, min(7, lumaDenominator + Int(table.deltaChromaLog2WeightDenom ?? 0)))
    let lumaShift = values.isHighPrecisionOffsets ? 0 : values.bitDepthLuma - 8
    let chromaShift = values.isHighPrecisionOffsets ? 0 : values.bitDepthChroma - 8
    let half = Int32(1) << Int32(values.isHighPrecisionOffsets ? values.bitDepthChroma - 1 : 7)
    for index in 0..<32 {
      let list = index < 16 ? table.l0 : table.l1, place = index & 15
      let entry = place < list.count ? list[place] : PredictionWeightTable.Entry()
      let isLuma = entry.lumaFlag ?? false, isChroma = entry.chromaFlag ?? false
      weights[index * 6] = 1 << Int32(lumaDenominator) &+ (isLuma ? entry.deltaLumaWeight ?? 0 : 0)
      weights[index * 6 + 1] = (isLuma ? entry.lumaOffset ?? 0 : 0) &<< Int32(lumaShift)
      for component in 0..<2 {
        var weight = Int32(1) << Int32(chromaDenominator), offset: Int32 = 0
        if isChroma, entry.deltaChromaWeights.count > component, entry.deltaChromaOffsets.count > component {
          weight = weight &+ entry.deltaChromaWeights[component]
          let delta = entry.deltaChromaOffsets[component]
          // Equation 7-56
          let centred = (half &+ delta) &- (half &* weight) &>> Int32(chromaDenominator)
          offset = max(0 &- half, min(half &- 1, centred))
        }
        weights[index * 6 + 2 + 2 * component] = weight
        weights[index * 6 + 3 + 2 * component] = offset &<< Int32(chromaShift)
      }
    }
  }
}
