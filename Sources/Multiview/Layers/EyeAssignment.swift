// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import HEVC

/// Which layer shows which eye, how that is known, and what in the file says otherwise.
public struct EyeAssignment: Sendable, Hashable {
  /// The source of a statement about eyes.
  public enum Source: String, Sendable, Hashable, CaseIterable {
    /// The view identifiers of the VPS extension. ISO/IEC 23008-2, F.7.4.3.1.1
    case viewIDs
    /// The SEI message that names the views of the left and the right eye. ISO/IEC 23008-2, G.14.2.3
    case referenceDisplays
    /// The stereo view information box.
    case stereoViewInformation
    /// The hero eye box.
    case heroEye
    /// The SEI message on the positions of views. ISO/IEC 23008-2, G.14.2.7
    case viewPosition
    /// The usual order of eyes, if nothing else specifies it.
    case convention
  }

  /// One link of the chain.
  public struct Evidence: Sendable, Hashable {
    /// The source of the statement.
    public var source: Source
    /// The statement in words.
    public var statement: String
    /// Whether the assignment rests on it.
    public var isDecisive: Bool
  }

  /// The eye of each layer that shows one.
  public var eyes: [UInt8: StereoEye] = [:]
  /// The chain of evidence, most basic first.
  public var evidence: [Evidence] = []
  /// Statements that cannot both be true.
  public var contradictions: [Diagnostic] = []

  /// The layer that shows an eye.
  public func layer(of eye: StereoEye) -> UInt8? { eyes.first { $0.value == eye }?.key }

  /// The source that decided; `nil` if nothing did.
  public var decidedBy: Source? { evidence.last { $0.isDecisive }?.source }

  /// The facts about the views of a stream, from the bitstream and from boxes.
  public struct Facts: Sendable, Hashable {
    /// The layers that show texture: no alpha, no depth.
    public var views: [VideoLayer] = []
    /// The view identifiers of layers that the video parameter set describes, but another track carries.
    public var viewIDsElsewhere: Set<UInt32> = []
    /// Whether a message may be there that was not seen: a part of the first sample was not examined, or a message
    /// cannot be read.
    public var hasUnreadMessage = false
    /// The view identifiers for the left and the right eye of each reference display; empty without the message.
    public var displays: [ThreeDimensionalReferenceDisplaysInfo.Display] = []
    /// The displays of the message in the configuration record, if the first sample has another message;
    /// otherwise empty.
    public var replacedDisplays: [ThreeDimensionalReferenceDisplaysInfo.Display] = []
    /// The positions of the views from left to right, by view order index; empty without the message.
    public var viewPositions: [UInt32] = []
    /// The contents of the stereo view information box; `nil` if there is none.
    public var stereoView: StereoViewInformationBox?
    /// 1 left, 2 right; `nil` without the box.
    public var heroEye: UInt8?

    /// No facts.
    public init() {}

    /// The views in the order of the bitstream.
    fileprivate var viewsInOrder: [VideoLayer] {
      views.sorted { $0.viewOrderIndex ?? Int($0.layerID) < $1.viewOrderIndex ?? Int($1.layerID) }
    }
  }

  /// No eyes.
  public init() {}

  /// Draws the conclusion from the facts.
  ///
  /// The reference displays message decides, through the view identifiers of the VPS. Without it, a track whose boxes
  /// promise both eyes is taken to have the left one first, unless they say reversed. Without either, views stay views.
  public init(_ facts: Facts) {
    noteViews(facts)
    if facts.displays.isEmpty {
      decideByBoxes(facts)
    } else {
      decideByDisplays(facts)
    }
    checkPositions(facts)
    checkHero(facts)
  }

  private mutating func add(_ source: Source, _ statement: String, decisive: Bool = false) {
    evidence.append(Evidence(source: source, statement: statement, isDecisive: decisive))
  }

  private mutating func contradict(_ code: Diagnostic.Code, _ message: String) {
    contradictions.append(Diagnostic(.warning, code, message))
  }

  private mutating func noteViews(_ facts: Facts) {
    guard facts.views.count > 1 else { return }
    let list = facts.views.map { view in
      "layer \(view.layerID) is \(view.viewID.map { "view \($0)" } ?? "a view without an identifier")"
    }
    add(.viewIDs, list.joined(separator: ", "))
    let known = facts.views.compactMap(\.viewID)
    if Set(known).count < known.count {
      contradict(
        "view-ids-repeat", "two layers have the same view identifier: \(list.joined(separator: ", "))")
    }
  }

