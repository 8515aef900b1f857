// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF

extension Track {
  /// The facts about the track that determine the kind of video; computed once.
  public var classificationFacts: ClassificationFacts { lazy.further.value(\.facts) { gatherFacts() } }

  private func gatherFacts() -> ClassificationFacts {
    var facts = ClassificationFacts()
    facts.hasVideo = mediaType.isVisual
    guard facts.hasVideo else { return facts }
    facts.codec = isRawStream ? "hvc1" : codec
    let description = mainDescription
    if !isRawStream, description == nil { facts.unreadable = "the track has no sample description" }
    facts.hasLayeredConfiguration = description?.layeredConfiguration != nil
    facts.layout = description?.stereo ?? StereoLayout()
    facts.hasGoogleSpherical =
      !facts.layout.googleSphericalBoxes.isEmpty
      || sphericalText.map { $0.isSpherical || $0.packing != nil } ?? false
    // Another description may have another codec.
    if isHEVC, description?.isHEVC ?? isRawStream {
      if !isRawStream, let description, !description.isEnhancementOnly, description.hevcConfiguration == nil {
        facts.unreadable = "the sample entry has no hvcC that can be read"
      }
      let second = layerAnalysis.views.dropFirst()
      // Without a VPS, or the sets of the base layer, no decoder makes anything of those of another.
      let isBaseMissing = layers.contains { $0.layerID == 0 && !$0.hasParameterSets }
      let isDescribed = !isBaseMissing && second.contains { $0.hasParameterSets && $0.viewOrderIndex != nil }
      facts.hasSecondViewInParameterSets = !isDescribed && mayHaveUnseenSets ? nil : isDescribed
      let isSeen = second.contains { $0.isInSamples == true }
      if isSeen || layerAnalysis.knowsFirstSample {
        let isLate = facts.hasLayeredConfiguration && isDescribed && !isSeen
        facts.hasSecondViewInSamples = isLate ? hasLaterPicture(ofLayers: second.map(\.layerID)) : isSeen
      }
      if isRawStream { facts.hasLayeredConfiguration = facts.hasSecondViewInParameterSets == true }
    }
    noteOtherTracks(&facts)
    facts.hasImmersiveVenue = context.describesVenue
    facts.hasImmersivePresentation = context.describesPresentation
    return facts
  }

  /// Whether parameter sets of a second view may be in samples that could not be looked into. ISO/IEC 14496-15, 8.4.3
  private var mayHaveUnseenSets: Bool {
    guard let description = mainDescription, let record = description.layeredConfiguration else {
      return false
    }
    return description.allowsSetsInSamples && !layerAnalysis.knowsFirstSample
      && record.nalUnits.allSatisfy { !$0.type.isParameterSet }
  }

  /// How many samples after the first are searched for a layer that the first one lacks.
  private static let samplesSearchedForLayers = 16

  /// Whether one of the samples that follow the first has a picture of one of some layers; `nil` if they cannot be read.
  private func hasLaterPicture(ofLayers wanted: [UInt8]) -> Bool? {
    let start = (describing?.first?.index ?? 0) + 1
    var isFound = false, isRead = true
    do {
      _ = try forEachAccessUnit(start..<start + Self.samplesSearchedForLayers) { places, _ in
        if places.error != nil { isRead = false }
        isFound = places.units.contains {
          $0.header.type.isSliceSegment && wanted.contains($0.header.layerID)
        }
        return !isFound
      }
    } catch { isRead = false }
    return isFound ? true : isRead ? false : nil
  }

  /// Version 1 of Google's spherical metadata: a box of the track with a text in XML, known by its 16 bytes.
  var sphericalUserBox: Box? {
    let type: [UInt8] = [
      0xFF, 0xCC, 0x82, 0x63, 0xF8, 0x55, 0x4A, 0x93, 0x88, 0x14, 0x58, 0x7A, 0x02, 0x52, 0x1F, 0xDD,
    ]
    return box?.children.first { $0.userType?.array == type }
  }

  /// What the text in ``sphericalUserBox`` says; `nil` without it.
  var sphericalText: SphericalText? { sphericalUserBox.map { SphericalText($0.bytes) } }

  /// Whether other layers of the bitstream are in another track: one that this one depends on, or the reverse.
  var hasLayersElsewhere: Bool {
    guard !isRawStream else { return false }
    let dependencies = references("sbas") + references("scal")
    return dependencies.contains { $0 != id && context.trackIndices[$0] != nil }
      || context.links.isDependedOn(id)
  }

  /// Whether the video parameter set describes further layers, and none is a view: alpha or depth.
  private var describesOneView: Bool {
    guard isHEVC, let layers = layerAnalysis.structure?.layers, layers.count > 1 else { return false }
    return Set(layers.filter(\.isTexture).map(\.viewOrderIdx)).count == 1
  }

  /// Another track may hold the other eye, or the second view of this one's bitstream.
  private func noteOtherTracks(_ facts: inout ClassificationFacts) {
    guard !isRawStream else { return }
    facts.hasSecondViewInAnotherTrack = hasLayersElsewhere && !describesOneView
    // Tracks that each signal one eye need not refer to one another.
    facts.eyeOfAnotherTrack = context.links.eye(
      ofTracksOtherThan: id, of: mediaType, wanted: facts.layout.onlyEye?.opposite)
  }

