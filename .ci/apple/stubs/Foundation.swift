// swift-multiview · SPDX-License-Identifier: Apache-2.0

// What this package and its tests use of Foundation, with the types that Apple's documentation gives it. For type checks
// only: nothing here does anything.

@_exported public import Darwin
@_exported public import Dispatch

public struct Data: Hashable, Sendable, RandomAccessCollection, MutableCollection, RangeReplaceableCollection
{
  public typealias SubSequence = Data
  public init() {}
  public init(_ elements: some Sequence<UInt8>) {}
  public init(count: Int) {}
  public init(capacity: Int) {}
  public init(contentsOf url: URL) throws {}
  public var startIndex: Int { 0 }
  public var endIndex: Int { 0 }
  public subscript(index: Int) -> UInt8 {
    get { 0 }
    set {}
  }
  public subscript(range: Range<Int>) -> Data {
    get { self }
    set {}
  }
  public mutating func append(_ other: Data) {}
  public mutating func replaceSubrange(_ range: Range<Int>, with other: some Collection<UInt8>) {}
  public func write(to url: URL) throws {}
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try body(UnsafeRawBufferPointer(start: nil, count: 0))
  }
}

public protocol ContiguousBytes {}
extension Data: ContiguousBytes {}

public struct URL: Hashable, Sendable, CustomStringConvertible {
  public init(fileURLWithPath path: String) {}
  public init(fileURLWithPath path: String, isDirectory: Bool) {}
  public init(fileURLWithPath path: String, relativeTo base: URL?) {}
  public init?(string: String) { nil }
  public init?(string: String, relativeTo: URL?) { nil }
  public var absoluteString: String { "" }
  public var absoluteURL: URL { self }
  public var description: String { "" }
  public var isFileURL: Bool { true }
  public var lastPathComponent: String { "" }
  public var path: String { "" }
  public var pathExtension: String { "" }
  public var standardizedFileURL: URL { self }
  public func appendingPathComponent(_ component: String) -> URL { self }
  public func deletingLastPathComponent() -> URL { self }
  public mutating func deleteLastPathComponent() {}
  public func resolvingSymlinksInPath() -> URL { self }
  public func startAccessingSecurityScopedResource() -> Bool { true }
  public func stopAccessingSecurityScopedResource() {}
}

public struct FileAttributeKey: Hashable, Sendable {
  public static let type = Self(), size = Self(), posixPermissions = Self(), modificationDate = Self()
  public static let referenceCount = Self(), systemFileNumber = Self()
}
public struct FileAttributeType: Hashable, Sendable {
  public static let typeRegular = Self(), typeDirectory = Self(), typeSymbolicLink = Self()
}

public func NSTemporaryDirectory() -> String { "" }

open class FileManager: @unchecked Sendable {
  public class var `default`: FileManager { FileManager() }
  public init() {}
  public var currentDirectoryPath: String { "" }
  public var temporaryDirectory: URL { URL(fileURLWithPath: "") }
  public enum SearchPathDirectory: UInt, Sendable { case itemReplacementDirectory = 99, cachesDirectory = 13 }
  public struct SearchPathDomainMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let userDomainMask = Self(rawValue: 1)
  }
  public func url(
    for directory: SearchPathDirectory, in domain: SearchPathDomainMask, appropriateFor url: URL?,
    create: Bool
  ) throws -> URL { URL(fileURLWithPath: "") }
  public func fileExists(atPath path: String) -> Bool { true }
  public func isExecutableFile(atPath path: String) -> Bool { true }
  public func isWritableFile(atPath path: String) -> Bool { true }
  public func contents(atPath path: String) -> Data? { nil }
  public func createFile(atPath path: String, contents: Data?) -> Bool { true }
  public func createDirectory(at url: URL, withIntermediateDirectories: Bool) throws {}
  public func createDirectory(atPath path: String, withIntermediateDirectories: Bool) throws {}
  public func createSymbolicLink(atPath path: String, withDestinationPath: String) throws {}
  public func contentsOfDirectory(atPath path: String) throws -> [String] { [] }
  public func subpathsOfDirectory(atPath path: String) throws -> [String] { [] }
  public func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] { [:] }
  public func setAttributes(_ attributes: [FileAttributeKey: Any], ofItemAtPath path: String) throws {}
  public func copyItem(atPath path: String, toPath: String) throws {}
  public func moveItem(atPath path: String, toPath: String) throws {}
  public func linkItem(atPath path: String, toPath: String) throws {}
  public func removeItem(atPath path: String) throws {}
  public func removeItem(at url: URL) throws {}
  public func enumerator(atPath path: String) -> DirectoryEnumerator? { nil }
  public class DirectoryEnumerator {
    public func nextObject() -> Any? { nil }
    public var fileAttributes: [FileAttributeKey: Any]? { nil }
  }
}

