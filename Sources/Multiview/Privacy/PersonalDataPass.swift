// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding
import FileAccess
package import ISOBMFF

/// Which personal data are searched for or removed.
package struct PersonalDataRequest: Hashable, Sendable {
  /// What they reveal.
  package var kinds: Set<PersonalDataKind>
  /// Whether those in samples are removed, too.
  package var includesSamples = false

  package init(kinds: Set<PersonalDataKind> = [], includesSamples: Bool = false) {
    (self.kinds, self.includesSamples) = (kinds, includesSamples)
  }
}

/// New bytes for a range of a file.
package struct BytePatch: Hashable, Sendable {
  /// The position of the first byte.
  package var offset: UInt64
  /// The bytes.
  package var bytes: ByteView

  package init(offset: UInt64, bytes: ByteView) { (self.offset, self.bytes) = (offset, bytes) }

  /// The range of the file.
  package var range: Range<UInt64> { offset..<(offset &+ UInt64(bytes.count)) }
}

/// Visits all places where a file may tell personal data: one way for reporting and for removing, so that nothing
/// is shown that is not removed.
///
/// ``scan()`` erases data inside documents and samples by patches, which keep the number of bytes. Then
/// ``remove(from:)`` removes boxes from the tree of the patched movie.
package struct PersonalDataPass {
  let movie: MovieFile
  let request: PersonalDataRequest
  /// What was found, in the order of the file.
  package private(set) var found: [PersonalDatum] = []
  /// The patches that erase what is inside boxes, items and samples.
  package private(set) var patches: [BytePatch] = []
  /// Whether all items and samples could be searched: not if they cannot be read, or if together they have more than four times
  /// the bytes of the file, which is so only where many have the same.
  package internal(set) var isComplete = true
  /// Whether something was found in a box that is damaged.
  package private(set) var hasDamaged = false
  /// How many bytes of items and samples may still be searched.
  private var searchable: UInt64
  /// How deep movies in boxes are read.
  private let depth: Int
  private(set) var removes = false
  /// Whether there is nothing in movie fragments that could tell anything.
  private var areFragmentsPlain = false
  private var trackID: UInt32?
  /// The keys of timed metadata to be removed from each track, by ID of the track; all for `nil`.
  private(set) var timedTracks: [UInt32: [Set<UInt32>]?] = [:]

  package init(_ movie: MovieFile, _ request: PersonalDataRequest, depth: Int = 0) {
    (self.movie, self.request, self.depth) = (movie, request, depth)
    let (size, isTooLarge) = (movie.source.size ?? .max).multipliedReportingOverflow(by: 4)
    searchable = isTooLarge ? .max : size
  }

  /// Returns whether so many bytes of items or samples may be searched.
  mutating func maySearch(_ count: UInt64) -> Bool {
    isComplete = isComplete && count <= searchable
    if isComplete { searchable -= count }
    return isComplete
  }

  /// Finds everything, and the patches that erase what is not a box of its own.
  package mutating func scan() {
    guard let tree = movie.tree else { return }
    removes = false
    areFragmentsPlain = Self.hasPlainFragments(tree)
    _ = filtered(tree.boxes, "", in: nil)
    scanSamples()
  }

  /// Removes the boxes from the tree of a movie to which the patches were applied.
  package mutating func remove(from tree: inout BoxTree) {
    scanSamples()
    removes = true
    areFragmentsPlain = Self.hasPlainFragments(tree)
    (found, patches) = ([], [])
    if let boxes = filtered(tree.boxes, "", in: nil) { tree.boxes = boxes }
    if request.includesSamples { _ = tree.removeFragments(ofTracks: wholeTrackIDs) }
  }

  /// The tracks that have nothing but personal data in their samples.
  package var wholeTrackIDs: Set<UInt32> { Set(timedTracks.filter { $0.value == nil }.keys) }

  // MARK: Boxes

  enum Outcome {
    case keep, drop
    case replace(Box)
  }

  /// Returns the boxes that are left; `nil` if all are, as they are.
  private mutating func filtered(_ boxes: [Box], _ prefix: String, in parent: FourCC?) -> [Box]? {
    var changes: [(index: Int, box: Box?)] = []
    let areFragmentsPlain = areFragmentsPlain
    BoxPath.forEachSibling(boxes, where: { Self.mayTell($0, $1, areFragmentsPlain) }) { index, name in
      switch visit(boxes[index], prefix + name, in: parent) {
      case .keep: break
      case .drop: changes.append((index, nil))
      case .replace(let other): changes.append((index, other))
      }
    }
    guard !changes.isEmpty else { return nil }
    var kept: [Box] = []
    var next = 0
    for change in changes {
      kept += boxes[next..<change.index]
      if let box = change.box { kept.append(box) }
      next = change.index + 1
    }
    return kept + boxes[next...]
  }

  /// Whether there can be anything in a box. (By position, because to hand over a box changes four reference counts.)
  private static func mayTell(_ boxes: [Box], _ index: Int, _ areFragmentsPlain: Bool) -> Bool {
    let type = boxes[index].type
    guard type == "moof" || type == "traf" else { return !isPlain(type) }
    if areFragmentsPlain { return false }
    let children = boxes[index].children
    return children.indices.contains { mayTell(children, $0, false) }
  }

  /// Whether there is nothing to find in boxes of this type. Most boxes of a movie of many fragments are of these.
  private static func isPlain(_ type: FourCC) -> Bool {
    switch type {
    case "mdat", "sidx", "styp", "mfhd", "tfhd", "tfdt", "trun", "sbgp", "sgpd", "saiz", "saio", "senc": true
    default: false
    }
  }

  private static func hasPlainFragments(_ tree: BoxTree) -> Bool {
    tree.has(only: { $0 == "traf" || isPlain($0) }, in: "moof")
      && tree.has(only: isPlain, in: "traf")
  }

  private mutating func visit(_ box: Box, _ path: String, in parent: FourCC?) -> Outcome {
    guard box.structuralProblem != nil else { return visitSound(box, path, in: parent) }
    // Boxes cannot be taken out of one whose size is wrong.
    guard !removes else { return .keep }
    let before = found.count
    _ = visitSound(box, path, in: parent)
    hasDamaged = hasDamaged || found.count > before
    return .keep
  }

  private mutating func visitSound(_ box: Box, _ path: String, in parent: FourCC?) -> Outcome {
    if parent == "udta", let form = PersonalDataForm.ofUserData[box.type] { return take(form, box, path) }
    if parent == nil || parent == "moov", let form = PersonalDataForm.ofFile[box.type] {
      return take(form, box, path)
    }
    switch box.type {
    case "free", "skip":
      if parent == nil { scanFormerMovie(box, path) }
      return .keep
    case "uuid":
      guard let type = box.userType, let form = PersonalDataForm.ofUserType(type) else { return .keep }
      return take(form, box, path)
    case "trak":
      trackID = box.first(TrackHeaderBox.self)?.trackID
      defer { trackID = nil }
      if removes, let id = trackID, request.includesSamples, timedTracks[id] == .some(.none) { return .drop }
      return descend(box, path)
    case "moov", "udta", "moof", "traf", "meco": return descend(box, path)
    case "mdia", "minf", "stbl", "stsd", "tref": return visitMedia(box, path)
    case "meta": return visitMeta(box, path)
    case "mvhd", "tkhd", "mdhd": return visitHeader(box, path)
    default: return .keep
    }
  }

  private mutating func descend(_ box: Box, _ path: String) -> Outcome {
    guard let children = filtered(box.children, path + "/", in: box.type) else { return .keep }
    // User data in which nothing is left is no longer needed.
    if box.type == "udta", children.isEmpty { return .drop }
    return replacing(box, children)
  }

  private func replacing(_ box: Box, _ children: [Box]) -> Outcome {
    var box = box
    box.children = children
    return .replace(box)
  }

  /// The boxes of a track that say how its media are described.
  private mutating func visitMedia(_ box: Box, _ path: String) -> Outcome {
    switch box.type {
    case "tref": return visitReferences(box)
    case "stbl", "minf", "stsd":
      guard removes, request.includesSamples, let id = trackID, case .some(.some(let keys)) = timedTracks[id]
      else { return .keep }
      guard box.type == "stsd" else { return descend(box, path) }
      var entries = box.children
      for (entry, gone) in zip(entries.indices, keys) {
        guard let place = entries[entry].children.firstIndex(where: { $0.type == "keys" }) else { continue }
        entries[entry].children[place].children.removeAll { gone.contains($0.type.rawValue) }
      }
      return replacing(box, entries)
    default: return descend(box, path)
    }
  }

  /// Removes the references to tracks that are removed.
  private func visitReferences(_ box: Box) -> Outcome {
    guard removes, request.includesSamples else { return .keep }
    let gone = Set(timedTracks.filter { $0.value == nil }.keys)
    var references = box
    guard !gone.isEmpty, references.mapTrackReferences({ _, ids in ids.filter { !gone.contains($0) } }) else {
      return .keep
    }
    return references.children.isEmpty ? .drop : .replace(references)
  }

  private mutating func visitHeader(_ box: Box, _ path: String) -> Outcome {
    guard request.kinds.contains(.date) else { return .keep }
    var box = box
    var time: UInt64?
    do throws(ParseError) {
      try box.editTimedHeader { header in
        time = max(header.creationTime, header.modificationTime)
        (header.creationTime, header.modificationTime) = (0, 0)
      }
    } catch { return .keep }
    guard let time, time > 0 else { return .keep }
    note(.date, "\(box.type)", box, path, value: macintoshDate(time))
    return removes ? .replace(box) : .keep
  }

  // MARK: Forms

  mutating func note(
    _ kind: PersonalDataKind, _ form: String, _ box: Box, _ path: String, value: String? = nil,
    location: GeographicLocation? = nil, isCertain: Bool = true
  ) {
    guard found.count < Self.maximumFound else { return }
    found.append(
      PersonalDatum(
        kind: kind, form: form, value: value, location: location, isCertain: isCertain, trackID: trackID,
        place: BoxPlace(path: path, offset: box.offset)))
  }

  /// How many places are reported; all are removed.
  private static let maximumFound = 8_192

  /// The first kind that is asked for, of those that a form can tell.
  func asked(_ form: PersonalDataForm) -> PersonalDataKind? {
    PersonalDataKind.allCases.first { form.kinds.contains($0) && request.kinds.contains($0) }
  }

  private mutating func take(_ form: PersonalDataForm, _ box: Box, _ path: String) -> Outcome {
    guard let kind = asked(form) else { return .keep }
    let name = form.name.map { box.type == "uuid" ? $0 : "\($0), \(box.type)" } ?? "\(box.type)"
    switch form.content {
    case .text, .iso6709, .locationInformation:
      let (value, location) = reading(form, box)
      note(kind, name, box, path, value: value, location: location)
    case .opaque: note(kind, name, box, path, isCertain: form.kinds.count == 1)
    case .xml, .exif, .picture, .canon:
      eraseInside(form, box, path)
      return .keep
    case .movie:
      eraseMovie(box, path)
      return .keep
    }
    return removes ? .drop : .keep
  }

  /// The value of a box in words, and as a place.
  private func reading(_ form: PersonalDataForm, _ box: Box) -> (String?, GeographicLocation?) {
    switch box.decodeLoadedPayload()?.payload {
    case let text as UserDataTextBox where !text.holdsBoxes:
      let value = text.entries.first?.text
      return (value, value.flatMap { GeographicLocation(iso6709: $0) })
    case let notice as LocalizedTextBox: return (notice.notice.text, nil)
    case let place as LocationInformationBox:
      return (place.name.text.isEmpty ? nil : place.name.text, place.location)
    default:
      let value = box.children.lazy.compactMap { $0.payload(MetadataValueBox.self)?.content.stringValue }
        .first
      if let value { return (value, GeographicLocation(iso6709: value)) }
      let text = box.body.prefix(256).utf8Text
      let isText = !text.isEmpty && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0xFFFD }
      return (isText ? text : nil, isText ? GeographicLocation(iso6709: text) : nil)
    }
  }

  // MARK: Documents in boxes

  /// Erases fields of the document that is in a box.
  mutating func eraseInside(_ form: PersonalDataForm, _ box: Box, _ path: String) {
    guard !removes, let tree = movie.tree else { return }
    let body = tree.whole(box).body
    erase(
      form, body.array, at: [UInt64(clamping: body.fileOffset)..<UInt64(clamping: body.fileRange.upperBound)]
    ) {
      pass, field in
      pass.note(field.kind, field.name, box, path, value: field.value, location: field.location)
    }
  }

  /// Erases fields of a document, and makes patches for the ranges of the file that it is in.
  mutating func erase(
    _ form: PersonalDataForm, _ bytes: [UInt8], at ranges: [Range<UInt64>],
    _ report: (inout PersonalDataPass, ErasedField) -> Void
  ) {
    var document = ErasableBytes(bytes, request.kinds.intersection(form.kinds))
    document.erase(form.content)
    guard !document.erased.isEmpty else { return }
    for field in document.erased { report(&self, field) }
    var start = 0
    for range in ranges {
      let end = min(start + Int(clamping: range.upperBound - range.lowerBound), document.bytes.count)
      guard end > start else { break }
      addPatch(BytePatch(offset: range.lowerBound, bytes: ByteView(document.bytes[start..<end])))
      start = end
    }
  }

  mutating func addPatch(_ patch: BytePatch) { patches.append(patch) }

  mutating func noteSamples(_ datum: PersonalDatum, keys: [Set<UInt32>]?) {
    if found.count < Self.maximumFound, !removes { found.append(datum) }
    if let id = datum.trackID { timedTracks[id] = .some(keys) }
  }

  // MARK: Movies in boxes

  /// Finds what the movie box that a change in place has marked free tells, and erases all of it.
  private mutating func scanFormerMovie(_ box: Box, _ path: String) {
    guard !removes, depth < 2, let tree = movie.tree, box.size >= 24, box.size <= movie.limits.maximumBoxBytes
    else { return }
    do {
      let start = UInt64(box.offset)
      // Boxes fill it: the first one has a type that a movie box holds.
      let head = try tree.source.read(start..<(start + 24)).array
      let first = head.suffix(24 - box.headerSize).dropFirst(4).prefix(4)
      guard
        ["mvhd", "trak", "udta", "meta", "iods", "mvex"].contains(where: { first.elementsEqual($0.utf8) })
      else { return }
      var bytes = try tree.source.read(start..<UInt64(box.fileRange.upperBound)).array
      guard bytes.count == box.size else { return }
      bytes.replaceSubrange(4..<8, with: "moov".utf8)
      let inner = try MovieFile(
        source: MemoryBytes(ByteView(bytes)), as: .boxes, limits: movie.limits)
      var pass = PersonalDataPass(inner, request, depth: depth + 1)
      pass.scan()
      guard !pass.found.isEmpty else { return }
      for var datum in pass.found {
        datum.form += ", in free space"
        datum.isFormer = true
        datum.sampleCount = nil
        datum.trackID = nil
        add(datum, in: path, at: box.offset)
      }
      addPatch(
        BytePatch(
          offset: start + UInt64(box.headerSize),
          bytes: ByteView([UInt8](repeating: 0, count: box.size - box.headerSize))))
    } catch { return }
  }

  private mutating func add(_ datum: PersonalDatum, in path: String, at start: Int) {
    guard found.count < Self.maximumFound else { return }
    var datum = datum
    datum.place = BoxPlace(path: path + "/" + datum.place.path, offset: datum.place.offset &+ start)
    found.append(datum)
  }

  private mutating func eraseMovie(_ box: Box, _ path: String) {
    guard !removes, depth < 2, let tree = movie.tree else { return }
    let whole = tree.whole(box)
    let start = UInt64(clamping: whole.body.fileOffset)
    do {
      let inner = try MovieFile(bytes: whole.body.array, limits: movie.limits)
      var pass = PersonalDataPass(inner, request, depth: depth + 1)
      pass.scan()
      guard !pass.found.isEmpty else { return }
      for datum in pass.found { add(datum, in: path, at: Int(start)) }
      for range in FreeSpace(inner).ranges {
        let zeros = [UInt8](repeating: 0, count: Int(clamping: range.upperBound - range.lowerBound))
        pass.addPatch(BytePatch(offset: range.lowerBound, bytes: ByteView(zeros)))
      }
      for patch in try pass.allPatches() {
        addPatch(BytePatch(offset: start + patch.offset, bytes: patch.bytes))
      }
    } catch {
      note(request.kinds.first ?? .location, "motion photo, \(box.type)", box, path, isCertain: false)
    }
  }

  /// Patches that also remove boxes without moving a byte: what they leave becomes free space of zeros.
  package func allPatches() throws -> [BytePatch] {
    let patched =
      try patches.isEmpty ? movie : MovieFile(source: movie.source.patched(patches), limits: movie.limits)
    guard let old = patched.tree else { return patches }
    var pass = PersonalDataPass(patched, request, depth: depth)
    var tree = old
    pass.remove(from: &tree)
    return patches.replaced(by: try old.patches(to: tree))
  }
}

extension LocationInformationBox {
  /// The place; `nil` if it is not on the earth.
  var location: GeographicLocation? {
    guard astronomicalBody.text.isEmpty || astronomicalBody.text.lowercased() == "earth" else { return nil }
    return GeographicLocation(
      latitude: Double(latitude) / 65_536, longitude: Double(longitude) / 65_536,
      altitude: Double(altitude) / 65_536)
  }
}
