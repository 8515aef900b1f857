// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The planes of a picture, reduced by an integer factor: each sample is the mean of a square of samples.
///
/// Small pictures are converted from these, which is faster than to convert at full size and scale the result.
struct ReducedPlanes: PlaneRows {
  let width: Int
  let height: Int
  let chromaArrayType: Int
  let bitDepthLuma: Int
  let bitDepthChroma: Int
  /// The mean of several chroma samples is in the middle of their luma samples.
  let hasCentredChroma = true
  /// The samples of each component, row by row.
  private let planes: [[Int32]]

  /// Reduces planes by a factor of 2 or more; `nil` for a smaller factor, and if the planes cannot be divided
  /// into squares of that size.
  init?(_ source: some PlaneRows, factor: Int) {
    guard factor > 1, Self.divides(source, by: factor) else { return nil }
    let hasChroma = source.chromaArrayType != 0
    width = source.width / factor
    height = source.height / factor
    chromaArrayType = source.chromaArrayType
    bitDepthLuma = source.bitDepthLuma
    bitDepthChroma = source.bitDepthChroma
    planes = (0..<(hasChroma ? 3 : 1)).map { component in
      Self.means(
        source, component, width: component == 0 ? source.width : source.chromaWidth,
        height: component == 0 ? source.height : source.chromaHeight, factor)
    }
  }

  /// Returns whether all planes can be divided into squares of that size.
  static func divides(_ source: some PlaneRows, by factor: Int) -> Bool {
    source.width % factor == 0 && source.height % factor == 0
      && (source.chromaArrayType == 0
        || source.chromaWidth % factor == 0 && source.chromaHeight % factor == 0)
  }

  private static func means(
    _ source: some PlaneRows, _ component: Int, width: Int, height: Int, _ factor: Int
  ) -> [Int32] {
    var means: [Int32] = []
    means.reserveCapacity(width / factor * (height / factor))
    var sums = [Int32](repeating: 0, count: width)
    let area = Int32(factor * factor), half = area / 2
    for top in stride(from: 0, to: height, by: factor) {
      source.load(component, row: top, into: &sums, from: 0)
      for y in (top + 1)..<(top + factor) {
        source.add(component, row: y, to: &sums)
      }
      for left in stride(from: 0, to: width, by: factor) {
        var sum = half
        for x in left..<(left &+ factor) { sum &+= sums[x] }
        means.append(sum / area)
      }
    }
    return means
  }

  func load(_ component: Int, row y: Int, into row: inout [Int32], from start: Int) {
    let count = component == 0 ? width : chromaWidth
    for x in 0..<count { row[start &+ x] = planes[component][y &* count &+ x] }
  }
}
