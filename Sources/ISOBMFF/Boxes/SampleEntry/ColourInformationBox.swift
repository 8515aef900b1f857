// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `colr`: how the component values of a pixel are interpreted as colour: by code points or by an ICC profile.
public struct ColourInformationBox: BoxPayload {
  public static let info = BoxInfo(
    ["colr"], name: "colour information", in: [.visualSampleEntry, .box("ipco")], "ISO/IEC 14496-12, 12.1.5",
    "How the component values of a pixel are interpreted as colour: by code points or by an ICC profile.")

  /// The form of the information: `nclx` code points, `nclc` code points of QuickTime, `rICC` and `prof` an ICC
  /// profile.
  public var colourType: FourCC = "nclx"
  /// The colour primaries, a code of ISO/IEC 23091-2, for `nclx` and `nclc`.
  public var colourPrimaries: UInt16 = 2
  /// The transfer function, a code of ISO/IEC 23091-2, for `nclx` and `nclc`.
  public var transferCharacteristics: UInt16 = 2
  /// The matrix coefficients, a code of ISO/IEC 23091-2, for `nclx` and `nclc`.
  public var matrixCoefficients: UInt16 = 2
  /// Whether component values use the full range, for `nclx`; `nil` if absent, as some writers omit it.
  public var isFullRange: Bool?
  /// The profile, or the data of an unknown type, for all other types.
  public var profile = ByteView()
  var reserved: UInt8 = 0

  public init() {}

  /// Makes code points as in ISO files.
  public init(primaries: UInt16, transfer: UInt16, matrix: UInt16, isFullRange: Bool) {
    colourPrimaries = primaries
    transferCharacteristics = transfer
    matrixCoefficients = matrix
    self.isFullRange = isFullRange
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fourCC("colour_type", &colourType)
    guard colourType == "nclx" || colourType == "nclc" else {
      return try c.remainder("ICC_profile", &profile)
    }
    try c.u16("colour_primaries", &colourPrimaries, in: nil, .named(ColourCodes.primaries))
    try c.u16("transfer_characteristics", &transferCharacteristics, in: nil, .named(ColourCodes.transfer))
    try c.u16("matrix_coefficients", &matrixCoefficients, in: nil, .named(ColourCodes.matrix))
    guard colourType == "nclx" else { return }
    var hasRange = isFullRange != nil
    c.presence(&hasRange, whenBitsLeft: 8)
    guard hasRange else { return }
    var flag = isFullRange ?? false
    try c.flag("full_range_flag", &flag)
    isFullRange = flag
    try c.reserved("reserved", &reserved, bits: 7, expecting: 0)
  }
}
