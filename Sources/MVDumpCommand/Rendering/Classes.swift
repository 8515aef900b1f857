// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Multiview

/// What kind of video a track is, in a sentence for people.
enum ClassSentence {
  static func of(_ track: Track) -> String {
    let report = track.classificationReport
    let layout = track.formatDescriptions.first?.stereo ?? StereoLayout()
    var text = headline(report)
    var parts: [String] = []
    switch report.stereoKind {
    case .multiview: parts.append("both eyes")
    case .packed:
      parts.append(layout.packing == .overUnder ? "both eyes, one above the other" : "both eyes side by side")
    case .twoTrack: parts.append("the eyes in two tracks")
    default: break
    }
    if let view = layout.horizontalFieldOfView {
      parts.append(Quantity.decimal(view.degrees, 3) + "° field of view")
    }
    if let baseline = layout.baseline {
      parts.append(Quantity.decimal(baseline.millimeters, 2) + " mm baseline")
    }
    if let disparity = layout.disparityAdjustment {
      parts.append(Quantity.percent(disparity.fraction) + " disparity")
    }
    if !parts.isEmpty { text += ": " + parts.joined(separator: ", ") }
    if report.isUnsignalledMultiview {
      text += " (a second view is there, but nothing signals it: it plays flat)"
    }
    if report.claimsMissingView { text += " (two eyes are promised, but a decoder gets only one)" }
    return text
  }

  private static func headline(_ report: ClassificationReport) -> String {
    switch report.classification {
    case .mono: return "flat video"
    case .stereo: return "stereo video"
    case .spatial: return "spatial video"
    case .degrees180: return report.stereoKind == .none ? "180° video" : "180° stereo video"
    case .degrees360: return report.stereoKind == .none ? "360° video" : "360° stereo video"
    case .wide: return "wide-angle video"
    case .immersive: return "immersive video"
    case .none: return "no video"
    default: return "video of an unknown kind"
    }
  }
}
