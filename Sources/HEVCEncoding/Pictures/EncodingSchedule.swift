// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import HEVCCoding

/// Encodes planned pictures of all layers, several at a time if there are several threads.
final class EncodingSchedule {
  private let encoders: [PictureEncoder]
  private let queue: JobQueue
  private let memory: EncodingMemory
  private let hasHashes: Bool
  /// How many jobs may wait before whoever adds more has to.
  private let limit: Int
  /// The jobs of the pictures that later ones may refer to, by layer and number.
  private var known: [[Int: PictureJob]]
  private var isFirst = true

  /// Makes a schedule.
  ///
  /// - Parameters:
  ///   - groupSize: how many pictures are planned at a time, so that as many may wait.
  ///   - threads: how many pictures are encoded at the same time.
  init(
    _ plan: CodingPlan, effort: SearchEffort, groupSize: Int, threads: Int, hasHashes: Bool
  ) throws {
    let memory = EncodingMemory(threads: threads)
    self.memory = memory
    var encoders: [PictureEncoder] = []
    for layer in 0..<plan.layerCount {
      encoders.append(try PictureEncoder(plan, layer: layer, effort: effort, memory: memory))
    }
    self.encoders = encoders
    queue = JobQueue(threads: threads)
    self.hasHashes = hasHashes
    limit = (groupSize + threads) * plan.layerCount
    known = Array(repeating: [:], count: plan.layerCount)
  }

  /// The memory of pictures, for others that need some for a while.
  var pictures: PicturePool { memory.pictures }

  /// Adds the pictures of all layers at a time, which come in coding order.
  ///
  /// - Parameters:
  ///   - parameters: the quantisation of the picture of each layer.
  ///   - limit: how many bits all of them together may take.
  func add(
    _ planned: PlannedPicture, _ sources: [SourcePicture], _ parameters: [PictureParameters], limit: Int
  ) throws(ParseError) {
    let wanted = Set(planned.references)
    var base: PictureJob?
    for (layer, source) in sources.enumerated() {
      known[layer] = known[layer].filter { wanted.contains($0.key) }
      var slice = SlicePlan(planned, layer: layer, isFirst: isFirst)
      slice.qp = parameters[layer].qp
      let encoder = encoders[layer]
      let lists = try encoder.lists(slice) { known[$0][$1]?.picture }
      let all = lists.l0 + lists.l1
      let needed = known.joined().map(\.value).filter { job in
        all.contains { $0.picture === job.picture }
      }
      let job = PictureJob(
        planned, slice, source, lists, needs: needed, parameters: parameters[layer].units, encoder,
        hasHash: hasHashes)
      // What the base layer leaves is for the other one, which takes less mostly.
      job.limit = base == nil && sources.count > 1 && limit < .max ? limit / 4 * 3 : limit
      job.base = base
      base = job
      queue.add(job)
      known[layer][planned.number] = job
    }
    isFirst = false
  }

  /// The access units that are complete, in coding order.
  ///
  /// - Parameter most: how many may be left that are not; the others are waited for. `nil` for as many as threads need.
  func take(leavingAtMost most: Int? = nil) throws(EncodingError) -> [EncodedAccessUnit] {
    var result: [EncodedAccessUnit] = []
    while let jobs = queue.take(encoders.count, unlessMoreThan: most.map { $0 * encoders.count } ?? limit) {
      let planned = jobs[0].planned
      var unit = EncodedAccessUnit(
        units: [], presentationIndex: planned.number, isSync: planned.isKey, layerBytes: [])
      for job in jobs {
        let units: [NALUnit]
        do { units = try job.result.get() } catch {
          throw EncodingError(.failed, picture: planned.number, "\(error)")
        }
        unit.units += units
        unit.layerBytes.append(units.reduce(0) { $0 + $1.bytes.count })
        unit.squaredErrors.append(job.squaredErrors)
        unit.shift = max(unit.shift, job.shift)
      }
      result.append(unit)
    }
    return result
  }
}
