// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import Multiview

// The code of the article "Coming from AVFoundation".

func loadAndInspect() throws {
  let movie = try MovieFile(path: "movie.mov")
  print(movie.duration?.seconds ?? 0, movie.isReadable)
  for track in movie.tracks(withMediaCharacteristic: .containsStereoMultiviewVideo) {
    print(track.id, track.extensions.horizontalFieldOfView ?? 0)
  }
}

func timestamps(_ track: Track) throws -> [MediaTime] {
  guard var cursor = try track.makeSampleCursorAtFirstSampleInDecodeOrder() else { return [] }
  var presentationTimes: [MediaTime] = []
  repeat {
    // A sample that the edit list leaves out has none.
    if let time = cursor.presentationTimeStamp { presentationTimes.append(time) }
  } while cursor.stepInDecodeOrder(byCount: 1) == 1
  return presentationTimes
}

func whatIsShown(_ track: Track) throws {
  guard let cursor = try track.makeSampleCursor(shownAt: MediaTime(value: 5, timescale: 1)) else {
    print("nothing is shown at 5 s")
    return
  }
  print("sample", cursor.index, cursor.presentationTimeStamp ?? .zero)
}

func videoLayerIDs(_ track: Track) -> [Int64] {
  track.tagCollections.flatMap { $0 }.compactMap { tag in
    tag.value(onlyIfMatching: .videoLayerID)
  }
}

func perEyeBuffers(_ track: Track, _ cursor: SampleCursor) throws {
  for group in try track.taggedNALUnits(at: cursor) {
    if group.tags.contains(.stereoView(.leftEye)) {
      print("left eye, layer", group.layerID, group.byteCount, "bytes")
    } else if group.tags.contains(.stereoView(.rightEye)) {
      print("right eye, layer", group.layerID, group.byteCount, "bytes")
    }
  }
}

func formatDescription(_ track: Track) {
  for entry in track.extensions.entries {
    print(entry.key.rawValue, entry.value)
  }
}

func forADecoder(_ track: Track, _ cursor: SampleCursor) throws {
  let groups = try track.taggedNALUnits(at: cursor)
  // With lengths, as a block buffer of VideoToolbox has them: the layers of one sample after one another.
  let sample = try groups.flatMap { try $0.lengthPrefixed(lengthSize: track.lengthSize) }
  // With start codes and parameter sets, as FFmpeg's decoder and most others take them.
  let stream = try groups.flatMap { try $0.annexB(withParameterSets: cursor.index == 0) }
  print(sample.count, stream.count)
}
