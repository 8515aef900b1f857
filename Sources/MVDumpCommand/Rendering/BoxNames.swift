// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ISOBMFF

extension BoxRegistration {
  /// The name in words: `TimeToSampleBox` is `time to sample`, `HEVCConfigurationBox` is `HEVC configuration`.
  package var title: String {
    var words: [String] = []
    var word: [Character] = []
    let letters = Array(name)
    for (index, letter) in letters.enumerated() {
      let isBefore = index > 0 && (letters[index - 1].isLowercase || letters[index - 1].isNumber)
      let endsAcronym =
        index > 0 && index + 1 < letters.count && letters[index - 1].isUppercase
        && letters[index + 1].isLowercase
      if letter.isUppercase, isBefore || endsAcronym {
        words.append(String(word))
        word = []
      }
      word.append(letter)
    }
    words.append(String(word))
    if words.count > 1, words.last == "Box" { words.removeLast() }
    return words.map { word in
      word.dropFirst().contains { $0.isUppercase } ? word : word.lowercased()
    }.joined(separator: " ")
  }
}

/// The titles of boxes, each put together once: a movie of many fragments asks for the same few again and again.
final class BoxTitles {
  private var known: [ObjectIdentifier: String] = [:]

  func title(of registration: BoxRegistration) -> String {
    let key = ObjectIdentifier(registration)
    if let title = known[key] { return title }
    let title = registration.title
    known[key] = title
    return title
  }
}
