// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF

/// What rules look at in one video track.
final class TrackFacts: Sendable {
  /// The track, as the samples of ``description`` show it.
  let track: Track
  let movie: MovieFile
  private let maximumSamples: Int
  /// The sample description: that of the first sample, or another that samples have. Stored, because nearly every rule asks
  /// for it, most several times.
  let description: FormatDescription?
  /// The eyes, cameras, projection and packing in the sample entry.
  let stereo: StereoLayout
  private let known = Memo(Known())
  /// Shared by the tracks of the movie.
  let shared: SharedFacts

  private struct Known: Sendable {
    var census: SampleCensus?
    var tables: DiagnosticList?
    var entryOffsets: [FourCC: Int]?
    var signals: StereoSignals?
    var hasLayersElsewhere: Bool?
    var isSphereInBitstream: Bool?
    var sphericalText: SphericalText??
    var framing: FramingFault??
    var describesSecondView: Bool?
  }

  init(_ track: Track, _ movie: MovieFile, _ shared: SharedFacts, maximumSamples: Int) {
    self.track = track
    description = track.mainDescription
    stereo = self.description?.stereo ?? StereoLayout()
    self.movie = movie
    self.shared = shared
    self.maximumSamples = maximumSamples
  }

  // MARK: Boxes

  /// The path of the sample entry; empty for a raw stream.
  var path: String { description?.path ?? track.path }
  /// The path and the number of the sample entry, from 1, if the track has several.
  var entry: (path: String, number: Int)? {
    guard track.formatDescriptions.count > 1 else { return nil }
    return (path, Int(clamping: track.mainDescriptionNumber))
  }
  /// The sample entry.
  var place: BoxPlace? { description.map { BoxPlace(path: $0.path, offset: $0.box.offset) } }

  /// The place of a box in the sample entry; that of the entry if the box is missing.
  func place(of type: FourCC) -> BoxPlace? {
    guard let description, let offset = entryOffsets[type] else { return place }
    return BoxPlace(path: "\(description.path)/\(type)", offset: offset)
  }

  /// The offset of the first box of each type in the sample entry: computed once, because every finding needs it.
  private var entryOffsets: [FourCC: Int] {
    known.value(\.entryOffsets) {
      let boxes = description?.box.children ?? []
      return Dictionary(boxes.map { ($0.type, $0.offset) }, uniquingKeysWith: { first, _ in first })
    }
  }

  /// The place of a box below the track; that of the track if the box is missing.
  func place(below path: BoxPath) -> BoxPlace? {
    guard let trak = track.box else { return nil }
    if let box = trak[path] { return BoxPlace(path: "\(track.path)/\(path)", offset: box.offset) }
    return BoxPlace(path: track.path, offset: trak.offset)
  }

  // MARK: Layers

  var analysis: LayerAnalysis { track.layerAnalysis }
  /// The signals of two views other than `vexu` and layers; found once.
  var stereoSignals: StereoSignals { known.value(\.signals) { StereoSignals(self) } }
  /// The signals of two views in one picture, other than `vexu`.
  var packings: [StereoPacking] { stereoSignals.packings }
  /// What the text of version 1 of Google's metadata says; `nil` without it. Read once.
  var sphericalText: SphericalText? { known.value(\.sphericalText) { track.sphericalText } }
  /// The layers that an eye could see, one for each view: better versions of the same view do not count.
  var views: [VideoLayer] { analysis.views }
  var report: ClassificationReport { track.classificationReport }
  var isHEVC: Bool { track.isHEVC && description?.isHEVC != false }
  /// Whether the sample entry configures enhancement layers.
  var hasLayeredConfiguration: Bool { description?.layeredConfiguration != nil }
  /// Whether the boxes claim a view for each eye in this track.
  var claimsBothEyes: Bool { stereo.hasBothEyeViews }
  /// Whether the boxes claim that the picture holds both views.
  var isFramePacked: Bool { stereo.packing?.isFramePacked == true }

  /// Whether the video parameter set describes more than one layer that an eye could see.
  var describesSecondView: Bool {
    known.value(\.describesSecondView) {
      Set((analysis.structure?.layers ?? []).filter(\.isTexture).map(\.viewOrderIdx)).count > 1
    }
  }

