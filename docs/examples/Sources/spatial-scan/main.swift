// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Foundation
import Multiview

// Which movies of a library are spatial? One line of CSV for each movie in the folders that are named.

/// What a line says of a movie: the first video track, if there is one.
func columns(_ path: String) -> [String] {
  do {
    let movie = try MovieFile(path: path)
    guard let track = movie.tracks(withMediaType: .video).first else { return [path, "none"] }
    let report = track.classificationReport
    let stereo = track.stereo
    let eyes = track.layers.compactMap { layer in layer.eye.map { "\(layer.layerID)=\($0)" } }
    return [
      path,
      report.classification.rawValue,
      report.stereoKind.rawValue,
      track.codecString ?? "",
      track.displaySize.map { "\($0.width)x\($0.height)" } ?? "",
      track.duration.map { String(format: "%.3f", $0.seconds) } ?? "",
      eyes.joined(separator: " "),
      stereo.horizontalFieldOfView.map { String($0.degrees) } ?? "",
      stereo.baseline.map { String($0.millimeters) } ?? "",
      stereo.disparityAdjustment.map { String($0.rawValue) } ?? "",
      (report.strict?.lacking ?? []).map(\.rawValue).joined(separator: " "),
    ]
  } catch {
    return [path, "unreadable", "\(error)"]
  }
}

/// A field of CSV: in quotation marks where it has to be.
func quoted(_ field: String) -> String {
  guard field.contains(where: { "\",\n\r".contains($0) }) else { return field }
  return "\"" + field.replacingOccurrences(of: "\"", with: "\"\"") + "\""
}

print("path,class,stereo,codec,size,seconds,eyes,hfov,baseline_mm,dadj,lacking_for_spatial")
for folder in CommandLine.arguments.dropFirst() {
  let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
  let movies = files.filter { [".mov", ".mp4", ".m4v"].contains($0.suffix(4).lowercased()) }
  for name in movies.sorted() {
    print(columns(folder + "/" + name).map(quoted).joined(separator: ","))
  }
}
