// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// Makes the parts of an output from boxes.
struct PlanBuilder {
  /// Whether absolute offsets are updated for everything that moves.
  var relocatesOffsets = true
  var allowsAnyPayload = false
  /// The tracks with samples that are not in this file, for fragments.
  var externalTracks = ExternalTracks([])

  /// The part that writes `box`.
  ///
  /// - Parameters:
  ///   - path: the path of the box.
  ///   - isLast: whether nothing follows it in its container.
  func node(
    _ box: Box, _ path: String, isLast: Bool, data: OffsetBox.DataPlace = .thisFile
  ) throws(ParseError) -> LayoutNode {
    if !isLast, !box.isEdited, box.structuralProblem != nil {
      throw ParseError(
        .invalid("extends beyond the end of its container, so nothing can be written after it"),
        offset: box.offset, path: path)
    }
    if relocatesOffsets, Self.hasOffsets(box) {
      var fields = try ownFields(box, path)
      if fields == nil, box.sizeForm == .toEnd, !isLast { fields = try box.whole().fields }
      return LayoutNode(
        .offsets(OffsetBox(box, path: path, data: data, ownFields: fields, mayReachEnd: isLast)))
    }
    if relocatesOffsets, box.type == "moof", box.scope == .file {
      let edited = box.isEdited ? try opened(box, path, isLast: isLast, data, insideFragment: true) : nil
      return LayoutNode(.fragment(FragmentOffsets(box, path: path, edited: edited, externalTracks)))
    }
    if box.isEdited || relocatesOffsets && Self.containsOffsets(box) {
      return try opened(box, path, isLast: isLast, data)
    }
    if box.sizeForm == .toEnd, !isLast {
      // It no longer extends to the end, so its size is written.
      let frame = try frame(box, path, isLast: isLast)
      return LayoutNode(.box(frame, [span(box, (box.offset + box.headerSize)..<box.fileRange.upperBound)]))
    }
    return span(box, box.fileRange)
  }

  /// The part that writes bytes of `box` unchanged.
  func span(_ box: Box, _ range: Range<Int>) -> LayoutNode {
    LayoutNode(.span(box.kind.origin, range, loaded: box.bytes.slice(fileRange: range) ?? ByteView()))
  }

  // MARK: Boxes that are taken apart

  private func opened(
    _ box: Box, _ path: String, isLast: Bool, _ data: OffsetBox.DataPlace, insideFragment: Bool = false
  ) throws(ParseError) -> LayoutNode {
    var parts: [LayoutNode] = []
    let bodyStart = box.offset + box.headerSize
    let fieldEnd =
      box.isContainer ? bodyStart + Int(box.fieldBytes) : max(bodyStart, box.fileRange.upperBound)
    if let fields = try ownFields(box, path) {
      parts.append(
        LayoutNode(.bytes(fields, replacing: box.isNew ? nil : (box.kind.origin, bodyStart..<fieldEnd))))
    } else if !box.isNew {
      parts.append(span(box, bodyStart..<fieldEnd))
    }
    var inside = self
    // The offsets in a fragment are handled by the fragment.
    if insideFragment { inside.relocatesOffsets = false }
    let places = box.type == "minf" ? Self.dataPlace(box) : data
    let children = box.children
    if !children.isEmpty {
      let numbers = BoxPath.numbers(of: children)
      for (index, child) in children.enumerated() {
        let name = numbers[index].map { "\(child.type)[\($0)]" } ?? "\(child.type)"
        let isLastChild = index == children.count - 1 && box.trailingBytes == 0
        parts.append(
          try inside.node(child, path.isEmpty ? name : path + "/" + name, isLast: isLastChild, data: places))
      }
    }
    if box.trailingBytes > 0 {
      let end = box.fileRange.upperBound
      parts.append(span(box, (end - box.trailingBytes)..<end))
    }
    let node = LayoutNode(.box(try frame(box, path, isLast: isLast), parts))
    for part in parts { if case .offsets(let inner) = part.content { inner.parent = node } }
    return node
  }

