// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Something about a file that is worth reporting but did not stop the reading.
public struct Diagnostic: Sendable, Hashable {
  /// How serious a diagnostic is.
  public enum Severity: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Odd but allowed.
    case note
    /// Against a recommendation, or against a rule that readers forgive.
    case warning
    /// Against the specification: something could not be read as it was meant.
    case error

    /// Orders by severity.
    public static func < (left: Severity, right: Severity) -> Bool { left.rawValue < right.rawValue }
  }

  /// The kind of a diagnostic: a short name for programs, stable from release to release.
  public struct Code: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// Lower-case words joined by hyphens.
    public let rawValue: String
    /// Makes a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Makes a code from its name.
    public init(stringLiteral value: StaticString) { rawValue = value.description }
  }

  /// How serious it is.
  public var severity: Severity
  /// What kind of diagnostic it is.
  public var code: Code
  /// The path of the boxes around the place, outermost first: `moov/trak[1]/mdia`. Empty for the file as a whole.
  public var path: String
  /// The file offset of the place; `nil` if there is none.
  public var offset: Int?
  /// The problem in words, with the numbers.
  public var message: String

  /// Makes a diagnostic.
  public init(_ severity: Severity, _ code: Code, path: String = "", offset: Int? = nil, _ message: String) {
    self.severity = severity
    self.code = code
    self.path = path
    self.offset = offset
    self.message = message
  }

  /// Makes a diagnostic that reports why a structure could not be read.
  public init(_ severity: Severity, _ error: ParseError) {
    self.init(
      severity, error.code.diagnosticCode, path: error.path, offset: error.offset,
      error.field.isEmpty ? error.reason : error.field + " " + error.reason)
  }
}

extension Diagnostic: CustomStringConvertible {
  /// One line: `warning moov/trak[0]/mdia at 1264: … [code]`.
  public var description: String {
    "\(severity)" + (place.isEmpty ? "" : " " + place) + ": " + message + " [" + code.rawValue + "]"
  }

  /// Where it is: `moov/trak[0]/mdia at 1264`; empty for the file as a whole.
  package var place: String {
    path + (offset.map { (path.isEmpty ? "" : " ") + "at \($0)" } ?? "")
  }
}

extension ParseError.Code {
  /// The stable name of this kind of error.
  public var diagnosticCode: Diagnostic.Code {
    switch self {
    case .truncated: "truncated"
    case .outOfRange: "value-out-of-range"
    case .countExceedsData: "count-exceeds-data"
    case .unsupportedVersion: "unsupported-version"
    case .limitExceeded: "limit-exceeded"
    case .invalidSize: "invalid-size"
    case .missing: "missing-structure"
    case .invalid: "invalid-value"
    }
  }
}

/// Diagnostics in the order in which they were found, up to a limit: a bad file must not fill the memory with
/// complaints. Those over the limit are counted; more severe ones replace milder ones, so that notes never hide an
/// error.
public struct DiagnosticList: Sendable, Hashable {
  /// The diagnostics that were kept.
  public private(set) var items: [Diagnostic] = []
  /// How many more diagnostics were found but not kept.
  public private(set) var omitted = 0
  /// How many of those were errors.
  public private(set) var omittedErrors = 0
  /// How many of the kept diagnostics may give way to more severe ones.
  private var keptNotes = 0, keptWarnings = 0
  /// The maximum number of diagnostics that are kept.
  public let limit: Int
  /// The highest severity found, including that of diagnostics that were not kept; `nil` if nothing was found.
  public private(set) var worst: Diagnostic.Severity?

  /// An empty list.
  public init(limit: Int = 1_000) { self.limit = Swift.max(0, limit) }

  /// Adds a diagnostic.
  public mutating func append(_ diagnostic: Diagnostic) {
    worst = Swift.max(worst ?? .note, diagnostic.severity)
    if items.count < limit {
      keep(diagnostic)
    } else {
      omitted += 1
      let least: Diagnostic.Severity = keptNotes > 0 ? .note : keptWarnings > 0 ? .warning : .error
      if least < diagnostic.severity, let index = items.lastIndex(where: { $0.severity == least }) {
        if least == .note { keptNotes -= 1 } else { keptWarnings -= 1 }
        items.remove(at: index)
        keep(diagnostic)
      } else if diagnostic.severity == .error {
        omittedErrors += 1
      }
    }
  }

  private mutating func keep(_ diagnostic: Diagnostic) {
    items.append(diagnostic)
    switch diagnostic.severity {
    case .note: keptNotes += 1
    case .warning: keptWarnings += 1
    case .error: break
    }
  }

  /// Adds all diagnostics of another list.
  public mutating func append(_ other: DiagnosticList) {
    for item in other.items { append(item) }
    omitted += other.omitted
    omittedErrors += other.omittedErrors
    if let theirs = other.worst { worst = Swift.max(worst ?? .note, theirs) }
  }

  /// Adds a diagnostic.
  public mutating func append(
    _ severity: Diagnostic.Severity, _ code: Diagnostic.Code, path: String = "", offset: Int? = nil,
    _ message: String
  ) { append(Diagnostic(severity, code, path: path, offset: offset, message)) }

  /// Gives each diagnostic that has an offset the path that `path` returns for it.
  package mutating func locate(_ path: (Int) -> String) {
    for index in items.indices {
      if let offset = items[index].offset { items[index].path = path(offset) }
    }
  }

  /// Adds a diagnostic that reports why a structure could not be read.
  public mutating func append(_ error: ParseError) { append(Diagnostic(.error, error)) }
}

extension DiagnosticList: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { items.count }
  public subscript(position: Int) -> Diagnostic { items[position] }
}
