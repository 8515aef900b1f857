// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FieldOutput
public import ISOBMFF
import LayoutExamples

/// One kind of box, as an argument of a test.
public struct RegisteredBox: Sendable, CustomStringConvertible {
  /// The registration of the box.
  public let registration: BoxRegistration

  /// Makes an argument of a registration.
  public init(_ registration: BoxRegistration) { self.registration = registration }

  public var description: String {
    let types = registration.types.prefix(3).map(\.description).joined(separator: " ")
    return types.isEmpty ? "\(registration.name) (catch-all)" : "\(registration.name) (\(types))"
  }

  /// Returns the kinds of a registry that have a payload, without those of `base`.
  public static func all(_ registry: BoxRegistry, beyond base: BoxRegistry? = nil) -> [RegisteredBox] {
    let known = Set((base?.all ?? []).map(ObjectIdentifier.init))
    return registry.all
      .filter { $0.payloadType != nil && !known.contains(ObjectIdentifier($0)) }
      .map { RegisteredBox($0) }
  }
}

/// The checks that every registered box must pass. Each function returns the problems that it found.
public struct BoxChecks {
  let registration: BoxRegistration

  /// Makes the checks of one kind of box.
  public init(_ box: RegisteredBox) { registration = box.registration }

  /// An example, its bytes, and a context in which they are read as the example again.
  struct Example {
    var sample: any BoxPayload
    var bytes: [UInt8]
    var context: BoxContext
  }

  /// All contexts that a layout may depend on.
  var contexts: [BoxContext] {
    var contexts: [BoxContext] = []
    for type in registration.types.isEmpty ? ["test"] : registration.types {
      for scope in registration.scopes {
        for isQuickTime in [false, true] {
          for version: UInt8 in [0, 1] {
            contexts.append(
              BoxContext(
                type: type, scope: scope, isQuickTime: isQuickTime, sampleDescriptionVersion: version,
                parentVersion: version))
          }
        }
      }
    }
    return contexts
  }

  func decode(_ bytes: ByteView, _ context: BoxContext) -> BoxRegistration.Decoding? {
    registration.decode(bytes, context)
  }

  func examples(_ problems: inout [String]) -> [Example] {
    var examples: [Example] = []
    if registration.examples.isEmpty { problems.append("has no examples") }
    for (index, sample) in registration.examples.enumerated() {
      let bytes: [UInt8]
      do { bytes = try sample.encoded() } catch {
        problems.append("sample \(index) cannot be written: \(error)")
        continue
      }
      let found = contexts.first { context in
        guard let back = decode(ByteView(bytes), context) else { return false }
        return back.error == nil && back.unread.isEmpty && AnyHashable(back.payload) == AnyHashable(sample)
      }
      guard let context = found else {
        let back = contexts.first.flatMap { decode(ByteView(bytes), $0) }
        let why =
          back?.error.map { "\($0)" } ?? back.map { "\($0.unread.count) bytes unread, \($0.payload)" } ?? "-"
        problems.append("sample \(index) does not read as it was written: \(why.prefix(600)); \(sample)")
        continue
      }
      examples.append(Example(sample: sample, bytes: bytes, context: context))
    }
    return examples
  }

  // MARK: The checks

  /// Checks that every example is the same after writing and reading, and its bytes after reading and writing.
  public func roundTrip() -> [String] {
    var problems: [String] = []
    for (index, example) in examples(&problems).enumerated() {
      guard let back = decode(ByteView(example.bytes), example.context) else { continue }
      do {
        if try back.payload.encoded() != example.bytes { problems.append("sample \(index): other bytes") }
      } catch { problems.append("sample \(index): \(error)") }
      if text(describing: example.sample) != text(tracing: ByteView(example.bytes), example.context) {
        problems.append("sample \(index) is described in another way than its bytes are")
      }
    }
    return problems
  }

  /// Checks that an example that is truncated anywhere is an error with its position or a shorter value, in
  /// every context.
  public func truncations() -> [String] {
    var problems: [String] = []
    for example in examples(&problems) {
      for length in 0..<example.bytes.count {
        for context in Set([example.context] + contexts.suffix(1)) {
          let view = ByteView(example.bytes.prefix(length), fileOffset: 1_000)
          fixedPoint(view, context, "cut to \(length) bytes", &problems)
          _ = json(tracing: view, context)
        }
      }
    }
    return problems
  }

