// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import FileAccess

/// How a tree is written.
public struct WriteOptions: Hashable, Sendable {
  /// Where the `moov` is placed.
  public enum MoviePlace: Hashable, Sendable {
    /// Where it is in the tree.
    case unchanged
    /// Before all media data, so that playback can begin during download.
    case first
    /// After all media data.
    case last
  }

  /// Where the `moov` is placed.
  public var moviePlace = MoviePlace.unchanged
  /// Whether free space directly after the `moov` shrinks when the `moov` grows, and grows when it shrinks, so
  /// that the media data stays where it is.
  public var usesFreeSpace = false
  /// Whether absolute offsets are updated to the positions of their bytes in the output. Otherwise they are
  /// written unchanged.
  public var relocatesOffsets = true
  /// Whether a box may have a payload that readers would not look for in it: fuzzing makes bad files this way.
  package var allowsAnyPayload = false

  /// Makes options that keep the order of the tree, and update offsets.
  public init() {}

  /// - Parameter moviePlace: where the `moov` is placed.
  public init(moviePlace: MoviePlace) { self.moviePlace = moviePlace }
}

extension BoxTree {
  /// A plan for writing the tree: ranges of its sources and bytes in memory, with absolute offsets (`stco`,
  /// `co64`, `saio`, `tfhd`, `trun`, `tfra`, `mfro`, `sidx`, `iloc`) updated for everything that moves; `stco`
  /// becomes `co64` if necessary.
  ///
  /// Throws if an edit cannot be written, or if bytes move that offsets in other boxes may point to.
  public func writePlan(_ options: WriteOptions = WriteOptions()) throws(ParseError) -> WritePlan {
    if let editProblem { throw editProblem }
    let boxes = try ordered(options.moviePlace)
    if isAsInFile(boxes) {
      var pieces = PieceCollector()
      try pieces.append(origin.start..<trailingRange.upperBound, of: origin, loaded: ByteView())
      return try pieces.finish()
    }
    let builder = PlanBuilder(
      relocatesOffsets: options.relocatesOffsets, allowsAnyPayload: options.allowsAnyPayload,
      externalTracks: ExternalTracks(boxes))
    var nodes: [LayoutNode] = []
    nodes.reserveCapacity(boxes.count + 1)
    let numbers = BoxPath.numbers(of: boxes)
    for (index, box) in boxes.enumerated() {
      let path = numbers[index].map { "\(box.type)[\($0)]" } ?? "\(box.type)"
      let isLast = index == boxes.count - 1 && trailingRange.isEmpty
      nodes.append(try builder.node(box, path, isLast: isLast))
    }
    if !trailingRange.isEmpty {
      nodes.append(LayoutNode(.span(origin, trailingRange, loaded: ByteView())))
    }
    if options.usesFreeSpace { try useFreeSpace(boxes, &nodes, builder) }
    if options.relocatesOffsets { try relocate(boxes, nodes) } else { _ = try Self.place(nodes) }
    var pieces = PieceCollector()
    for node in nodes { try node.emit(into: &pieces) }
    return try pieces.finish()
  }

  /// Writes the tree: see ``writePlan(_:)``. The amount of memory needed does not depend on how much media data
  /// there is.
  public func write(to output: inout some ByteOutput, _ options: WriteOptions = WriteOptions()) throws {
    try writePlan(options).write(to: &output)
  }

  /// Writes the tree to a file, which appears completely or not at all.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - overwriting: whether an existing file is replaced; it may be the one that the tree was read from.
  ///   - temporaryFolder: the folder in which the file is made until it is complete, on the same disk; `nil` for the
  ///     folder of the file. A program in a sandbox may have the right to write a file, but nothing beside it.
  ///   - options: how the tree is laid out.
  public func write(
    toFile path: String, overwriting: Bool = false, temporaryFolder: String? = nil,
    _ options: WriteOptions = WriteOptions()
  ) throws {
    let plan = try writePlan(options)
    var settings = SafeOutput.Options()
    settings.isOverwriting = overwriting
    settings.temporaryFolder = temporaryFolder
    var output = try SafeOutput(path: path, options: settings)
    try plan.write(to: &output)
    try output.finish()
  }

  /// The file as bytes, according to ``writePlan(_:)``.
  public func encoded() throws -> [UInt8] {
    let plan = try writePlan()
    var output = MemoryOutput(reserving: Int(clamping: min(plan.byteCount, 1 << 32)))
    try plan.write(to: &output)
    return output.bytes
  }

  // MARK: Order

  /// Whether the boxes are all those of the file, in file order.
  private func isAsInFile(_ boxes: [Box]) -> Bool {
    var position = origin.start
    for box in boxes {
      guard !box.isEdited, box.kind.origin === origin, box.offset == position else { return false }
      position = box.fileRange.upperBound
    }
    return position == trailingRange.lowerBound
  }

