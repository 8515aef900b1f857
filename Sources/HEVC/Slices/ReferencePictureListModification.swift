// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `ref_pic_lists_modification()`: a different order of the reference pictures. ISO/IEC 23008-2, 7.3.6.2
public struct ReferencePictureListsModification: FieldLayout {
  /// Whether list 0 is reordered (`ref_pic_list_modification_flag_l0`).
  public var flagL0 = false
  /// The entries of list 0, as indices into the default order (`list_entry_l0`).
  public var entriesL0: [UInt8] = []
  /// Whether list 1 is reordered; `nil` if absent (`ref_pic_list_modification_flag_l1`).
  public var flagL1: Bool?
  /// The entries of list 1, as indices into the default order (`list_entry_l1`).
  public var entriesL1: [UInt8] = []

  var countL0 = 1
  /// The number of entries in list 1; `nil` in a P slice.
  var countL1: Int?
  var numPicTotalCurr = 2

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    let bits = ceilLog2(numPicTotalCurr)
    let allowed: ClosedRange<UInt8> = 0...UInt8(clamping: max(1, numPicTotalCurr) - 1)
    try c.flag("ref_pic_list_modification_flag_l0", &flagL0)
    try c.array("list_entry_l0", &entriesL0, count: flagL0 ? countL0 : 0, bits: bits, in: allowed)
    try c.flag("ref_pic_list_modification_flag_l1", &flagL1, if: countL1 != nil)
    try c.array(
      "list_entry_l1", &entriesL1, count: flagL1 == true ? countL1 ?? 0 : 0, bits: bits, in: allowed)
  }
}
