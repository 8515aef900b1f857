// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
package import Multiview
import Threads

/// All inputs of a command line, one after the other: a bad one is reported, and the rest is done.
package struct Batch {
  private let invocation: Invocation
  private let kinds: [InputKind]

  /// The inputs that the command line names; the command can use those of `kinds`.
  package init(_ invocation: Invocation, accepting kinds: [InputKind]) {
    self.invocation = invocation
    self.kinds = kinds
  }

  /// Whether more than one file may come, so that each should be named where text is shown.
  package var hasSeveral: Bool {
    let operands = invocation.arguments.operands
    return operands.count > 1 || (isRecursive && operands.contains { pathKind($0) == .folder })
  }

  private var isRecursive: Bool { invocation.arguments.has(CommonOptions.recursive) }

  /// How many inputs are worth reading at a time: as many as the machine has processors, if several may come.
  package var threads: Int { hasSeveral ? processorCount : 1 }

  /// Calls `body` with each input that can be used, until the reader of standard output goes away.
  ///
  /// - Returns: the worst of what `body` answers and of what went wrong.
  package func forEach(_ body: (Input) throws(InputError) -> ExitCode) -> ExitCode {
    walk { found, progress in
      switch found {
      case .success(let input):
        do throws(InputError) {
          let code = try body(input)
          guard code < .unreadable, let unread = input.source.readFailure else { return code }
          return complain(Fault(input.name, InputError(unread)), progress)
        } catch {
          return complain(Fault(input.name, error), progress)
        }
      case .failure(let fault): return complain(fault, progress)
      }
    }
  }

  /// Why something that the command line names, or that is in a folder, cannot be read.
  struct Fault: Error {
    let name: String
    let error: InputError
    /// What it means for the exit status.
    var code = ExitCode.unreadable

    init(_ name: String, _ error: InputError) {
      self.name = name
      self.error = error
    }
  }

  typealias Found = Result<Input, Fault>

  /// Reports a fault, and returns what it means for the exit status.
  func complain(_ fault: Fault, _ progress: Progress) -> ExitCode {
    progress.clear()
    invocation.report(fault.name == "-" ? "standard input" : fault.name, fault.error.message)
    return fault.code
  }

  /// Calls `body` with each input, and with the reason for each that cannot be used, in the order of the command line and of the
  /// names in folders.
  func walk(_ body: (Found, Progress) -> ExitCode) -> ExitCode {
    var worst = ExitCode.success
    let progress = Progress(invocation.surroundings, answersMeanwhile: true)
    for operand in invocation.arguments.operands {
      if invocation.isOutputClosed { break }
      if isRecursive, operand != "-", pathKind(operand) == .folder {
        worst = max(worst, visitAll(operand, progress) { body($0, progress) })
      } else {
        progress.showNext(operand)
        worst = max(worst, body(read(operand), progress))
      }
    }
    progress.clear()
    return worst
  }

  private func read(_ path: String) -> Found {
    do throws(InputError) {
      let input = try Input.open(path, invocation)
      try input.check(isOneOf: kinds)
      return .success(input)
    } catch {
      return .failure(Fault(path, error))
    }
  }

  /// Reads what is in a folder that was named; says so where that is nothing.
  private func visitAll(_ folder: String, _ progress: Progress, _ body: (Found) -> ExitCode) -> ExitCode {
    var code = ExitCode.success
    var isAnyRead = false
    visit(folder, progress, &code) { found in
      if case .success = found { isAnyRead = true }
      return body(found)
    }
    if !isAnyRead, code == .success {
      var fault = Fault(folder, InputError("contains nothing that this command reads"))
      fault.code = .success
      code = body(.failure(fault))
    }
    return code
  }

  /// Reads what is in a folder, in the order of the names. What is hidden, or not a file, is skipped; so is what is not a
  /// medium, and a link that leads to nothing, unless its name says it should be one.
  private func visit(
    _ folder: String, _ progress: Progress, _ worst: inout ExitCode, _ body: (Found) -> ExitCode
  ) {
    let names: [SystemName]
    do { names = try folderEntries(folder) } catch {
      worst = max(worst, body(.failure(Fault(folder, InputError(error)))))
      return
    }
    let start = folder.utf8.last == UInt8(ascii: "/") ? folder : folder + "/"
    for entry in names where entry.bytes.first != UInt8(ascii: ".") {
      if invocation.isOutputClosed { return }
      guard let name = entry.text else {
        let error = InputError("its name is not UTF-8. Rename it, or send it through a pipe.")
        worst = max(worst, body(.failure(Fault(start + entry.shown, error))))
        continue
      }
      let path = start + name
      switch pathKind(path, followingLinks: false) {
      case .folder: visit(path, progress, &worst, body)
      case .pipe, .blockDevice: continue
      case .other where pathKind(path) == nil && Self.isNamedLikeMedium(path):
        let error = InputError("is a link, and what it leads to is gone or may not be read")
        worst = max(worst, body(.failure(Fault(path, error))))
      case .other where pathKind(path) != .file: continue
      default:
        progress.showNext(path)
        if let found = readFound(path) { worst = max(worst, body(found)) }
      }
    }
  }

  /// Reads a file in a folder; `nil` if it is nothing for this command. One that is not a medium is not a fault, unless its name
  /// says otherwise.
  private func readFound(_ path: String) -> Found? {
    do throws(InputError) {
      let input = try Input.open(path, invocation)
      switch input.kind {
      case _ where kinds.contains(input.kind): return .success(input)
      // A medium of the other kind, which was not requested by its name.
      case .boxes, .hevcStream: return nil
      default:
        if Self.isNamedLikeMedium(path) { try input.check(isOneOf: kinds) }
        return nil
      }
    } catch {
      return .failure(Fault(path, error))
    }
  }

  /// Whether the name of a file has the ending of a medium.
  private static func isNamedLikeMedium(_ path: String) -> Bool {
    guard let dot = path.lastIndex(of: ".") else { return false }
    return mediaExtensions.contains(path[path.index(after: dot)...].lowercased())
  }
}
