// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import LayoutExamples
import Multiview
import TestSupport

extension FuzzSeeds {
  /// Every example of every box, in the boxes around it up to the file, without which it would not be known.
  static func boxes() -> [(String, [UInt8])] {
    BoxExample.all.map { example in
      ("box-" + example.name, example.outer.reduce(example.bytes) { bytes, outer in outer.around(bytes) })
    }
  }

  /// A small spatial movie for every example of every box, which is where it belongs, in place of others of its type.
  static func moviesWithEachBox() -> [(String, [UInt8])] {
    guard let movie = smallMovies().first(where: { $0.0 == "small-spatial.mov" }) else { return [] }
    return BoxExample.all.compactMap { example in
      var tree = BoxTree(ByteView(movie.1), registry: .standard)
      example.put(into: &tree.boxes)
      return (try? tree.encodedAsItIs()).map { ("movie-with-" + example.name, $0) }
    }
  }
}

/// An example of a box, and the boxes that surround it.
private struct BoxExample {
  let name: String
  let bytes: [UInt8]
  /// The innermost first.
  let outer: [OuterBox]

  /// Those of boxes that are in a tree: a few are in samples, or in groups of samples.
  static var all: [BoxExample] {
    BoxRegistry.standard.all.flatMap { kind in
      kind.examples.enumerated().compactMap { index, sample in
        guard let scope = kind.scopes.first, let outer = OuterBox.path(to: scope),
          let bytes = try? encoded(sample, kind, scope)
        else { return nil }
        return BoxExample(name: "\(kind.seedName)-\(index)", bytes: bytes, outer: outer)
      }
    }
  }

  private static func encoded(
    _ sample: any BoxPayload, _ kind: BoxRegistration, _ scope: BoxScope
  ) throws(ParseError) -> [UInt8] {
    guard let uuid = BoxRegistry.catalogueUserTypes.first(where: { $0.registration === kind })?.uuid else {
      return rawBox(kind.types.first ?? OuterBox.anyType(in: scope), try sample.encoded())
    }
    return rawBox("uuid", try ByteView(hex: uuid).array + sample.encoded())
  }

  /// Puts the example into the innermost of its outer boxes that is there, within those that are not. In a track of
  /// another kind than the movie's it brings its own media along.
  func put(into boxes: inout [Box]) {
    let media = outer.firstIndex { $0.type == "mdia" && $0.handler != OuterBox.video } ?? -1
    var bytes = bytes
    for (index, outer) in outer.enumerated() {
      let isThere =
        index > media
        && OuterBox.change(outer.type, in: &boxes) {
          OuterBox.add(bytes, to: &$0, alone: outer.type == "stsd")
        }
      if isThere { return }
      bytes = outer.around(bytes)
    }
    OuterBox.add(bytes, to: &boxes)
  }
}

/// A box around others.
private struct OuterBox {
  static let video: FourCC = "vide"
  let type: FourCC
  let kind: BoxRegistration
  /// The kind of track around.
  let handler: FourCC

  /// The boxes around a place, up to the file, the innermost first; `nil` where no way leads there.
  static func path(to scope: BoxScope) -> [OuterBox]? {
    var path: [OuterBox] = [], scope = scope, handler = video
    while scope != .file, scope != .anywhere {
      switch scope {
      case .audioSampleDescription: handler = "soun"
      case .otherSampleDescription: handler = "meta"
      default: break
      }
      // Of the places of a box one that is not in itself.
      guard path.count < 16, let (type, kind) = parent(of: scope),
        let next = kind.scopes.first(where: { $0 != scope })
      else { return nil }
      path.append(OuterBox(type: type, kind: kind, handler: handler))
      scope = next
    }
    return path
  }

  /// A type for what goes by any in that place.
  static func anyType(in scope: BoxScope) -> FourCC {
    switch scope {
    case .visualSampleDescription: "hvc1"
    case .audioSampleDescription: "mp4a"
    default: "test"
    }
  }

  /// The box whose children are there.
  private static func parent(of scope: BoxScope) -> (FourCC, BoxRegistration)? {
    let isTable = [.visualSampleDescription, .audioSampleDescription, .otherSampleDescription].contains(scope)
    let wanted: BoxScope = isTable ? .box("stsd") : scope
    for kind in BoxRegistry.standard.all where kind.childrenFollow {
      let types = kind.types.isEmpty ? kind.scopes.prefix(1).map(anyType) : kind.types
      for type in types where (kind.childScope ?? .box(type)) == wanted { return (type, kind) }
    }
    return nil
  }

  /// The box, with these bytes after its fields.
  func around(_ children: [UInt8]) -> [UInt8] {
    var fields = (try? kind.examples.first?.encoded()) ?? []
    if type == "mdia" { fields += (try? Box("hdlr", HandlerBox(handler, name: "")).encoded()) ?? [] }
    return rawBox(type, fields + children)
  }

  /// Changes the first box of that type, wherever it is; false where there is none.
  static func change(_ type: FourCC, in boxes: inout [Box], _ body: (inout [Box]) -> Void) -> Bool {
    for index in boxes.indices {
      if boxes[index].type == type {
        body(&boxes[index].children)
        return true
      }
      if change(type, in: &boxes[index].children, body) { return true }
    }
    return false
  }

  /// Adds the boxes that the bytes are, in place of others of their types, or of all others.
  static func add(_ bytes: [UInt8], to boxes: inout [Box], alone: Bool = false) {
    let new = BoxTree(ByteView(bytes), registry: .standard).boxes
    boxes.removeAll { old in alone || new.contains { $0.type == old.type } }
    boxes += new
  }
}

/// A box of these bytes.
private func rawBox(_ type: FourCC, _ body: [UInt8]) -> [UInt8] {
  let size = UInt32(clamping: body.count + 8)
  return [size, type.rawValue].flatMap { word in
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
  } + body
}

extension BoxRegistration {
  /// The name as part of a file's: letters and digits alone.
  package var seedName: String { info.name.filter { $0.isLetter || $0.isNumber } }
}
