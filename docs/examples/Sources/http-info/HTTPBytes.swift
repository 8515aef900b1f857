// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A file on a server that answers byte ranges: object storage, a content network, any web server.
///
/// Whole blocks are asked for and a few of them kept, because a movie is opened by many small reads that stand close
/// together.
final class HTTPBytes: ByteSource {
  let url: URL
  let size: UInt64?
  private let session = URLSession(configuration: .ephemeral)
  private let blocks = Mutex(Blocks())

  /// The blocks that were asked for last.
  private struct Blocks {
    var bytes: [UInt64: [UInt8]] = [:]
    var order: [UInt64] = []
    var requests = 0

    mutating func keep(_ block: [UInt8], at index: UInt64) {
      requests += 1
      bytes[index] = block
      order.append(index)
      if order.count > 32 { bytes[order.removeFirst()] = nil }
    }
  }

  private static let blockSize: UInt64 = 128 << 10

  /// Asks how long the file is, and whether ranges of it can be had.
  init(_ url: URL) throws(SourceError) {
    self.url = url
    var request = URLRequest(url: url)
    request.httpMethod = "HEAD"
    let (_, response) = try Self.answer(to: request, by: session)
    guard response.statusCode == 200 else { throw Self.refused(response, at: 0) }
    size = response.value(forHTTPHeaderField: "Content-Length").flatMap { UInt64($0) }
  }

  /// How many requests were answered with bytes.
  var requestCount: Int { blocks.withLock { $0.requests } }

  func read(_ range: Range<UInt64>) throws(SourceError) -> ByteView {
    let end = min(range.upperBound, size ?? .max)
    var bytes: [UInt8] = []
    var position = range.lowerBound
    while position < end {
      let block = try block(position / Self.blockSize)
      let start = Int(position % Self.blockSize)
      let wanted = min(Int(clamping: end - position), block.count - start)
      // A server may have less than it said: then the data end here.
      if wanted <= 0 { break }
      bytes += block[start..<start + wanted]
      position += UInt64(wanted)
    }
    return ByteView(bytes, fileOffset: Int(clamping: range.lowerBound))
  }

  private func block(_ index: UInt64) throws(SourceError) -> [UInt8] {
    if let kept = blocks.withLock({ $0.bytes[index] }) { return kept }
    let start = index * Self.blockSize
    var request = URLRequest(url: url)
    request.setValue("bytes=\(start)-\(start + Self.blockSize - 1)", forHTTPHeaderField: "Range")
    let (data, response) = try Self.answer(to: request, by: session)
    // 200 means that the server knows no ranges and sends everything.
    guard response.statusCode == 206 else { throw Self.refused(response, at: start) }
    let block = [UInt8](data)
    blocks.withLock { $0.keep(block, at: index) }
    return block
  }

  /// Waits for the answer: sources are read by whoever needs the bytes, and not from the main actor.
  private static func answer(
    to request: URLRequest, by session: URLSession
  ) throws(SourceError) -> (Data, HTTPURLResponse) {
    let finished = DispatchSemaphore(value: 0)
    let result = Mutex<(Data, HTTPURLResponse)?>(nil)
    let failure = Mutex("there was no answer")
    let task = session.dataTask(with: request) { data, response, error in
      if let response = response as? HTTPURLResponse {
        result.withLock { $0 = (data ?? Data(), response) }
      } else if let error {
        failure.withLock { $0 = error.localizedDescription }
      }
      finished.signal()
    }
    task.resume()
    finished.wait()
    guard let answer = result.withLock({ $0 }) else { throw SourceError(.other(failure.withLock { $0 })) }
    return answer
  }

  private static func refused(_ response: HTTPURLResponse, at offset: UInt64) -> SourceError {
    SourceError(
      .other("the server answers \(response.statusCode)"), offset: offset,
      advice: response.statusCode == 200 ? "It does not serve byte ranges: download the file first." : "")
  }
}
