// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC

/// Which pictures of a stream each picture is predicted from: a model of its own, from slice headers alone.
///
/// It follows 8.3.1, 8.3.2 and F.8.3.4 as they are written. Pictures of other layers are found by their access unit.
struct DependencyModel {
  private struct Picture {
    let layerID: UInt8
    let unit: Int
    let orderCount: Int
    var references: Set<Int> = []
  }

  private var pictures: [Picture] = []
  private var store = ParameterSetStore()
  /// Of each layer: which pictures are kept, the order count that the next one is derived from, and how it started last.
  private var kept: [UInt8: [Int]] = [:]
  private var previous: [UInt8: Int] = [:]
  private var isAtStart: [UInt8: Bool] = [:]
  private var skipsLeading: [UInt8: Bool] = [:]
  private var headers: [UInt8: SliceSegmentHeader] = [:]
  private var current: [UInt8: Int] = [:]

  init(_ accessUnits: [[NALUnit]]) {
    for (index, units) in accessUnits.enumerated() {
      current = [:]
      for unit in units { take(unit, index) }
    }
  }

  /// How many pictures those of an access unit depend on, themselves included.
  func countNeeded(unit: Int, layers: Set<UInt8>) -> Int {
    var open = pictures.indices.filter { pictures[$0].unit == unit && layers.contains(pictures[$0].layerID) }
    var found = Set(open)
    while let next = open.popLast() {
      for other in pictures[next].references where found.insert(other).inserted { open.append(other) }
    }
    return found.count
  }

  private mutating func take(_ unit: NALUnit, _ index: Int) {
    let layer = unit.layerID
    switch unit.type {
    case .videoParameterSet, .sequenceParameterSet, .pictureParameterSet: store.insert(unit)
    case .endOfSequence: isAtStart[layer] = true
    default: break
    }
    guard unit.type.isSliceSegment else { return }
    let before = unit.startsPicture ? nil : headers[layer]
    guard let header = store.sliceSegment(unit, after: before)?.header, let slice = header.slice else {
      return
    }
    headers[layer] = header
    if unit.startsPicture { start(unit, slice, index) }
    guard let picture = current[layer], slice.sliceType.isInter else { return }
    pictures[picture].references.formUnion(references(slice, of: picture))
  }

  private mutating func start(_ unit: NALUnit, _ slice: SliceHeader, _ index: Int) {
    let layer = unit.layerID, type = unit.type.rawValue
    current[layer] = nil
    let isRandomAccess = (16...23).contains(type), isIDR = type == 19 || type == 20,
      isBLA = (16...18).contains(type)
    if isRandomAccess { skipsLeading[layer] = isIDR || isBLA || isAtStart[layer] ?? true }
    let startsAnew = isRandomAccess && skipsLeading[layer] == true
    // 8.3.1
    let low = Int(slice.slicePicOrderCntLsb ?? 0), size = 1 << lowBits(layer)
    var orderCount = low
    if !startsAnew, let last = previous[layer] {
      let lastLow = last & (size - 1)
      var high = last - lastLow
      if low < lastLow, lastLow - low >= size / 2 { high += size }
      if low > lastLow, low - lastLow > size / 2 { high -= size }
      orderCount = high + low
    }
    // A layer begins with a picture at which it can; RASL pictures after the one at which decoding began are not decoded.
    guard isRandomAccess || isAtStart[layer] == false else { return }
    if (8...9).contains(type), skipsLeading[layer] == true { return }
    isAtStart[layer] = false
    let isSubLayerNonReference = type < 16 && type & 1 == 0, isLeading = (6...9).contains(type)
    if unit.temporalID == 0, !isSubLayerNonReference, !isLeading { previous[layer] = orderCount }
    // 8.3.2: what the set does not name is gone.
    let set = startsAnew ? [] : counts(slice, orderCount, layer)
    kept[layer] = (kept[layer] ?? []).filter { known in
      set.contains { $0.matches(pictures[known].orderCount) }
    }
    pictures.append(Picture(layerID: layer, unit: index, orderCount: orderCount))
    current[layer] = pictures.count - 1
    kept[layer, default: []].append(pictures.count - 1)
  }

  /// How many low bits of order counts are coded.
  private func lowBits(_ layer: UInt8) -> Int {
    guard let header = headers[layer],
      let pps = store.pictureParameterSet(header.slicePicParameterSetID, layerID: layer)?.content,
      let sps = store.sequenceParameterSet(pps.ppsSeqParameterSetID, layerID: layer)?.content
    else { return 4 }
    return sps.maxPicOrderCntLsb.trailingZeroBitCount
  }

  /// A picture that a set names: by all or by the low bits of its order count.
  private struct Named {
    let count: Int
    /// 0 for all bits.
    let size: Int
    /// Into which part of the set it belongs: before, after, long-term; `nil` where it is only kept.
    let part: Int?

    func matches(_ other: Int) -> Bool { size == 0 ? other == count : other & (size - 1) == count }
  }

  private func counts(_ slice: SliceHeader, _ orderCount: Int, _ layer: UInt8) -> [Named] {
    var found: [Named] = []
    let deltas = slice.shortTermPictures
    for index in 0..<deltas.count {
      let delta = Int(deltas[index])
      found.append(
        Named(count: orderCount + delta, size: 0, part: deltas.isUsed(index) ? (delta < 0 ? 0 : 1) : nil))
    }
    let set = ReferencePictureSet(slice, orderCount: orderCount)
    let size = 1 << lowBits(layer)
    for (pictures, part) in [(set.longTerm, 2), (set.longTermFollowing, nil)] {
      for picture in pictures {
        found.append(
          Named(count: picture.orderCount, size: picture.isLowBitsOnly ? size : 0, part: part))
      }
    }
    return found
  }

  /// The pictures in the lists of a slice. F.8.3.4
  private func references(_ slice: SliceHeader, of picture: Int) -> [Int] {
    let layer = pictures[picture].layerID
    let named = counts(slice, pictures[picture].orderCount, layer)
    let candidates = (kept[layer] ?? []).filter { $0 != picture }
    func part(_ number: Int) -> [Int] {
      named.filter { $0.part == number }.compactMap { name in
        candidates.last { name.matches(pictures[$0].orderCount) }
      }
    }
    let before = part(0), after = part(1), longTerm = part(2)
    let set = ReferencePictureSet(slice, orderCount: pictures[picture].orderCount)
    let layers0 = set.interLayer0.compactMap { current[$0] },
      layers1 = set.interLayer1.compactMap { current[$0] }
    let modification = slice.refPicListsModification
    func list(_ all: [Int], _ count: Int, _ entries: [UInt8]?) -> [Int] {
      guard !all.isEmpty else { return [] }
      return (0..<count).map { index in all[(entries.map { Int($0[index]) } ?? index) % all.count] }
    }
    let l0 = list(
      before + layers0 + after + longTerm + layers1, slice.numRefIdxL0Active,
      modification?.flagL0 == true ? modification?.entriesL0 : nil)
    let l1 = list(
      after + layers1 + before + longTerm + layers0, slice.numRefIdxL1Active,
      modification?.flagL1 == true ? modification?.entriesL1 : nil)
    return l0 + l1
  }
}
