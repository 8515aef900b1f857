// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Foundation
import ISOBMFF
import Multiview

// What the tracks of timed metadata (mebx) say, and when. Usage: timed-metadata movie.mov

guard let path = CommandLine.arguments.dropFirst().first else {
  print("usage: timed-metadata MOVIE")
  exit(64)
}

do {
  let movie = try MovieFile(path: path)
  for track in movie.tracks(withMediaType: .metadata) {
    guard let table = track.timedMetadataKeys else { continue }
    print("track \(track.id)")
    for key in table.keys { print("  key \(key.localID): \(key.identifier)") }
    guard var cursor = try track.makeSampleCursorAtFirstSampleInDecodeOrder() else { continue }
    repeat {
      let sample = try movie.source.read(cursor.currentSampleStorageRange)
      let (values, error) = TimedMetadataKeyTable.values(in: sample)
      for value in values {
        let key = table.key(localID: value.localID)
        let name = key?.name?.rawValue ?? "key \(value.localID)"
        // Well-known types are read here; of types of somebody's own the bytes are shown.
        let content = MetadataValueBox(key?.dataType ?? .binary, value.data).content
        let text = if case .bytes(let bytes) = content { "\(bytes.array)" } else { "\(content)" }
        // The edit list may leave a sample out.
        let time = cursor.presentationTimeStamp.map { "\($0)" } ?? "never"
        print("  \(time) \(name): \(text)")
      }
      if let error { print("  \(error)") }
    } while cursor.stepInDecodeOrder(byCount: 1) == 1
  }
} catch {
  print(error)
  exit(1)
}
