// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// How many single-character changes lead from one word to the other, where two neighbours that change places count
/// as one change (optimal string alignment).
package func editDistance(_ left: some StringProtocol, _ right: some StringProtocol) -> Int {
  let a = Array(left.unicodeScalars), b = Array(right.unicodeScalars)
  var before: [Int] = [], previous = Array(0...b.count)
  for i in a.indices {
    var current = [i + 1]
    current.reserveCapacity(b.count + 1)
    for j in b.indices {
      let isSame = a[i] == b[j]
      var best = min(previous[j] + (isSame ? 0 : 1), previous[j + 1] + 1, current[j] + 1)
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, before[j - 1] + 1) }
      current.append(best)
    }
    before = previous
    previous = current
  }
  return previous[b.count]
}

/// How long a word may be that somebody mistyped. What is longer was meant for something else, and would take long.
private let longestSlip = 64

/// The words that somebody who typed `word` may have meant, nearest first; at most three.
package func nearest(_ word: String, among candidates: [String]) -> [String] {
  let typed = word.lowercased()
  let length = typed.unicodeScalars.count
  guard (1...longestSlip).contains(length) else { return [] }
  let allowance = max(1, length / 3)
  var found: [(distance: Int, order: Int, word: String)] = []
  for (order, candidate) in candidates.enumerated() {
    let known = candidate.lowercased()
    // No change makes a word longer or shorter by more than one.
    let isNear = abs(known.unicodeScalars.count - length) <= allowance
    var distance = isNear ? editDistance(typed, known) : .max
    // The beginning of a word is a near miss however much is left out.
    if length >= 2, known.hasPrefix(typed), typed != "--" { distance = min(distance, 1) }
    if distance <= allowance { found.append((distance, order, candidate)) }
  }
  found.sort { ($0.distance, $0.order) < ($1.distance, $1.order) }
  var words: [String] = []
  for item in found where !words.contains(item.word) { words.append(item.word) }
  return Array(words.prefix(3))
}

/// `; did you mean 'tree'?`, or nothing if nothing is near; with `orList` then the words that would do.
package func didYouMean(_ word: String, among candidates: [String], orList: Bool = false) -> String {
  let words = nearest(word, among: candidates)
  if words.isEmpty { return orList ? ": it must be \(listed(candidates, "or"))" : "" }
  return "; did you mean \(listed(words.map { "'\($0)'" }, "or"))?"
}
