// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `hdlr`: the kind of media in a track, or of metadata in a `meta` box.
public struct HandlerBox: FullBox {
  public static let info = BoxInfo(
    ["hdlr"], name: "handler", in: [.box("mdia"), .box("minf"), .box("meta")], "ISO/IEC 14496-12, 8.4.3",
    "The kind of media in a track, or of metadata in a meta box.", versions: 0...0)

  public var flags: UInt32 = 0
  /// In QuickTime, `mhlr` for media or `dhlr` for data; otherwise 0.
  public var componentType: UInt32 = 0
  /// The kind of media or metadata: `vide`, `soun`, `tmcd`, …
  public var handlerType: FourCC = "vide"
  /// In QuickTime, the manufacturer of the component, often `appl`; otherwise 0.
  public var manufacturer: UInt32 = 0
  /// In QuickTime, flags of the component; otherwise 0.
  public var componentFlags: UInt32 = 0
  /// Always 0.
  public var componentFlagsMask: UInt32 = 0
  /// Whether the name begins with its length, as in QuickTime, instead of ending with a zero byte.
  public var isNamePascal = false
  /// The name of the handler, for people to read. `isTerminated` has no meaning for names with a length.
  public var name = TerminatedString()

  public init() {}

  /// Makes a handler as in ISO files.
  public init(_ handlerType: FourCC, name: String) {
    self.handlerType = handlerType
    self.name = TerminatedString(name)
  }

  public mutating func prepare(for context: BoxContext, payload: ByteView) {
    let rest = payload.suffix(from: 24)
    guard let first = rest[0], let last = rest[rest.count - 1], first > 0, Int(first) < rest.count else {
      return
    }
    let isQuickTime = payload.bigEndian(at: 4, width: 4) != 0
    let fills = Int(first) == rest.count - 1
    // A C string may begin with a character whose code happens to be the length: then it ends with a zero byte.
    isNamePascal = fills ? isQuickTime || last != 0 || first < 0x20 : isQuickTime && first < 0x20
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.optionalCode("pre_defined", &componentType)
    try c.fourCC("handler_type", &handlerType)
    try c.optionalCode("manufacturer", &manufacturer)
    try c.reserved("component_flags", &componentFlags, bits: 32, expecting: 0)
    try c.reserved("component_flags_mask", &componentFlagsMask, bits: 32, expecting: 0)
    if isNamePascal {
      var length = UInt8(clamping: name.bytes.count)
      try c.u8("name_length", &length)
      try c.bytes("name", &name.bytes, count: Int(length), .text)
    } else {
      try c.terminatedString("name", &name)
    }
  }
}
