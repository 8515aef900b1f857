// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Foundation
import Multiview

// Everything that a movie says of its eyes, as JSON, each value with the box it is in.
// Usage: stereo-report movie.mov

/// A value, and where it was read.
struct Located<Value: Encodable>: Encodable {
  var value: Value
  var box: String?
  var offset: Int?

  init?(_ value: Value?, _ place: BoxPlace?) {
    guard let value else { return nil }
    self.value = value
    box = place?.path
    offset = place?.offset
  }
}

struct Report: Encodable {
  struct Layer: Encodable {
    var layerID: UInt8
    var viewID: UInt32?
    var eye: String?
    var role: String
    var predictedFrom: [UInt8]
  }

  var classification: String
  var stereoKind: String
  var facts: [String]
  var layers: [Layer]
  var evidenceForEyes: [String]
  var heroEye: Located<String>?
  var baselineMicrometers: Located<UInt32>?
  var horizontalFieldOfViewMillidegrees: Located<UInt32>?
  var disparityAdjustment: Located<Int32>?
  var projection: Located<String>?
  var playlistVideoLayout: String?

  init(_ track: Track) {
    let classified = track.classificationReport
    classification = classified.classification.rawValue
    stereoKind = classified.stereoKind.rawValue
    facts = classified.facts.map(\.description)
    playlistVideoLayout = classified.requiredVideoLayout
    layers = track.layers.map { layer in
      Layer(
        layerID: layer.layerID, viewID: layer.viewID, eye: layer.eye?.rawValue, role: layer.role,
        predictedFrom: layer.directReferences)
    }
    evidenceForEyes = track.eyeAssignment.evidence.map { "\($0.source.rawValue): \($0.statement)" }
    let stereo = track.stereo
    heroEye = Located(stereo.heroEye?.description, stereo.place(of: \.heroEye))
    baselineMicrometers = Located(stereo.baseline?.rawValue, stereo.place(of: \.baseline))
    horizontalFieldOfViewMillidegrees = Located(
      stereo.horizontalFieldOfView?.rawValue, stereo.place(of: \.horizontalFieldOfView))
    disparityAdjustment = Located(
      stereo.disparityAdjustment?.rawValue, stereo.place(of: \.disparityAdjustment))
    projection = Located(stereo.projection?.description, stereo.place(of: \.projection))
  }
}

guard let path = CommandLine.arguments.dropFirst().first else {
  print("usage: stereo-report MOVIE")
  exit(64)
}

do {
  let movie = try MovieFile(path: path)
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  let reports = movie.tracks(withMediaType: .video).map(Report.init)
  print(String(decoding: try encoder.encode(reports), as: UTF8.self))
} catch {
  print(error)
  exit(1)
}
