// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import Multiview

// The code of the article "Serving byte ranges from object storage".

/// What a store has to be able to do.
protocol ObjectStore: Sendable {
  func length(of key: String) throws -> UInt64
  func bytes(of key: String, _ range: Range<UInt64>) throws -> [UInt8]
}

/// An object of a store, as a movie is read from it.
struct StoredObject: ByteSource {
  let store: any ObjectStore
  let key: String
  let size: UInt64?

  func read(_ range: Range<UInt64>) throws(SourceError) -> ByteView {
    let end = min(range.upperBound, size ?? .max)
    guard range.lowerBound < end else { return ByteView([], fileOffset: Int(clamping: range.lowerBound)) }
    do {
      let bytes = try store.bytes(of: key, range.lowerBound..<end)
      return ByteView(bytes, fileOffset: Int(clamping: range.lowerBound))
    } catch {
      throw SourceError(.other("\(error)"), offset: range.lowerBound, advice: "Try again later.")
    }
  }
}

func openObject(_ store: any ObjectStore) throws {
  let object = StoredObject(store: store, key: "trip.mov", size: try store.length(of: "trip.mov"))
  let movie = try MovieFile(source: object)
  print(movie.classification)
}

func openSegments(_ store: any ObjectStore) throws {
  let names = ["init.mp4", "segment-1.m4s", "segment-2.m4s"]
  let parts = try names.map { name in
    StoredObject(store: store, key: name, size: try store.length(of: name))
  }
  let movie = try MovieFile(source: ConcatenatedBytes(parts))
  print(movie.tracks.map(\.sampleCount))
}