  private mutating func decideByDisplays(_ facts: Facts) {
    guard let first = facts.displays.first else { return }
    let left = facts.views.first { $0.viewID == first.leftViewID }
    let right = facts.views.first { $0.viewID == first.rightViewID }
    if let left { eyes[left.layerID] = .left }
    if let right, right.layerID != left?.layerID { eyes[right.layerID] = .right }
    add(
      .referenceDisplays,
      "the left eye sees view \(first.leftViewID), the right eye view \(first.rightViewID)",
      decisive: !eyes.isEmpty)
    noteReplaced(facts, by: first)
    if first.leftViewID == first.rightViewID {
      contradict("eyes-share-view", "the reference displays message gives both eyes view \(first.leftViewID)")
    }
    // Of a view whose identifier is not known it cannot be said that it is another one.
    let isKnown = facts.views.allSatisfy { $0.viewID != nil }
    for (name, id, view) in [("left", first.leftViewID, left), ("right", first.rightViewID, right)]
    where isKnown && view == nil && !facts.viewIDsElsewhere.contains(id) {
      contradict(
        "eye-view-missing",
        "the reference displays message gives the \(name) eye view \(id), which no layer has")
    }
    if let other = facts.displays.dropFirst().first(where: {
      $0.leftViewID == first.rightViewID && $0.rightViewID == first.leftViewID
    }) {
      contradict(
        "eyes-differ-by-display",
        "another reference display has the eyes the other way round: left \(other.leftViewID), right \(other.rightViewID)"
      )
    }
    guard let stereo = facts.stereoView else { return }
    noteStereoView(stereo)
    if stereo.hasLeftEyeView != stereo.hasRightEyeView, eyes.count == 2 {
      contradict(
        "stri-one-eye",
        "the stereo view information signals only the \(stereo.hasLeftEyeView ? "left" : "right") eye, but the "
          + "bitstream has both"
      )
    }
    // The flag speaks of the order against the usual one, left first. Unset says nothing: cameras that code the right
    // eye first leave it unset.
    if stereo.eyeViewsReversed, let base = facts.views.first, eyes[base.layerID] == .left {
      contradict(
        "eye-order",
        "the stereo view information signals reversed order, but the reference displays message assigns "
          + "layer \(base.layerID) to the left eye")
    }
  }

  /// A message in the first sample comes after that of the configuration record, and takes its place.
  private mutating func noteReplaced(_ facts: Facts, by first: ThreeDimensionalReferenceDisplaysInfo.Display)
  {
    guard let replaced = facts.replacedDisplays.first,
      replaced.leftViewID != first.leftViewID || replaced.rightViewID != first.rightViewID
    else { return }
    contradictions.append(
      Diagnostic(
        .note, "eyes-differ-by-message",
        "the reference displays message of the configuration record gives the left eye view "
          + "\(replaced.leftViewID) and the right eye view \(replaced.rightViewID); that of the first "
          + "sample, which applies from there on, assigns them differently"))
  }

  private mutating func noteStereoView(_ stereo: StereoViewInformationBox, decisive: Bool = false) {
    var parts: [String] = []
    if stereo.hasLeftEyeView { parts.append("left") }
    if stereo.hasRightEyeView { parts.append("right") }
    let promised = parts.isEmpty ? "neither eye" : parts.joined(separator: " and ") + " eye"
    add(
      .stereoViewInformation,
      promised + (stereo.eyeViewsReversed ? ", in reversed order" : ", in the usual order"),
      decisive: decisive)
  }

  private mutating func decideByBoxes(_ facts: Facts) {
    guard let stereo = facts.stereoView else { return }
    if stereo.hasLeftEyeView, stereo.hasRightEyeView, facts.views.count >= 2 {
      let ordered = facts.viewsInOrder
      noteStereoView(stereo, decisive: stereo.eyeViewsReversed)
      eyes[ordered[0].layerID] = stereo.eyeViewsReversed ? .right : .left
      eyes[ordered[1].layerID] = stereo.eyeViewsReversed ? .left : .right
      if !stereo.eyeViewsReversed {
        add(
          .convention,
          facts.hasUnreadMessage
            ? "no readable message assigns views to eyes; the first view is treated as the left eye, which "
              + "may be wrong"
            : "no message assigns views to eyes, so the first view is treated as the left eye",
          decisive: true)
      }
    } else {
      noteStereoView(stereo, decisive: stereo.hasLeftEyeView != stereo.hasRightEyeView)
      if stereo.hasLeftEyeView != stereo.hasRightEyeView, let only = facts.views.first {
        eyes[only.layerID] = stereo.hasLeftEyeView ? .left : .right
      }
    }
  }

  private mutating func checkPositions(_ facts: Facts) {
    guard facts.viewPositions.count == facts.views.count, facts.views.count == 2 else { return }
    let ordered = facts.viewsInOrder
    let leftmost = facts.viewPositions[0] < facts.viewPositions[1] ? ordered[0] : ordered[1]
    add(.viewPosition, "layer \(leftmost.layerID) is the leftmost view")
    if eyes[leftmost.layerID] == .right {
      // One widely used encoder writes constants here, so this is the weakest of all statements.
      contradictions.append(
        Diagnostic(
          .note, "view-position",
          "the view position message puts layer \(leftmost.layerID) leftmost, but stronger evidence assigns "
            + "it to the right eye"))
    }
  }

  private mutating func checkHero(_ facts: Facts) {
    guard let hero = facts.heroEye else { return }
    switch hero {
    case 1: add(.heroEye, "the left eye is the one to show in 2D")
    case 2: add(.heroEye, "the right eye is the one to show in 2D")
    case 0: add(.heroEye, "no eye is preferred in 2D")
    default:
      add(.heroEye, "\(hero) is a reserved value")
      contradict("hero-reserved", "the hero eye is \(hero), a reserved value")
    }
    // A track of one view may name the eye that another track has.
    guard let stereo = facts.stereoView,
      stereo.hasLeftEyeView == stereo.hasRightEyeView || facts.views.count > 1
    else {
      return
    }
    if hero == 1 && !stereo.hasLeftEyeView || hero == 2 && !stereo.hasRightEyeView {
      contradict("hero-absent", "the hero eye is one that the stereo view information does not signal")
    }
  }
}
