// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// What fixes a finding without encoding anything again.
public enum Cure: Sendable, Hashable {
  /// Change tags, to values that are right for this movie.
  case tag([StereoTag.Change])
  /// Give a tag a value that only the maker of the movie knows.
  case askForTag(StereoTag)
  /// Repair: the movie itself has everything that is needed.
  case repair
  /// Repair with the original, another movie of the same camera, or the stream: the movie itself lacks what is needed.
  case restore
  /// Merge several tracks into one.
  case merge
  /// Write new fragments.
  case fragment
  /// Remove everything but the base layer, the only layer that can be shown.
  case strip
}

extension RuleContext {
  /// Returns whether the movie has what a cure works on: every command refuses a movie box that is absent, cut off or compressed.
  func allows(_ cure: Cure) -> Bool {
    guard let moov = movie.tree?.first("moov"), moov.structuralProblem == nil, moov.first("cmov") == nil
    else {
      return false
    }
    switch cure {
    case .tag, .askForTag: return true
    // Fragments are written anew.
    case .repair, .restore: return !videoTracks.isEmpty && !(isFragmented && isEncrypted)
    case .fragment: return movie.tracks.contains { $0.sampleCount > 0 } && !isEncrypted
    case .merge, .strip: return !isEncrypted
    }
  }

  /// Whether a track is, or has information on how it is.
  private var isEncrypted: Bool { movie.tracks.contains(where: \.mayBeEncrypted) }
}

extension CheckReport {
  /// Returns what fixes a finding in this movie, in view of its other findings; `nil` if nothing does.
  public func cure(of finding: Finding) -> Cure? {
    var own = finding.cure
    switch own {
    case .tag, .askForTag: own = cureOfTags(finding)
    default: break
    }
    guard let cure = own, cure == .repair || cure == .restore else { return own }
    let others = findings.filter { $0 != finding }
    // Samples that are hidden by a limit or by damage cannot be rewritten.
    if !finding.rule.traits.contains(.fixedInBoxes), own == finding.cure,
      others.contains(where: { $0.rule.traits.contains(.blocksRewriting) && $0.cure == nil })
    {
      return nil
    }
    // If one finding needs the original, the repair of all of them does.
    return others.contains { $0.cure == .restore } ? .restore : cure
  }

  /// Returns what fixes a finding about tags: what hides tags of the same sample entry is repaired first, or by hand.
  private func cureOfTags(_ finding: Finding) -> Cure? {
    let hidden = findings.filter {
      $0.rule.traits.contains(.hidesTags) && $0.trackID == finding.trackID
        && ($0.entry == nil || finding.entry == nil || $0.entry == finding.entry)
    }
    if hidden.contains(where: { $0.cure == .repair }) { return .repair }
    // A box in the wrong place beside one in the right place hides nothing.
    let isHidden = hidden.contains { $0.rule == .fullBoxHeader || $0.rule == .boxVersion }
    return isHidden ? nil : finding.cure
  }
}
