// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// `vps_3d_extension()`: how depth values of one view are converted to disparities with another. ISO/IEC 23008-2,
/// I.7.3.2.1.7
public struct VPS3DExtension: Hashable, Sendable {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, I.7.3.2.1.7"

  /// The parameters of a view other than the first.
  public struct View: Hashable, Sendable {
    /// Whether the parameters are in slice headers; `nil` if there are no other views
    /// (`cp_in_slice_segment_header_flag`).
    public var cpInSliceSegmentHeaderFlag: Bool?
    /// The views to which parameters are given, `num_cp` of them.
    public var references: [Reference] = []

    /// Makes a view without parameters.
    public init() {}
  }

  /// The parameters from one view to another.
  public struct Reference: Hashable, Sendable {
    /// The other view, by its ViewOrderIdx (`cp_ref_voi`).
    public var refVoi: UInt32 = 0
    /// The factor (`vps_cp_scale`).
    public var scale: Int32?
    /// The offset (`vps_cp_off`).
    public var offset: Int32?
    /// The factor of the other direction, plus ``scale`` (`vps_cp_inv_scale_plus_scale`).
    public var invScalePlusScale: Int32?
    /// The offset of the other direction, plus ``offset`` (`vps_cp_inv_off_plus_off`).
    public var invOffPlusOff: Int32?

    /// Makes parameters that are not in this structure.
    public init() {}
  }

  /// The precision of factors and offsets (`cp_precision`).
  public var cpPrecision: UInt32 = 0
  /// The views from the second on, ordered by ViewOrderIdx.
  public var views: [View] = []

  /// Makes an empty structure.
  public init() {}

  mutating func layout(_ c: inout some Coder, numViews: Int) throws(ParseError) {
    let any: ClosedRange<Int32> = (.min + 1)...(.max)
    try c.ue("cp_precision", &cpPrecision, in: 0...5)
    try c.elements("views", &views, at: 1..<max(1, numViews), minimumBits: 6, new: View()) {
      c, _, view throws(ParseError) in
      c.beginStructure("view")
      var count = UInt8(clamping: view.references.count)
      try c.u("num_cp", &count, 6)
      try c.flag("cp_in_slice_segment_header_flag", &view.cpInSliceSegmentHeaderFlag, if: count > 0)
      let isHere = view.cpInSliceSegmentHeaderFlag == false
      try c.elements("references", &view.references, at: 0..<Int(count), minimumBits: 1, new: Reference()) {
        c, _, reference throws(ParseError) in
        c.beginStructure("reference")
        try c.ue("cp_ref_voi", &reference.refVoi, in: 0...65535)
        try c.se("vps_cp_scale", &reference.scale, if: isHere, in: any)
        try c.se("vps_cp_off", &reference.offset, if: isHere, in: any)
        try c.se("vps_cp_inv_scale_plus_scale", &reference.invScalePlusScale, if: isHere, in: any)
        try c.se("vps_cp_inv_off_plus_off", &reference.invOffPlusOff, if: isHere, in: any)
        c.endScope()
      }
      c.endScope()
    }
  }
}
