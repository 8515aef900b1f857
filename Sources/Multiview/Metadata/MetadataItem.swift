// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// One piece of metadata: a name and a value. AVFoundation: `AVMetadataItem`
public struct MetadataItem: Hashable, Sendable {
  /// A value, read by its type.
  public typealias Value = MetadataValueBox.Content

  /// The key space of the key.
  public var keySpace: MetadataKeySpace
  /// The name.
  public var key: MetadataKey
  /// The value, read by its type.
  public var value: Value
  /// The type of the value; `nil` for text of user data, and for types outside the well-known set.
  public var dataType: WellKnownType?
  /// The bytes of the value, as far as they are loaded.
  public var data: ByteView
  /// Whether all bytes of the value are loaded; large ones are not.
  public var isLoaded = true
  /// The range of the bytes of the value in the file.
  public var dataRange: Range<Int>
  /// The country that the value is meant for, as it is coded; 0 is any.
  public var country: UInt16 = 0
  /// The language that the value is meant for, as it is coded; 0 is any.
  public var language: UInt16 = 0
  /// The box of the item.
  public var place: BoxPlace

  /// Makes an item.
  public init(
    keySpace: MetadataKeySpace, key: MetadataKey, value: Value, dataType: WellKnownType? = nil,
    data: ByteView, isLoaded: Bool = true, dataRange: Range<Int>, country: UInt16 = 0, language: UInt16 = 0,
    place: BoxPlace
  ) {
    self.keySpace = keySpace
    self.key = key
    self.value = value
    self.dataType = dataType
    self.data = data
    self.isLoaded = isLoaded
    self.dataRange = dataRange
    self.country = country
    self.language = language
    self.place = place
  }

  /// The name with its space: `mdta/com.apple.quicktime.make`, `udta/%A9nam`. AVFoundation:
  /// `AVMetadataIdentifier`
  public var identifier: String {
    let name = key.rawValue
    guard name.utf8.contains(0xA9) else { return keySpace.rawValue + "/" + name }
    // The copyright sign of user data is the one byte A9 in the file.
    let parts = name.unicodeScalars.split(separator: "\u{A9}", omittingEmptySubsequences: false)
    return keySpace.rawValue + "/" + parts.map { String($0) }.joined(separator: "%A9")
  }

  /// The value as text: text as it is, numbers in digits. `nil` for bytes.
  public var stringValue: String? { value.stringValue }

  /// The value as a whole number: a number as it is, text if it is digits.
  public var integerValue: Int64? {
    switch value {
    case .integer(let number): number
    case .unsigned(let number): Int64(exactly: number)
    case .number(let number): Int64(exactly: number)
    case .text(let text): Int64(text)
    case .numbers, .bytes: nil
    }
  }

  /// The language as three letters of ISO 639-2; `nil` if any is meant, and for Macintosh languages and
  /// indices.
  public var languageCode: String? {
    language < 0x400 || language == 0x7FFF ? nil : languageLetters(language)
  }
}

extension MetadataItem: CustomStringConvertible {
  /// The name and the value; of bytes, how many.
  public var description: String { "\(identifier): \(stringValue ?? "\(dataRange.count) bytes")" }
}
