// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

// Rules about what headers and sample entries say to players of all kinds of tracks.

extension Rule {
  package static let headerDurations = Rule(
    "MV124", .warning, "The duration in a header differs from that of the samples",
    source: "ISO/IEC 14496-12, 8.2.2.3, 8.3.2.3 and 8.4.2.3", for: [.spatial, .stereo, .immersive, .iso],
    traits: [.fixedInBoxes],
    why:
      "Players take the length of the timeline from the headers of the movie and of its tracks. If it is 0 they "
      + "show nothing or only the first picture; if it is too long, they stop at a frozen picture.",
    fix: "Write the durations that follow from the sample tables and the edit lists.",
    possibleCures: [.repair]
  ) { (context: RuleContext, findings: inout FindingSink) in
    for item in HeaderDurations(context.movie).items where item.isAbsurd {
      let track = item.track.map { context.movie.tracks[$0] }
      let stated = HeaderDurations.Item.words(item.stated, item.timescale)
      let actual = HeaderDurations.Item.words(item.actual, item.timescale)
      findings.trackID = track?.id
      findings.add(
        "the duration is \(stated), but "
          + "\(item.type == "mdhd" ? "the samples last" : "the presentation lasts") \(actual)",
        path: item.path,
        offset: context.movie.tree.flatMap { tree in BoxPath(item.path).flatMap { tree[$0]?.offset } },
        found: stated, wanted: actual, cure: .repair)
    }
  }

  package static let headerSize = Rule(
    "MV125", .warning, "A track header has a size that distorts or hides the pictures",
    source: "ISO/IEC 14496-12, 8.3.2.3; QuickTime File Format, Track Header Atoms", .observed,
    for: [.spatial, .stereo, .immersive, .iso], traits: [.fixedInBoxes],
    why: "Players that use the track header scale the pictures to its width and height. With 0 they show "
      + "nothing; with other proportions the picture is distorted.",
    fix: "Write the size of the pictures, with the width multiplied by their pixel aspect ratio.",
    possibleCures: [.repair]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let size = PresentedSize(track.track), let header = track.track.header else { return }
    let path = track.track.path + "/tkhd"
    let offset = track.track.box?.first("tkhd")?.offset
    func words(_ width: Double, _ height: Double) -> String {
      "\(Int(width.rounded()))×\(Int(height.rounded()))"
    }
    let found = words(Double(header.width) / 65_536, Double(header.height) / 65_536)
    let wanted = words(size.width, size.height)
    if header.width == 0 || header.height == 0 {
      findings.add(
        "the size is \(found), but the pictures are \(wanted)", path: path, offset: offset, found: found,
        wanted: wanted, cure: .repair)
    } else if let stretch = size.distortion(header), stretch > 1.9, !track.isFramePacked {
      // Pictures that hold two views, and old anamorphic video, are stretched on purpose.
      findings.add(
        "the pictures, of \(wanted), are stretched to \(found)", path: path, offset: offset, found: found,
        wanted: wanted, severity: .note)
    }
  }

  package static let quickTimeSound = Rule(
    "MV126", .warning, "A QuickTime movie has AAC sound in the MP4 form",
    source:
      "QuickTime File Format, Sound Sample Descriptions; reports of AVFoundation's errors −11829 and −12848",
    .observed, for: [.spatial, .stereo, .immersive], traits: [.fixedInBoxes],
    why: "In a movie of the brand 'qt  ', Apple's systems expect the AAC descriptor in the box 'wave' of a "
      + "version 1 sound description. Some of them refuse a movie with the MP4 form, or play it without "
      + "sound.",
    fix: "Write a version 1 sound description with 'wave', or give the movie an MP4 brand.",
    possibleCures: [.repair]
  ) { (context: RuleContext, findings: inout FindingSink) in
    guard context.movie.tree?.isQuickTime == true else { return }
    for track in context.movie.tracks {
      findings.trackID = track.id
      for description in track.formatDescriptions where description.box.isPlainAAC {
        findings.add(
          "'mp4a' has version 0, with 'esds' directly in it", path: description.path,
          offset: description.box.offset, found: "version 0", wanted: "version 1, esds in wave", cure: .repair
        )
      }
    }
  }
}

/// The size at which the pictures of a track are shown without distortion, and without cropping.
package struct PresentedSize {
  /// The width, with pixels made square.
  package let width: Double
  /// The height.
  package let height: Double

  /// The size of the pictures of the main sample entry; `nil` for tracks without pictures.
  package init?(_ track: Track) {
    guard track.mediaType == .video, !track.isRawStream, let description = track.mainDescription,
      let visual = description.visual, visual.width > 0, visual.height > 0
    else { return nil }
    var ratio = 1.0
    if let pixel = description.box.first(PixelAspectRatioBox.self), pixel.hSpacing > 0, pixel.vSpacing > 0 {
      ratio = Double(pixel.hSpacing) / Double(pixel.vSpacing)
    }
    width = Double(visual.width) * ratio
    height = Double(visual.height)
  }

  /// By how much the proportions of a header differ, as a factor of 1 or more; `nil` without a size.
  func distortion(_ header: TrackHeaderBox) -> Double? {
    guard header.width > 0, header.height > 0, width > 0, height > 0 else { return nil }
    let factor = Double(header.width) / Double(header.height) / (width / height)
    return max(factor, 1 / factor)
  }
}

extension Box {
  /// Whether it is a sample entry of MPEG-4 sound in the form of MP4, not in that of QuickTime.
  package var isPlainAAC: Bool {
    guard type == "mp4a", let entry = payload(AudioSampleEntry.self) else { return false }
    return entry.entryVersion == 0 && first("wave") == nil && first("esds") != nil
  }
}
