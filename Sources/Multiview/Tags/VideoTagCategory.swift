// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

extension VideoTag {
  /// A category together with the type of its values. Core Media: `CMTypedTag.Category`
  public struct Category<Value: Sendable>: Sendable {
    /// The code.
    public let rawCategory: RawCategory
    /// How the values are coded.
    public let dataType: DataType
    let encode: @Sendable (Value) -> UInt64
    let decode: @Sendable (UInt64) -> Value?

    /// Makes a category.
    public init(
      rawCategory: RawCategory, dataType: DataType, encode: @escaping @Sendable (Value) -> UInt64,
      decode: @escaping @Sendable (UInt64) -> Value?
    ) {
      self.rawCategory = rawCategory
      self.dataType = dataType
      self.encode = encode
      self.decode = decode
    }

    static func fourCC(
      _ rawCategory: RawCategory, _ code: @escaping @Sendable (Value) -> FourCC,
      _ value: @escaping @Sendable (FourCC) -> Value
    ) -> Category {
      Category(rawCategory: rawCategory, dataType: .fourCC) {
        UInt64(code($0).rawValue)
      } decode: {
        // A code of more than 32 bits is none.
        UInt32(exactly: $0).map { value(FourCC($0)) }
      }
    }
  }
}

extension VideoTag.Category where Value == Int64 {
  private static func integer(_ rawCategory: VideoTag.RawCategory) -> Self {
    Self(rawCategory: rawCategory, dataType: .signedInteger) {
      UInt64(bitPattern: $0)
    } decode: {
      Int64(bitPattern: $0)
    }
  }

  /// Which layer of the bitstream: `nuh_layer_id`.
  public static var videoLayerID: Self { integer(.videoLayerID) }
  /// Which channel of a receiver.
  public static var channelID: Self { integer(.channelID) }
}

extension VideoTag.Category where Value == Int32 {
  /// Which track: `track_ID`.
  public static var trackID: Self {
    Self(rawCategory: .trackID, dataType: .signedInteger) {
      UInt64(bitPattern: Int64($0))
    } decode: {
      Int32(exactly: Int64(bitPattern: $0))
    }
  }
}

extension VideoTag.Category where Value == MediaType {
  /// What kind of media it is.
  public static var mediaType: Self {
    .fourCC(.mediaType, \.rawValue) { MediaType(rawValue: $0) }
  }
}

extension VideoTag.Category where Value == FourCC {
  /// Which codec or format: the type of the sample entry.
  public static var mediaSubType: Self { .fourCC(.mediaSubType, { $0 }) { $0 } }
  /// Which format the pixels have.
  public static var pixelFormat: Self { .fourCC(.pixelFormat, { $0 }) { $0 } }
}

extension VideoTag.Category where Value == ViewPacking {
  /// How views are packed into one picture.
  public static var packingType: Self {
    .fourCC(.packingType, \.rawValue) { ViewPacking(rawValue: $0) }
  }
}

extension VideoTag.Category where Value == Projection {
  /// How the picture maps to directions of view.
  public static var projectionType: Self {
    .fourCC(.projectionType, \.rawValue) { Projection(rawValue: $0) }
  }
}

extension VideoTag.Category where Value == StereoViewComponents {
  /// Which eyes it serves.
  public static var stereoView: Self {
    Self(rawCategory: .stereoView, dataType: .flags) {
      $0.rawValue
    } decode: {
      Value(rawValue: $0)
    }
  }
}

extension VideoTag.Category where Value == StereoViewInterpretationOptions {
  /// How its views are to be taken.
  public static var stereoViewInterpretation: Self {
    Self(rawCategory: .stereoViewInterpretation, dataType: .flags) {
      $0.rawValue
    } decode: {
      Value(rawValue: $0)
    }
  }
}

// MARK: - Making tags

extension VideoTag {
  /// Which layer of the bitstream: `nuh_layer_id`.
  public static func videoLayerID(_ id: Int64) -> VideoTag { VideoTag(.videoLayerID, id) }
  /// Which channel of a receiver.
  public static func channelID(_ id: Int64) -> VideoTag { VideoTag(.channelID, id) }
  /// Which track: `track_ID`.
  public static func trackID(_ id: Int32) -> VideoTag { VideoTag(.trackID, id) }
  /// What kind of media it is.
  public static func mediaType(_ type: MediaType) -> VideoTag { VideoTag(.mediaType, type) }
  /// Which codec or format: the type of the sample entry.
  public static func mediaSubType(_ type: FourCC) -> VideoTag { VideoTag(.mediaSubType, type) }
  /// Which format the pixels have.
  public static func pixelFormat(_ format: FourCC) -> VideoTag { VideoTag(.pixelFormat, format) }
  /// How views are packed into one picture.
  public static func packingType(_ packing: ViewPacking) -> VideoTag { VideoTag(.packingType, packing) }
  /// How the picture maps to directions of view.
  public static func projectionType(_ projection: Projection) -> VideoTag {
    VideoTag(.projectionType, projection)
  }
  /// Which eyes it serves.
  public static func stereoView(_ eyes: StereoViewComponents) -> VideoTag { VideoTag(.stereoView, eyes) }
  /// How its views are to be taken.
  public static func stereoViewInterpretation(_ options: StereoViewInterpretationOptions) -> VideoTag {
    VideoTag(.stereoViewInterpretation, options)
  }
}
