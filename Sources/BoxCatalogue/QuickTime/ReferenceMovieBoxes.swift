// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `rdrf`: the location of a movie that this one refers to.
public struct DataReferenceAtomBox: BoxPayload {
  public static let info = BoxInfo(
    ["rdrf"], name: "data reference atom", in: [.box("rmda")], "QuickTime File Format, Data Reference Atom",
    "The location of a movie that this one refers to.")

  /// 1 means that the movie is in this file.
  public var flags: UInt32 = 0
  /// How the reference is interpreted.
  public var referenceType: FourCC = "url "
  /// The reference.
  public var reference = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("flags", &flags, .hexadecimal)
    try c.fourCC("data_reference_type", &referenceType)
    var size = UInt32(clamping: reference.count)
    try c.u32("data_reference_size", &size)
    try c.bytes("data_reference", &reference, count: Int(clamping: size), .text)
  }
}

/// `rmdr`: the data rate that a referenced movie needs.
public struct ReferenceDataRateBox: BoxPayload {
  public static let info = BoxInfo(
    ["rmdr"], name: "reference data rate", in: [.box("rmda")], "QuickTime File Format, Data Rate Atom",
    "The data rate that a referenced movie needs.")

  /// Always 0.
  public var flags: UInt32 = 0
  /// The data rate, in units of 100 bits per second.
  public var dataRate: UInt32 = 1_120

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("flags", &flags, .hexadecimal)
    try c.u32("data_rate", &dataRate)
  }
}

/// `rmcs`: the computer speed that a referenced movie needs.
public struct ReferenceCPUSpeedBox: BoxPayload {
  public static let info = BoxInfo(
    ["rmcs"], name: "reference CPU speed", in: [.box("rmda")], "QuickTime File Format, CPU Speed Atom",
    "The computer speed that a referenced movie needs.")

  /// Always 0.
  public var flags: UInt32 = 0
  /// The speed, from 100 to 2^31 - 1.
  public var cpuSpeed: UInt32 = 500

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("flags", &flags, .hexadecimal)
    try c.u32("CPU_speed", &cpuSpeed)
  }
}

/// `rmvc`: the version of some software that a referenced movie needs.
public struct ReferenceVersionCheckBox: BoxPayload {
  public static let info = BoxInfo(
    ["rmvc"], name: "reference version check", in: [.box("rmda")],
    "QuickTime File Format, Version Check Atom", "The version of some software that a referenced movie needs."
  )

  /// Always 0.
  public var flags: UInt32 = 0
  /// The software.
  public var softwarePackage: FourCC = "qtim"
  /// The version.
  public var version: UInt32 = 0x0600_8000
  /// Which bits of the version are compared.
  public var mask: UInt32 = 0xFFFF_FFFF
  /// The comparison: 0 at least this version, 1 the masked bits are equal.
  public var checkType: UInt16 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("flags", &flags, .hexadecimal)
    try c.fourCC("software_package", &softwarePackage)
    try c.u32("version", &version, .hexadecimal)
    try c.u32("mask", &mask, .hexadecimal)
    try c.u16("check_type", &checkType)
  }
}

/// `rmcd`: a component that a referenced movie needs.
public struct ReferenceComponentBox: BoxPayload {
  public static let info = BoxInfo(
    ["rmcd"], name: "reference component", in: [.box("rmda")], "QuickTime File Format, Component Detect Atom",
    "A component that a referenced movie needs.")

  /// Always 0.
  public var flags: UInt32 = 0
  /// The type of the component: what it does.
  public var componentType: FourCC = "imdc"
  /// The subtype of the component: the format it does that for.
  public var componentSubtype: FourCC = "SVQ3"
  /// The manufacturer of the component; 0 means any.
  public var componentManufacturer = FourCC(0)
  /// Flags of the component.
  public var componentFlags: UInt32 = 0
  /// Which of the flags are compared.
  public var componentFlagsMask: UInt32 = 0
  /// The minimum version of the component.
  public var minimumVersion: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("flags", &flags, .hexadecimal)
    try c.fourCC("component_type", &componentType)
    try c.fourCC("component_subtype", &componentSubtype)
    try c.fourCC("component_manufacturer", &componentManufacturer)
    try c.u32("component_flags", &componentFlags, .hexadecimal)
    try c.u32("component_flags_mask", &componentFlagsMask, .hexadecimal)
    try c.u32("minimum_version", &minimumVersion)
  }
}

/// `rmqu`: the quality of a referenced movie, compared with the others.
public struct ReferenceQualityBox: BoxPayload {
  public static let info = BoxInfo(
    ["rmqu"], name: "reference quality", in: [.box("rmda")], "QuickTime File Format, Quality Atom",
    "The quality of a referenced movie, compared with the others.")

  /// The quality; higher is better.
  public var quality: UInt32 = 1

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.u32("quality", &quality) }
}
