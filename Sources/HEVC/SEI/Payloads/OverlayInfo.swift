// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `overlay_info` (166): auxiliary layers to be overlaid on the pictures. ISO/IEC 23008-2, F.14.2.8
public struct OverlayInfo: SEIPayload {
  public static let payloadType = SEIPayloadType(166)
  public static let specification: StaticString = "ISO/IEC 23008-2, F.14.2.8"
  public static let summary: StaticString = "Auxiliary layers to be overlaid on the pictures."

  /// An element of an overlay, as a range of sample values in the label layer.
  public struct Element: FieldLayout {
    /// The lowest value (`overlay_element_label_min`).
    public var minimum: UInt64 = 0
    /// The highest value (`overlay_element_label_max`).
    public var maximum: UInt64 = 0
    var length = 8
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u("overlay_element_label_min", &minimum, length)
      try c.u("overlay_element_label_max", &maximum, length)
    }
  }

  /// An overlay.
  public struct Overlay: FieldLayout {
    /// The number that identifies the overlay (`overlay_idx`).
    public var index: UInt32 = 0
    /// Whether the language of its names is given (`language_overlay_present_flag`).
    public var hasLanguage = false
    /// The layer with its content (`overlay_content_layer_id`).
    public var contentLayerID: UInt8 = 0
    /// Whether it has a label layer (`overlay_label_present_flag`).
    public var hasLabel = false
    /// The layer with its labels; `nil` if absent (`overlay_label_layer_id`).
    public var labelLayerID: UInt8?
    /// Whether it has an alpha layer (`overlay_alpha_present_flag`).
    public var hasAlpha = false
    /// The layer with its alpha; `nil` if absent (`overlay_alpha_layer_id`).
    public var alphaLayerID: UInt8?
    /// The number of its elements, less 1; `nil` if absent (`num_overlay_elements_minus1`).
    public var elementCountMinus1: UInt32?
    /// The elements; empty if there is no label layer.
    public var elements: [Element] = []
    var length = 8
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.ue("overlay_idx", &index, in: 0...255)
      try c.flag("language_overlay_present_flag", &hasLanguage)
      try c.u("overlay_content_layer_id", &contentLayerID, 6)
      try c.flag("overlay_label_present_flag", &hasLabel)
      try c.u("overlay_label_layer_id", &labelLayerID, 6, if: hasLabel)
      try c.flag("overlay_alpha_present_flag", &hasAlpha)
      try c.u("overlay_alpha_layer_id", &alphaLayerID, 6, if: hasAlpha)
      try c.ue("num_overlay_elements_minus1", &elementCountMinus1, if: hasLabel, in: 0...255)
      var new = Element()
      new.length = length
      let count = elementCountMinus1.map { Int(clamping: $0) + 1 } ?? 0
      try c.array("elements", &elements, count: count, minimumBits: 2 * length, new: new) {
        c, element throws(ParseError) in
        c.beginStructure("element")
        try element.layout(&c)
        c.endScope()
      }
    }
  }

  /// The names of an overlay.
  public struct Names: FieldLayout {
    /// The language of the names; `nil` if not given (`overlay_language`).
    public var language: TerminatedString?
    /// The name of the overlay (`overlay_name`).
    public var name = TerminatedString()
    /// The names of its elements (`overlay_element_name`).
    public var elements: [TerminatedString] = []
    package var hasLanguage = false
    package var elementCount = 0
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.terminatedString("overlay_language", &language, if: hasLanguage)
      try c.terminatedString("overlay_name", &name)
      try c.array(
        "overlay_element_name", &elements, count: elementCount, minimumBits: 8, new: TerminatedString()
      ) { c, element throws(ParseError) in try c.terminatedString("overlay_element_name", &element) }
    }
  }

  /// The overlays.
  public struct Overlays: FieldLayout {
    /// The auxiliary ID of content layers, less 128 (`overlay_content_aux_id_minus128`).
    public var contentAuxIDMinus128: UInt32 = 0
    /// The auxiliary ID of label layers, less 128 (`overlay_label_aux_id_minus128`).
    public var labelAuxIDMinus128: UInt32 = 0
    /// The auxiliary ID of alpha layers, less 128 (`overlay_alpha_aux_id_minus128`).
    public var alphaAuxIDMinus128: UInt32 = 0
    /// The number of bits of label values, less 8 (`overlay_element_label_value_length_minus8`).
    public var labelLengthMinus8: UInt32 = 0
    /// The number of overlays, less 1 (`num_overlays_minus1`).
    public var countMinus1: UInt32 = 0
    /// The overlays.
    public var overlays: [Overlay] = [Overlay()]
    /// The bits up to the byte boundary (`overlay_zero_bit`).
    public var zeroBits = BitString()
    /// The names of the overlays.
    public var names: [Names] = [Names()]
    /// Whether the message applies to later pictures as well (`overlay_info_persistence_flag`).
    public var persists = false

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.ue("overlay_content_aux_id_minus128", &contentAuxIDMinus128, in: 0...31)
      try c.ue("overlay_label_aux_id_minus128", &labelAuxIDMinus128, in: 0...31)
      try c.ue("overlay_alpha_aux_id_minus128", &alphaAuxIDMinus128, in: 0...31)
      try c.ue("overlay_element_label_value_length_minus8", &labelLengthMinus8, in: 0...56)
      try c.ue("num_overlays_minus1", &countMinus1, in: 0...15)
      let count = Int(clamping: countMinus1) + 1
      var new = Overlay()
      new.length = Int(clamping: labelLengthMinus8) + 8
      try c.array("overlays", &overlays, count: count, minimumBits: 10, new: new) {
        c, overlay throws(ParseError) in
        c.beginStructure("overlay")
        try overlay.layout(&c)
        c.endScope()
      }
      let alignment = c.bitsLeft.map { $0 & 7 } ?? zeroBits.bitCount
      if alignment > 0 { try c.bitString("overlay_zero_bit", &zeroBits, count: alignment) }
      let all = overlays
      var index = 0
      try c.array("names", &names, count: count, minimumBits: 8, new: Names()) {
        c, names throws(ParseError) in
        if all.indices.contains(index) {
          names.hasLanguage = all[index].hasLanguage
          names.elementCount = all[index].elements.count
        }
        index += 1
        c.beginStructure("names")
        try names.layout(&c)
        c.endScope()
      }
      try c.flag("overlay_info_persistence_flag", &persists)
    }
  }

  /// Whether the message ends an earlier one (`overlay_info_cancel_flag`).
  public var cancels = false
  /// The overlays; `nil` if the message ends an earlier one.
  public var overlays: Overlays? = Overlays()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.flag("overlay_info_cancel_flag", &cancels)
    try c.group("overlay_info", &overlays, if: !cancels)
  }
}
