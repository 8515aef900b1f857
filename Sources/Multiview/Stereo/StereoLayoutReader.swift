// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

/// Reads a ``StereoLayout`` from boxes: values into its properties, oddities into its diagnostics.
struct StereoLayoutReader {
  var layout = StereoLayout()

  /// Boxes that hold boxes and have neither version nor flags.
  fileprivate static let plainContainers: Set<FourCC> = [
    "vexu", "eyes", "cams", "cmfy", "proj", "pack", "lnsc", "lnex", "cxfm",
  ]
  /// Every type of the family: one of these in the wrong place was meant for the right one.
  fileprivate static let familyTypes = Set(videoExtendedUsageBoxes.flatMap(\.types))
  /// The types that a `must` may require and that this library understands.
  private static let understoodTypes = familyTypes

  /// How many lenses of a collection are read, and boxes of Google remembered: no camera has as many.
  private static let maximumLenses = 256

  /// How many types are reported that have to be understood and are not.
  private static let maximumUnknownTypes = 64

  mutating func read(_ entry: Box, _ path: String) {
    layout.horizontalFieldOfView =
      value("hfov", HorizontalFieldOfViewBox.self, in: entry, path) { $0.fieldOfView }
    let places = entry.children.indices.lazy.filter { index in
      let type = entry.children[index].type
      return type == "st3d" || type == "sv3d"
    }
    layout.googleSphericalBoxes = places.prefix(Self.maximumLenses).map { index in
      let box = entry.children[index]
      return BoxPlace(path: "\(path)/\(box.type)", offset: box.offset)
    }
    guard let (vexu, vexuPath) = only("vexu", in: entry, path) else { return }
    layout.hasVideoExtendedUsage = true
    record(vexu, vexuPath)
    survey(vexu) { vexuPath }
    readRequirements(vexu, vexuPath)
    if let (eyes, eyesPath) = only("eyes", in: vexu, vexuPath) { readEyes(eyes, eyesPath) }
    if let (proj, projPath) = only("proj", in: vexu, vexuPath) {
      layout.projection =
        value("prji", ProjectionInformationBox.self, in: proj, projPath) { $0.projection }
      if layout.projection == nil { missing("prji", in: proj, projPath) }
    }
    if let (pack, packPath) = only("pack", in: vexu, vexuPath) {
      layout.packing =
        value("pkin", ViewPackingInformationBox.self, in: pack, packPath) { $0.packing }
      if layout.packing == nil { missing("pkin", in: pack, packPath) }
    }
    readLenses(in: vexu, vexuPath)
  }

  private mutating func readEyes(_ eyes: Box, _ path: String) {
    layout.hasEyes = true
    record(eyes, path)
    readRequirements(eyes, path)
    layout.viewInformation = value("stri", StereoViewInformationBox.self, in: eyes, path) { $0 }
    if layout.viewInformation == nil { missing("stri", in: eyes, path) }
    layout.heroEye = value("hero", HeroEyeBox.self, in: eyes, path) { $0.heroEye }
    if let (cams, camsPath) = only("cams", in: eyes, path) {
      layout.baseline = value("blin", CameraBaselineBox.self, in: cams, camsPath) { $0.baseline }
      readLenses(in: cams, camsPath)
    }
    if let (cmfy, cmfyPath) = only("cmfy", in: eyes, path) {
      layout.disparityAdjustment =
        value("dadj", DisparityAdjustmentBox.self, in: cmfy, cmfyPath) { $0.adjustment }
    }
  }

  private mutating func readRequirements(_ box: Box, _ path: String) {
    guard
      let (types, place) = located("must", RequiredBoxTypesBox.self, in: box, path, { $0.requiredBoxTypes })
    else { return }
    // Those in `vexu` come first; those in `eyes` are added to them.
    layout.requiredBoxTypes = (layout.requiredBoxTypes ?? []) + types
    let unknown = types.filter { !Self.understoodTypes.contains($0) }
    let room = Self.maximumUnknownTypes - min(Self.maximumUnknownTypes, layout.unknownRequiredBoxTypes.count)
    if unknown.count > room {
      layout.diagnostics.append(
        .error, "limit-exceeded", path: place.path, offset: place.offset,
        "more than \(Self.maximumUnknownTypes) unknown types: the rest are left out")
    }
    for type in unknown.prefix(room) {
      layout.unknownRequiredBoxTypes.append(type)
      layout.diagnostics.append(
        .warning, "unknown-required-box", path: place.path, offset: place.offset,
        "'\(type)' is required, but this library does not know it")
    }
  }

