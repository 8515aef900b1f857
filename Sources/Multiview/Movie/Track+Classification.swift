// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF

extension Track {
  /// What is known of the track that decides what kind of video it is; worked out once.
  public var classificationFacts: ClassificationFacts { lazy.facts.value { gatherFacts() } }

  private func gatherFacts() -> ClassificationFacts {
    var facts = ClassificationFacts()
    facts.hasVideo = mediaType.isVisual
    guard facts.hasVideo else { return facts }
    facts.codec = isRawStream ? "hvc1" : codec
    let description = formatDescriptions.first
    if !isRawStream, description == nil { facts.unreadable = "the track has no sample description" }
    facts.hasLayeredConfiguration = description?.layeredConfiguration != nil
    facts.layout = description?.stereo ?? StereoLayout()
    facts.hasGoogleSpherical = !facts.layout.googleSphericalBoxes.isEmpty || hasSphericalUserBox
    if isHEVC {
      let second = layers.filter(\.isTexture).dropFirst()
      facts.hasSecondViewInParameterSets = second.contains(where: \.hasParameterSets)
      let isSeen = second.contains { $0.isInSamples == true }
      facts.hasSecondViewInSamples = isSeen ? true : layerAnalysis.knowsFirstSample ? false : nil
      if isRawStream { facts.hasLayeredConfiguration = facts.hasSecondViewInParameterSets == true }
    }
    noteOtherTracks(&facts)
    facts.hasImmersiveVenue = context.describesVenue
    facts.hasImmersivePresentation = context.describesPresentation
    return facts
  }

  /// Version 1 of Google's spherical metadata is a box of the track, known by its 16 bytes.
  private var hasSphericalUserBox: Bool {
    let type: [UInt8] = [
      0xFF, 0xCC, 0x82, 0x63, 0xF8, 0x55, 0x4A, 0x93, 0x88, 0x14, 0x58, 0x7A, 0x02, 0x52, 0x1F, 0xDD,
    ]
    return box?.children.contains { $0.userType?.array == type } ?? false
  }

  /// Another track may hold the other eye, or the second view of this one's bitstream.
  private func noteOtherTracks(_ facts: inout ClassificationFacts) {
    guard !isRawStream else { return }
    let dependencies = references("sbas") + references("scal")
    if dependencies.contains(where: { $0 != id && context.trackIndices[$0] != nil }) {
      facts.hasSecondViewInAnotherTrack = true
    }
    for link in context.trackLinks where link.id != id {
      if link.dependencies.contains(id) { facts.hasSecondViewInAnotherTrack = true }
      // Tracks that each signal one eye need not refer to one another.
      if link.handler == mediaType.rawValue, let eye = link.eye { facts.eyeOfAnotherTrack = eye }
    }
  }

  /// What kind of video it is, and the facts that decide it.
  public var classificationReport: ClassificationReport {
    lazy.classification.value { classificationFacts.classify() }
  }

  /// What kind of video it is.
  public var classification: Classification { classificationReport.classification }

  /// What can be said of the track in AVFoundation's words.
  public var mediaCharacteristics: Set<MediaCharacteristic> {
    switch mediaType {
    case .audio: return [.audible]
    case .text, .subtitle, .closedCaption, .subtitleDocument: return [.legible]
    default:
      guard mediaType.isVisual else { return [] }
      var found = classificationFacts.mediaCharacteristics
      if isHEVC, layers.contains(where: { $0.auxiliaryID == 1 }) { found.insert(.containsAlphaChannel) }
      return found
    }
  }

  /// The tags of each layer: its number, and the eye that sees it. Core Media: `CMFormatDescription.tagCollections`
  ///
  /// Like there, only stereo video of several layers has them.
  public var tagCollections: [TagCollection] {
    guard mediaType.isVisual, classificationFacts.stereoKind == .multiview else { return [] }
    return layers.filter(\.isTexture).map { layer in
      var tags: TagCollection = [.videoLayerID(Int64(layer.layerID))]
      if let eye = layer.eye { tags.append(.stereoView(StereoViewComponents(eye))) }
      return tags
    }
  }

