// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import FileAccess
package import HEVC

/// Reads the headers of slices as a decoder meets them, so that kind and order count of each picture are known.
///
/// Pass it every NAL unit in decoding order, beginning with a picture that resets the order count: parameter
/// sets change the meaning of headers, and order counts are derived from picture to picture.
package struct PictureReader: Sendable {
  /// The properties of a picture in the header of a slice segment.
  package struct Slice: Sendable, Hashable {
    /// Which prediction the slice may use.
    package var type: SliceType
    /// PicOrderCntVal of the picture; `nil` if it is not known.
    package var orderCount: Int?
    /// The layers whose pictures of the same time this one is predicted from.
    package var referenceLayers: [UInt8]
  }

  /// The properties of all slices of a picture, from its first slice segment.
  private struct Picture: Sendable {
    let orderCount: Int?
    let referenceLayers: [UInt8]
    /// The type of the last slice: dependent slice segments have it too.
    var lastType: SliceType
  }

  /// Most headers are shorter; of longer ones the whole unit is read.
  private static let usualHeaderBytes = 256
  /// Most headers are shorter up to where it is known what the picture is predicted from.
  private static let usualStartBytes = 64
  /// The beginning of a header up to the type of the slice, with emulation prevention.
  private static let laterSliceBytes = 32

  private var sets: ParameterSetStore
  private var counter = PictureOrderCounter()
  private var previous: [UInt8: SliceSegmentHeader] = [:]
  /// Indexed by `nuh_layer_id`, which has six bits.
  private var pictures = [Picture?](repeating: nil, count: 64)
  private var laterSlices = [LaterSliceStart?](repeating: nil, count: 64)
  private let countsOrder: Bool
  private let track: Track
  /// The sample descriptions whose parameter sets are known: of joined tracks one for each.
  private var descriptions: [UInt32]

  /// A reader for a track; it knows the parameter sets of its configuration records.
  package init(_ track: Track) { self.init(track, countsOrder: true) }

  /// A reader that leaves order counts unknown reads no more of a header than tells what the picture is predicted from.
  init(_ track: Track, countsOrder: Bool) {
    self.countsOrder = countsOrder
    self.track = track
    descriptions = track.hasSeveralDescriptions ? track.joinedTracks.map(\.mainDescriptionNumber) : []
    sets = track.layerAnalysis.parameterSetStore()
    for located in track.layerAnalysis.units { sets.insert(located.unit) }
  }

  /// Begins another stream where the description of a sample is another than before: only its parameter sets hold from there
  /// on. Call it before the NAL units of each sample of a track with several descriptions.
  package mutating func begin(_ unit: AccessUnitPlaces) {
    guard track.hasSeveralDescriptions, let sample = unit.sample else { return }
    let numbers = track.descriptionNumbers(of: sample)
    guard numbers != descriptions else { return }
    descriptions = numbers
    let analysis = track.described(for: sample).layerAnalysis
    sets = analysis.parameterSetStore()
    for located in analysis.units { sets.insert(located.unit) }
    counter = PictureOrderCounter()
    previous = [:]
    pictures = [Picture?](repeating: nil, count: 64)
    laterSlices = [LaterSliceStart?](repeating: nil, count: 64)
  }

  /// Takes in a NAL unit.
  ///
  /// - Returns: what is known of the picture; `nil` for units that are no slice segments, and where the header cannot be read.
  package mutating func read(_ place: NALUnitPlace, _ walker: SampleWalker) throws(SourceError) -> Slice? {
    let type = place.header.type
    if type.isParameterSet {
      if let unit = try walker.parameterSet(place) { sets.insert(unit) }
    } else if type == .endOfSequence {
      counter.endOfSequence(layerID: place.header.layerID)
    }
    guard type.isSliceSegment else { return nil }
    if !place.startsPicture, let slice = try laterSlice(place, walker) { return slice }
    let layerID = place.header.layerID, index = Int(layerID & 63)
    (pictures[index], laterSlices[index]) = (nil, nil)
    // Values of the slices of another picture do not apply.
    if place.startsPicture { previous[layerID] = nil }
    if !countsOrder, place.startsPicture, let start = try pictureStart(place, walker) {
      return note(start.sliceType, nil, start.refPicLayerIDs, start.laterSlices, index)
    }
    guard let segment = try segment(place, walker) else { return nil }
    previous[layerID] = segment.header.mayBeTakenOver ? segment.header : nil
    let orderCount = countsOrder ? counter.orderCount(of: segment.header) : nil
    guard segment.error == nil, let slice = segment.header.slice else { return nil }
    return note(
      slice.sliceType, orderCount, slice.refPicLayerIDs, LaterSliceStart(after: segment.header), index)
  }

  /// Records the properties of all slices of a picture from a header.
  private mutating func note(
    _ type: SliceType, _ orderCount: Int?, _ referenceLayers: [UInt8], _ laterSlices: LaterSliceStart?,
    _ index: Int
  ) -> Slice {
    self.laterSlices[index] = laterSlices
    pictures[index] = Picture(orderCount: orderCount, referenceLayers: referenceLayers, lastType: type)
    return Slice(type: type, orderCount: orderCount, referenceLayers: type.isInter ? referenceLayers : [])
  }

  /// A slice of a picture whose first slice was read; `nil` if it does not go with that one.
  private mutating func laterSlice(
    _ place: NALUnitPlace, _ walker: SampleWalker
  ) throws(SourceError) -> Slice? {
    let index = Int(place.header.layerID & 63)
    guard let start = laterSlices[index], let picture = pictures[index] else { return nil }
    let type: SliceType
    if let known = walker.knownWord(in: place).flatMap({ start.sliceType(place.header, $0) }) {
      type = known
    } else {
      guard let unit = try walker.borrowedUnit(place, limit: Self.laterSliceBytes),
        let later = start.reading(unit)
      else { return nil }
      type = later.sliceType ?? picture.lastType
    }
    if type != picture.lastType { pictures[index]?.lastType = type }
    return Slice(
      type: type, orderCount: picture.orderCount,
      referenceLayers: type.isInter ? picture.referenceLayers : [])
  }

  private mutating func pictureStart(
    _ place: NALUnitPlace, _ walker: SampleWalker
  ) throws(SourceError) -> PictureStart? {
    try walker.borrowedUnit(place, limit: Self.usualStartBytes).flatMap { sets.pictureStart($0) }
  }

  private mutating func segment(
    _ place: NALUnitPlace, _ walker: SampleWalker
  ) throws(SourceError) -> SliceSegment? {
    let before = previous[place.header.layerID]
    guard let start = try walker.unit(place, limit: Self.usualHeaderBytes) else { return nil }
    let segment = sets.sliceSegment(start, after: before)
    guard segment?.error?.isShortage == true, start.bytes.count < place.range.count else { return segment }
    return try walker.unit(place).flatMap { sets.sliceSegment($0, after: before) }
  }
}

extension Track {
  /// The sample from which a ``PictureReader`` must read so that order counts are known at `index`: the last one at or
  /// before it where the base layer resets them. 0 for a raw stream.
  package func orderCountStart(before index: Int) throws(SourceError) -> Int {
    guard !isRawStream else { return 0 }
    let samples = try samples()
    let walker = SampleWalker(self)
    var candidate = samples.syncSample(atOrBefore: min(index, samples.count - 1))
    // If every sample is a sync sample and none resets the count, all samples are candidates.
    while let start = candidate, start > 0, walker.budget.admits(.searches(1), at: 0),
      let sample = samples.sample(at: start)
    {
      var startsAnew = samples.sample(at: start - 1).map { beginsDescription(sample, after: $0) } ?? false
      if startsAnew { return start }
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

  private func beginsDescription(_ sample: Sample, after other: Sample) -> Bool {
    hasSeveralDescriptions && descriptionNumbers(of: sample) != descriptionNumbers(of: other)
  }
}