  private mutating func readLenses(in box: Box, _ path: String) {
    guard let (collection, collectionPath) = only("lnsc", in: box, path) else { return }
    layout.hasLensCollection = true
    record(collection, collectionPath)
    var lenses: [CameraLens] = []
    var isFull = false
    BoxPath.forEachSibling(collection.children) { child, name, _ in
      guard child.type == "lens" else { return }
      guard lenses.count < Self.maximumLenses else {
        isFull = true
        return
      }
      lenses.append(CameraLens(child, path: "\(collectionPath)/\(name)"))
    }
    layout.lenses += lenses.prefix(Self.maximumLenses - min(Self.maximumLenses, layout.lenses.count))
    if isFull {
      layout.diagnostics.append(
        .error, "limit-exceeded", path: collectionPath, offset: collection.offset,
        "more than \(Self.maximumLenses) lenses: the rest are not read")
    }
    if lenses.isEmpty { missing("lens", in: collection, collectionPath) }
  }

  // MARK: Boxes

  /// Records where a box is. If there are several of a type, in different boxes, it is the place of the first.
  @discardableResult
  private mutating func record(_ box: Box, _ path: String) -> BoxPlace {
    let place = BoxPlace(path: path, offset: box.offset)
    if layout.places.isEmpty { layout.places.reserveCapacity(12) }
    if layout.places[box.type] == nil { layout.places[box.type] = place }
    return place
  }

  /// The first box of that type, and its path. There should be no second one.
  private mutating func only(_ type: FourCC, in parent: Box, _ path: String) -> (Box, String)? {
    let boxes = parent.children
    guard let first = boxes.indices.first(where: { boxes[$0].type == type }) else { return nil }
    var isOnly = true
    for extra in boxes[(first + 1)...].indices where boxes[extra].type == type {
      isOnly = false
      layout.diagnostics.append(
        .warning, "duplicate-box", path: path, offset: boxes[extra].offset, "a second '\(type)' is ignored")
    }
    let boxPath = BoxPath.join(path, type)
    return (boxes[first], isOnly ? boxPath : boxPath + "[0]")
  }

  /// A value of the first box of that type. What is damaged counts as absent, and is reported.
  private mutating func value<Payload: BoxPayload, Value>(
    _ type: FourCC, _: Payload.Type, in parent: Box, _ path: String, _ read: (Payload) -> Value
  ) -> Value? {
    located(type, Payload.self, in: parent, path, read)?.value
  }

  private mutating func located<Payload: BoxPayload, Value>(
    _ type: FourCC, _: Payload.Type, in parent: Box, _ path: String, _ read: (Payload) -> Value
  ) -> (value: Value, place: BoxPlace)? {
    guard let (box, boxPath) = only(type, in: parent, path), let decoding = box.decodeLoadedPayload() else {
      return nil
    }
    if let error = decoding.error {
      layout.unreadableBoxes.append(type)
      layout.diagnostics.append(error.inPath(boxPath))
      return nil
    }
    guard let payload = decoding.payload as? Payload else { return nil }
    if !decoding.unread.isEmpty {
      layout.diagnostics.append(
        .warning, "trailing-bytes", path: boxPath, offset: box.offset,
        "\(decoding.unread.count) bytes follow the fields: some readers insist on the exact size")
    }
    return (read(payload), record(box, boxPath))
  }

  private mutating func missing(_ type: FourCC, in parent: Box, _ path: String) {
    if !layout.unreadableBoxes.contains(type) { layout.unreadableBoxes.append(type) }
    layout.diagnostics.append(
      .warning, "missing-box", path: path, offset: parent.offset,
      "it has no readable '\(type)'")
  }

  /// Says which boxes below are unknown, are in the wrong place, or look like full boxes but must not be. Paths are made for
  /// these alone.
  private mutating func survey(_ box: Box, _ path: () -> String) {
    if box.beginsWithVersionAndFlags {
      layout.diagnostics.append(
        .error, "full-box-header", path: path(), offset: box.offset,
        "'\(box.type)' begins with version and flags, which this box must not have: its contents cannot be "
          + "found")
      return
    }
    let children = box.children
    var steps = BoxPath.Steps(children)
    for index in children.indices {
      let child = children[index]
      func childPath() -> String { "\(path())/\(steps[index])" }
      if child.sizeForm == .toEnd {
        layout.diagnostics.append(
          .error, "size-zero", path: childPath(), offset: child.offset,
          "the size is 0, which only the last box of a file may have")
      }
      if child.registration != nil {
        survey(child, childPath)
      } else if Self.familyTypes.contains(child.type) {
        layout.diagnostics.append(
          .warning, "misplaced-box", path: childPath(), offset: child.offset,
          "'\(child.type)' does not belong in '\(box.type)': readers will not find it")
      } else {
        layout.diagnostics.append(
          .note, "unknown-box", path: childPath(), offset: child.offset, "'\(child.type)' is not known")
      }
    }
  }
}

extension Box {
  /// Whether a box of the stereo family that holds others begins with version and flags, which it must not have.
  package var beginsWithVersionAndFlags: Bool {
    guard StereoLayoutReader.plainContainers.contains(type), body.bigEndian(at: 0, width: 4) == 0,
      let inner = body.fourCC(at: 8)
    else { return false }
    return StereoLayoutReader.familyTypes.contains(inner)
  }
}
