// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Multiview

// The code of the article "Reading a spatial video".

func whatIsInIt() throws {
  let movie = try MovieFile(path: "spatial.mov")
  for track in movie.tracks {
    print(track.id, track.mediaType, track.codecString ?? "?", track.duration?.seconds ?? 0)
  }
}

func isItSpatial(_ movie: MovieFile) {
  for track in movie.tracks(withMediaType: .video) {
    let report = track.classificationReport
    print(report.classification, report.stereoKind)
    for fact in report.facts { print("-", fact, fact.place?.description ?? "") }
    if let strict = report.strict, !strict.isSpatial { print("lacks", strict.lacking.map(\.rawValue)) }
  }
}

func stereoTags(_ track: Track) {
  let stereo = track.stereo
  if let angle = stereo.horizontalFieldOfView { print(angle.degrees, "degrees") }
  if let baseline = stereo.baseline, let place = stereo.place(of: \.baseline) {
    print(baseline.millimeters, "mm, according to", place.path, "at", place.offset)
  }
}

func eyesAndLayers(_ track: Track) {
  for layer in track.layers {
    print(layer.layerID, layer.role, layer.eye.map { "\($0) eye" } ?? "", layer.directReferences)
  }
  for link in track.eyeAssignment.evidence { print(link.isDecisive ? "*" : "-", link.source, link.statement) }
  for contradiction in track.eyeAssignment.contradictions { print(contradiction) }
}

func samples(_ track: Track) throws {
  for sample in try track.samples() {
    for group in try track.taggedNALUnits(of: sample) {
      let units = try group.nalUnits()
      print(sample.index, "layer", group.layerID, group.tags, units.map(\.type))
    }
  }
}

func times(_ track: Track) throws {
  guard var cursor = try track.makeSampleCursorAtFirstSampleInDecodeOrder() else { return }
  repeat {
    let shown = cursor.presentedTimes.map { "\($0)" } ?? "never shown"
    print(cursor.decodeTimeStamp, shown, cursor.currentSampleStorageRange)
  } while cursor.stepInDecodeOrder(byCount: 1) == 1
}

func whatIsWrong(_ movie: MovieFile) {
  for diagnostic in movie.allDiagnostics { print(diagnostic) }
}
