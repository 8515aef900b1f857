// swift-multiview · SPDX-License-Identifier: Apache-2.0

#if canImport(CoreMedia)
import ByteCoding
import CoreFoundation
public import CoreMedia
import CoreVideo
import ISOBMFF
public import Multiview

extension Track {
  /// Makes the format description of its video: codec, size, configurations of all layers, colours, and the stereo
  /// extensions that its boxes have; `nil` for tracks without pictures.
  ///
  /// The calibration of lenses is not among them.
  ///
  /// - Throws: ``FrameworkError`` if Core Media refuses.
  public func makeFormatDescription() throws(FrameworkError) -> CMFormatDescription? {
    guard let entry = formatDescriptions.first, let visual = entry.visual else { return nil }
    let list = PropertyList()
    for property in entry.extensions.entries { list.add(property.key.rawValue, property.value) }
    let atoms = PropertyList()
    for type in ["hvcC", "lhvC"] as [FourCC] {
      guard let box = entry.box.first(type) else { continue }
      atoms.add("\(type)", box.body.array)
    }
    if !atoms.isEmpty {
      list.add(kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms, atoms.dictionary)
    }
    list.add(kCMFormatDescriptionExtension_ColorPrimaries, colour.primariesName)
    list.add(kCMFormatDescriptionExtension_TransferFunction, colour.transferName)
    list.add(kCMFormatDescriptionExtension_YCbCrMatrix, colour.matrixName)
    if let isFullRange = colour.isFullRange {
      list.add(kCMFormatDescriptionExtension_FullRangeVideo, isFullRange ? kCFBooleanTrue : kCFBooleanFalse)
    }
    var made: CMFormatDescription?
    let status = unsafe CMVideoFormatDescriptionCreate(
      allocator: nil, codecType: entry.codec.rawValue, width: Int32(visual.width),
      height: Int32(visual.height), extensions: list.dictionary, formatDescriptionOut: &made)
    guard status == 0, let made else { throw FrameworkError("CMVideoFormatDescriptionCreate", status) }
    return made
  }
}

/// A dictionary of Core Foundation, filled without Foundation.
private final class PropertyList {
  let dictionary: CFMutableDictionary
  private(set) var isEmpty = true

  init() {
    dictionary = unsafe withUnsafePointer(to: kCFTypeDictionaryKeyCallBacks) { keys in
      unsafe withUnsafePointer(to: kCFTypeDictionaryValueCallBacks) { values in
        unsafe CFDictionaryCreateMutable(nil, 0, keys, values)
      }
    }
  }

  func add(_ key: CFString, _ value: AnyObject?) {
    guard let value else { return }
    isEmpty = false
    // The dictionary retains both.
    unsafe CFDictionarySetValue(
      dictionary, Unmanaged.passUnretained(key).toOpaque(), Unmanaged.passUnretained(value).toOpaque())
  }

  func add(_ key: String, _ value: FormatDescriptionExtensions.Value) {
    switch value {
    case .boolean(let isTrue): add(Self.text(key), isTrue ? kCFBooleanTrue : kCFBooleanFalse)
    case .integer(let number):
      var number = number
      add(Self.text(key), unsafe CFNumberCreate(nil, .sInt64Type, &number))
    case .string(let text): add(Self.text(key), Self.text(text))
    // Only calibrations of lenses have these, and Apple does not say in which form.
    case .numbers, .dictionary, .array: break
    }
  }

  func add(_ key: String, _ bytes: [UInt8]) {
    add(Self.text(key), unsafe CFDataCreate(nil, bytes, bytes.count))
  }

  private static func text(_ text: String) -> CFString {
    unsafe CFStringCreateWithCString(nil, text, CFStringBuiltInEncodings.UTF8.rawValue)
  }
}
#endif