  /// What kind of video it is, and the facts that decide it.
  public var classificationReport: ClassificationReport {
    // The layers of HEVC are kept anyway, and the facts take little more room. Of many other tracks only the class is.
    lazy.classification { context.classify(isHEVC ? classificationFacts : gatherFacts()) }
  }

  /// What kind of video it is.
  public var classification: Classification { classificationReport.classification }

  /// The characteristics of the track, as in AVFoundation.
  public var mediaCharacteristics: Set<MediaCharacteristic> {
    switch mediaType {
    case .audio: return [.audible]
    case .text, .subtitle, .closedCaption, .subtitleDocument: return [.legible]
    default:
      guard mediaType.isVisual else { return [] }
      var found = classificationFacts.mediaCharacteristics
      if isHEVC, layers.contains(where: { $0.auxiliaryID == 1 }) { found.insert(.containsAlphaChannel) }
      let colour = colour
      if colour.isHDR { found.insert(.containsHDRVideo) }
      if colour.isWideGamut { found.insert(.usesWideGamutColorSpace) }
      return found
    }
  }

  /// The tags of each layer: its number, and the eye that sees it. Core Media: `CMFormatDescription.tagCollections`
  ///
  /// Like there, only stereo video of several layers has them.
  public var tagCollections: [TagCollection] {
    guard mediaType.isVisual, classificationFacts.stereoKind == .multiview else { return [] }
    return layers.views.map { layer in
      var tags: TagCollection = [.videoLayerID(Int64(layer.layerID))]
      if let eye = layer.eye { tags.append(.stereoView(StereoViewComponents(eye))) }
      return tags
    }
  }
}

extension MovieFile {
  /// The video track that determines the class of the movie: the first that is more than flat video, otherwise
  /// the first.
  public var mainVideoTrack: Track? {
    let video = tracks.lazy.filter { $0.mediaType == .video }
    return video.first { $0.classification != .mono } ?? video.first
  }

  /// The kind of video: that of the ``mainVideoTrack``, or of the part after a flat beginning; for a file without video, that of
  /// its spatial or stereo photos, or none. It is unknown if no video track was found but not all tracks were read.
  public var classification: Classification {
    if let track = mainVideoTrack {
      let own = track.classification
      guard own == .mono else { return own }
      // A flat beginning does not make the movie flat.
      let later = tracks.lazy.filter { $0.mediaType == .video && $0.hasSeveralDescriptions }
        .flatMap(\.variants).map(\.classification)
      return later.first { $0 != .mono && $0 != .unknown } ?? own
    }
    let photos = container.hasItems ? stereoPhotos : []
    if !photos.isEmpty { return photos.contains(where: \.isSpatial) ? .spatialPhoto : .stereoPhoto }
    let isPartial = diagnostics.contains { $0.code == "limit-exceeded" && $0.path == "moov" }
    return isPartial || tree?["moov/cmov"] != nil ? .unknown : .noVideo
  }

  /// How long the movie lasts: what its headers say; with movie fragments at least as long as its longest track.
  public var duration: MediaTime? {
    guard let header = tree?.movieHeader else { return nil }
    let timescale = max(1, header.timescale)
    var value = Int64(clamping: header.knownDuration ?? 0)
    if container.isFragmented {
      let fragments = tree?.first("moov")?.first("mvex")?.first(MovieExtendsHeaderBox.self)
      let announced = Int64(clamping: fragments?.fragmentDuration ?? 0)
      let longest = tracks.compactMap(\.duration).max()?.converted(to: timescale).value ?? 0
      value = max(value, announced > 0 ? announced : longest)
    }
    return value > 0 ? MediaTime(value: value, timescale: timescale) : nil
  }
}

extension MovieFile {
  /// The problems found while opening, in the descriptions, layers and parameter sets of the tracks, and in fragments if
  /// samples are missing because of them. Problems of tables, which may be large, are in ``sampleDiagnostics()``.
  public var allDiagnostics: DiagnosticList {
    var list = DiagnosticList()
    list.append(diagnostics)
    for track in tracks where track.mediaType.isVisual {
      for description in track.formatDescriptions { list.append(description.diagnostics) }
      if track.isHEVC { list.append(track.layerAnalysis.diagnostics) }
      list.append(track.edits.diagnostics)
    }
    if let context = tracks.first?.context, context.hasFragments {
      do throws(SourceError) {
        for item in try context.fragments().diagnostics where item.severity == .error { list.append(item) }
      } catch {
        list.append(
          .error, "read-failed", path: "moof", offset: error.offset.map { Int(clamping: $0) }, error.reason)
      }
    }
    return list
  }
}

extension Track {
  /// The size of a picture as the sample description has it; of a raw stream, as the parameter sets do.
  public var displaySize: PictureSize? {
    if let visual = mainDescription?.visual, visual.width > 0 {
      return PictureSize(width: Int(visual.width), height: Int(visual.height))
    }
    return isRawStream ? layers.first?.croppedSize : nil
  }
}
