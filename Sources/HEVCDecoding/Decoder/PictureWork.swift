// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import Threads

/// The decoders of the pictures of a layer that have the same parameter sets: one for each that is at work.
final class PictureDecoders: Sendable {
  let sps: SequenceParameterSet
  let pps: PictureParameterSet
  let geometry: PictureGeometry
  let format: SampleFormat
  private let scaling: ScalingFactors?
  private let idle: Monitor<Idle>

  /// Those that wait for a picture. `@unchecked`: one thread at a time has a decoder.
  private struct Idle: @unchecked Sendable {
    var decoders: [PictureDecoder]
  }

  init(
    _ sps: SequenceParameterSet, _ pps: PictureParameterSet, _ geometry: PictureGeometry
  ) throws(UnsupportedPicture) {
    self.sps = sps
    self.pps = pps
    self.geometry = geometry
    scaling = ScalingFactors(sps, pps)
    let first = try PictureDecoder(sps: sps, pps: pps, geometry: geometry, scaling: scaling)
    format = first.format
    idle = Monitor(Idle(decoders: [first]))
  }

  /// Lends a decoder.
  func withDecoder(_ body: (PictureDecoder) throws(UnsupportedPicture) -> Void) throws(UnsupportedPicture) {
    let known = idle.change { $0.decoders.popLast() }
    let decoder: PictureDecoder
    if let known {
      decoder = known
    } else {
      decoder = try PictureDecoder(sps: sps, pps: pps, geometry: geometry, scaling: scaling)
    }
    defer { idle.change { $0.decoders.append(decoder) } }
    try body(decoder)
  }
}

/// All that it takes to decode a picture: any thread can do it, once the pictures before it are at work.
struct PictureWork: Sendable {
  /// A slice segment, and what it refers to.
  struct Segment: Sendable {
    let header: SliceSegmentHeader
    /// With emulation prevention.
    let data: ByteView
    let references: SliceReferences

    /// slice_segment_address
    var address: Int { Int(clamping: header.sliceSegmentAddress ?? 0) }
  }

  let frame: Frame
  let decoders: PictureDecoders
  /// What fills the gaps of a damaged picture.
  var substitute: PictureBuffer?
  var segments: [Segment] = []
  /// The pictures to which its slices refer, by number.
  private(set) var references: [Int] = []
  /// Where it says that it had gaps which an earlier picture should have filled, and that was not decoded; `nil` for one that has
  /// its substitute.
  var lostSubstitute: Monitor<Bool>?

  init(frame: Frame, decoders: PictureDecoders, substitute: PictureBuffer?) {
    self.frame = frame
    self.decoders = decoders
    self.substitute = substitute
  }

  /// Takes in a slice segment with the pictures to which it refers.
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
    segments.append(
      Segment(
        header: segment.header, data: segment.unit.bytes.suffix(from: start),
        references: SliceReferences(l0: lists.l0.map(entry), l1: lists.l1.map(entry))))
  }

  /// Decodes the picture, and compares it with its hash message.
  func run() {
    frame.buffer.allocate()
    do throws(UnsupportedPicture) {
      try decoders.withDecoder { decoder throws(UnsupportedPicture) in try decode(decoder) }
    } catch {
      frame.record(.unsupported(error.reason))
    }
    frame.buffer.finish()
    if let hash = frame.expectedHash { frame.hash = frame.buffer.verdict(hash) }
    frame.finish()
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
      frame.record(.missing("\(missing) of \(decoders.geometry.sizeInCtbs) coding tree units"))
    }
  }
}
