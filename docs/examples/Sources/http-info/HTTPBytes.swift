// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A file on a server that answers byte ranges: object storage, a content network, any web server.
///
/// Each read is one request. Which pieces are asked for, and which are kept, is for `AsyncMovie` to know.
final class HTTPBytes: AsyncByteSource {
  let url: URL
  private let session = URLSession(configuration: .ephemeral)
  /// How long the file is: servers say it with each range.
  private let length = Mutex<UInt64?>(nil)

  init(_ url: URL) { self.url = url }

  var size: UInt64? { length.withLock { $0 } }

  var name: String? { url.absoluteString }

  func read(_ range: Range<UInt64>) async throws(SourceError) -> ByteView {
    var request = URLRequest(url: url)
    request.setValue("bytes=\(range.lowerBound)-\(range.upperBound - 1)", forHTTPHeaderField: "Range")
    let (data, response) = try await answer(to: request)
    switch response.statusCode {
    case 206:
      // Content-Range: bytes 0-65535/146734
      let total = response.value(forHTTPHeaderField: "Content-Range")?.split(separator: "/").last
      if let total = total.flatMap({ UInt64($0) }) { length.withLock { $0 = total } }
      return ByteView([UInt8](data), fileOffset: Int(clamping: range.lowerBound))
    case 416:
      // The range begins where the file ends.
      return ByteView([], fileOffset: Int(clamping: range.lowerBound))
    default:
      // 200 means that the server knows no ranges and sends everything.
      throw SourceError(
        .other("the server answers \(response.statusCode)"), offset: range.lowerBound, path: name,
        advice: response.statusCode == 200 ? "It does not serve byte ranges: download the file first." : "")
    }
  }

  private func answer(to request: URLRequest) async throws(SourceError) -> (Data, HTTPURLResponse) {
    do {
      let (data, response) = try await session.data(for: request)
      if let response = response as? HTTPURLResponse { return (data, response) }
    } catch {
      throw SourceError(.other(error.localizedDescription), path: name)
    }
    throw SourceError(.other("the answer is not one of HTTP"), path: name)
  }
}
