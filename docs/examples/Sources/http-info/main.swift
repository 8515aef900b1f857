// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Foundation
import Multiview

// What is in a movie on a server, without downloading it. Usage: http-info URL

guard let url = CommandLine.arguments.dropFirst().first.flatMap({ URL(string: $0) }) else {
  print("usage: http-info URL")
  exit(64)
}

do {
  let movie = try await AsyncMovie(HTTPBytes(url))
  let lines = try await movie.read { movie in
    movie.tracks(withMediaType: .video).map { track in
      let layers = track.layers.map { layer in layer.eye.map { "\($0) eye" } ?? layer.role }
      return "track \(track.id), \(track.codecString ?? "?"), \(track.classification): \(layers)"
    }
  }
  for line in lines { print(line) }
  print("requests: \(movie.statistics.requests), for \(movie.statistics.bytes) bytes")
} catch {
  print(error)
  exit(1)
}
