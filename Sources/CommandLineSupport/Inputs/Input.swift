// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import FileAccess
package import Multiview

/// A file that has been opened and recognised.
package struct Input: Sendable {
  /// What it was called on the command line, or where in a folder it was found.
  package let name: String
  /// Where its bytes come from.
  package let source: any ByteSource
  /// The kind of file, according to its first bytes.
  package let kind: InputKind
  private var lastOpened: LastOpened?

  /// How many bytes it has; `nil` for a pipe that has not ended.
  package var size: UInt64? { source.size }
}

/// Why an input cannot be used: one line for a person.
package struct InputError: Error {
  /// The problem, without the name.
  package var message: String

  package init(_ message: String) { self.message = message }

  package init(_ error: SourceError) {
    message = error.reason
    if let offset = error.offset, offset > 0 { message += " at \(offset)" }
    if !error.advice.isEmpty { message += ". " + error.advice.typed }
  }

  /// An address where a file is expected: nothing is fetched.
  fileprivate static func address(_ path: String, _ invocation: Invocation) -> InputError {
    let reason = "is a URL, and only files are read. Download it first"
    guard ["http://", "https://"].contains(where: path.lowercased().hasPrefix) else {
      return InputError(reason + ".")
    }
    let isMore = invocation.arguments.hasOptions || invocation.arguments.operands.count > 1
    return InputError(
      reason + ", or use a pipe: curl -sfL \(ShellWord.quoted(path)) | \(invocation.program.name) "
        + "\(invocation.command.name)\(isMore ? " …" : "") -")
  }

  /// A folder where a file is expected.
  fileprivate static func folder(_ command: any Command.Type) -> InputError {
    let readsFolders = command.options.contains { $0.name == CommonOptions.recursive.name }
    return InputError(
      "is a folder. " + (readsFolders ? "Add -r to read the movies in it." : "Name a file in it."))
  }
}

extension Input {
  /// Opens and recognises a file, or standard input for `-`. Of a pipe what `policy` says is kept.
  package static func open(
    _ path: String, _ invocation: Invocation, keeping policy: PipeBytes.Policy = .metadata
  ) throws(InputError) -> Input {
    let surroundings = invocation.surroundings
    let source: any ByteSource
    let head: ByteView
    do {
      if path == "-" {
        source = try surroundings.openStandardInput(policy)
      } else {
        if pathKind(path) == .folder { throw InputError.folder(invocation.command) }
        if isAddress(path), pathKind(path) == nil { throw InputError.address(path, invocation) }
        source = try openInput(path: path, keeping: policy)
      }
      head = try source.read(at: 0, count: InputKind.lookahead)
    } catch let error as SourceError {
      throw InputError(error)
    } catch let error as InputError {
      throw error
    } catch {
      throw InputError("\(error)")
    }
    return Input(
      name: path, source: source, kind: .of(head, size: source.size), lastOpened: surroundings.lastOpened)
  }

  /// Makes something of the bytes, for as long as it is needed.
  package func opened<Opened: Sendable, E: Error>(_ open: () throws(E) -> Opened) throws(E) -> Opened {
    guard let lastOpened else { return try open() }
    return try lastOpened.replace(with: open)
  }

  /// The same input, whose movie is released as soon as nobody uses it: several threads do so at the same time.
  var releasedAfterUse: Input {
    var input = self
    input.lastOpened = nil
    return input
  }

  /// Says why the file is nothing that a command for `kinds` could use.
  package func check(isOneOf kinds: [InputKind]) throws(InputError) {
    guard !kinds.contains(kind) else { return }
    throw InputError(kind.whyUnusable + (kind.commands.map { ". Try \($0)." } ?? ""))
  }
}

extension InputKind {
  /// The commands for files of this kind, where those of movies are of no use.
  fileprivate var commands: String? {
    switch self {
    case .hevcStream: "mvdump nal or mvdump params"
    case .playlist: "mvdump check"
    case .y4m: "mvedit encode, which makes a movie of pictures"
    case .empty, .other, .boxes: nil
    }
  }
}

/// Whether a name is an address on a server: a scheme, and `://`. RFC 3986, 3.1
private func isAddress(_ path: String) -> Bool {
  guard let colon = path.utf8.firstIndex(of: UInt8(ascii: ":")), path.utf8[colon...].starts(with: "://".utf8)
  else { return false }
  let scheme = path[..<colon].lowercased()
  return scheme != "file" && scheme.utf8.first.map { (0x61...0x7A).contains($0) } == true
    && scheme.utf8.allSatisfy {
      (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0)
    }
}