  private func ordered(_ place: WriteOptions.MoviePlace) throws(ParseError) -> [Box] {
    guard place != .unchanged else { return boxes }
    let movies = boxes.indices.filter { boxes[$0].type == "moov" }
    guard let movie = movies.first, movies.count == 1 else {
      throw ParseError(
        .invalid("can be moved only if there is exactly one, but there are \(movies.count)"), offset: 0,
        path: "moov")
    }
    let isMedia: (Box) -> Bool = { ["mdat", "moof", "imda", "idat"].contains($0.type) }
    var ordered = boxes
    switch place {
    case .unchanged: break
    case .first:
      guard let media = boxes.firstIndex(where: isMedia), media < movie else { break }
      let box = ordered.remove(at: movie)
      let start = ordered.firstIndex { !["ftyp", "styp", "pdin"].contains($0.type) } ?? 0
      ordered.insert(box, at: start)
    case .last:
      guard let media = boxes.lastIndex(where: isMedia), movie < media else { break }
      guard !boxes.contains(where: { $0.type == "moof" }) else {
        throw ParseError(
          .invalid("must come before the fragments of the movie"), offset: boxes[movie].offset, path: "moov")
      }
      ordered.append(ordered.remove(at: movie))
    }
    return ordered
  }

  /// Takes the bytes by which a `moov` has grown from the free space after it, if there is enough.
  private func useFreeSpace(
    _ boxes: [Box], _ nodes: inout [LayoutNode], _ builder: PlanBuilder
  ) throws(ParseError) {
    _ = try Self.place(nodes)
    for index in boxes.indices.dropLast() where boxes[index].type == "moov" && !boxes[index].isNew {
      let free = boxes[index + 1]
      guard free.type == "free" || free.type == "skip", !free.isEdited, free.sizeForm == .compact,
        free.headerSize == 8, nodes[index].size != boxes[index].size
      else { continue }
      let left = free.size - (nodes[index].size - boxes[index].size)
      if left == 0 {
        nodes[index + 1] = LayoutNode(.bytes(ByteView(), replacing: nil))
      } else if left >= 8, left <= Int(UInt32.max) {
        let kept = min(left, free.size) - 8
        let end = free.fileRange.upperBound
        let frame = try BoxFrame(free, mayReachEnd: false)
        let added = [UInt8](repeating: 0, count: left - 8 - kept)
        nodes[index + 1] = LayoutNode(
          .box(
            frame,
            [LayoutNode(.bytes(ByteView(added), replacing: nil)), builder.span(free, (end - kept)..<end)]))
      }
    }
  }

  // MARK: Offsets

  private static func place(_ nodes: [LayoutNode]) throws(ParseError) -> Int {
    var position = 0
    for node in nodes { position = try node.place(at: position) }
    return position
  }

  private func relocate(_ boxes: [Box], _ nodes: [LayoutNode]) throws(ParseError) {
    let first = origin.start
    let end = max(trailingRange.upperBound, source.size.map { Int(clamping: $0) + first } ?? 0)
    for round in 0..<64 {
      let size = try Self.place(nodes)
      var map = OffsetMap()
      for node in nodes { node.map(into: &map) }
      map.finish(origin, size: end, newSize: size)
      if round == 0 {
        if map.isIdentity(origin, from: first, size: end - first) {
          return try ChunkCheck(boxes, nodes, origin, first..<end).refuseTornChunks()
        }
        try refuseUnknownOffsets(boxes, nodes)
      }
      let areSizesFixed = boxes.contains { $0.type == "ssix" }
      var hasGrown = false
      for node in nodes {
        try node.forEachOffsets { (part) throws(ParseError) in
          switch part.content {
          case .offsets(let box):
            box.sizesAreFixed = areSizesFixed && box.box.type == "sidx"
            if try box.relocate(map, start: part.start, size: part.size) { hasGrown = true }
          case .fragment(let fragment): try fragment.relocate(map)
          default: break
          }
        }
      }
      // Offsets that became wider make everything after them move: repeat until nothing grows. Nothing ever
      // shrinks.
      if !hasGrown { return try ChunkCheck(boxes, nodes, origin, first..<end).refuseTornChunks() }
    }
    throw ParseError(.invalid("offsets do not settle"), offset: 0)
  }

  /// Refuses to write if boxes have absolute offsets in an unsupported form: the bytes they may point to cannot
  /// move.
  private func refuseUnknownOffsets(_ boxes: [Box], _ nodes: [LayoutNode]) throws(ParseError) {
    let hasMoved = zip(boxes, nodes).contains { box, node in
      !box.isNew && box.type != "moov" && box.kind.origin === origin && box.offset != node.start
    }
    guard hasMoved else { return }
    for box in boxes where ["moov", "uuid", "meta", "skip", "udta"].contains(box.type) {
      guard let place = box.unknownPlace(at: "\(box.type)") else { continue }
      throw ParseError(
        .invalid(place.reason + "; the media data must stay where it is"), offset: place.offset,
        path: place.path)
    }
  }
}
