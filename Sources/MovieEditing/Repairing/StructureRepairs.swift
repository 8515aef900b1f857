// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import Multiview

extension BoxRepair {
  /// The repairs of boxes around tracks and samples.
  static let ofStructure: [BoxRepair] = [
    secondBoxes, fileType, mandatoryBoxes, entryCounts, trackNumbers, references(.referenceToNoTrack),
    references(.referenceToItself),
    trackExtends,
  ]

  private static let fileType = BoxRepair(.fileTypePresent) { tree, _ in
    let old = tree.first("ftyp")
    var brands = old?.payload(FileTypeBox.self)
    // A brand that few readers know may be the right one: only a box without any is replaced.
    if brands.map({ ([$0.majorBrand] + $0.compatibleBrands).allSatisfy(\.isBlank) }) ?? true {
      brands = brandsOfContents(tree)
    }
    guard let brands else { return [] }
    tree.boxes.removeAll { $0.type == "ftyp" }
    tree.boxes.insert(Box("ftyp", brands, in: .file, registry: .standard), at: 0)
    let names = ([brands.majorBrand] + brands.compatibleBrands.filter { $0 != brands.majorBrand })
      .map(\.description)
    return [
      RepairStep(
        "ftyp", "brands at the beginning of the file",
        old: old == nil ? "absent" : "not for movies, or not first", new: names.joined(separator: ", "),
        rule: .fileTypePresent)
    ]
  }

  /// The brands that match the boxes of a movie.
  private static func brandsOfContents(_ tree: BoxTree) -> FileTypeBox {
    let handlers = (tree.first("moov")?.all("trak") ?? []).compactMap {
      $0["mdia/hdlr"]?.payload(HandlerBox.self)
    }
    if handlers.contains(where: { $0.componentType == FourCC("mhlr").rawValue }) {
      return FileTypeBox("qt  ", compatibleBrands: ["qt  "])
    }
    if tree["moov/mvex"] != nil { return FileTypeBox("iso6", compatibleBrands: ["iso6", "mp41"]) }
    return FileTypeBox("mp42", minorVersion: 1, compatibleBrands: ["isom", "mp41", "mp42"])
  }

  /// Removes boxes that repeat an earlier one with the same bytes.
  private static let secondBoxes = BoxRepair(.secondBox) { tree, _ in
    var removed: [RepairStep] = []
    func clean(_ boxes: inout [Box], _ types: Set<FourCC>, _ path: String) {
      // Places are those in the movie as it was.
      var names: [String] = []
      BoxPath.forEachSibling(boxes) { _, name, _ in names.append(name) }
      var index = 0
      while index < boxes.count {
        let box = boxes[index]
        if types.contains(box.type), let first = boxes[..<index].first(where: { $0.type == box.type }),
          box.isRepetition(of: first)
        {
          removed.append(
            RepairStep(
              path + names[index], "a second '\(box.type)'", old: "the same", new: "removed", rule: .secondBox
            ))
          boxes.remove(at: index)
          names.remove(at: index)
          continue
        }
        if let inner = Rule.singleTypes[box.type] {
          var children = box.children
          let before = removed.count
          clean(&children, inner, path + names[index] + "/")
          if removed.count > before { boxes[index].children = children }
        }
        index += 1
      }
    }
    clean(&tree.boxes, ["moov"], "")
    return removed
  }

  /// Adds mandatory boxes: media without a data reference are in this file, and the duration of a movie follows
  /// from its tracks.
  private static let mandatoryBoxes = BoxRepair(.mandatoryBoxes) { tree, broken in
    guard let place = tree.boxes.firstIndex(where: { $0.type == "moov" }) else { return [] }
    var moov = tree.boxes[place]
    let isQuickTime = moov.context.isQuickTime
    var steps: [RepairStep] = []
    func step(_ path: String, _ track: UInt32?) {
      steps.append(
        RepairStep(path, "mandatory box", old: "absent", new: "added", rule: .mandatoryBoxes, track: track))
    }
    for (index, track) in broken.movie.tracks.enumerated() {
      let traks = moov.children.indices.filter { moov.children[$0].type == "trak" }
      guard traks.indices.contains(index) else { continue }
      let reference = Box(
        isQuickTime ? "alis" : "url ", isQuickTime ? DataEntryAliasBox() : DataEntryURLBox(),
        registry: .standard)
      let references = Box("dref", DataReferenceBox(), children: [reference], registry: .standard)
      moov.children[traks[index]].changeInformation { minf in
        if let dinf = minf.children.firstIndex(where: { $0.type == "dinf" }) {
          guard minf.children[dinf].first("dref") == nil else { return }
          minf.children[dinf].children.insert(references, at: 0)
          step(track.path + "/mdia/minf/dinf/dref", track.id)
        } else {
          let place = minf.children.firstIndex { $0.type == "stbl" } ?? minf.children.count
          minf.children.insert(Box("dinf", nil, children: [references], registry: .standard), at: place)
          step(track.path + "/mdia/minf/dinf", track.id)
        }
      }
    }
    if moov.first("mvhd") == nil, let header = movieHeader(of: broken.movie) {
      moov.children.insert(Box("mvhd", header, registry: .standard), at: 0)
      step("moov/mvhd", nil)
    }
    if !steps.isEmpty { tree.boxes[place] = moov }
    return steps
  }

