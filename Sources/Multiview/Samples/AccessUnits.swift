// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import FileAccess
import HEVC
import ISOBMFF

/// What belongs to one time: a sample of a movie, or an access unit of a raw stream.
public struct AccessUnitPlaces: Sendable {
  /// Its number, from 0.
  public let index: Int
  /// The sample; `nil` in a raw stream.
  public let sample: Sample?
  /// Its NAL units.
  public let units: [NALUnitPlace]
  /// The error in its framing; `nil` if there is none.
  public let error: ParseError?

  /// How many bytes its units have, without lengths and start codes, by layer.
  public var bytesByLayer: [UInt8: Int] {
    var bytes: [UInt8: Int] = [:]
    for unit in units { bytes[unit.header.layerID, default: 0] += unit.byteCount }
    return bytes
  }
}

extension Track {
  /// Hands every sample, or access unit of a raw stream, to `body` in decoding order, until that returns `false`.
  /// Reads no more than NAL unit headers of samples; of a raw stream everything, in constant memory. Where samples
  /// overlap too often, the walk ends with an error (`Limits.maximumSampleOverlap`). Where they are in another
  /// file, each has an error.
  ///
  /// For a separate track, the samples are those of the file, including extractors; for a ``joined`` track, they are what a
  /// decoder gets.
  ///
  /// - Returns: whether the end was reached.
  /// - Throws: `SourceError` if bytes cannot be read, and where the track is not HEVC: of other codecs the NAL units are
  ///   not known.
  @discardableResult
  public func forEachAccessUnit(
    _ range: Range<Int> = 0..<Int.max,
    _ body: (AccessUnitPlaces, SampleWalker) throws(SourceError) -> Bool
  ) throws(SourceError) -> Bool {
    let iterator = try AccessUnitIterator(self, range)
    while let (places, walker) = try iterator.next() {
      if try !body(places, walker) || iterator.isExhausted { return false }
    }
    return !iterator.isCutShort
  }
}

/// Finds the NAL units of single samples of a track, in any order: those of the track alone, as the file has them.
///
/// One lookup serves one task.
package final class AccessUnitLookup {
  private let walker: SampleWalker
  private let absence: ParseError?

  package init(_ track: Track) {
    walker = SampleWalker(track)
    absence = track.absence
  }

  /// Whether so much was read that samples must overlap one another: the rest is not read.
  package var isExhausted: Bool { walker.isExhausted }

  /// The units of a sample.
  package func accessUnit(of sample: Sample) throws(SourceError) -> AccessUnitPlaces {
    if let absence { return AccessUnitPlaces(index: sample.index, sample: sample, units: [], error: absence) }
    var units: [NALUnitPlace] = []
    let error = try walker.walk(sample) { units.append($0) }
    return AccessUnitPlaces(index: sample.index, sample: sample, units: units, error: error)
  }
}
