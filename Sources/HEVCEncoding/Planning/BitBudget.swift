// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// A picture with its quantisation parameter, without what its blocks are worth, and the number of bits that all its layers may take.
struct BudgetedPicture: Sendable {
  var picture: PlannedPicture
  var qp: Int
  var bits = Int.max
  /// How long after the previous picture it is shown, in seconds; `nil` if pictures have no times.
  var seconds: Double?
}

/// What the pictures of a stream may take, on average and at most.
///
/// It learns in coding order how many bits pictures took, always with the same delay, so that the stream does not depend on the number
/// of threads.
struct BitBudget: Sendable {
  /// The pictures whose bits are not known yet, in coding order.
  private(set) var pending: [BudgetedPicture] = []
  private var model: CostModel
  /// The control of the average rate; `nil` if the parameters are given.
  private var rate: RateControl?
  /// The control of a buffer limit; `nil` if there is none.
  private var limit: BufferLimit?

  init(_ model: CostModel, rate: RateControl?, limit: BufferLimit?) {
    self.model = model
    self.rate = rate
    self.limit = limit
  }

  /// Plans pictures, in coding order.
  ///
  /// - Parameters:
  ///   - base: the parameter of pictures with no offset, if no average is kept.
  ///   - seconds: how long after the previous picture one is shown; `nil` if pictures have no times.
  ///   - offset: by how much the parameter of a picture differs from that of others.
  mutating func plan(
    _ pictures: [PlannedPicture], base: Int, seconds: (PlannedPicture) -> Double? = { _ in nil },
    offset: (PlannedPicture) -> Int
  ) -> [BudgetedPicture] {
    var planned =
      rate?.plan(pictures, model, pending, seconds: seconds, offset: offset)
      ?? pictures.map { BudgetedPicture(picture: $0, qp: max(0, min(51, base + offset($0)))) }
    limit?.limit(&planned, model, pending)
    pending += planned
    return planned
  }

  /// Sets what a picture is expected to take with a parameter of 27, if none like it is known yet.
  mutating func expect(_ picture: PlannedPicture, bits: Double) { model.expect(picture, bits: bits) }

  /// Adds what the next picture in coding order has taken, in all layers, and by how much its parameter was larger than
  /// planned.
  mutating func add(bits: Int, shift: Int = 0) {
    guard !pending.isEmpty else { return }
    let done = pending.removeFirst()
    rate?.add(bits: bits, seconds: done.seconds)
    limit?.add(bits: bits)
    model.add(done.picture, qp: done.qp + shift, bits: bits)
  }
}
