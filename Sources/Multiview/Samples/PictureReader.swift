// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import HEVC

/// Reads the headers of slices as a decoder meets them, so that kind and order count of each picture are known.
///
/// Show it every NAL unit in the order of decoding, from a picture on that starts the count anew: parameter sets change
/// what headers mean, and order counts go from picture to picture.
public struct PictureReader: Sendable {
  /// What the header of a slice segment says of its picture.
  public struct Slice: Sendable, Hashable {
    /// Which prediction the slice may use.
    public var type: SliceType
    /// PicOrderCntVal of the picture; `nil` where it is not known.
    public var orderCount: Int?
    /// The layers whose pictures of the same time this one is predicted from.
    public var referenceLayers: [UInt8]
  }

  /// What the first slice segment of a picture says of all its slices.
  private struct Picture: Sendable {
    let laterSlices: LaterSliceStart
    let orderCount: Int?
    let referenceLayers: [UInt8]
    /// The type of the last slice: dependent slice segments have it too.
    var lastType: SliceType
  }

  /// Most headers are shorter; of longer ones the whole unit is read.
  private static let usualHeaderBytes = 256
  /// The beginning of a header up to the type of the slice, with emulation prevention.
  private static let laterSliceBytes = 32

  private var sets: ParameterSetStore
  private var counter = PictureOrderCounter()
  private var previous: [UInt8: SliceSegmentHeader] = [:]
  private var pictures: [UInt8: Picture] = [:]
  private let limits: Limits

  /// A reader for a track; it knows the parameter sets of its configuration records.
  public init(_ track: Track) {
    limits = track.context.limits
    sets = ParameterSetStore(limits: limits)
    for located in track.layerAnalysis.units { sets.insert(located.unit, source: "\(located.source)") }
  }

  /// Takes in a NAL unit.
  ///
  /// - Returns: what is known of the picture; `nil` for units that are no slice segments, and where the header cannot be read.
  public mutating func read(_ place: NALUnitPlace, _ walker: SampleWalker) throws(SourceError) -> Slice? {
    let type = place.header.type
    if type.isParameterSet {
      // One byte more than is allowed, so that what is too long is refused and not cut.
      if let unit = try walker.unit(place, limit: limits.maximumParameterSetBytes &+ 1) { sets.insert(unit) }
    } else if type == .endOfSequence {
      counter.endOfSequence(layerID: place.header.layerID)
    }
    guard type.isSliceSegment else { return nil }
    if !place.startsPicture, let slice = try laterSlice(place, walker) { return slice }
    let layerID = place.header.layerID
    pictures[layerID] = nil
    guard let segment = try segment(place, walker) else { return nil }
    previous[layerID] = segment.header
    let orderCount = counter.orderCount(of: segment.header)
    guard segment.error == nil, let slice = segment.header.slice else { return nil }
    let referenceLayers = slice.refPicLayerIDs
    pictures[layerID] = LaterSliceStart(after: segment.header).map {
      Picture(
        laterSlices: $0, orderCount: orderCount, referenceLayers: referenceLayers, lastType: slice.sliceType)
    }
    return Slice(
      type: slice.sliceType, orderCount: orderCount,
      referenceLayers: slice.sliceType.isInter ? referenceLayers : [])
  }

  /// A slice of a picture whose first slice was read; `nil` where it does not go with that one.
  private mutating func laterSlice(
    _ place: NALUnitPlace, _ walker: SampleWalker
  ) throws(SourceError) -> Slice? {
    let layerID = place.header.layerID
    guard let picture = pictures[layerID],
      let unit = try walker.unit(place, limit: Self.laterSliceBytes),
      let start = picture.laterSlices.reading(unit)
    else { return nil }
    let type = start.sliceType ?? picture.lastType
    if type != picture.lastType { pictures[layerID]?.lastType = type }
    return Slice(
      type: type, orderCount: picture.orderCount,
      referenceLayers: type.isInter ? picture.referenceLayers : [])
  }

  private mutating func segment(
    _ place: NALUnitPlace, _ walker: SampleWalker
  ) throws(SourceError) -> SliceSegment? {
    let before = place.startsPicture ? nil : previous[place.header.layerID]
    guard let start = try walker.unit(place, limit: Self.usualHeaderBytes) else { return nil }
    let segment = sets.sliceSegment(start, after: before)
    guard segment?.error != nil, start.bytes.count < place.range.count else { return segment }
    return try walker.unit(place).flatMap { sets.sliceSegment($0, after: before) }
  }
}

extension Track {
  /// The sample from which a ``PictureReader`` must read so that order counts are known at `index`: the last one at or
  /// before it where the base layer starts them anew. 0 for a raw stream.
  public func orderCountStart(before index: Int) throws(SourceError) -> Int {
    guard !isRawStream else { return 0 }
    let samples = try samples()
    let walker = SampleWalker(self)
    var candidate = samples.syncSample(atOrBefore: min(index, samples.count - 1))
    while let start = candidate, start > 0, let sample = samples.sample(at: start) {
      var startsAnew = false
      _ = try walker.walk(sample) { place in
        let type = place.header.type
        if place.header.layerID == 0, type.isRefresh || type.isBrokenLink { startsAnew = true }
      }
      if startsAnew { return start }
      if walker.isExhausted { return 0 }
      candidate = samples.syncSample(atOrBefore: start - 1)
    }
    return 0
  }
}
