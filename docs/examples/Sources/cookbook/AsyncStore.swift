// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import Foundation
import Multiview

// The code of the article "Serving byte ranges from object storage" for stores that are waited for.

/// A store whose answers are waited for.
actor Bucket {
  private let objects: [String: [UInt8]]

  init(_ objects: [String: [UInt8]]) { self.objects = objects }

  func bytes(of key: String, _ range: Range<UInt64>) -> [UInt8] {
    let object = objects[key] ?? []
    return Array(object[min(Int(range.lowerBound), object.count)..<min(Int(range.upperBound), object.count)])
  }
}

/// An object of the store, as a movie is read from it.
struct BucketObject: AsyncByteSource {
  let bucket: Bucket
  let key: String
  let size: UInt64?
  var name: String? { key }

  func read(_ range: Range<UInt64>) async throws(SourceError) -> ByteView {
    let bytes = await bucket.bytes(of: key, range)
    return ByteView(bytes, fileOffset: Int(clamping: range.lowerBound))
  }
}

func printObject(_ bucket: Bucket, _ key: String, _ size: UInt64) async throws {
  let movie = try await AsyncMovie(BucketObject(bucket: bucket, key: key, size: size))
  let (kind, codec) = try await movie.read { ($0.classification, $0.mainVideoTrack?.codecString) }
  print(kind, codec ?? "?")
  let report = try await movie.read { $0.check() }
  print(report.verdicts.filter { $0.outcome == .pass }.map(\.target))
  print("requests: \(movie.statistics.requests), for \(movie.statistics.bytes) of \(size) bytes")
}
