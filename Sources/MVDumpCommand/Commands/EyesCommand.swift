// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import CommandLineSupport
import FieldOutput
import Multiview

/// `mvdump eyes`: which layer is which eye, and how that is known.
package enum EyesCommand: Command {
  package static let name = "eyes"
  package static let summary = "which layer is which eye, and the evidence for it"
  package static let discussion = [
    "Evidence comes from the view identifiers of the video parameter set, the SEI message about reference "
      + "displays, and the boxes stri and hero. Contradictions are reported."
  ]
  package static let operands = Operands.files
  package static let options = CommonOptions.input
  package static let examples = [
    Example("mvdump eyes movie.mov", "Which layer each eye sees, and why")
  ]

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    let batch = Batch.ofMovies(invocation)
    return batch.forEach { input throws(InputError) in
      let movie = try input.movie()
      try movie.requireContent()
      let tracks = movie.tracks.filter { track in
        track.mediaType.isVisual && (!track.layers.isEmpty || track.stereo.stereoView?.isEmpty == false)
      }
      let photos = movie.stereoPhotos
      if invocation.isJSON {
        invocation.jsonWriter().write(json(tracks, photos, input))
      } else {
        if batch.hasSeveral {
          invocation.out.append(invocation.style.strong(ValueText.printable(input.name)) + "\n")
        }
        if tracks.isEmpty, photos.isEmpty { invocation.out.append("no video track with layers or eyes\n") }
        for track in tracks { writeText(track, invocation) }
        for photo in photos {
          invocation.out.append(invocation.style.name("stereo pair \(photo.group)") + "\n")
          invocation.out.append("  item \(photo.left): left eye\n  item \(photo.right): right eye\n")
        }
      }
      return .success
    }
  }

  private static func writeText(_ track: Track, _ invocation: Invocation) {
    invocation.out.append(invocation.style.name("video track \(track.id)") + "\n")
    writeEyes(track, invocation)
    for other in TrackVariant.others(of: track) where differs(other.track, from: track) {
      invocation.out.append("  " + invocation.style.name(other.words) + "\n")
      writeEyes(other.track, invocation)
    }
  }

  /// Whether layers are shown by other eyes, or by the same for other reasons.
  private static func differs(_ other: Track, from track: Track) -> Bool {
    other.layers.map(\.layerID) != track.layers.map(\.layerID) || other.eyeAssignment != track.eyeAssignment
      || other.packedEyes != track.packedEyes
  }

  private static func writeEyes(_ track: Track, _ invocation: Invocation) {
    let style = invocation.style, eyes = assignment(of: track)
    if track.layers.isEmpty {
      let shown = track.packedEyes.map { "\($0)" } ?? track.stereo.onlyEye.map { "\($0) eye" }
      invocation.out.append("  pictures: \(shown ?? "eye not known")\n")
    }
    for layer in track.layers {
      invocation.out.append("  layer \(layer.layerID): \(shown(by: layer, of: track))\n")
    }
    if !eyes.evidence.isEmpty { invocation.out.append(style.faint("  evidence") + "\n") }
    for link in eyes.evidence {
      let mark = link.isDecisive ? style.good("→") : " "
      invocation.out.append("  \(mark) \(name(of: link.source)): \(link.statement)\n")
    }
    for contradiction in eyes.contradictions {
      let word = contradiction.severity == .note ? style.faint("note") : style.warning("contradiction")
      invocation.out.append("  \(word): \(contradiction.message)\n")
    }
    if let gap = gap(of: track) {
      invocation.out.append("  \(style.warning("warning")): \(gap.message)\n")
    }
  }

  /// The assignment of eyes; for a track without layers, from the boxes alone.
  private static func assignment(of track: Track) -> EyeAssignment {
    guard track.layers.isEmpty else { return track.eyeAssignment }
    var facts = EyeAssignment.Facts()
    facts.stereoView = track.stereo.viewInformation
    facts.heroEye = track.stereo.heroEye?.rawValue
    return EyeAssignment(facts)
  }

  /// The reason why messages in the first sample may have been missed.
  private static func gap(of track: Track) -> Diagnostic? {
    guard let gap = track.layerAnalysis.firstSampleGap else { return nil }
    return Diagnostic(
      .warning, gap.code.diagnosticCode, path: track.path, offset: gap.offset,
      "the first sample was only partly read, so a message about eyes may have been missed: \(gap.reason)")
  }

  private static func shown(by layer: VideoLayer, of track: Track) -> String {
    guard layer.isTexture else { return layer.role }
    if let packed = track.packedEyes { return "\(packed)" }
    return layer.eye.map { "\($0) eye" } ?? "eye not known"
  }

  private static func name(of source: EyeAssignment.Source) -> String {
    switch source {
    case .viewIDs: "view identifiers (VPS)"
    case .referenceDisplays: "reference displays (SEI 176)"
    case .viewPosition: "view position (SEI 180)"
    case .stereoViewInformation: "stereo view information (stri)"
    case .heroEye: "hero eye (hero)"
    case .convention: "convention"
    }
  }

  private static func json(_ tracks: [Track], _ photos: [StereoPhoto], _ input: Input) -> JSONObject {
    let all: JSONObject = [
      "schema": "mvdump.eyes/1", "file": input.name,
      "tracks": JSONList(tracks) { track in
        let all = JSONObject([("id", track.id)]) + eyesJSON(track)
        let others = TrackVariant.others(of: track)
        guard !others.isEmpty else { return all }
        return all + [
          "otherDescriptions": JSONList(others) { $0.samplesJSON + eyesJSON($0.track) }
        ]
      },
    ]
    guard !photos.isEmpty else { return all }
    return all + [
      "photos": JSONList(rows: photos) { ["group": $0.group, "left": $0.left, "right": $0.right] }
    ]
  }

  private static func eyesJSON(_ track: Track) -> JSONObject {
    let eyes = assignment(of: track)
    var contradictions = DiagnosticList()
    for item in eyes.contradictions { contradictions.append(item) }
    if let gap = gap(of: track) { contradictions.append(gap) }
    let only: JSONObject = track.layers.isEmpty ? ["eye": track.stereo.onlyEye?.rawValue] : [:]
    return only + [
      "layers": JSONList(rows: track.layers) {
        ["layerID": $0.layerID, "viewID": $0.viewID, "eye": $0.eye?.rawValue]
      },
      "packedEyes": track.packedEyes.map { packed in
        JSONObject.inline([
          "packing": packed.packing.rawValue.description, "first": packed.first.rawValue,
          "second": packed.second.rawValue,
        ])
      },
      "decidedBy": eyes.decidedBy?.rawValue,
      "evidence": JSONList(rows: eyes.evidence) {
        ["source": $0.source.rawValue, "statement": $0.statement, "decisive": $0.isDecisive]
      },
    ] + contradictions.json
  }
}
