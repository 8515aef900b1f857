// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Foundation
import Multiview

// Writes the streams of both eyes, each with what it is predicted from, so that a decoder shows that eye.
// Usage: split-eyes movie.mov [folder]

guard let path = CommandLine.arguments.dropFirst().first else {
  print("usage: split-eyes MOVIE [FOLDER]")
  exit(64)
}
let folder = CommandLine.arguments.dropFirst(2).first ?? "."

do {
  let movie = try MovieFile(path: path)
  guard let track = movie.tracks(withMediaCharacteristic: .containsStereoMultiviewVideo).first else {
    print("\(path) has no track with both eyes")
    exit(1)
  }
  for eye in StereoEye.allCases {
    let url = URL(fileURLWithPath: folder).appendingPathComponent("\(eye).hevc")
    try Data().write(to: url)
    let file = try FileHandle(forWritingTo: url)
    let summary = try track.extract(eye: eye) { bytes in
      file.write(Data(bytes))
      return true
    }
    try file.close()
    let layers = summary.layers.map(String.init).joined(separator: ", ")
    print("\(url.lastPathComponent): layers \(layers), \(summary.samples) samples, \(summary.bytes) bytes")
  }
} catch {
  print(error)
  exit(1)
}
