// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The name of an output with places: `%n` for the name of the input without its extension, `%f` for the name with it, `%e`
/// for an eye, `%d` or `%03d` for a number, and `%%` for a %.
package struct NamePattern {
  private enum Piece {
    case text(String)
    /// A place by its letter, with the least number of digits.
    case place(Character, width: Int)
  }

  private let pieces: [Piece]

  /// Reads a name that may have the places of these letters.
  package init(_ name: String, places: [Character] = ["n", "f"]) throws(UsageError) {
    var pieces: [Piece] = []
    var text = ""
    var rest = name[...]
    while let character = rest.popFirst() {
      guard character == "%" else {
        text.append(character)
        continue
      }
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest.removeFirst(digits.count)
      switch rest.popFirst() {
      case "%" where digits.isEmpty: text.append("%")
      case let place? where places.contains(place) && digits.count <= (place == "d" ? 2 : 0):
        pieces += [.text(text), .place(place, width: Int(digits) ?? 0)]
        text = ""
      case let other:
        let known = places.map { "%\($0)" } + (places.contains("d") ? ["%03d"] : [])
        throw UsageError(
          "'%\(digits)\(other.map(String.init) ?? "")' in the name of the output is not "
            + "\(listed(known, "or")); write %% for a %")
      }
    }
    self.pieces = pieces + [.text(text)]
  }

  /// A pattern that is this name, whatever is in it.
  package static func literal(_ name: String) -> String {
    // By scalars: a combining mark may follow.
    name.unicodeScalars.map { $0 == "%" ? "%%" : String($0) }.joined()
  }

  /// Whether the name has a place with one of these letters.
  package func has(_ places: Character...) -> Bool {
    pieces.contains { if case .place(let place, _) = $0 { places.contains(place) } else { false } }
  }

  /// The name for an input, an eye and a number.
  package func name(for input: String, eye: String = "", number: Int = 0) -> String {
    let file = input == "-" ? "standard-input" : input.split(separator: "/").last.map(String.init) ?? input
    return pieces.map { piece in
      switch piece {
      case .text(let text): return text
      case .place("e", _): return eye
      case .place("d", let width):
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
      case .place("n", _):
        let point = file.lastIndex(of: ".") ?? file.startIndex
        return point > file.startIndex ? String(file[..<point]) : file
      case .place: return file
      }
    }.joined()
  }
}
