// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `iods`: the profiles that an MPEG-4 presentation requires of a terminal.
public struct ObjectDescriptorBox: FullBox {
  public static let info = BoxInfo(
    ["iods"], name: "object descriptor", in: [.box("moov")], "ISO/IEC 14496-14, 5.1",
    "The profiles that an MPEG-4 presentation requires of a terminal.", versions: 0...0)

  /// No flags are defined.
  public var flags: UInt32 = 0
  /// The descriptor, in a list of one.
  public var descriptors: [Descriptor] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.descriptorsToEnd(&descriptors, depth: NestingDepth())
  }
}

/// An object, or the whole presentation, and the profiles that it requires. ISO/IEC 14496-1, 7.2.6.3 and 7.2.6.4
public struct ObjectDescriptor: FieldLayout {
  /// Profiles and levels that a terminal must support; 0xFF means none, 0xFE unspecified.
  public struct Profiles: FieldLayout {
    /// The profile of object descriptors.
    public var objectDescriptor: UInt8 = 0xFF
    /// The profile of scenes.
    public var scene: UInt8 = 0xFF
    /// The profile of audio.
    public var audio: UInt8 = 0xFF
    /// The profile of pictures.
    public var visual: UInt8 = 0xFF
    /// The profile of graphics.
    public var graphics: UInt8 = 0xFF

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u8("ODProfileLevelIndication", &objectDescriptor)
      try c.u8("sceneProfileLevelIndication", &scene)
      try c.u8("audioProfileLevelIndication", &audio)
      try c.u8("visualProfileLevelIndication", &visual)
      try c.u8("graphicsProfileLevelIndication", &graphics)
    }
  }

  /// The number that identifies the object.
  public var id: UInt16 = 1
  /// The address of the descriptor if it is elsewhere; otherwise `nil`.
  public var url: ByteView?
  /// Whether the profiles apply to what is inside, too. Only in an initial descriptor.
  public var includesInlineProfileLevel = false
  /// The profiles. Only in an initial descriptor that is not elsewhere.
  public var profiles = Profiles()
  /// The descriptors of streams and other things.
  public var descriptors: [Descriptor] = []
  /// Whether this is an initial descriptor, according to its tag.
  public var isInitial = true
  var reserved4: UInt8 = 0x0F
  var reserved5: UInt8 = 0x1F
  /// How deep it is nested in others. Not in the file.
  var depth = NestingDepth()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    var hasURL = url != nil
    try c.u("ObjectDescriptorID", &id, 10)
    try c.flag("URL_Flag", &hasURL)
    if isInitial {
      try c.flag("includeInlineProfileLevelFlag", &includesInlineProfileLevel)
      try c.reserved("reserved", &reserved4, bits: 4, expecting: 0x0F)
    } else {
      try c.reserved("reserved", &reserved5, bits: 5, expecting: 0x1F)
    }
    if hasURL {
      var text = url ?? ByteView()
      try c.pascalString("URL", &text)
      url = text
    } else if isInitial {
      try c.group("profiles", &profiles)
    }
    try c.descriptorsToEnd(&descriptors, depth: depth)
  }
}
