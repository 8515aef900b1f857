// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import HEVCCoding
import Threads

/// Makes decoders for the pictures of a layer that use the same parameter sets: one for each picture.
final class PictureDecoders: Sendable {
  let sps: SequenceParameterSet
  let pps: PictureParameterSet
  let geometry: PictureGeometry
  let format: SampleFormat
  private let scaling: ScalingFactors?
  private let pool: CodingMemoryPool

  init(
    _ sps: SequenceParameterSet, _ pps: PictureParameterSet, _ geometry: PictureGeometry,
    _ pool: CodingMemoryPool
  ) throws(UnsupportedPicture) {
    self.sps = sps
    self.pps = pps
    self.geometry = geometry
    self.pool = pool
    scaling = ScalingFactors(sps, pps)
    format = try PictureDecoder(sps: sps, pps: pps, geometry: geometry, scaling: scaling, pool: pool).format
  }

  /// Makes a decoder, for one picture.
  func decoder() throws(UnsupportedPicture) -> PictureDecoder {
    try PictureDecoder(sps: sps, pps: pps, geometry: geometry, scaling: scaling, pool: pool)
  }
}

/// Everything needed to decode a picture: any thread can do it, once all earlier pictures are in progress.
struct PictureWork: Sendable {
  /// A slice segment, and what it refers to.
  struct Segment: Sendable {
    let header: SliceSegmentHeader
    /// The data of the segment, with emulation prevention bytes.
    let data: ByteView
    let references: SliceReferences

    /// slice_segment_address
    var address: Int { Int(clamping: header.sliceSegmentAddress ?? 0) }
  }

  let frame: Frame
  /// How many pictures were to be decoded before it.
  let number: Int
  let decoders: PictureDecoders
  /// The picture that fills the gaps of a damaged one.
  var substitute: PictureBuffer?
  var segments: [Segment] = []
  /// The numbers of the pictures that its slices refer to.
  private(set) var references: [Int] = []
  /// The health of the same pictures, and of substitutes for missing ones.
  private var parents: [Parent] = []
  /// Set to true if this picture had gaps and the earlier picture that should fill them was not decoded; `nil` if
  /// it has its substitute.
  var lostSubstitute: Monitor<Bool>?

  private struct Parent: Sendable {
    let name: String
    let health: FrameHealth
  }

  init(frame: Frame, number: Int, decoders: PictureDecoders, substitute: PictureBuffer?) {
    self.frame = frame
    self.number = number
    self.decoders = decoders
    self.substitute = substitute
  }

  /// Adds a slice segment and the pictures that it refers to.
  mutating func add(
    _ segment: SliceSegment, from start: Int,
    _ lists: (l0: [BufferedReference<Frame>], l1: [BufferedReference<Frame>])
  ) {
    func entry(_ found: BufferedReference<Frame>) -> ReferenceEntry {
      ReferenceEntry(found.picture.buffer, isLongTerm: found.isLongTerm)
    }
    for number in (lists.l0 + lists.l1).compactMap(\.picture.number) where !references.contains(number) {
      references.append(number)
    }
    for frame in (lists.l0 + lists.l1).map(\.picture)
    where !parents.contains(where: { $0.health === frame.health }) {
      let name = "picture \(frame.buffer.orderCount) of layer \(frame.buffer.layerID)"
      parents.append(Parent(name: name, health: frame.health))
    }
    segments.append(
      Segment(
        header: segment.header, data: segment.unit.bytes.suffix(from: start),
        references: SliceReferences(l0: lists.l0.map(entry), l1: lists.l1.map(entry))))
  }

  /// Decodes the picture, and compares it with its hash message.
  func run() {
    // Each coding tree unit is decoded or concealed.
    frame.buffer.allocate(for: number, isCleared: false)
    do throws(UnsupportedPicture) {
      try decode(decoders.decoder())
    } catch {
      frame.buffer.clear()
      frame.record(.unsupported(error.reason))
    }
    frame.buffer.finish()
    if let hash = frame.expectedHash { frame.compare(with: hash) }
    if frame.problems.isEmpty, frame.hash != .match, let parent = parents.first(where: { $0.health.wait() }) {
      frame.record(.inherited(parent.name))
    }
    frame.health.settle(isDamaged: !frame.problems.isEmpty && frame.hash != .match)
  }

  private func decode(_ decoder: PictureDecoder) throws(UnsupportedPicture) {
    let isInOrder = zip(segments, segments.dropFirst()).allSatisfy { $0.address < $1.address }
    try decoder.begin(frame.buffer, isInOrder: isInOrder)
    var damaged: Set<Int> = []
    for (index, segment) in segments.enumerated() {
      let next = isInOrder && index + 1 < segments.count ? segments[index + 1].address : .max
      do throws(SliceDataError) {
        try decoder.decode(
          segment.header, data: segment.data.removingEmulationPrevention(), references: segment.references,
          until: next)
      } catch {
        damaged.insert(error.ctbAddress)
        frame.record(.invalid("\(error)"))
      }
    }
    let gaps = (0..<decoders.geometry.sizeInCtbs).filter {
      !decoder.isDecoded(ctbAddress: $0) || damaged.contains($0)
    }
    if !gaps.isEmpty {
      lostSubstitute?.change { $0 = true }
      substitute?.waitUntilFinished()
      frame.buffer.conceal(gaps, decoders.geometry, from: substitute)
    }
    let missing = decoder.finish()
    if missing > 0 {
      frame.record(.missing("the data of \(missing) of \(decoders.geometry.sizeInCtbs) coding tree units"))
    }
  }
}
