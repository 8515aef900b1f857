// swift-multiview · SPDX-License-Identifier: Apache-2.0

// Prediction from other pictures. ISO/IEC 23008-2, 8.5.3.3

extension BlockContext {
  /// Predicts all components of a block.
  package mutating func predictInter(_ block: PredictionBlock, _ motion: Motion) {
    predictInter(block, motion, components: 0..<(v.chromaArrayType == 0 ? 1 : 3))
  }

  /// Predicts some components of a block.
  package mutating func predictInter(_ block: PredictionBlock, _ motion: Motion, components: Range<Int>) {
    guard motion.uses0 || motion.uses1 else { return }
    let entry0 = Int(motion.index0), entry1 = 16 &+ Int(motion.index1)
    if motion.uses0 { waitForSamples(block, motion.vector0, entry: entry0) }
    if motion.uses1 { waitForSamples(block, motion.vector1, entry: entry1) }
    for component in components {
      let shiftX = component == 0 ? 0 : v.chromaShiftX, shiftY = component == 0 ? 0 : v.chromaShiftY
      let area = BlockArea(
        x: block.x &>> shiftX, y: block.y &>> shiftY, width: block.width &>> shiftX,
        height: block.height &>> shiftY)
      if scratch.isLong {
        predict(
          component, area, motion, entry0, entry1, scratch.longPrediction0, scratch.longPrediction1,
          scratch.longRows)
      } else if v.isWeighted, isWeighted(component, motion, entry0, entry1) {
        predict(
          component, area, motion, entry0, entry1, scratch.prediction0, scratch.prediction1, scratch.rows)
      } else {
        predictAtOnce(component, area, motion, entry0, entry1)
      }
    }
  }

  /// Predictions of two bytes without weights.
  private func predictAtOnce(
    _ component: Int, _ area: BlockArea, _ motion: Motion, _ entry0: Int, _ entry1: Int
  ) {
    let target = planes[component]
    if motion.uses0, motion.uses1 {
      interpolate(component, area, motion.vector0, entry0, scratch.prediction0, scratch.rows)
    }
    let isFirst = !motion.uses1
    let place = place(component, area, isFirst ? motion.vector0 : motion.vector1)
    let source = references.planes[(isFirst ? entry0 : entry1) &* 3 &+ component]
    if motion.uses0, motion.uses1 {
      InterKernels.predict(
        source, scratch.patch, x: place.x, y: place.y, phaseX: place.phaseX, phaseY: place.phaseY,
        isLuma: component == 0, area, with: scratch.prediction0, to: target, rows: scratch.rows)
    } else {
      InterKernels.predict(
        source, scratch.patch, x: place.x, y: place.y, phaseX: place.phaseX, phaseY: place.phaseY,
        isLuma: component == 0, area, to: target, rows: scratch.rows)
    }
  }

  /// Whether a weight is not the one that changes nothing.
  private func isWeighted(_ component: Int, _ motion: Motion, _ entry0: Int, _ entry1: Int) -> Bool {
    let none = 1 &<< (component == 0 ? references.lumaDenominator : references.chromaDenominator)
    func changes(_ entry: Int) -> Bool {
      let weight = weight(entry, component)
      return weight.weight != none || weight.offset != 0
    }
    return motion.uses0 && changes(entry0) || motion.uses1 && changes(entry1)
  }

  @inline(__always)
  private func predict<P: Coefficient>(
    _ component: Int, _ area: BlockArea, _ motion: Motion, _ entry0: Int, _ entry1: Int, _ first: Memory<P>,
    _ second: Memory<P>, _ rows: Memory<P>
  ) {
    let target = planes[component]
    if motion.uses0 { interpolate(component, area, motion.vector0, entry0, first, rows) }
    if motion.uses1 {
      interpolate(component, area, motion.vector1, entry1, motion.uses0 ? second : first, rows)
    }
    // 8.5.3.3.4
    if v.isWeighted {
      let denominator = component == 0 ? references.lumaDenominator : references.chromaDenominator
      if motion.uses0, motion.uses1 {
        InterKernels.weight(
          first, weight(entry0, component), second, weight(entry1, component), denominator: denominator,
          to: target, area)
      } else {
        InterKernels.weight(
          first, weight(motion.uses0 ? entry0 : entry1, component), denominator: denominator, to: target, area
        )
      }
    } else if motion.uses0, motion.uses1 {
      InterKernels.average(first, second, to: target, area)
    } else {
      InterKernels.round(first, to: target, area)
    }
  }

  @inline(__always)
  private func weight(_ entry: Int, _ component: Int) -> SampleWeight {
    let place = entry &* 6 &+ 2 &* component
    return SampleWeight(weight: Int(references.weights[place]), offset: Int(references.weights[place &+ 1]))
  }

  /// The samples that a vector points to, interpolated if it points between samples. 8.5.3.3.3
  @inline(__always)
  private func interpolate<P: Coefficient>(
    _ component: Int, _ area: BlockArea, _ vector: MotionVector, _ entry: Int, _ prediction: Memory<P>,
    _ rows: Memory<P>
  ) {
    let place = place(component, area, vector)
    InterKernels.interpolate(
      references.planes[entry &* 3 &+ component], scratch.patch, x: place.x, y: place.y, phaseX: place.phaseX,
      phaseY: place.phaseY, isLuma: component == 0, area, to: prediction, rows: rows)
  }

  /// Where a vector points: quarters of a sample for luma. Chroma vectors are in eighths of a sample where chroma has
  /// half as many samples, and in quarters otherwise.
  @inline(__always)
  private func place(
    _ component: Int, _ area: BlockArea, _ vector: MotionVector
  ) -> (x: Int, y: Int, phaseX: Int, phaseY: Int) {
    let x = Int(vector.x), y = Int(vector.y)
    if component == 0 { return (area.x &+ x &>> 2, area.y &+ y &>> 2, x & 3, y & 3) }
    let shiftX = v.chromaShiftX, shiftY = v.chromaShiftY
    return (
      area.x &+ x &>> (2 &+ shiftX), area.y &+ y &>> (2 &+ shiftY), shiftX == 1 ? x & 7 : (x & 3) &* 2,
      shiftY == 1 ? y & 7 : (y & 3) &* 2
    )
  }
}