  /// The timescale in which the durations in track headers are those of the media; if there are no such durations and
  /// no edits, any in which those of the media are whole numbers. `nil` if it is not known: edits are in it.
  private static func movieTimescale(of tracks: [Track]) -> UInt32? {
    let common = commonTimescale(tracks.map(\.timescale))
    let hasEdits = tracks.contains { $0.box?.first("edts") != nil }
    let headers = tracks.map { $0.box?.first(TrackHeaderBox.self)?.knownDuration ?? 0 }
    /// How far the durations are off; `nil` if they are those of other media.
    func error(_ scale: UInt32) -> Double? {
      var sum = 0.0
      for (track, header) in zip(tracks, headers) where header > 0 {
        guard let media = track.duration, media.timescale > 0, media.value > 0 else { return nil }
        let wanted = Double(media.value) / Double(media.timescale) * Double(scale)
        let difference = abs(Double(header) - wanted)
        guard difference <= max(1, wanted * part, min(wanted * mostOfShort, Double(scale) * hidden)) else {
          return nil
        }
        sum += difference / wanted
      }
      return sum
    }
    if headers.contains(where: { $0 > 0 }) {
      let candidates = [600, 1_000, 90_000] + tracks.map(\.timescale) + (common.map { [$0] } ?? [])
      let fitting = candidates.compactMap { scale in error(scale).map { (scale: scale, error: $0) } }
      if let best = fitting.min(by: { $0.error < $1.error }) { return best.scale }
    }
    return hasEdits ? nil : common
  }

  /// How much shorter than its media a track may be presented, as a fraction. Sound may have a beginning and an end that are
  /// not presented, which is more of a short track: so many seconds, or that fraction.
  private static let (part, hidden, mostOfShort) = (0.02, 0.1, 0.1)

  /// The movie header that follows from tracks whose media headers can be read; `nil` if there are none.
  private static func movieHeader(of movie: MovieFile) -> MovieHeaderBox? {
    let tracks = movie.tracks.filter { $0.timescale > 0 }
    guard !tracks.isEmpty, tracks.count == movie.tracks.count, let scale = movieTimescale(of: tracks)
    else { return nil }
    var header = MovieHeaderBox()
    header.timescale = scale
    for track in tracks {
      guard let duration = track.duration, duration.timescale > 0, duration.value >= 0 else { return nil }
      // What the track header says is in this timescale already, and includes edits.
      if let own = track.box?.first(TrackHeaderBox.self)?.knownDuration, own > 0,
        track.box?.first("edts") != nil
      {
        header.duration = max(header.duration, own)
        continue
      }
      let media = UInt64(duration.value)
      guard let ticks = media.converted(from: duration.timescale, to: scale, roundingUp: true) else {
        return nil
      }
      header.duration = max(header.duration, ticks)
    }
    header.version = header.duration >= UInt64(UInt32.max) ? 1 : 0
    header.nextTrackID = (tracks.map(\.id).max() ?? 0) &+ 1
    return header
  }

  private static let entryCounts = ofTracks(.entryCount) { tree, track, _ in
    var changes: [BoxChange] = []
    for name in ["mdia/minf/stbl/stsd", "mdia/minf/dinf/dref"] {
      guard let path = BoxPath(track.path + "/" + name), var box = tree[path] else { continue }
      let count = UInt32(clamping: box.children.count)
      let old: UInt32
      if var payload = box.payload(SampleDescriptionBox.self), payload.entryCount > count {
        old = payload.entryCount
        payload.entryCount = count
        box.replacePayload(payload)
      } else if var payload = box.payload(DataReferenceBox.self), payload.entryCount > count {
        old = payload.entryCount
        payload.entryCount = count
        box.replacePayload(payload)
      } else {
        continue
      }
      try tree.replace(path, with: box)
      changes.append(BoxChange(name, "number of entries", old: "\(old)", new: "\(count)"))
    }
    return changes
  }

