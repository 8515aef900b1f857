// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import HEVC
import Threads

/// What an encoder is asked for.
public struct EncoderConfiguration: Hashable, Sendable {
  /// The quality, from 0 for the best to 51 for the fewest bits. Blocks that later pictures are predicted from are coded better than
  /// others, the more they are.
  public var constantRateFactor = 27
  /// The quantisation parameter of the first picture of each group; others differ from it by their place in the group, and all blocks
  /// of a picture have the same. `nil` for ``constantRateFactor``, which takes fewer bits for the same quality.
  public var constantQP: Int?
  /// The average number of bits per second, by the times of pictures or else at ``expectedFrameRate``, all views together; the
  /// quantisation of each picture is chosen for that. `nil` for the same quality throughout.
  ///
  /// A rate that cannot be reached is missed: pictures have at least the fewest bits of this format.
  public var averageBitRate: Int?
  /// The rate at which bits reach a decoder, in a second: what pictures take never exceeds what has come, with a buffer of
  /// ``bufferSize`` that is nine tenths full at first. `nil` for no limit.
  ///
  /// Pictures are taken at ``expectedFrameRate``, whatever their times are. A limit that cannot be met is missed: pictures have at
  /// least the fewest bits of this format.
  public var maximumBitRate: Int?
  /// The size of the decoder buffer in bits; `nil` for one second at ``maximumBitRate``.
  public var bufferSize: Int?
  /// How much better smooth areas are coded than busy ones, where losses are less visible: 0 for the fewest bits by
  /// squared error, about 1 for viewers, up to 3. Not available with ``constantQP``, or if all pictures are key pictures.
  public var smoothAreaStrength = 0.0
  /// How hard the encoder searches for savings in bits, from 1 for the fastest to 5 for the smallest.
  public var effort = 3
  /// The maximum number of pictures from one at which decoding can begin to the next; 1 for pictures that do not
  /// refer to others of their view, `nil` if only ``maxKeyFrameIntervalDuration`` limits it.
  public var maxKeyFrameInterval: Int?
  /// The same in seconds, by the times of pictures or else ``expectedFrameRate``, to the nearest picture.
  public var maxKeyFrameIntervalDuration = 2.0
  /// Whether pictures after scene cuts are also key pictures. Scene cuts are not detected with ``constantQP``.
  public var findsSceneCuts = true
  /// Whether pictures may be coded before others that are shown earlier, which takes fewer bits.
  public var allowsReordering = true
  /// How many threads encode pictures at the same time; `nil` for as many as there are processors. The stream does not depend
  /// on it.
  public var threads: Int?
  /// Whether the first of two layers is the left eye. Apple's cameras code the right eye first, its writers the left.
  public var isBaseLeft = true
  /// The expected number of pictures per second, which determines the level; `nil` for up to 30. The times of pictures are not
  /// in the stream.
  public var expectedFrameRate: Double?
  /// What the samples mean, as far as that is known. They are not converted.
  public var meaning = SampleMeaning()
  /// The clock of the stream; `nil` for a movie, in which samples have times.
  package var timing: VUITiming?
  /// Whether each picture carries MD5 sums of its samples, for decoders to compare.
  public var writesPictureHashes = false

  /// Makes the default configuration.
  public init() {}

  /// How many pictures there are at most from one key picture to the next.
  var keyInterval: Int {
    let pictures = maxKeyFrameIntervalDuration * (expectedFrameRate ?? 30)
    let limit = pictures < 1 ? 1 : pictures < 1e9 ? Int(pictures.rounded()) : 1_000_000_000
    return max(1, min(limit, maxKeyFrameInterval ?? limit))
  }

  /// After how many seconds a picture that has a time is a key picture: to the nearest picture. Of two that are as near, it is the
  /// later one, as in ``keyInterval``, however the times are rounded.
  var keySeconds: Double { maxKeyFrameIntervalDuration - 0.5 / (expectedFrameRate ?? 30) + 1e-6 }

  var threadCount: Int { max(1, min(64, threads ?? processorCount)) }
}

