// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
package import Multiview

/// All inputs of a command line, one after the other: a bad one is reported, and the rest is done.
package struct Batch {
  private let invocation: Invocation
  private let kinds: Set<InputKind>

  /// The inputs that the command line names; the command can use those of `kinds`.
  package init(_ invocation: Invocation, accepting kinds: Set<InputKind>) {
    self.invocation = invocation
    self.kinds = kinds
  }

  /// Whether more than one file may come, so that each should be named where text is shown.
  package var hasSeveral: Bool {
    let operands = invocation.arguments.operands
    return operands.count > 1 || (isRecursive && operands.contains { pathKind($0) == .folder })
  }

  private var isRecursive: Bool { invocation.arguments.has(CommonOptions.recursive) }

  /// Calls `body` with each input that can be used, until the reader of standard output goes away.
  ///
  /// - Returns: the worst of what `body` answers and of what went wrong.
  package func forEach(_ body: (Input) throws(InputError) -> ExitCode) -> ExitCode {
    var worst = ExitCode.success
    let progress = Progress(invocation.surroundings, answersMeanwhile: true)
    for operand in invocation.arguments.operands {
      if invocation.isOutputClosed { break }
      if isRecursive, operand != "-", pathKind(operand) == .folder {
        worst = max(worst, visitAll(operand, progress, body))
      } else {
        worst = max(worst, read(operand, progress, body))
      }
    }
    progress.clear()
    return worst
  }

  private func read(
    _ path: String, _ progress: Progress, _ body: (Input) throws(InputError) -> ExitCode
  ) -> ExitCode {
    do throws(InputError) {
      progress.showNext(path)
      let input = try Input.open(path, invocation)
      try input.check(isOneOf: kinds)
      return try body(input)
    } catch {
      return complain(path, error, progress)
    }
  }

  private func complain(_ path: String, _ error: InputError, _ progress: Progress) -> ExitCode {
    progress.clear()
    return complain(path, error)
  }

  func complain(_ path: String, _ error: InputError) -> ExitCode {
    invocation.report(path == "-" ? "standard input" : path, error.message)
    return .unreadable
  }

  /// Reads what is in a folder that was named; says so where that is nothing.
  private func visitAll(
    _ folder: String, _ progress: Progress, _ body: (Input) throws(InputError) -> ExitCode
  ) -> ExitCode {
    var code = ExitCode.success
    var isAnyRead = false
    visit(folder, progress, &code) { input throws(InputError) in
      isAnyRead = true
      return try body(input)
    }
    if !isAnyRead, code == .success {
      progress.clear()
      invocation.report(folder, "there is nothing in it that this command reads")
    }
    return code
  }

  /// Reads what is in a folder, in the order of the names. What is hidden, or not a file, is skipped; so is what is not a
  /// medium, unless its name says it should be one.
  private func visit(
    _ folder: String, _ progress: Progress, _ worst: inout ExitCode,
    _ body: (Input) throws(InputError) -> ExitCode
  ) {
    let names: [SystemName]
    do { names = try folderEntries(folder) } catch {
      invocation.report(folder, InputError(error).message)
      worst = max(worst, .unreadable)
      return
    }
    let start = folder.utf8.last == UInt8(ascii: "/") ? folder : folder + "/"
    for entry in names where entry.bytes.first != UInt8(ascii: ".") {
      if invocation.isOutputClosed { return }
      guard let name = entry.text else {
        let error = InputError("its name is not UTF-8. Give it another one, or send it through a pipe.")
        worst = max(worst, complain(start + entry.shown, error, progress))
        continue
      }
      let path = start + name
      switch pathKind(path, followingLinks: false) {
      case .folder: visit(path, progress, &worst, body)
      case .pipe, .blockDevice: continue
      case .other where pathKind(path) != .file: continue
      default: worst = max(worst, readFound(path, progress, body))
      }
    }
  }

  /// Reads a file in a folder. One that is not a medium is not a fault, unless its name says otherwise.
  private func readFound(
    _ path: String, _ progress: Progress, _ body: (Input) throws(InputError) -> ExitCode
  ) -> ExitCode {
    let isExpected = path.lastIndex(of: ".").map {
      mediaExtensions.contains(path[path.index(after: $0)...].lowercased())
    }
    do throws(InputError) {
      progress.showNext(path)
      let input = try Input.open(path, invocation)
      switch input.kind {
      case _ where kinds.contains(input.kind): return try body(input)
      // A medium of the other kind, which was not requested by its name.
      case .boxes, .hevcStream: return .success
      default:
        if isExpected == true { try input.check(isOneOf: kinds) }
        return .success
      }
    } catch {
      return complain(path, error, progress)
    }
  }
}
