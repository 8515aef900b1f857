// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import Multiview

/// What kind of video a track is, in a sentence for people.
enum ClassSentence {
  static func of(_ track: Track) -> String {
    let report = track.classificationReport
    let layout = track.stereo
    var text = headline(track, report)
    var parts: [String] = []
    if track.isRawStream, report.isUnsignalledMultiview { parts = views(track) }
    switch report.stereoKind {
    case .multiview: parts.append("both eyes")
    case .packed:
      parts.append(layout.packing == .overUnder ? "both eyes, one above the other" : "both eyes side by side")
    case .twoTrack:
      parts.append(
        layout.onlyEye.map { "the \($0) eye, the other in another track" } ?? "the eyes in separate tracks")
    default: break
    }
    let tags = StereoTags(layout)
    for tag in [StereoTag.fieldOfView, .baseline, .disparity] {
      if let label = tag.label, let value = tag.value(tags) { parts.append("\(value.words) \(label)") }
    }
    if !parts.isEmpty { text += ": " + parts.joined(separator: ", ") }
    return text
  }

  /// The reason why the track is not classified as what it seems to be; `nil` if it is.
  static func remark(_ track: Track, in movie: MovieFile) -> String? {
    let report = track.classificationReport
    if report.isUnsignalledMultiview {
      return track.isRawStream
        ? "a raw stream has no tags; a movie made from it needs them, or it plays flat"
        : "a second view is present but not signalled: the movie plays flat"
    }
    if let tracks = tracksWithOtherViews(than: track, in: movie) {
      return
        "another view is in track \(tracks): Apple platforms need both in one track, so the movie plays flat"
    }
    if report.claimsMissingView { return "two eyes are signalled, but a decoder gets only one" }
    let missing = report.strict?.lacking ?? []
    guard track.classification == .stereo, !missing.isEmpty else { return nil }
    return "not spatial: lacks \(missing.map(name(of:)).joined(separator: ", "))"
  }

  /// The tracks with views of the same bitstream that this one does not have; `nil` if there are none.
  private static func tracksWithOtherViews(than track: Track, in movie: MovieFile) -> String? {
    guard track.isHEVC else { return nil }
    let joined = track.joined.joinedTracks
    guard joined.count > 1 else { return nil }
    func views(_ track: Track) -> Set<UInt32> { Set(track.layers.filter(\.isTexture).compactMap(\.viewID)) }
    let own = views(track)
    // The movie's own tracks: what is known of their layers is worked out once for all.
    let others = joined.compactMap { movie.track(id: $0.id) }
      .filter { $0.id != track.id && !views($0).isSubset(of: own) }
    return others.isEmpty ? nil : others.map { "\($0.id)" }.joined(separator: ", ")
  }

  /// A requirement of spatial video, in words, with its box.
  private static func name(of requirement: SpatialVerdict.Requirement) -> String {
    switch requirement {
    case .multiview: "a layer for each eye"
    case .rectilinear: "the flat projection"
    default: requirement.tag?.label.map { "\($0) (\(requirement.rawValue))" } ?? requirement.rawValue
    }
  }

  /// The views of a raw stream: `left eye`, `right eye`; those without an eye only by number.
  private static func views(_ track: Track) -> [String] {
    let views = track.layers.filter { $0.role == "view" }
    let known = views.compactMap { $0.eye.map { "\($0) eye" } }
    return known.count == views.count ? known : ["\(views.count) layers"]
  }

  private static func headline(_ track: Track, _ report: ClassificationReport) -> String {
    // Sequences of images, and pictures that belong to those of another track, do not make the movie what they are.
    guard track.mediaType == .video else {
      return report.stereoKind == .notStereo ? "pictures" : "stereo pictures"
    }
    switch report.classification {
    case .mono where track.isRawStream && report.isUnsignalledMultiview: return "video with several views"
    case .mono: return "flat video"
    case .stereo: return "stereo video"
    case .spatial: return "spatial video"
    case .degrees180: return report.stereoKind == .notStereo ? "180° video" : "180° stereo video"
    case .degrees360: return report.stereoKind == .notStereo ? "360° video" : "360° stereo video"
    case .wide: return "wide-angle video"
    case .immersive: return "immersive video"
    case .noVideo: return "no video"
    default: return "video of an unknown kind"
    }
  }
}