public class FileHandle: @unchecked Sendable {
  public init?(forReadingAtPath path: String) {}
  public init?(forWritingAtPath path: String) {}
  public init?(forUpdatingAtPath path: String) {}
  public init(forWritingTo url: URL) throws {}
  public init(forUpdating url: URL) throws {}
  public init(fileDescriptor: Int32) {}
  public init(fileDescriptor: Int32, closeOnDealloc: Bool) {}
  public class var nullDevice: FileHandle { FileHandle(fileDescriptor: 0) }
  public class var standardError: FileHandle { FileHandle(fileDescriptor: 0) }
  public var fileDescriptor: Int32 { 0 }
  public func readDataToEndOfFile() -> Data { Data() }
  public func readData(ofLength length: Int) -> Data { Data() }
  public func write(_ data: Data) {}
  public func closeFile() {}
  public func close() throws {}
  public func seek(toOffset: UInt64) throws {}
  @discardableResult public func seekToEnd() throws -> UInt64 { 0 }
  public func write(contentsOf data: Data) throws {}
  public func truncate(atOffset: UInt64) throws {}
}

public class Pipe: @unchecked Sendable {
  public init() {}
  public var fileHandleForReading: FileHandle { FileHandle(fileDescriptor: 0) }
  public var fileHandleForWriting: FileHandle { FileHandle(fileDescriptor: 0) }
}

public class Bundle: @unchecked Sendable {
  public class var main: Bundle { Bundle() }
  public class var allBundles: [Bundle] { [] }
  public var bundleURL: URL { URL(fileURLWithPath: "") }
  public var executableURL: URL? { nil }
}

public class ProcessInfo: @unchecked Sendable {
  public class var processInfo: ProcessInfo { ProcessInfo() }
  public var environment: [String: String] { [:] }
  public var arguments: [String] { [] }
  public var processIdentifier: Int32 { 0 }
  public var activeProcessorCount: Int { 1 }
}

#if os(macOS)
public class Process: @unchecked Sendable {
  public init() {}
  public enum TerminationReason: Int, Sendable { case exit = 1, uncaughtSignal }
  public var executableURL: URL?
  public var arguments: [String]?
  public var currentDirectoryURL: URL?
  public var environment: [String: String]?
  public var standardInput: Any?
  public var standardOutput: Any?
  public var standardError: Any?
  public var isRunning: Bool { false }
  public var processIdentifier: Int32 { 0 }
  public var terminationReason: TerminationReason { .exit }
  public var terminationStatus: Int32 { 0 }
  public func run() throws {}
  public func terminate() {}
  public func interrupt() {}
  public func waitUntilExit() {}
}
#endif

public class Thread: @unchecked Sendable {
  public init(block: @escaping @Sendable () -> Void) {}
  public func start() {}
  public var stackSize = 0
  public class func sleep(forTimeInterval seconds: Double) {}
}
public class NSLock: @unchecked Sendable {
  public init() {}
  public func lock() {}
  public func unlock() {}
  public func withLock<R>(_ body: () throws -> R) rethrows -> R { try body() }
}
public class NSCondition: @unchecked Sendable {
  public init() {}
  public func lock() {}
  public func unlock() {}
  public func wait() {}
  public func signal() {}
  public func broadcast() {}
}

public typealias TimeInterval = Double
public struct UUID: Hashable, Sendable {
  public init() {}
  public var uuidString: String { "" }
}
public struct Date: Hashable, Comparable, Sendable {
  public init() {}
  public init(timeIntervalSince1970: TimeInterval) {}
  public init(timeIntervalSinceReferenceDate: TimeInterval) {}
  public var timeIntervalSince1970: TimeInterval { 0 }
  public func timeIntervalSince(_ other: Date) -> TimeInterval { 0 }
  public static func < (a: Date, b: Date) -> Bool { false }
}
public struct TimeZone: Hashable, Sendable {
  public init?(secondsFromGMT: Int) {}
  public init?(identifier: String) {}
}
public class ISO8601DateFormatter {
  public init() {}
  public struct Options: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let withInternetDateTime = Self(rawValue: 1), withFractionalSeconds = Self(rawValue: 2)
  }
  public var formatOptions: Options = []
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  public var timeZone: TimeZone!
  public func date(from text: String) -> Date? { nil }
  public func string(from date: Date) -> String { "" }
}

