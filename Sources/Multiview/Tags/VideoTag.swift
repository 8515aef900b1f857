// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// A label on a track, a layer or a sample: a category and one value.
///
/// Categories, data types and values have the codes of Core Media's `CMTag`, so that a tag made here says the
/// same there.
public struct VideoTag: Hashable, Sendable {
  /// What kind of thing the tag says.
  public var rawCategory: RawCategory
  /// How the value is to be read.
  public var dataType: DataType
  /// The value in 64 bits.
  public var rawValue: UInt64

  /// Makes a tag from its codes.
  public init(rawCategory: RawCategory, dataType: DataType, rawValue: UInt64) {
    self.rawCategory = rawCategory
    self.dataType = dataType
    self.rawValue = rawValue
  }

  /// Makes a tag of a known category.
  public init<Value>(_ category: Category<Value>, _ value: Value) {
    self.init(
      rawCategory: category.rawCategory, dataType: category.dataType, rawValue: category.encode(value))
  }

  /// The code of a category. Core Media: `CMTagCategory`
  public struct RawCategory: RawRepresentable, Hashable, Sendable {
    /// The code.
    public var rawValue: FourCC
    public init(rawValue: FourCC) { self.rawValue = rawValue }

    /// No category.
    public static let undefined = RawCategory(rawValue: FourCC(0))
    /// What kind of media it is.
    public static let mediaType = RawCategory(rawValue: "mdia")
    /// Which codec or format.
    public static let mediaSubType = RawCategory(rawValue: "msub")
    /// Which track.
    public static let trackID = RawCategory(rawValue: "trak")
    /// Which channel of a receiver.
    public static let channelID = RawCategory(rawValue: "vchn")
    /// Which layer of the bitstream.
    public static let videoLayerID = RawCategory(rawValue: "vlay")
    /// Which format the pixels have.
    public static let pixelFormat = RawCategory(rawValue: "pixf")
    /// How views are packed into one picture.
    public static let packingType = RawCategory(rawValue: "pack")
    /// How the picture maps to directions of view.
    public static let projectionType = RawCategory(rawValue: "proj")
    /// Which eyes it serves.
    public static let stereoView = RawCategory(rawValue: "eyes")
    /// How its views are to be taken.
    public static let stereoViewInterpretation = RawCategory(rawValue: "eyip")
  }

  /// How a value is to be read. Core Media: `CMTagDataType`
  public struct DataType: RawRepresentable, Hashable, Sendable {
    /// The code.
    public var rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// There is no value.
    public static let invalid = DataType(rawValue: 0)
    /// A signed number.
    public static let signedInteger = DataType(rawValue: 2)
    /// A double-precision number.
    public static let float64 = DataType(rawValue: 3)
    /// A four-character code.
    public static let fourCC = DataType(rawValue: 5)
    /// A set of bits.
    public static let flags = DataType(rawValue: 7)
  }

  /// The value, if the tag is of that category: `tag.value(onlyIfMatching: .videoLayerID)`.
  public func value<Value>(onlyIfMatching category: Category<Value>) -> Value? {
    guard rawCategory == category.rawCategory, dataType == category.dataType else { return nil }
    return category.decode(rawValue)
  }
}

/// Tags that belong together, such as those of one view.
public typealias TagCollection = [VideoTag]

extension Sequence where Element == VideoTag {
  /// The first tag of that category.
  public func first<Value>(matchingCategory category: VideoTag.Category<Value>) -> VideoTag? {
    first { $0.rawCategory == category.rawCategory }
  }

  /// The tags of that category.
  public func filter<Value>(matchingCategory category: VideoTag.Category<Value>) -> [VideoTag] {
    filter { $0.rawCategory == category.rawCategory }
  }

  /// The value of the first tag of that category.
  public func firstValue<Value>(matchingCategory category: VideoTag.Category<Value>) -> Value? {
    for tag in self {
      if let value = tag.value(onlyIfMatching: category) { return value }
    }
    return nil
  }
}

extension VideoTag: CustomStringConvertible {
  /// The category and the value: `videoLayerID 0`, `stereoView left`.
  public var description: String {
    if let text = knownDescription { return text }
    let text = "'\(rawCategory.rawValue)' "
    switch dataType {
    case .signedInteger: return text + String(Int64(bitPattern: rawValue))
    case .float64: return text + "\(Double(bitPattern: rawValue))"
    case .fourCC: return text + "'\(FourCC(UInt32(truncatingIfNeeded: rawValue)))'"
    case .flags: return text + "0x" + hexadecimal(rawValue)
    default: return text + "0x" + hexadecimal(rawValue) + " (data type \(dataType.rawValue))"
    }
  }

  private var knownDescription: String? {
    if let id = value(onlyIfMatching: .videoLayerID) { return "videoLayerID \(id)" }
    if let id = value(onlyIfMatching: .trackID) { return "trackID \(id)" }
    if let id = value(onlyIfMatching: .channelID) { return "channelID \(id)" }
    if let type = value(onlyIfMatching: .mediaType) { return "mediaType \(type)" }
    if let type = value(onlyIfMatching: .mediaSubType) { return "mediaSubType \(type)" }
    if let format = value(onlyIfMatching: .pixelFormat) { return "pixelFormat \(format)" }
    if let packing = value(onlyIfMatching: .packingType) { return "packingType \(packing)" }
    if let projection = value(onlyIfMatching: .projectionType) { return "projectionType \(projection)" }
    if let eyes = value(onlyIfMatching: .stereoView) { return "stereoView \(eyes)" }
    return value(onlyIfMatching: .stereoViewInterpretation).map { "stereoViewInterpretation \($0)" }
  }
}
