// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
public import HEVC

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
  /// The sums of the squared differences of the samples of each layer from those of the source, by plane.
  public var squaredErrors: [[Int]] = []
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

  private let views: Int
  private let schedule: EncodingSchedule
  private var planner: GroupPlanner
  /// The pictures that are not planned yet, by number.
  private var sources: [Int: [SourcePicture]] = [:]
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
    self.views = views
    self.configuration = configuration
    let plan = try CodingPlan(format, layers: views, configuration)
    let order = configuration.pictureOrder
    planner = GroupPlanner(order, keyInterval: configuration.keyInterval)
    do {
      parameterSets = try plan.units()
      schedule = try EncodingSchedule(
        plan, effort: SearchEffort(level: configuration.effort), groupSize: order.groupSize,
        threads: configuration.threadCount, hasHashes: configuration.writesPictureHashes)
    } catch { throw EncodingError(.failed, "\(error)") }
  }

  /// Encodes the pictures of all views at the next time, the base layer first.
  ///
  /// - Returns: the access units that are complete, in decoding order. That may be none, or those of several times.
  public func encode(_ pictures: [SourcePicture]) throws(EncodingError) -> [EncodedAccessUnit] {
    guard pictures.count == views else {
      throw EncodingError(
        .unlikePictures, picture: count, "there are \(pictures.count) pictures for \(views) views")
    }
    if let other = pictures.first(where: { $0.format != format }) {
      throw EncodingError(
        .unlikePictures, picture: count,
        "it has \(other.format.size) samples of \(other.format.bitDepth) bits, the first one \(format.size) of "
          + "\(format.bitDepth)")
    }
    sources[count] = pictures
    count += 1
    try add(planner.add())
    return try schedule.take()
  }

  /// Returns the remaining access units. Call this after the last pictures.
  public func finish() throws(EncodingError) -> [EncodedAccessUnit] {
    try add(planner.finish())
    return try schedule.take(isAtEnd: true)
  }

  private func add(_ planned: [PlannedPicture]) throws(EncodingError) {
    for picture in planned {
      guard let pictures = sources.removeValue(forKey: picture.number) else { continue }
      do throws(ParseError) {
        try schedule.add(picture, pictures, qp: configuration.qp(picture))
      } catch { throw EncodingError(.failed, picture: picture.number, "\(error)") }
    }
  }
}
