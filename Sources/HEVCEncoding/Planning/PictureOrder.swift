// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// A picture whose place is planned: when it is coded, and from which others it is predicted. Pictures are named by their
/// number in output order.
struct PlannedPicture: Hashable, Sendable {
  var number: Int
  /// Whether decoding may begin with it: nothing after it refers to what is before.
  var isKey = false
  /// 0 for pictures that later groups refer to. Each level refers to lower ones.
  var level = 0
  /// Whether other pictures of its view refer to it.
  var isReferenced = true
  /// The pictures that it refers to and that are output before it, the nearest first.
  var before: [Int] = []
  /// The references that are output after it, the nearest first.
  var after: [Int] = []
  /// The pictures that only later ones refer to.
  var kept: [Int] = []

  /// All pictures that a decoder must have when it begins with this one.
  var references: [Int] { before + after + kept }
}

/// Decides in which order pictures are coded: in groups, of which the last one in output order comes first, then the middle
/// one, and so on in each half.
struct PictureOrder: Sendable {
  /// How many pictures a group has: a power of two, and 1 if pictures are coded in output order.
  let groupSize: Int
  /// How many ends of groups are kept; pictures in output order refer to as many.
  let anchorCount: Int
  /// How many pictures before it, and after it, one inside a group refers to.
  let innerReferences: (before: Int, after: Int)

  /// The ends of earlier groups that may be referred to, the latest last.
  private var anchors: [Int] = []

  /// Makes an order for groups of this size.
  init(groupSize: Int, anchorCount: Int, innerReferences: (before: Int, after: Int) = (1, 1)) {
    self.groupSize = groupSize
    self.anchorCount = anchorCount
    self.innerReferences = innerReferences
  }

  /// How many levels pictures have.
  var levels: Int { Int.bitWidth - groupSize.leadingZeroBitCount }

  /// How many pictures in coding order are planned before the bits of one are known.
  var ratingDelay: Int { max(8, 2 * groupSize) }

  /// How many pictures may precede one in coding order and follow it in output order.
  var reorderedPictures: Int { levels - 1 }

  /// How many pictures of a view a decoder keeps at most, the current one among them.
  var pictureBuffers: Int { anchorCount + reorderedPictures + 1 }

  /// Plans a picture that refers to no other one of its view.
  mutating func key(_ number: Int) -> PlannedPicture {
    anchors = [number]
    return PlannedPicture(number: number, isKey: true)
  }

  /// Plans the pictures after the last ones, at most as many as a group has; in coding order.
  mutating func group(_ numbers: ClosedRange<Int>) -> [PlannedPicture] {
    let last = numbers.upperBound, start = anchors.last ?? last
    var pictures = [PlannedPicture(number: last)]
    pictures[0].before = anchors.suffix(anchorCount).reversed()
    anchors = (anchors + [last]).suffix(anchorCount)
    // What pictures inside the group may refer to.
    var coded = anchors
    if !coded.contains(start) { coded.append(start) }
    divide(start, last, level: 1, &coded, &pictures)
    keep(&pictures, until: anchors)
    return pictures
  }

  /// Plans the pictures between two that are coded.
  private func divide(
    _ low: Int, _ high: Int, level: Int, _ coded: inout [Int], _ pictures: inout [PlannedPicture]
  ) {
    guard high - low > 1 else { return }
    let middle = (low + high) / 2
    var picture = PlannedPicture(number: middle, level: level)
    picture.before = Array(
      coded.filter { $0 < middle }.sorted(by: >).prefix(max(1, innerReferences.before)))
    picture.after = Array(coded.filter { $0 > middle }.sorted().prefix(max(1, innerReferences.after)))
    picture.isReferenced = high - low > 2
    pictures.append(picture)
    if picture.isReferenced { coded.append(middle) }
    divide(low, middle, level: level + 1, &coded, &pictures)
    divide(middle, high, level: level + 1, &coded, &pictures)
  }

  /// Keeps what later pictures refer to.
  private func keep(_ pictures: inout [PlannedPicture], until anchors: [Int]) {
    var needed = Set(anchors)
    for index in pictures.indices.reversed() {
      needed.remove(pictures[index].number)
      let own = Set(pictures[index].before + pictures[index].after)
      pictures[index].kept = needed.subtracting(own).sorted()
      needed.formUnion(own)
    }
  }
}