extension CodingPlan {
  /// The plan for pictures of a format.
  package init(
    _ format: SourceFormat, layers: Int, _ configuration: EncoderConfiguration
  ) throws(EncodingError) {
    try format.check()
    guard (1...2).contains(layers) else {
      throw EncodingError(.unsupported, "\(layers) views cannot be encoded: only one or two")
    }
    guard layers == 1 || format.bitDepth == 8 else {
      throw EncodingError(
        .unsupported,
        "two views of \(format.bitDepth) bits cannot be encoded: the Multiview Main profile has 8",
        advice: "Convert the source to 8 bits.")
    }
    let factor = configuration.constantQP ?? configuration.constantRateFactor
    guard (0...51).contains(factor) else {
      throw EncodingError(.unsupported, "a quantisation parameter of \(factor) is not from 0 to 51")
    }
    guard configuration.averageBitRate.map({ $0 > 0 }) ?? true else {
      throw EncodingError(
        .unsupported, "a stream cannot have \(configuration.averageBitRate ?? 0) bits a second")
    }
    try Self.checkLimit(configuration)
    guard configuration.maxKeyFrameInterval.map({ $0 > 0 }) ?? true,
      configuration.maxKeyFrameIntervalDuration >= 0
    else { throw EncodingError(.unsupported, "key pictures cannot be less than one picture apart") }
    guard configuration.threads.map({ $0 > 0 }) ?? true else {
      throw EncodingError(.unsupported, "at least one thread is needed")
    }
    guard (0...3).contains(configuration.smoothAreaStrength) else {
      throw EncodingError(
        .unsupported,
        "a strength of \(configuration.smoothAreaStrength) for smooth areas is not from 0 to 3")
    }
    guard configuration.smoothAreaStrength == 0 || configuration.weighsBlocks else {
      let isGiven = configuration.constantQP != nil
      throw EncodingError(
        .unsupported,
        isGiven
          ? "smooth areas cannot be coded better if the quantisation parameter is given"
          : "smooth areas cannot be coded better if all pictures are key pictures",
        advice: isGiven ? "Give a rate factor instead." : "Use a larger distance between key pictures.")
    }
    guard (1...5).contains(configuration.effort) else {
      throw EncodingError(.unsupported, "an effort of \(configuration.effort) is not from 1 to 5")
    }
    self.init(size: format.size)
    isSignHiding = true
    isSaoEnabled = configuration.effort > 1
    bitDepth = format.bitDepth
    layerCount = layers
    leftViewID = configuration.isBaseLeft ? 0 : 1
    meaning = configuration.meaning
    timing = configuration.timing
    initialQp = configuration.averageBitRate == nil ? configuration.baseQP : 27
    qpGroupDepth = configuration.weighsBlocks ? 0 : nil
    isTemporalMotionEnabled = true
    let order = configuration.pictureOrder
    pictureBuffers = order.pictureBuffers
    reorderedPictures = order.reorderedPictures
    defaultEntries = (l0: layers > 1 ? 2 : 1, l1: 1)
    (level, isHighTier) = Self.level(
      format, rate: configuration.expectedFrameRate ?? 30,
      bitRate: configuration.maximumBitRate ?? configuration.averageBitRate ?? 0,
      buffer: configuration.maximumBitRate.map { configuration.bufferSize ?? $0 } ?? 0)
  }

  private static func checkLimit(_ configuration: EncoderConfiguration) throws(EncodingError) {
    guard let rate = configuration.maximumBitRate else {
      guard configuration.bufferSize == nil else {
        throw EncodingError(
          .unsupported, "a buffer size needs the rate at which the buffer is filled")
      }
      return
    }
    let size = configuration.bufferSize ?? rate
    guard rate > 0, size > 0 else {
      throw EncodingError(.unsupported, "a buffer of \(size) bits cannot be filled at \(rate) bits a second")
    }
    guard configuration.constantQP == nil else {
      throw EncodingError(
        .unsupported, "the bit rate cannot be limited if the quantisation parameter is given",
        advice: "Give a rate factor instead.")
    }
    if let average = configuration.averageBitRate, average > rate {
      throw EncodingError(
        .unsupported, "an average of \(average) bits a second is more than the maximum, \(rate)")
    }
  }

  /// The lowest level for pictures of this size and rate that holds the bit rate and the buffer: in the Main tier, or if only its
  /// High tier does, in that. A.4.1 and A.4.2
  static func level(
    _ format: SourceFormat, rate: Double, bitRate: Int = 0, buffer: Int = 0
  ) -> (level: Level, isHighTier: Bool) {
    let size = UInt64(format.codedSize.width) * UInt64(format.codedSize.height)
    let longest = UInt64(max(format.codedSize.width, format.codedSize.height))
    let levels: [UInt8] = [30, 60, 63, 90, 93, 120, 123, 150, 153, 156, 180, 183, 186]
    for number in levels {
      guard let limits = Level(rawValue: number).limits, size <= limits.maximumLumaPictureSize,
        longest * longest <= 8 * limits.maximumLumaPictureSize,
        Double(size) * rate <= Double(limits.maximumLumaSampleRate)
      else { continue }
      for isHighTier in [false, true] {
        guard let most = isHighTier ? limits.maximumBitRateHigh : limits.maximumBitRateMain,
          let mostBuffered = isHighTier ? limits.maximumCPBHigh : limits.maximumCPBMain,
          // Sizes of pictures are those of whole NAL units.
          bitRate <= 1_100 * Int(most), buffer <= 1_100 * Int(mostBuffered)
        else { continue }
        return (Level(rawValue: number), isHighTier)
      }
    }
    return (Level(rawValue: 186), max(bitRate, buffer) > 1_100 * 240_000)
  }
}
