// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import HEVCCoding

/// A picture of one layer that waits to be encoded, or is encoded.
///
/// `@unchecked`: what changes is changed by the thread that has the job, or under the lock of the ``JobQueue``.
final class PictureJob: @unchecked Sendable {
  let planned: PlannedPicture
  let slice: SlicePlan
  /// Its samples as decoders see them, once it is done.
  let picture: PictureBuffer
  private let encoder: PictureEncoder
  /// The quantisation parameters of its coding tree units; empty for that of the slice.
  private let parameters: [Int8]
  private let hasHash: Bool
  /// What only an unfinished job needs.
  private var source: SourcePicture?
  private var lists: SliceReferences

  /// How many bits it may take with that of the base layer, if there is one.
  var limit = Int.max
  var base: PictureJob?
  /// The amount by which its parameters exceeded the plan.
  private(set) var shift = 0
  private var bits = 0
  /// How it is divided, once it is encoded, if another view is to know it.
  private var divisions: Divisions?

  /// The part of its coding tree units that have sample adaptive offsets; if they were not tried, that of the pictures because of
  /// which.
  private var offsetShare = 1.0

  /// The jobs whose pictures it refers to.
  private(set) var needed: [PictureJob]
  var isTaken = false
  var isDone = false
  private(set) var result = Result<[NALUnit], ParseError>.success([])
  /// The sums of the squared differences of its samples from those of the source, by plane.
  private(set) var squaredErrors: [Int] = []

  init(
    _ planned: PlannedPicture, _ slice: SlicePlan, _ source: SourcePicture, _ lists: SliceReferences,
    needs needed: [PictureJob], parameters: [Int8], _ encoder: PictureEncoder, hasHash: Bool
  ) {
    self.planned = planned
    self.slice = slice
    self.source = source
    self.lists = lists
    self.needed = needed
    self.encoder = encoder
    self.parameters = parameters
    self.hasHash = hasHash
    picture = encoder.picture(orderCount: slice.orderCount)
  }

  /// Encodes the picture.
  func run() {
    guard let source else { return }
    do throws(ParseError) {
      // What cannot be used any more after a failure is not waited for.
      for job in needed { _ = try job.result.get() }
      let samples = encoder.samples(of: source)
      result = .success(try units(of: samples))
      squaredErrors = source.format.squaredErrors(of: picture, from: samples)
    } catch {
      result = .failure(error)
    }
    self.source = nil
    lists = SliceReferences()
  }

  /// Encodes the picture, again and coarser if it takes too many bits.
  private func units(of samples: PictureBuffer) throws(ParseError) -> [NALUnit] {
    var slice = slice, parameters = parameters
    // Offsets are not tried where the base layer, or the pictures of lower levels that this one refers to, have hardly any: that is faster,
    // and takes no more bits.
    let others = base.map { [$0] } ?? needed.filter { $0.planned.level < planned.level }
    let share = others.map(\.offsetShare).max() ?? 1
    // That of the base layer is one of those that it needs.
    let most = limit - (base?.bits ?? 0)
    while true {
      let coded = try encoder.encode(
        samples, slice, lists, parameters: parameters, base: base?.divisions,
        triesOffsets: share >= 0.25, into: picture, hasHash: hasHash)
      let units = coded.units
      divisions = coded.divisions
      offsetShare = coded.offsetShare ?? share
      bits = units.bits
      guard bits > most, slice.qp < 51 || parameters.contains(where: { $0 < 51 }) else { return units }
      // Six steps halve them, about.
      let excess = 6 * PortableMath.log2(Double(bits) / Double(max(1, most)))
      let steps = max(1, min(51, Int(excess.rounded(.up))))
      shift += steps
      slice.qp = min(51, slice.qp + steps)
      parameters = parameters.map { min(51, $0 + Int8(steps)) }
      picture.finish(rows: 0)
    }
  }

  /// Forgets what it needed: called under the lock, since others look there whether it can be begun.
  func end() {
    isDone = true
    needed = []
    base = nil
  }
}

extension SourceFormat {
  /// The sums of the squared differences of a coded picture, by plane; without what was added to have whole blocks.
  func squaredErrors(of picture: PictureBuffer, from samples: PictureBuffer) -> [Int] {
    zip(samples.planes, picture.planes).enumerated().map { component, planes in
      let shift = component == 0 ? 0 : 1
      let width = size.width >> shift, height = size.height >> shift
      var sum = 0
      for y in stride(from: 0, to: height, by: 64) {
        for x in stride(from: 0, to: width, by: 64) {
          sum += DifferenceKernels.squares(
            planes.0, planes.1, DifferenceKernels.Places(x: x, y: y, otherX: x, otherY: y),
            width: min(64, width - x), height: min(64, height - y))
        }
      }
      return sum
    }
  }
}
