// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import FileAccess
import HEVC

/// What the layers of a track cost, counted over all its samples.
///
/// ```swift
/// let statistics = try track.layerStatistics()
/// for layer in statistics.layers {
///   print(layer.layerID, layer.pictures, layer.bytes, statistics.bitsPerSecond(of: layer) ?? 0)
/// }
/// ```
public struct LayerStatistics: Sendable, Hashable {
  /// What was counted for one layer.
  public struct Layer: Sendable, Hashable {
    /// The number of the layer, as NAL unit headers have it. `nuh_layer_id`
    public var layerID: UInt8
    /// Pictures of the layer.
    public var pictures = 0
    /// Pictures at which decoding can start.
    public var randomAccessPictures = 0
    /// Pictures that are predicted from no other one.
    public var intraPictures = 0
    /// Pictures with slices that are predicted from one other picture a block, and none from two.
    public var predictedPictures = 0
    /// Pictures with slices that are predicted from two other pictures a block.
    public var bipredictedPictures = 0
    /// Pictures that may be predicted from the picture of another layer at the same time.
    public var interLayerPictures = 0
    /// Bytes of NAL units of the layer, without lengths and start codes.
    public var bytes = 0
    /// Samples, or access units, with a picture of the layer.
    public var samples = 0
    /// The bytes over time.
    public var curve = ByteCurve()
  }

  /// The layers, lowest first; those without pictures, too.
  public internal(set) var layers: [Layer] = []
  /// The number of samples, or access units, that were examined.
  public internal(set) var sampleCount = 0
  /// How long they last in seconds; `nil` if that is not known.
  public internal(set) var seconds: Double?

  /// The bytes of all layers.
  public var bytes: Int { layers.reduce(0) { $0 &+ $1.bytes } }

  /// The part of all bytes that a layer has, 0 to 1.
  public func share(of layer: Layer) -> Double { Double(layer.bytes) / Double(max(1, bytes)) }

  /// The bit rate of a layer on average; `nil` if the duration is not known.
  public func bitsPerSecond(of layer: Layer) -> Double? { seconds.map { Double(layer.bytes) * 8 / $0 } }
}

/// Bytes over time, in at most 64 parts of equal length.
public struct ByteCurve: Sendable, Hashable {
  private static let maximumParts = 64

  /// The bytes of each part.
  public private(set) var parts: [Int] = []
  /// How many samples a part stands for, as a power of two: every NAL unit comes by here.
  private var shift = 0

  /// Adds bytes of the sample with that number.
  mutating func add(_ bytes: Int, at index: Int) {
    while index >> shift >= Self.maximumParts {
      parts = stride(from: 0, to: parts.count, by: 2).map {
        parts[$0] &+ ($0 + 1 < parts.count ? parts[$0 + 1] : 0)
      }
      shift += 1
    }
    let part = index >> shift
    while parts.count <= part { parts.append(0) }
    parts[part] &+= bytes
  }
}

extension Track {
  /// Counts what each layer costs. Every sample is examined, but only the headers of its NAL units are read.
  ///
  /// - Parameter report: called for each sample whose framing is broken: NAL units after the error are not counted.
  /// - Throws: `SourceError` if samples cannot be read.
  public func layerStatistics(
    reporting report: (_ sample: Int, _ error: ParseError) -> Void = { _, _ in }
  ) throws(SourceError) -> LayerStatistics {
    var counter = LayerCounter(self)
    try forEachAccessUnit { places, walker throws(SourceError) in
      try counter.add(places, walker)
      if let error = places.error { report(places.index, error) }
      return true
    }
    return counter.statistics(of: self)
  }
}

/// Counts while the samples go by.
private struct LayerCounter {
  /// The layers by `nuh_layer_id`, which has six bits: counted in place.
  private var layers = (0..<64).map { LayerStatistics.Layer(layerID: $0) }
  /// What the slices of the picture that is being read have shown so far.
  private var open = [LayerStatistics.Layer.OpenPicture?](repeating: nil, count: 64)
  private var reader: PictureReader
  private var sampleCount = 0

  init(_ track: Track) { reader = PictureReader(track, countsOrder: false) }

  mutating func add(_ places: AccessUnitPlaces, _ walker: SampleWalker) throws(SourceError) {
    sampleCount += 1
    reader.begin(places)
    var seen: UInt64 = 0
    for unit in places.units {
      let id = unit.header.layerID & 63, index = Int(id)
      layers[index].bytes &+= unit.range.count
      layers[index].curve.add(unit.range.count, at: places.index)
      let isSlice = unit.header.type.isSliceSegment
      if isSlice, unit.startsPicture {
        layers[index].close(open[index])
        open[index] = nil
        layers[index].pictures += 1
        if unit.header.type.isRandomAccessPoint { layers[index].randomAccessPictures += 1 }
      }
      // A picture with a B slice is one of B whatever follows, and all its slices use the same layers.
      if !isSlice || open[index]?.type != .b, let slice = try reader.read(unit, walker) { note(slice, index) }
      guard isSlice else { continue }
      if seen >> UInt64(id) & 1 == 0 { layers[index].samples += 1 }
      seen |= 1 << UInt64(id)
    }
  }

  private mutating func note(_ slice: PictureReader.Slice, _ index: Int) {
    let isInterLayer = !slice.referenceLayers.isEmpty
    guard let known = open[index] else {
      open[index] = .init(type: slice.type, isInterLayer: isInterLayer)
      return
    }
    // B is 0 and I is 2: the lowest number of a picture's slices says what the picture is.
    let type = slice.type.rawValue < known.type.rawValue ? slice.type : known.type
    open[index] = .init(type: type, isInterLayer: known.isInterLayer || isInterLayer)
  }

  func statistics(of track: Track) -> LayerStatistics {
    var statistics = LayerStatistics()
    statistics.sampleCount = sampleCount
    statistics.layers = layers.filter { $0.bytes > 0 }
    for index in statistics.layers.indices {
      statistics.layers[index].close(open[Int(statistics.layers[index].layerID)])
    }
    if let seconds = track.sampleSeconds {
      statistics.seconds = seconds
    } else if let rate = track.nominalFrameRate, rate > 0, sampleCount > 0 {
      statistics.seconds = Double(sampleCount) / rate
    }
    return statistics
  }
}

extension LayerStatistics.Layer {
  /// What the slices of a picture have shown so far.
  fileprivate struct OpenPicture {
    var type: SliceType
    var isInterLayer: Bool
  }

  /// The picture is complete: it counts as what its slices are.
  fileprivate mutating func close(_ picture: OpenPicture?) {
    guard let picture else { return }
    switch picture.type {
    case .i: intraPictures += 1
    case .p: predictedPictures += 1
    default: bipredictedPictures += 1
    }
    if picture.isInterLayer { interLayerPictures += 1 }
  }
}