  /// Gives tracks with the ID 0, or with the ID of an earlier track, an ID of their own.
  private static let trackNumbers = BoxRepair(.trackNumbers) { tree, broken in
    guard let place = tree.boxes.firstIndex(where: { $0.type == "moov" }) else { return [] }
    var moov = tree.boxes[place]
    var known: Set<UInt32> = []
    var next = (broken.movie.tracks.map(\.id).max() ?? 0) &+ 1
    var steps: [RepairStep] = []
    var names: [String] = []
    BoxPath.forEachSibling(moov.children) { _, name, _ in names.append(name) }
    for index in moov.children.indices where moov.children[index].type == "trak" {
      guard let header = moov.children[index].children.firstIndex(where: { $0.type == "tkhd" }),
        let id = moov.children[index].children[header].payload(TrackHeaderBox.self)?.trackID
      else { continue }
      guard id == 0 || !known.insert(id).inserted else { continue }
      guard broken.findings(of: .trackNumbers).contains(where: { $0.trackID == id }), next > 0 else {
        continue
      }
      let new = next
      try moov.children[index].children[header].edit(TrackHeaderBox.self) { $0.trackID = new }
      known.insert(new)
      next &+= 1
      steps.append(
        RepairStep(
          "moov/\(names[index])/tkhd", "track ID", old: "\(id)", new: "\(new)", rule: .trackNumbers, track: id
        ))
    }
    guard !steps.isEmpty else { return [] }
    try moov.editAll(MovieHeaderBox.self) { $0.nextTrackID = max($0.nextTrackID, next) }
    tree.boxes[place] = moov
    return steps
  }

  /// Removes references to tracks that do not exist, and those of a track to itself.
  private static func references(_ rule: Rule) -> BoxRepair {
    BoxRepair(rule) { tree, broken in
      var steps: [RepairStep] = []
      let ids = Set(broken.movie.tracks.map(\.id))
      let building: Set<FourCC> = ["sbas", "oref", "scal", "tbas"]
      for track in broken.tracks(of: rule) {
        guard let path = BoxPath(track.path), var trak = tree[path],
          let place = trak.children.firstIndex(where: { $0.type == "tref" })
        else { continue }
        var own: [RepairStep] = []
        trak.children[place].mapTrackReferences { type, old in
          let new = old.filter { id in
            guard building.contains(type) else { return rule != .referenceToNoTrack || ids.contains(id) }
            return rule != .referenceToItself || id != track.id
          }
          if new != old {
            own.append(
              RepairStep(
                track.path + "/tref/\(type)", "referenced tracks",
                old: old.map { "\($0)" }.joined(separator: ", "),
                new: new.isEmpty ? "none" : new.map { "\($0)" }.joined(separator: ", "), rule: rule,
                track: track.id))
          }
          return new
        }
        steps += own.reversed()
        if trak.children[place].children.isEmpty { trak.children.remove(at: place) }
        try tree.replace(path, with: trak)
      }
      return steps
    }
  }

  /// Adds a `trex` without defaults for fragments that specify all properties of their samples.
  private static let trackExtends = BoxRepair(.trackExtendsAbsent) { tree, broken in
    guard let place = tree.boxes.firstIndex(where: { $0.type == "moov" }) else { return [] }
    var steps: [RepairStep] = []
    var moov = tree.boxes[place]
    for track in broken.tracks(of: .trackExtendsAbsent) {
      var defaults = TrackExtendsBox()
      defaults.trackID = track.id
      defaults.defaultSampleDescriptionIndex = 1
      let box = Box("trex", defaults, registry: .standard)
      let others = moov.first("mvex")?.children.count { $0.type == "trex" } ?? 0
      if let mvex = moov.children.firstIndex(where: { $0.type == "mvex" }) {
        moov.children[mvex].children.append(box)
      } else {
        moov.children.append(Box("mvex", nil, children: [box], registry: .standard))
      }
      steps.append(
        RepairStep(
          "moov/mvex/trex" + (others > 0 ? "[\(others)]" : ""), "defaults of fragments", old: "absent",
          new: "none", rule: .trackExtendsAbsent, track: track.id))
    }
    if !steps.isEmpty { tree.boxes[place] = moov }
    return steps
  }
}

extension Box {
  /// Changes the media information of a track.
  fileprivate mutating func changeInformation(_ change: (inout Box) -> Void) {
    guard let mdia = children.firstIndex(where: { $0.type == "mdia" }),
      let minf = children[mdia].children.firstIndex(where: { $0.type == "minf" })
    else { return }
    var box = children[mdia].children[minf]
    change(&box)
    if box.isEdited { children[mdia].children[minf] = box }
  }
}
