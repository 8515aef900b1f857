// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import FileAccess
import HEVC
public import ISOBMFF

/// A movie: its tracks, their layers and tags, and what is wrong with it.
///
/// Opening reads headers only; tables, parameter sets and samples are read on request. A movie can be
/// shared between tasks.
///
/// ```swift
/// let movie = try MovieFile(path: "spatial.mov")
/// for track in movie.tracks(withMediaCharacteristic: .containsStereoMultiviewVideo) {
///   print(track.layers.map(\.eye))
/// }
/// ```
public struct MovieFile: Sendable {
  /// The kind of file.
  public let container: Container
  /// The boxes; `nil` for a raw HEVC stream.
  public let tree: BoxTree?
  /// The source of the bytes.
  public let source: any ByteSource
  /// The limits of memory and work.
  public let limits: Limits
  /// The tracks, in the order of the file. A raw HEVC stream is one track with the ID 0.
  public let tracks: [Track]
  /// The problems that were found while opening. ``allDiagnostics`` has more.
  public let diagnostics: DiagnosticList

  /// Opens the file at `path`, which may also be a `file:` URL as text.
  ///
  /// Boxes are known by `registry`; `BoxRegistry.standard.adding(…)` has those of your own, too.
  public init(
    path: String, registry: BoxRegistry = .standard, limits: Limits = .standard
  ) throws(MovieError) {
    let file: FileBytes
    do { file = try FileBytes(path: path) } catch { throw .unreadable(error) }
    try self.init(source: file, registry: registry, limits: limits)
  }

  /// Opens a movie in memory.
  public init(bytes: some Collection<UInt8>, limits: Limits = .standard) throws(MovieError) {
    try self.init(source: MemoryBytes(ByteView(bytes)), limits: limits)
  }

  /// Opens a movie from anywhere: see `ByteSource`.
  public init(
    source: some ByteSource, registry: BoxRegistry = .standard, limits: Limits = .standard
  ) throws(MovieError) {
    let start: ByteView
    do { start = try source.read(at: 0, count: InputKind.lookahead) } catch { throw .unreadable(error) }
    try self.init(source: source, as: .of(start, size: source.size), registry: registry, limits: limits)
  }

  /// Opens a movie that was recognised already.
  package init(
    source: any ByteSource, as kind: InputKind, registry: BoxRegistry = .standard, limits: Limits = .standard
  ) throws(MovieError) {
    switch kind {
    case .boxes:
      let tree: BoxTree
      do { tree = try BoxTree(source, registry: registry, limits: limits) } catch {
        throw .unreadable(error)
      }
      self.init(tree, source, limits)
    case .hevcStream:
      self.init(stream: source, limits)
    case .playlist, .empty, .other:
      throw .notAMovie(name: source.name, reason: kind.whyUnusable)
    }
  }

  /// Opens the movie that `tree` would be written as, including edits, without writing it: see
  /// `BoxTree.writePlan(_:)`.
  ///
  /// - Throws: `ParseError` if an edit cannot be written, and `MovieError` if the result is not a movie.
  public init(edited tree: BoxTree) throws {
    try self.init(source: tree.writePlan(), registry: tree.registry, limits: tree.limits)
  }

  private init(_ tree: BoxTree, _ source: any ByteSource, _ limits: Limits) {
    self.tree = tree
    self.source = source
    self.limits = limits
    container = Container(tree)
    var diagnostics = tree.diagnostics
    let context = MovieContext(tree: tree, source: source, limits: limits)
    tracks = Track.all(in: context, &diagnostics)
    self.diagnostics = diagnostics
  }

  private init(stream source: any ByteSource, _ limits: Limits) {
    tree = nil
    self.source = source
    self.limits = limits
    container = Container(kind: .annexB)
    tracks = [Track(stream: source, limits)]
    diagnostics = DiagnosticList()
  }

  /// Whether there is something to read: a raw stream, or a track with a known description.
  public var isReadable: Bool { tracks.contains { !$0.formatDescriptions.isEmpty || $0.isRawStream } }

  /// Returns the tracks of a media type.
  public func tracks(withMediaType type: MediaType) -> [Track] { tracks.filter { $0.mediaType == type } }

  /// Returns the tracks with a characteristic.
  public func tracks(withMediaCharacteristic characteristic: MediaCharacteristic) -> [Track] {
    tracks.filter { $0.mediaCharacteristics.contains(characteristic) }
  }

  /// Returns the track with an ID; `nil` if there is none.
  public func track(id: UInt32) -> Track? {
    guard id != 0, tree != nil, let context = tracks.first?.context else {
      return tracks.first { $0.id == id }
    }
    return context.trackIndices[id].flatMap { tracks.indices.contains($0) ? tracks[$0] : nil }
  }
}