  private func frame(_ box: Box, _ path: String, isLast: Bool) throws(ParseError) -> BoxFrame {
    do { return try BoxFrame(box, mayReachEnd: isLast) } catch {
      throw ParseError(error.code, offset: error.offset, path: path)
    }
  }

  /// The fields of a box as bytes, if they differ from those in the file.
  private func ownFields(_ box: Box, _ path: String) throws(ParseError) -> ByteView? {
    guard box.isEdited else { return nil }
    do throws(ParseError) {
      if let (payload, unread) = box.replacement {
        if !allowsAnyPayload { try Self.check(payload, in: box) }
        let fields = try payload.encoded()
        return unread.isEmpty ? ByteView(fields) : ByteView(fields + unread.array)
      }
      guard !box.isNew, box.children.count != Int(box.childCountInFile), let counted = box.countedPayload
      else {
        return nil
      }
      return ByteView(try counted.encoded())
    } catch {
      throw error.inPath(path)
    }
  }

  /// Checks that the payload of a box is the one that readers will look for in it.
  private static func check(_ payload: any BoxPayload, in box: Box) throws(ParseError) {
    let own = type(of: payload)
    if let registration = box.registration {
      guard let expected = registration.payloadType else {
        throw ParseError(
          .invalid("is a container without fields, but was given those of a \(own)"), offset: box.offset)
      }
      guard expected == own else {
        throw ParseError(
          .invalid("was given the fields of a \(own), but in \(box.scope) it has those of a \(expected)"),
          offset: box.offset)
      }
    } else if case let types = own.info.types, !types.isEmpty, !types.contains(box.type) {
      throw ParseError(
        .invalid("was given the fields of a \(own), which belong in '\(types[0])'"), offset: box.offset)
    }
  }

  // MARK: Boxes with offsets

  private static func hasOffsets(_ box: Box) -> Bool {
    switch box.type {
    case "stco", "co64", "saio", "iloc", "sidx", "tfra", "mfro":
      // A sample entry may have the same type, and other fields.
      box.registration?.payloadType?.info.types.contains(box.type) == true
    default: false
    }
  }

  private static func containsOffsets(_ box: Box) -> Bool {
    // Not called for `moof`; sample entries have no offsets.
    guard box.type != "stsd" else { return box.isEdited }
    for child in box.children where hasOffsets(child) || child.isEdited || containsOffsets(child) {
      return true
    }
    return false
  }

  /// Where the media data of a track is, according to the data references of its sample entries.
  /// ISO/IEC 14496-12, 8.7.2
  static func dataPlace(_ minf: Box) -> OffsetBox.DataPlace {
    let external = ExternalMedia(minf)
    return external.isEmpty ? .thisFile : external.includesAll ? .otherFiles : .both
  }
}

extension Box {
  /// The fields with the current number of children; `nil` if they do not contain a count.
  var countedPayload: (any BoxPayload)? {
    guard let decoding = decodeLoadedPayload(), decoding.error == nil else { return nil }
    return decoding.payload.counting(children)
  }

  /// The box as bytes: those it was read from if nothing was changed, otherwise newly written with updated sizes.
  /// Bytes that are not in memory are read from the source.
  ///
  /// Absolute offsets in it stay unchanged: ``BoxTree/writePlan(_:)`` updates them. Throws if a payload cannot be
  /// written, and for more than `Limits.maximumBoxBytes`.
  public func encoded() throws(ParseError) -> [UInt8] {
    try plan().encoded(limit: kind.origin.limits.maximumBoxBytes)
  }

  /// The same without copying its bytes: large tables are separate pieces.
  ///
  /// - Parameter isLast: whether nothing follows the box. If something does, a box that extends to the end gets its size, and one that
  ///   extends beyond the end of its container is an error.
  package func plan(isLast: Bool = true) throws(ParseError) -> WritePlan {
    let node = try PlanBuilder(relocatesOffsets: false).node(self, "\(type)", isLast: isLast)
    _ = try node.place(at: 0)
    var pieces = PieceCollector()
    try node.emit(into: &pieces)
    return try pieces.finish()
  }
}
