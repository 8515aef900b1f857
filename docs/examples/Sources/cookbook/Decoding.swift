// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Multiview

// The code of the article "Feeding a decoder".

/// What a decoder is configured with: VPS, SPS and PPS of all layers that an eye could see.
func parameterSets(of track: Track) -> [NALUnit] {
  let layers = Set(track.layers.filter(\.isTexture).map(\.layerID))
  return track.layerAnalysis.parameterSets(forLayers: layers)
}

/// Hands access units to `decode`, from the one at which decoding has to begin for the picture at `time` to come out, and
/// parameter sets to `configure` before the first one that needs them.
func feed(
  _ track: Track, from time: MediaTime, configure: ([NALUnit]) -> Void, decode: (MediaTime?, [UInt8]) -> Void
) throws {
  guard var cursor = try track.makeSampleCursor(atSyncSampleBefore: time) else { return }
  var sets: [NALUnit] = []
  repeat {
    // Each part of a movie that was joined has its own.
    let described = track.described(for: cursor.sample)
    let needed = parameterSets(of: described)
    if needed != sets { configure(needed) }
    sets = needed
    // The base layer first, then the other eye: the order in which a decoder takes them.
    let layers = Set(described.layers.filter(\.isTexture).map(\.layerID))
    var sample: [UInt8] = []
    for group in try track.taggedNALUnits(at: cursor) where layers.contains(group.layerID) {
      sample += try group.lengthPrefixed()
    }
    decode(cursor.presentationTimeStamp, sample)
  } while cursor.stepInDecodeOrder(byCount: 1) == 1
}

func printSamples(_ path: String) throws {
  let movie = try MovieFile(path: path)
  guard let track = movie.tracks(withMediaCharacteristic: .containsStereoMultiviewVideo).first else { return }
  try feed(track, from: MediaTime(seconds: 0.05)) { sets in
    print(sets.map(\.type))
  } decode: { time, bytes in
    print(time?.description ?? "not shown", bytes.count)
  }
}

/// The same without a cursor: each sample that a decoder can begin with.
func printStarts(_ path: String) throws {
  guard let track = try MovieFile(path: path).mainVideoTrack else { return }
  for sample in try track.samples() where sample.isSync {
    for group in try track.taggedNALUnits(of: sample) {
      print(sample.index, group.layerID, group.eye.map { "\($0)" } ?? "-", group.places.map(\.header.type))
    }
  }
}