  /// Whether a second view is coded in this track, by its parameter sets or its samples.
  var carriesSecondView: Bool {
    let views = views
    return views.count > 1 && views.contains { $0.layerID > 0 }
  }

  /// Whether a second view is coded in this track and configured by its own record.
  var isMultiview: Bool { isHEVC && hasLayeredConfiguration && carriesSecondView }

  /// Whether other layers of the bitstream are in another track, usually the second view.
  var hasViewElsewhere: Bool { known.value(\.hasLayersElsewhere) { track.hasLayersElsewhere } }

  /// Whether anything indicates that two views are intended.
  var isStereoAttempt: Bool {
    if let eyes = stereo.stereoView, !eyes.isEmpty { return true }
    return isFramePacked || carriesSecondView || describesSecondView || !packings.isEmpty
      || !stereoSignals.others.isEmpty || Self.claimsSpatial(stereo) && stereo.isRectilinear
  }

  private static func claimsSpatial(_ stereo: StereoLayout) -> Bool {
    stereo.baseline != nil || stereo.disparityAdjustment != nil
  }

  /// Whether the picture is flat, and no projection was lost in a box that cannot be read.
  var isKnownFlat: Bool { stereo.isRectilinear && !stereo.unreadableBoxes.contains("prji") }

  /// Whether a picture that is not flat is signalled.
  var isProjectionAttempt: Bool {
    !stereo.isRectilinear || stereo.hasLensCollection || isGoogleSpherical || isSphereInBitstream
  }

  /// Whether a message in the bitstream signals a sphere. ISO/IEC 23008-2, D.2.41 and D.2.42
  var isSphereInBitstream: Bool {
    known.value(\.isSphereInBitstream) {
      analysis.firstMessage(EquirectangularProjection.self)?.cancels == false
        || analysis.firstMessage(CubemapProjection.self)?.cancels == false
    }
  }

  /// Whether Google boxes signal a sphere: `sv3d`, or the text of version 1. `st3d` alone signals only the packing.
  var isGoogleSpherical: Bool {
    stereo.googleSphericalBoxes.contains { $0.path.hasSuffix("sv3d") } || sphericalText?.isSpherical == true
  }

  /// The box by which Google signals a sphere; `nil` without one.
  var googleSphericalPlace: BoxPlace? {
    stereo.googleSphericalBoxes.first { $0.path.hasSuffix("sv3d") } ?? sphericalTextPlace
  }

  /// The box with the text of version 1; `nil` without it.
  var sphericalTextPlace: BoxPlace? {
    track.sphericalUserBox.map { BoxPlace(path: "\(track.path)/uuid", offset: $0.offset) }
  }

  /// Whether the movie is, or nearly is, spatial video: flat, two views as layers, signalled as such.
  var isSpatialCandidate: Bool {
    stereo.isRectilinear && claimsBothEyes && !isFramePacked && isHEVC
      && (carriesSecondView || describesSecondView)
  }

  /// Which of the three values that spatial video needs are present.
  var cameraValues: [String] {
    var found: [String] = []
    if stereo.horizontalFieldOfView != nil { found.append("hfov") }
    if stereo.baseline != nil { found.append("blin") }
    if stereo.disparityAdjustment != nil { found.append("dadj") }
    return found
  }

  // MARK: Samples

  /// What is in the samples; for a long movie, in the first of them.
  var census: SampleCensus {
    known.value(\.census) {
      SampleCensus(track, analysis, maximumSamples: maximumSamples)
    }
  }

  /// The one fault that explains why samples are not made of NAL units; `nil` if they are, or if no single fault does.
  var framingFault: FramingFault? { known.value(\.framing) { FramingFault.find(in: track, of: movie) } }

  /// What is wrong with the sample tables.
  var tableDiagnostics: DiagnosticList {
    known.value(\.tables) {
      guard !track.isRawStream else { return DiagnosticList() }
      do throws(SourceError) {
        return try track.samples().table.diagnostics(fileSize: movie.source.size)
      } catch {
        var list = DiagnosticList()
        list.append(
          .error, "unreadable", path: track.path, offset: error.offset.map { Int(clamping: $0) },
          error.reason)
        return list
      }
    }
  }
}
