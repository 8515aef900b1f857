// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// The rules by which a movie is classified. docs/apple-names.md says where each comes from.
struct Classifier {
  let facts: ClassificationFacts
  private var layout: StereoLayout { facts.layout }
  private let kind: StereoKind
  private let strict: SpatialVerdict
  private let loose: SpatialVerdict
  private var notes: [ClassificationReport.Fact] = []

  init(_ facts: ClassificationFacts) {
    self.facts = facts
    kind = facts.stereoKind
    notes.reserveCapacity(12)
    strict = SpatialVerdict(
      lacking: (kind == .multiview ? [] : [.multiview]) + SpatialVerdict.lacking(StereoTags(facts.layout)))
    loose = SpatialVerdict(lacking: strict.lacking.filter { $0 != .disparityAdjustment })
  }

  private mutating func note(_ text: String, _ place: BoxPlace? = nil) {
    notes.append(.init(text, at: place))
  }

  mutating func report() -> ClassificationReport {
    let classification = classify()
    let isJudged = classification != .noVideo && classification != .unknown
    let claimsMissingView = isJudged && layout.hasBothEyeViews && kind == .notStereo
    return ClassificationReport(
      classification: classification, stereoKind: isJudged ? kind : .notStereo,
      strict: classification == .unknown ? nil : strict, loose: classification == .unknown ? nil : loose,
      isUnsignalledMultiview: isJudged && layout.stereoView?.isEmpty ?? true && facts.hasSecondView,
      claimsMissingView: claimsMissingView, facts: notes)
  }

  private mutating func classify() -> Classification {
    guard facts.hasVideo else {
      note("the movie has no video track")
      return .noVideo
    }
    if let reason = facts.unreadable {
      note("the video cannot be judged: \(reason)")
      return .unknown
    }
    // What these say decides the class: without them it would be a guess.
    for type in layout.unreadableBoxes where type == "stri" || type == "prji" {
      note("'\(type)' is required, but cannot be read")
      return .unknown
    }
    noteCodec()
    noteEyes()
    noteProjection()
    noteCameras()
    if let projected = projectedClass { return projected }
    guard kind != .notStereo else { return .mono }
    return strict.isSpatial ? .spatial : .stereo
  }

  /// The class by a projection other than the flat one. A projection that cannot be shown for want of its
  /// description leaves the class to the number of views.
  private var projectedClass: Classification? {
    switch layout.projection {
    case .halfEquirectangular: return .degrees180
    case .equirectangular: return .degrees360
    case .parametricImmersive: return layout.hasLensCollection ? .wide : nil
    case .fisheye: return facts.hasImmersiveVenue ? .immersive : nil
    default: return nil
    }
  }

  // MARK: Words

  private mutating func noteCodec() {
    if let codec = facts.codec {
      note("the codec '\(codec)' is \(facts.codecIsHEVC ? "" : "not ")HEVC")
    }
    note(facts.hasLayeredConfiguration ? "lhvC is present" : "lhvC is missing")
    if let found = facts.hasSecondViewInParameterSets {
      note("the parameter sets describe \(found ? "a second view" : "one view")")
    }
    if let found = facts.hasSecondViewInSamples {
      note("the \(found ? "samples hold a second view" : "first samples hold one view")")
    }
  }

  private mutating func noteEyes() {
    guard layout.hasVideoExtendedUsage else {
      note("vexu is missing")
      if facts.hasSecondView { note("two views are coded, but no eyes are signalled: shown flat") }
      return
    }
    for type in layout.unknownRequiredBoxTypes {
      note(
        "'\(type)' is required, but this library does not know it: vexu may mean something else",
        layout.places["must"])
    }
    guard let eyes = layout.stereoView else {
      note("vexu has no eyes")
      return
    }
    note("stri signals \(eyes == [] ? "no eye" : "\(eyes)")", layout.places["stri"])
    if layout.eyeViewsReversed == true {
      note("stri reverses the order of the views", layout.places["stri"])
    }
    if layout.hasAdditionalViews == true {
      note("stri signals more views", layout.places["stri"])
    }
    if let packing = layout.packing { note("pkin is \(packing)", layout.places["pkin"]) }
    switch kind {
    case .multiview: note("two views as layers of one track")
    case .packed: note("two views in one picture")
    case .twoTrack: note("two views in two tracks")
    default:
      if eyes == [.leftEye, .rightEye] {
        note("two eyes are signalled, but the track has neither a second layer nor packing: shown flat")
      } else if !eyes.isEmpty {
        note("no other track has the other eye")
      }
    }
  }

  private mutating func noteProjection() {
    if let projection = layout.projection {
      note("prji is \(projection)", layout.places["prji"])
    } else {
      note("proj is missing, so the projection is rectilinear")
    }
    if layout.hasLensCollection {
      note("lnsc describes \(layout.lenses.count) lenses", layout.places["lnsc"])
    } else if layout.projection == .parametricImmersive {
      note("lnsc, which describes that projection, is missing")
    }
    if layout.projection == .fisheye || facts.hasImmersiveVenue {
      note(facts.hasImmersiveVenue ? "aime-data is present" : "aime-data is missing")
      note(
        facts.hasImmersivePresentation
          ? "immersive presentation metadata is present" : "immersive presentation metadata is missing")
    }
    if facts.hasGoogleSpherical {
      note(
        "Google's spherical boxes are present; Apple platforms ignore them unless asked to convert them",
        layout.googleSphericalBoxes.first)
    }
  }

  private mutating func noteCameras() {
    if let value = layout.horizontalFieldOfView {
      note("hfov is \(value.degrees)°", layout.places["hfov"])
    } else {
      note("hfov is missing")
    }
    if let value = layout.baseline {
      note("blin is \(value.millimeters) mm", layout.places["blin"])
    } else {
      note("blin is missing")
    }
    if let value = layout.disparityAdjustment {
      note("dadj is \(value)", layout.places["dadj"])
    } else {
      note("dadj is missing")
    }
    if layout.horizontalFieldOfView?.rawValue == 0 { noteZero("hfov") }
    if layout.baseline?.rawValue == 0 { noteZero("blin") }
    if strict.lacking == [.multiview], kind != .notStereo {
      note("spatial video is MV-HEVC; these two views are carried in another way")
    }
  }

  private mutating func noteZero(_ box: FourCC) {
    note("\(box) is 0: present, but not a value that a camera has", layout.places[box])
  }
}

extension ClassificationReport {
  fileprivate init(
    classification: Classification, stereoKind: StereoKind, strict: SpatialVerdict?, loose: SpatialVerdict?,
    isUnsignalledMultiview: Bool, claimsMissingView: Bool, facts: [Fact]
  ) {
    self.classification = classification
    self.stereoKind = stereoKind
    self.strict = strict
    self.loose = loose
    self.isUnsignalledMultiview = isUnsignalledMultiview
    self.claimsMissingView = claimsMissingView
    self.facts = facts
  }
}
