// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF
public import Multiview

/// Makes a flat movie from one with several layers: it keeps the base layer alone, byte for byte, without
/// re-encoding.
///
/// ```swift
/// let stripper = try MovieStripper(movie)
/// print(stripper.eye?.description ?? "one eye")   // the eye that the base layer shows
/// try stripper.write(to: "flat.mov")
/// ```
///
/// Times, sync samples and other tracks are kept. The other layers are removed, with their configuration, the
/// tags and messages about two eyes and, unless ``keepsCameraTags`` is set, the other spatial tags and metadata
/// keys. If the picture has a projection, what describes it is kept, because the base layer has it too. Other
/// metadata is kept.
public struct MovieStripper: MovieConversion {
  /// The original movie.
  public let movie: MovieFile
  /// The track whose base layer is kept.
  public let track: Track
  /// Whether to keep the tags that describe the camera of a flat picture (the field of view, the lens) and the
  /// metadata keys of spatial captures. Those of a picture with a projection are kept anyway.
  public var keepsCameraTags = false

  /// Makes a stripper of the main video track of a movie.
  ///
  /// - Throws: ``EditError`` if there is no HEVC video, or its layers are in several tracks.
  public init(_ movie: MovieFile) throws(EditError) {
    try movie.checkComposable()
    guard let track = movie.mainVideoTrack else { throw .lacksVideo }
    guard track.isHEVC else {
      throw .refused(
        track.codec.map { "track \(track.id) is \($0), which has no layers to remove" }
          ?? "track \(track.id) has an unknown codec; its layers cannot be removed"
      )
    }
    guard !track.joined.isJoined else {
      throw .refused(
        "the layers are in several tracks",
        advice: "Track \(track.joined.joinedTracks.first?.id ?? track.id) already has the base layer.")
    }
    self.movie = movie
    self.track = track
  }

  /// The eye that the base layer shows; `nil` if not known.
  public var eye: StereoEye? { track.layers.first { $0.layerID == 0 }?.eye }

  /// Throws an error unless the base layer shows the eye that is wanted.
  public func require(_ wanted: StereoEye) throws(EditError) {
    guard let eye else {
      throw .refused(
        "the movie does not signal which eye the base layer shows",
        advice: "Do not choose an eye\(.chooseEye(nil)).")
    }
    guard eye == wanted else {
      throw .refused(
        "the base layer shows the \(eye) eye, and the pictures of the \(wanted) eye are predicted from it",
        advice:
          "Without encoding, only the \(eye) eye can be kept\(.chooseEye("\(eye)")). For the other, decode both and encode it."
      )
    }
  }

  /// The original movie, as the only one.
  public var movies: [MovieFile] { [movie] }

  /// Plans the flat movie.
  public func plan() throws(EditError) -> ConversionPlan<StripReport> {
    let kept = try KeptUnits(baseLayerOf: track, of: movie)
    var report = StripReport(trackID: track.id, eye: eye, samples: track.sampleCount)
    report.unitsLeftOut = kept.leftOut
    guard !kept.leftOut.isEmpty || track.layers.count > 1 else {
      // The track has one layer: there is nothing to do.
      return ConversionPlan(
        try MovieEditor(movie), report, of: movies, like: movie, written: \.written)
    }
    var composer = try MovieComposer(wholeOf: movie) { other, timescale throws(EditError) in
      var composed = try ComposedTrack(whole: other, of: movie, timescale: timescale)
      guard other.id == track.id else { return [composed] }
      composed.cuts[0].kept = kept
      let keepsCameraTags = keepsCameraTags
      composed.change = { (trak: inout Box) throws(ParseError) in
        try trak.removeLayers(keepingCameraTags: keepsCameraTags, syncTypes: kept.syncTypes)
      }
      return [composed]
    }
    let draft = try composer.draft()
    var editor = try MovieEditor(draft: draft, of: [movie])
    report.leftOut = try composer.leftOutMessages()
    if !keepsCameraTags { editor.metadata.removeSpatialKeys() }
    report.changes = editor.changes
    return ConversionPlan(editor, report, of: movies, like: movie, written: \.written)
  }
}

/// The report on a movie whose base layer was kept alone.
public struct StripReport: Sendable {
  /// The ID of the track whose base layer was kept.
  public let trackID: UInt32
  /// The eye that the base layer shows; `nil` if not known.
  public let eye: StereoEye?
  /// The number of samples of the track.
  public let samples: Int
  /// The number of NAL units that were left out, by layer; of layer 0, those that belonged to pictures of other
  /// layers, and messages on views.
  public internal(set) var unitsLeftOut: [UInt8: Int] = [:]
  /// What fragments of the original have that the movie does not, in words.
  public internal(set) var leftOut: [String] = []
  /// The metadata keys that were removed.
  public internal(set) var changes: [TagChange] = []
  /// What was written; `nil` if nothing was.
  public internal(set) var written: MovieWriteReport?
}

