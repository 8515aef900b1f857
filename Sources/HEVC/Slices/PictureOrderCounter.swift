// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Computes the output order of pictures, layer by layer. ISO/IEC 23008-2, 8.3.1 and F.8.3.1
///
/// Pass it every slice segment header, and every end of a sequence, in decoding order.
public struct PictureOrderCounter: Hashable, Sendable {
  private struct Layer: Hashable, Sendable {
    /// The order count of the last picture that others are counted from; `nil` before the first one.
    var previous: Int?
    /// The order count of the picture being read; `nil` if unknown.
    var current: Int?
    /// Whether order counts were reset, and are unknown until a picture restarts them.
    var isLost = false
  }

  private var layers: [UInt8: Layer] = [:]

  /// Starts without any pictures.
  public init() {}

  /// The order count of the picture that a slice segment belongs to (`PicOrderCntVal`).
  ///
  /// `nil` if it is unknown: the first slice segment of the picture is missing, or the stream resets order counts,
  /// which is not supported.
  public mutating func orderCount(of header: SliceSegmentHeader) -> Int? {
    let unit = header.unit
    var layer = layers[unit.layerID] ?? Layer()
    guard header.firstSliceSegmentInPicFlag else { return layer.current }
    guard let slice = header.inForce, let parameters = slice.value.sharedParameters else {
      layers[unit.layerID]?.current = nil
      return nil
    }
    if unit.layerID == 0,
      unit.type.isBrokenLink || (unit.type.isRefresh && slice.value.crossLayerBlaFlag == true)
    {
      // NoClrasOutputFlag: the other layers restart, too.
      for id in layers.keys where id > 0 { layers[id] = nil }
    }
    let low = Int(slice.value.slicePicOrderCntLsb ?? 0)
    let maximum = 1 << parameters.value.pocLsbBits
    let count: Int
    if let cycle = header.headerExtension?.pocMsbCycleVal {
      count = Int(cycle) &* maximum &+ low
      layer.isLost = false
    } else if unit.type.isRefresh || unit.type.isBrokenLink || layer.previous == nil {
      count = low
      layer.isLost = false
    } else {
      count = Self.next(after: layer.previous ?? 0, low: low, maximum: maximum)
    }
    if header.headerExtension?.pocResetIdc ?? 0 != 0 { layer.isLost = true }
    layer.current = layer.isLost ? nil : count
    let isDiscardable = parameters.value.video.hasLayers && slice.value.discardableFlag == true
    if unit.temporalID == 0, !unit.type.isSkippedLeading, !unit.type.isDecodableLeading,
      !unit.type.isSubLayerNonReference, !isDiscardable
    {
      layer.previous = count
    }
    layers[unit.layerID] = layer
    return layer.current
  }

  /// The order count with these low bits that is nearest to the previous one. Equation 8-1
  static func next(after previous: Int, low: Int, maximum: Int) -> Int {
    let previousLow = previous & (maximum - 1)
    let high = previous &- previousLow
    if low < previousLow, previousLow - low >= maximum / 2 { return high &+ maximum &+ low }
    if low > previousLow, low - previousLow > maximum / 2 { return high &- maximum &+ low }
    return high &+ low
  }

  /// Ends the sequence of a layer: its next picture restarts the count. The end of the sequence of the base layer
  /// ends those of all layers. F.8.1.3
  public mutating func endOfSequence(layerID: UInt8) {
    if layerID == 0 { layers.removeAll() } else { layers[layerID] = nil }
  }
}