  /// Checks that an example with any byte changed is an error, or a value that is written as the same bytes.
  public func mutations() -> [String] {
    var problems: [String] = []
    for example in examples(&problems) {
      var bytes = example.bytes
      for index in bytes.indices {
        let original = bytes[index]
        for value: UInt8 in [0x00, 0x01, 0x7F, 0x80, 0xFF] where value != original {
          bytes[index] = value
          let view = ByteView(bytes, fileOffset: 1_000)
          fixedPoint(view, example.context, "byte \(index) set to \(value)", &problems)
          if value == 0xFF {
            _ = text(tracing: view, example.context)
            if let problem = jsonProblem(json(tracing: view, example.context)) {
              problems.append("byte \(index) set to \(value): JSON \(problem)")
            }
          }
        }
        bytes[index] = original
      }
    }
    return problems
  }

  private func fixedPoint(
    _ view: ByteView, _ context: BoxContext, _ what: String, _ problems: inout [String]
  ) {
    guard problems.count < 10, let back = decode(view, context) else { return }
    if let error = back.error {
      if error.offset < 1_000 || error.offset > 1_000 + view.count {
        problems.append("\(what): the error is outside the box: \(error)")
      }
      return
    }
    do {
      let again = try back.payload.encoded()
      if again + back.unread.array != view.array { problems.append("\(what): written as other bytes") }
    } catch { problems.append("\(what): read but not written: \(error)") }
  }

  /// Checks that the text and JSON of all examples are those in the tables of fixtures/golden/boxes, and that
  /// the JSON is well formed.
  public func golden() -> [String] {
    var problems: [String] = []
    let examples = examples(&problems)
    var text = ""
    let json = OutputBuffer()
    let writer = JSONWriter(json, pretty: true)
    writer.beginArray()
    for (index, example) in examples.enumerated() {
      text += "sample \(index): \(ByteView(example.bytes).hexadecimalText())\n"
      text += self.text(describing: example.sample)
      writer.beginObject()
      let sink = JSONSink(writer)
      example.sample.describe(into: sink)
      writer.endObject()
    }
    writer.endArray()
    writer.endDocument()
    if let problem = jsonProblem(json.text) { problems.append("JSON \(problem)") }
    let name = registration.name
    problems += [
      BoxTable.difference(text, of: name, .text), BoxTable.difference(json.text, of: name, .json),
    ].compactMap { $0 }
    return problems
  }

  // MARK: Descriptions

  func text(describing sample: any BoxPayload) -> String {
    let out = OutputBuffer()
    let sink = TextSink(out, indentation: 2)
    sample.describe(into: sink)
    return out.text
  }

  func text(tracing bytes: ByteView, _ context: BoxContext) -> String {
    let out = OutputBuffer()
    let sink = TextSink(out, indentation: 2)
    _ = registration.describe(bytes, context, into: sink)
    return out.text
  }

  func json(tracing bytes: ByteView, _ context: BoxContext) -> String {
    let out = OutputBuffer()
    let writer = JSONWriter(out, pretty: false)
    writer.beginObject()
    let sink = JSONSink(writer)
    _ = registration.describe(bytes, context, into: sink)
    writer.endObject()
    return out.text
  }
}

/// Returns the names of the boxes whose payloads are declared in `folders` in Sources, each with the folder of
/// its family.
public func declaredBoxPayloads(in folders: [String]) -> [String: String] {
  var families: [String: String] = [:]
  for folder in folders {
    let root = PackageFolder.root + "/Sources/" + folder
    for file in filesBelow(root) where file.hasSuffix(".swift") {
      var steps = file.split(separator: "/").dropLast().map(String.init)
      if folder != "BoxCatalogue" {
        guard steps.first == "Boxes" else { continue }
        steps.removeFirst()
      }
      let text = String(decoding: contents(root + "/" + file) ?? [], as: UTF8.self)
      for match in text.matches(of: /info = BoxInfo\((?s:.*?)name: "([^"]*)"/) {
        families[String(match.1)] = steps.first ?? folder
      }
    }
  }
  return families
}
