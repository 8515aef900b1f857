// swift-multiview · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// docs/public-api.md lists the names that are promised; what is public besides is in a catalogue, or writes or decodes.
@Suite struct PromiseTests {
  private static let document = "docs/public-api.md"
  /// Modules of commands have no public interface.
  private static let libraries: Set<String> = [
    "ByteCoding", "FieldOutput", "FileAccess", "HEVC", "ISOBMFF", "BoxCatalogue", "Multiview",
  ]

  /// The lists of names: for reading, and for those that declare boxes and messages of their own.
  private static func names(_ title: String) -> [String: Set<String>] {
    var names: [String: Set<String>] = [:]
    for row in SourceOutline.table(document, titled: title) where row.count == 2 {
      guard let module = SourceOutline.terms(row[0]).first else { continue }
      let terms = SourceOutline.terms(row[1])
      #expect(Set(terms).count == terms.count, "\(module) has a name twice")
      names[module, default: []].formUnion(terms)
    }
    return names
  }

  /// The folders of the catalogue, and of what writes and decodes.
  private static func folders(_ title: String) -> [String] {
    SourceOutline.table(document, titled: title).flatMap { SourceOutline.terms($0.first ?? "").prefix(1) }
  }

  private static func publicNames(below folders: [String]) -> Set<String> {
    let files = SourceOutline.all.filter { file in folders.contains { file.path.hasPrefix($0 + "/") } }
    return Set(files.flatMap { $0.declarations.filter(\.isPublic).map(\.name) })
  }

  @Test func namesForReadingAreFew() {
    let reading = Self.names("| module | names for reading |")
    let declaring = Self.names("| module | names for declaring |")
    let count = reading.values.reduce(0) { $0 + $1.count }
    #expect((100...200).contains(count), "\(count) names are promised for reading")
    #expect(declaring.values.reduce(0) { $0 + $1.count } <= 40)
  }

  @Test func whatIsListedIsPublicAndWhatIsPublicIsListed() {
    let reading = Self.names("| module | names for reading |")
    let declaring = Self.names("| module | names for declaring |")
    let elsewhere =
      Self.folders("| catalogue | what is there |") + Self.folders("| folder | what it is for |")
    #expect(elsewhere.count > 5)
    for folder in elsewhere {
      #expect(!Self.publicNames(below: [folder]).isEmpty, "\(folder) has no public names")
    }
    for module in Self.libraries.sorted() {
      let listed = (reading[module] ?? []).union(declaring[module] ?? [])
      let all = Self.publicNames(below: ["Sources/" + module])
      #expect(listed.subtracting(all).sorted() == [], "\(module) has no such public types")
      let unlisted = all.subtracting(listed).subtracting(Self.publicNames(below: elsewhere))
      #expect(
        unlisted.sorted() == [],
        "public in \(module), and not in \(Self.document): list it, or make it package")
    }
    #expect(Set(reading.keys).union(declaring.keys).isSubset(of: Self.libraries))
  }

  /// Eighty names more for each product that writes or decodes.
  @Test func writingAndDecodingAreSmall() {
    for row in SourceOutline.table(Self.document, titled: "| folder | what it is for |") {
      let terms = row.flatMap(SourceOutline.terms)
      #expect(terms.count == 1)
      let count = Self.publicNames(below: terms).count
      #expect(count <= 80, "\(terms) has \(count) public types")
    }
  }

  /// What the examples, the articles and README name is promised, or in the catalogue.
  @Test func examplesUsePromisedNames() {
    let promised = Self.names("| module | names for reading |").values.reduce(Set<String>()) { $0.union($1) }
    let listed = promised.union(
      Self.names("| module | names for declaring |").values.reduce(Set<String>()) { $0.union($1) })
    let ours = Self.publicNames(below: Self.libraries.map { "Sources/" + $0 })
    let allowed = listed.union(
      Self.publicNames(
        below: Self.folders("| catalogue | what is there |") + Self.folders("| folder | what it is for |")))
    var used: Set<String> = []
    for path in projectFiles where path.hasPrefix("docs/examples/Sources/") && path.hasSuffix(".swift") {
      used.formUnion(SourceOutline(path).names)
    }
    #expect(used.intersection(ours).count > 30)
    #expect(used.intersection(ours).subtracting(allowed).sorted() == [])
  }
}