public protocol LocalizedError: Error {
  var errorDescription: String? { get }
  var failureReason: String? { get }
  var recoverySuggestion: String? { get }
}
extension LocalizedError {
  public var errorDescription: String? { nil }
  public var failureReason: String? { nil }
  public var recoverySuggestion: String? { nil }
}
extension Error {
  public var localizedDescription: String { "" }
}
public class NSError: Error, @unchecked Sendable {
  public var localizedDescription: String { "" }
  public var localizedFailureReason: String? { nil }
  public var localizedRecoverySuggestion: String? { nil }
}

public class JSONEncoder {
  public init() {}
  public struct OutputFormatting: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let prettyPrinted = Self(rawValue: 1), sortedKeys = Self(rawValue: 2)
    public static let withoutEscapingSlashes = Self(rawValue: 8)
  }
  public var outputFormatting: OutputFormatting = []
  public func encode(_ value: some Encodable) throws -> Data { Data() }
}
public class JSONDecoder {
  public init() {}
  public func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T { fatalError() }
}
public class JSONSerialization {
  public struct ReadingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let fragmentsAllowed = Self(rawValue: 4)
  }
  public class func jsonObject(with data: Data, options: ReadingOptions = []) throws -> Any { 0 }
}

public struct NSRange: Hashable, Sendable {
  public var location: Int, length: Int
  public init(location: Int, length: Int) { (self.location, self.length) = (location, length) }
  public init(_ range: some RangeExpression<String.Index>, in text: some StringProtocol) {
    (location, length) = (0, 0)
  }
}
extension Range where Bound == String.Index {
  public init?(_ range: NSRange, in text: some StringProtocol) { return nil }
}
public class NSTextCheckingResult {
  public var range: NSRange { NSRange(location: 0, length: 0) }
  public var numberOfRanges: Int { 0 }
  public func range(at index: Int) -> NSRange { range }
}
public class NSRegularExpression: @unchecked Sendable {
  public struct Options: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let caseInsensitive = Self(rawValue: 1), anchorsMatchLines = Self(rawValue: 16)
  }
  public struct MatchingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public init(pattern: String, options: Options = []) throws {}
  public func firstMatch(in text: String, options: MatchingOptions = [], range: NSRange)
    -> NSTextCheckingResult?
  {
    nil
  }
  public func matches(in text: String, options: MatchingOptions = [], range: NSRange)
    -> [NSTextCheckingResult]
  {
    []
  }
}

public struct CharacterSet: Hashable, Sendable {
  public init(charactersIn text: String) {}
  public static let whitespaces = CharacterSet(charactersIn: "")
  public static let whitespacesAndNewlines = CharacterSet(charactersIn: "")
  public static let newlines = CharacterSet(charactersIn: "")
}
extension String {
  public struct CompareOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let regularExpression = Self(rawValue: 1024), caseInsensitive = Self(rawValue: 1)
  }
  public init(format: String, _ arguments: any CVarArg...) { self = format }
  public init(contentsOfFile path: String) throws { self = path }
  public struct Encoding: Hashable, Sendable { public static let utf8 = Encoding(), utf16 = Encoding() }
  public init?(data: Data, encoding: Encoding) { return nil }
  public init(contentsOfFile path: String, encoding: Encoding) throws { self = path }
}
extension StringProtocol {
  public func components(separatedBy separator: some StringProtocol) -> [String] { [] }
  public func contains(_ other: some StringProtocol) -> Bool { true }
  public func data(using encoding: String.Encoding) -> Data? { nil }
  public func range(
    of other: some StringProtocol, options: String.CompareOptions = [], range: Range<Index>? = nil
  ) -> Range<Index>? { nil }
  public func replacingCharacters(in range: Range<Index>, with new: some StringProtocol) -> String { "" }
  public func replacingOccurrences(
    of other: some StringProtocol, with new: some StringProtocol, options: String.CompareOptions = [],
    range: Range<Index>? = nil
  ) -> String { "" }
  public func trimmingCharacters(in set: CharacterSet) -> String { "" }
}
