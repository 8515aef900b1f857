// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Foundation
import Multiview

// What is in a movie on a server, without downloading it. Usage: http-info URL

guard let url = CommandLine.arguments.dropFirst().first.flatMap({ URL(string: $0) }) else {
  print("usage: http-info URL")
  exit(64)
}

do {
  let source = try HTTPBytes(url)
  let movie = try MovieFile(source: source)
  for track in movie.tracks(withMediaType: .video) {
    let layers = track.layers.map { layer in layer.eye.map { "\($0) eye" } ?? layer.role }
    print("track \(track.id), \(track.codecString ?? "?"), \(track.classification): \(layers)")
  }
  print("\(source.requestCount) ranges of \(source.size ?? 0) bytes")
} catch {
  print(error)
  exit(1)
}
