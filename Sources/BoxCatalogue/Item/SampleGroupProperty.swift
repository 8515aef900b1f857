// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// An item property with the same content as the sample group of the same name. There are brackets, panoramas,
/// operating points and subpictures.
public struct SampleGroupProperty: FullBox {
  public static let info = BoxInfo(
    ["oinf", "aebr", "afbr", "dobr", "fobr", "wbbr", "pano", "spid", "spor"], name: "sample group property",
    in: [.box("ipco")], "ISO/IEC 23008-12, 6.8.6, B.2.3.2.1",
    "An item property with the same content as the sample group of the same name.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The content, as in the sample group.
  public var content: any SampleGroupEntry = OperatingPointsInformationEntry()

  public init() {}

  public mutating func prepare(for context: BoxContext, payload: ByteView) {
    content = SampleGroupEntryRegistry.standard.makeEntry(context.type)
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try content.layout(&c)
  }

  /// Equal if flags and contents are equal.
  public static func == (left: SampleGroupProperty, right: SampleGroupProperty) -> Bool {
    left.flags == right.flags && AnyHashable(left.content) == AnyHashable(right.content)
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(flags)
    hasher.combine(AnyHashable(content))
  }
}
