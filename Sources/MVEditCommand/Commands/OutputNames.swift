// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport

/// The names of the outputs of several movies: a pattern with `%n` for the name of the movie without its ending, and
/// `%f` for the name with it.
enum OutputNames {
  /// Whether a name is a pattern.
  static func isPattern(_ name: String) -> Bool { name.contains("%n") || name.contains("%f") }

  /// Returns the name of the output for each movie.
  static func names(_ pattern: String, for movies: [String]) throws(UsageError) -> [String] {
    guard pattern != "-" else {
      throw UsageError("several movies cannot go to standard output: name files with %n in -o")
    }
    guard movies.count == 1 || isPattern(pattern) else {
      throw UsageError(
        "several movies need a name each: use %n for the name of the movie, as in -o 'parts/%n.mov'"
      )
    }
    var taken: [String: String] = [:]
    var names: [String] = []
    for movie in movies {
      let name = replaced(pattern, movie)
      if let other = taken.updateValue(movie, forKey: name) {
        throw UsageError("\(other) and \(movie) would both be written to \(name)")
      }
      names.append(name)
    }
    return names
  }

  private static func replaced(_ pattern: String, _ movie: String) -> String {
    let file = movie == "-" ? "standard-input" : movie.split(separator: "/").last.map(String.init) ?? movie
    let point = file.lastIndex(of: ".")
    let name = point.map { $0 > file.startIndex ? String(file[..<$0]) : file } ?? file
    var text = ""
    var rest = pattern[...]
    while let character = rest.popFirst() {
      guard character == "%", let kind = rest.first, "nf%".contains(kind) else {
        text.append(character)
        continue
      }
      rest.removeFirst()
      text += kind == "n" ? name : kind == "f" ? file : "%"
    }
    return text
  }
}
