// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

extension Box {
  /// Changes the fields as `Payload`. All fields are read for this, and any bytes after them are kept.
  ///
  /// Throws, and changes nothing, if the box has another kind or is damaged, if its bytes cannot be read, or if
  /// writing the fields again would change more than `change` does.
  public mutating func edit<Payload: BoxPayload>(
    _: Payload.Type, _ change: (inout Payload) throws(ParseError) -> Void
  ) throws(ParseError) {
    do throws(ParseError) {
      let (old, unread) = try editable()
      guard var payload = old as? Payload else {
        throw ParseError(
          .invalid(
            "has the fields of the \(Swift.type(of: old).info.name) box, not of the \(Payload.info.name) box"),
          offset: offset
        )
      }
      try change(&payload)
      replacePayload(payload, unread: unread)
    } catch {
      throw error.inPath("\(type)")
    }
  }

  /// Changes the header of a movie, a track or media, whichever it is.
  package mutating func editTimedHeader(
    _ change: (inout any TimedHeader) throws(ParseError) -> Void
  ) throws(ParseError) {
    do throws(ParseError) {
      let (old, unread) = try editable()
      guard var header = old as? any TimedHeader else {
        throw ParseError(.invalid("is not the header of a movie, a track or media"), offset: offset)
      }
      try change(&header)
      replacePayload(header, unread: unread)
    } catch {
      throw error.inPath("\(type)")
    }
  }

  /// Sets the data reference of a sample entry of any kind. ISO/IEC 14496-12, 8.5.2
  package mutating func setDataReferenceIndex(_ index: UInt16) throws(ParseError) {
    do throws(ParseError) {
      let (old, unread) = try editable()
      guard var entry = old as? any DataReferring else {
        throw ParseError(.invalid("is not a sample entry of a known kind"), offset: offset)
      }
      guard entry.dataReferenceIndex != index else { return }
      entry.dataReferenceIndex = index
      replacePayload(entry, unread: unread)
    } catch {
      throw error.inPath("\(type)")
    }
  }

  /// Throws an error if a `uuid` box has no user type.
  func checkUserType() throws(ParseError) {
    guard type == "uuid", userType?.count != 16 else { return }
    throw ParseError(
      .missing("the 16-byte user type that the initialiser of a uuid box takes"), offset: offset,
      path: "uuid")
  }

  /// The payload with all its rows, and the bytes after its fields.
  private func editable() throws(ParseError) -> (payload: any BoxPayload, unread: ByteView) {
    if let replacement { return replacement }
    let fields = try isContainer ? fields : whole().fields
    guard !isNew, let decoding = kind.registration?.decode(fields, kind.context) else {
      throw ParseError(.invalid("has no fields that this library knows"), offset: offset)
    }
    if let error = decoding.error { throw error }
    guard try writesAgain(decoding, as: fields) else {
      throw ParseError(
        .invalid("would be written with different bytes; replace its payload instead"), offset: offset
      )
    }
    return (isEdited ? counting(decoding.payload) : decoding.payload, decoding.unread)
  }

  private func writesAgain(
    _ decoding: BoxRegistration.Decoding, as fields: ByteView
  ) throws(ParseError) -> Bool {
    let written = ByteView(try decoding.payload.encoded())
    return written.count + decoding.unread.count == fields.count && written == fields.prefix(written.count)
  }
}

// MARK: - Boxes inside

extension Box {
  /// Changes every box inside this one to which the types in `path` lead.
  package mutating func editAll<Failure: Error>(
    _ path: FourCC..., change: (inout Box) throws(Failure) -> Void
  ) throws(Failure) {
    try edit(path[...], isEach: true, change)
  }

  /// Changes the fields of every box of a kind in the boxes to which the types in `path` lead, as
  /// ``edit(_:_:)`` does.
  package mutating func editAll<Payload: BoxPayload>(
    _: Payload.Type, in path: FourCC..., change: (inout Payload) throws(ParseError) -> Void
  ) throws(ParseError) {
    try edit((path + Payload.info.types.prefix(1))[...], isEach: true) { (box) throws(ParseError) in
      try box.edit(Payload.self, change)
    }
  }

  /// Changes the box to which the types in `path` lead, of which the first child of each type is followed. Without
  /// such a box, nothing is changed.
  package mutating func editFirst<Failure: Error>(
    _ path: FourCC..., change: (inout Box) throws(Failure) -> Void
  ) throws(Failure) {
    try edit(path[...], isEach: false, change)
  }

  private mutating func edit<Failure: Error>(
    _ path: ArraySlice<FourCC>, isEach: Bool, _ change: (inout Box) throws(Failure) -> Void
  ) throws(Failure) {
    guard let type = path.first else { return try change(&self) }
    let rest = path.dropFirst()
    for index in children.indices where children[index].type == type {
      // A box is not marked as edited if nothing inside it is.
      if children[index].contains(rest) { try children[index].edit(rest, isEach: isEach, change) }
      if !isEach { return }
    }
  }

  private func contains(_ path: ArraySlice<FourCC>) -> Bool {
    guard let type = path.first else { return true }
    return children.contains { $0.type == type && $0.contains(path.dropFirst()) }
  }
}