  /// The codec as programs name it: `hvc1.2.4.L123.B0`. RFC 6381; of codecs whose parameters are not known the type alone.
  public var codecString: String? {
    guard let codec else { return nil }
    if isRawStream {
      return layers.first { $0.layerID == 0 }?.profileTierLevel?.codecString(sampleEntry: "hvc1")
    }
    guard let description = formatDescriptions.first else { return nil }
    if let record = description.hevcConfiguration {
      return record.profileTier.codecParameters(level: record.generalLevelIdc).prefixed("\(codec).")
    }
    if description.isEnhancementOnly, let layer = layers.first {
      return layer.profileTierLevel?.codecString(sampleEntry: "\(codec)")
    }
    if let avc = description.box.first("avcC")?.body, avc.count >= 4 {
      return "\(codec)." + (avc.slice(1..<4)?.hexadecimalText() ?? "")
    }
    if codec == "mp4a", let parameters = description.audio?.codecParameters {
      return "\(codec).\(parameters)"
    }
    return "\(codec)"
  }
}

extension String {
  fileprivate func prefixed(_ prefix: String) -> String { prefix + self }
}

extension DecoderConfigurationRecord {
  /// Profile, tier and constraints as the parameter sets have them.
  public var profileTier: ProfileTier {
    var tier = ProfileTier()
    tier.profileSpace = generalProfileSpace
    tier.tierFlag = generalTierFlag
    tier.profileIdc = generalProfileIdc
    tier.compatibilityFlags = generalProfileCompatibilityFlags
    tier.constraintFlags = generalConstraintIndicatorFlags
    return tier
  }
}

extension MovieFile {
  /// What kind of video the movie is: that of its first video track, or none.
  public var classification: Classification {
    tracks.first { $0.mediaType == .video }?.classification ?? .none
  }

  /// How long the movie lasts: what its headers say; with movie fragments at least as long as its longest track.
  public var duration: MediaTime? {
    guard let header = tree?.first("moov")?.first(MovieHeaderBox.self) else { return nil }
    let timescale = max(1, header.timescale)
    var value: Int64 = 0
    if !header.isDurationUnknown { value = Int64(clamping: header.duration) }
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
  /// What was found wrong while opening, and in the descriptions, layers and parameter sets of the tracks.
  public var allDiagnostics: DiagnosticList {
    var list = DiagnosticList(limit: limits.maximumDiagnostics)
    list.append(diagnostics)
    for track in tracks where track.mediaType.isVisual {
      for description in track.formatDescriptions { list.append(description.diagnostics) }
      list.append(track.layerAnalysis.diagnostics)
      list.append(track.edits.diagnostics)
    }
    return list
  }
}

extension Track {
  /// How many samples are sync samples; `nil` for a raw stream. Of fragmented movies every sample is looked at.
  public var syncSampleCount: Int? {
    guard !isRawStream else { return nil }
    if !context.hasFragments {
      guard let table = sampleTableBox?.first("stss") else { return sampleCount }
      return table.body.bigEndian(at: 4, width: 4).map { Int($0) }
    }
    do { return try samples().reduce(0) { $0 + ($1.isSync ? 1 : 0) } } catch { return nil }
  }

  /// Pictures in a second, on average; `nil` where that is not known.
  public var nominalFrameRate: Double? {
    if isRawStream {
      guard let rate = layers.first?.sps?.pictureRate else { return nil }
      return Double(rate.numerator) / Double(rate.denominator)
    }
    guard mediaType.isVisual, let (count, units) = timedSamples, count > 0, units > 0 else { return nil }
    return Double(count) * Double(timescale) / Double(units)
  }

  /// Samples, and how long they are one after another. A time table of more than 64 KiB is not loaded for this: of so
  /// many samples the duration in the media header says the same.
  private var timedSamples: (count: Int64, units: Int64)? {
    if !context.hasFragments, let box = sampleTableBox?.first("stts"), box.isLoaded,
      let table = box.payload(TimeToSampleBox.self)
    {
      var count: Int64 = 0, units: Int64 = 0
      for entry in table.entries {
        count &+= Int64(entry.sampleCount)
        units &+= Int64(clamping: UInt64(entry.sampleCount) &* UInt64(entry.sampleDelta))
      }
      return (count, units)
    }
    return duration.map { (Int64(sampleCount), $0.value) }
  }

  /// The size of a picture as the sample description has it; of a raw stream, as the parameter sets do.
  public var displaySize: PictureSize? {
    if let visual = formatDescriptions.first?.visual, visual.width > 0 {
      return PictureSize(width: Int(visual.width), height: Int(visual.height))
    }
    return isRawStream ? layers.first?.croppedSize : nil
  }
}