extension Box {
  /// Removes what describes layers other than the base layer from a track.
  ///
  /// - Parameters:
  ///   - keepsTags: whether to keep the tags that describe the camera.
  ///   - syncTypes: the NAL unit types of the pictures at which decoding can begin.
  fileprivate mutating func removeLayers(
    keepingCameraTags keepsTags: Bool, syncTypes: Set<UInt8>
  ) throws(ParseError) {
    try checkHasNoParts()
    // Track groups of the two eyes of one scene.
    editAll("trgr") { trgr in trgr.children.removeAll { $0.type == "ster" || $0.type == "cstg" } }
    children.removeAll { $0.type == "trgr" && $0.children.isEmpty }
    removeLayerReferences()
    // Operating points and layers: ISO/IEC 14496-15, 9.6.2 and 9.6.3.
    editSampleTable { (tables) in
      tables.removeAll { $0.groupingType == "oinf" || $0.groupingType == "linf" }
      tables.setSyncTypes(syncTypes)
    }
    try editSampleEntries { (_, box) throws(ParseError) in
      // The bit rates in `btrt` are those of all layers.
      box.children.removeAll { $0.type == "lhvC" || $0.type == "btrt" }
      // With a projection, the picture of one eye is shown by the same tags.
      if keepsTags || !StereoLayout(sampleEntry: box).isRectilinear {
        try box.editAll("vexu") { (vexu) throws(ParseError) in try vexu.removeBoxesOnEyes() }
        box.children.removeAll { $0.type == "vexu" && $0.children.isEmpty }
      } else {
        box.children.removeAll { $0.type == "vexu" || $0.type == "hfov" }
      }
      try box.removeMessagesOnEyes()
    }
  }

  /// Removes the boxes about two eyes from a `vexu`, and from its list of required boxes.
  private mutating func removeBoxesOnEyes() throws(ParseError) {
    children.removeAll { $0.type == "eyes" || $0.type == "pack" }
    try editAll(RequiredBoxTypesBox.self) { box in
      box.requiredBoxTypes.removeAll { $0 == "eyes" || $0 == "pack" }
    }
    children.removeAll { $0.payload(RequiredBoxTypesBox.self)?.requiredBoxTypes.isEmpty == true }
  }

  /// Removes messages on views and units of other layers from a configuration record (`hvcC`), and the
  /// extension from its video parameter sets.
  private mutating func removeMessagesOnEyes() throws(ParseError) {
    try changeBaseRecord { record throws(ParseError) in
      for array in record.arrays.indices {
        record.arrays[array].units.removeAll { bytes in
          guard let unit = NALUnit(bytes) else { return false }
          if unit.layerID > 0 { return true }
          guard unit.type.isSEI else { return false }
          let (messages, error) = unit.seiMessages()
          return error == nil && !messages.isEmpty && messages.allSatisfy(\.isOnViews)
        }
      }
      record.arrays.removeAll { $0.units.isEmpty }
      for array in record.arrays.indices {
        for index in record.arrays[array].units.indices {
          guard let unit = NALUnit(record.arrays[array].units[index]),
            let plain = unit.type.isSEI ? try unit.withoutMessages(\.isOnViews) : try unit.withoutLayers()
          else { continue }
          record.arrays[array].units[index] = plain.bytes
        }
      }
    }
  }
}

extension NALUnit {
  /// Returns a unit of messages without some of them; `nil` if it has none of these, or if more than that would
  /// change.
  fileprivate func withoutMessages(_ isLeftOut: (SEIMessage) -> Bool) throws(ParseError) -> NALUnit? {
    guard type.isSEI else { return nil }
    let (content, _, error) = rbsp.decode(SEIMessages())
    guard error == nil, content.messages.contains(where: { isLeftOut($0) }),
      try NALUnit(header, content).bytes == bytes
    else { return nil }
    return try NALUnit(header, SEIMessages(content.messages.filter { !isLeftOut($0) }))
  }

  /// Returns a video parameter set without its extension, for the base layer alone; `nil` for other units, for
  /// a set without an extension, and if more than that would change. A decoder of one layer ignores the
  /// extension. ISO/IEC 23008-2, 7.4.3.1
  fileprivate func withoutLayers() throws(ParseError) -> NALUnit? {
    guard type == .videoParameterSet else { return nil }
    let (content, _, error) = rbsp.decode(VideoParameterSet())
    guard error == nil, content.vpsExtension != nil || content.vpsMaxLayersMinus1 > 0,
      try NALUnit(header, content).bytes == bytes,
      content.timing?.hrds.allSatisfy({ $0.layerSetIdx == 0 }) ?? true
    else { return nil }
    var plain = content
    plain.vpsMaxLayersMinus1 = 0
    plain.vpsMaxLayerID = 0
    plain.layerIDIncludedFlags = []
    (plain.vpsExtension, plain.vpsExtension2) = (nil, nil)
    return try NALUnit(header, plain)
  }
}
