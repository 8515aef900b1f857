// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
public import HEVC
import HEVCCoding

/// The units of all views at one time, in decoding order.
public struct EncodedAccessUnit: Sendable {
  /// The slices of each layer, lowest first, with their messages.
  public var units: [NALUnit]
  /// The number of the pictures in the order in which they were given, which is that of presentation.
  public var presentationIndex: Int
  /// Whether decoding may begin here.
  public var isSync: Bool
  /// How many bytes each layer takes.
  public var layerBytes: [Int]
}

/// Encodes HEVC of one view, or MV-HEVC of two.
///
/// ```swift
/// let encoder = try HEVCEncoder(SourceFormat(size: size), views: 2, configuration)
/// for pictures in source { units += try encoder.encode([pictures.left, pictures.right]) }
/// units += try encoder.finish()
/// ```
///
/// The first view is the base layer, which every decoder of HEVC understands. Use one encoder in one task.
public final class HEVCEncoder {
  /// The size and the sample format of all pictures.
  public let format: SourceFormat
  /// The parameter sets, and what tells the eyes apart: for configuration records, or before the first picture of a stream.
  public let parameterSets: [NALUnit]
  /// What was asked for.
  public let configuration: EncoderConfiguration

  private let plan: CodingPlan
  private var layers: [PictureEncoder] = []
  private var count = 0

  /// Makes an encoder.
  ///
  /// - Parameters:
  ///   - format: the size and the sample format of each view.
  ///   - views: how many views there are: 1 or 2.
  ///   - configuration: what the encoder is asked for.
  public init(
    _ format: SourceFormat, views: Int, _ configuration: EncoderConfiguration = EncoderConfiguration()
  ) throws(EncodingError) {
    self.format = format
    self.configuration = configuration
    plan = try CodingPlan(format, layers: views, configuration)
    do {
      parameterSets = try plan.units()
      let effort = SearchEffort(level: configuration.effort)
      for layer in 0..<views { layers.append(try PictureEncoder(plan, layer: layer, effort: effort)) }
    } catch { throw EncodingError(.failed, "\(error)") }
  }

  /// Encodes the pictures of all views at the next time, the base layer first.
  ///
  /// - Returns: the access units that are complete, in decoding order.
  public func encode(_ pictures: [SourcePicture]) throws(EncodingError) -> [EncodedAccessUnit] {
    guard pictures.count == layers.count else {
      throw EncodingError(
        .unlikePictures, picture: count, "there are \(pictures.count) pictures for \(layers.count) views")
    }
    if let other = pictures.first(where: { $0.format != format }) {
      throw EncodingError(
        .unlikePictures, picture: count,
        "it has \(other.format.size) samples of \(other.format.bitDepth) bits, the first one \(format.size) of "
          + "\(format.bitDepth)")
    }
    var result = EncodedAccessUnit(units: [], presentationIndex: count, isSync: true, layerBytes: [])
    for (layer, picture) in pictures.enumerated() {
      // Apple's encoders pair these two. Later pictures do not begin a new sequence, which would have to do so in both layers.
      let isFirst = layer == 0 && count == 0
      var slice = SlicePlan(type: isFirst ? .refreshWithoutLeading : .cleanRandomAccess, layer: layer)
      slice.orderCount = count
      slice.qp = configuration.constantQP
      let units: [NALUnit]
      do {
        units = try layers[layer].encode(
          picture.buffer, slice, hasHash: configuration.writesPictureHashes
        ).units
      } catch { throw EncodingError(.failed, picture: count, "\(error)") }
      result.units += units
      result.layerBytes.append(units.reduce(0) { $0 + $1.bytes.count })
    }
    count += 1
    return [result]
  }

  /// Returns the remaining access units. Call this after the last pictures.
  public func finish() throws(EncodingError) -> [EncodedAccessUnit] { [] }
}
