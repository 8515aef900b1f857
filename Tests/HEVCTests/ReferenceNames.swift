// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FieldOutput
import TestSupport

/// The reference decoder's spelling, and how it divides fields, where they differ from the specification's.
enum ReferenceNames {
  static let comparison = TraceComparison(
    names: [
      "inbld_flag": "general_inbld_flag",
      "reserved_zero_bit": "general_reserved_zero_bit",
      "max_12bit_constraint_flag": "general_max_12bit_constraint_flag",
      "max_10bit_constraint_flag": "general_max_10bit_constraint_flag",
      "max_8bit_constraint_flag": "general_max_8bit_constraint_flag",
      "max_422chroma_constraint_flag": "general_max_422chroma_constraint_flag",
      "max_420chroma_constraint_flag": "general_max_420chroma_constraint_flag",
      "max_monochrome_constraint_flag": "general_max_monochrome_constraint_flag",
      "intra_constraint_flag": "general_intra_constraint_flag",
      "one_picture_only_constraint_flag": "general_one_picture_only_constraint_flag",
      "lower_bit_rate_constraint_flag": "general_lower_bit_rate_constraint_flag",
      "all_ref_layers_active_flag": "default_ref_layers_active_flag",
      "default_direct_dependency_flag": "direct_dependency_all_layers_flag",
      "default_direct_dependency_type": "direct_dependency_all_layers_type",
      "sps_range_extensions_flag": "sps_range_extension_flag",
      "sps_temporal_mvp_enable_flag": "sps_temporal_mvp_enabled_flag",
      "sps_strong_intra_smoothing_enable_flag": "strong_intra_smoothing_enabled_flag",
      "sign_data_hiding_flag": "sign_data_hiding_enabled_flag",
      "transquant_bypass_enable_flag": "transquant_bypass_enabled_flag",
      "pps_disable_deblocking_filter_flag": "pps_deblocking_filter_disabled_flag",
      "pps_range_extensions_flag": "pps_range_extension_flag",
      // Its name for the same element of the NAL parameters.
      "vcl_initial_cpb_removal_offset": "nal_initial_cpb_removal_offset",
    ],
    regrouped: [
      // 43 bits that the reference decoder prints as 16, 16 and 11; of profile 2 it does not know the flag among
      // them. 7.3.3
      "XXX_reserved_zero_43bits", "general_reserved_zero_43bits", "general_reserved_zero_7bits",
      "general_one_picture_only_constraint_flag", "general_reserved_zero_35bits",
      "XXX_reserved_zero_34bits", "general_reserved_zero_34bits", "general_reserved_zero_33bits",
      "general_max_14bit_constraint_flag",
      // The reference decoder does not know the screen content extension. 7.3.2.2.1 and 7.3.2.3.1
      "sps_extension_5bits", "sps_scc_extension_flag", "sps_extension_4bits",
      "pps_extension_5bits", "pps_scc_extension_flag", "pps_extension_4bits",
      // Printed bit by bit.
      "rbsp_alignment_zero_bit",
      // Printed byte by byte.
      "picture_checksum", "picture_crc",
      // It does not know this message. D.2.35
      "unknown prefix SEI payload byte", "max_content_light_level", "max_pic_average_light_level",
    ],
    unprinted: [
      "vps_extension_alignment_bit_equal_to_one", "vps_vui_alignment_bit_equal_to_one",
      "alignment_bit_equal_to_one", "alignment_bit_equal_to_zero",
      // The reference decoder leaves what follows the trailing bits alone. a320_opt_sps has a byte there: its
      // encoder writes vui_hrd_parameters_present_flag although vui_timing_info_present_flag is clear (E.2.1), so
      // that every bit after is one too late.
      "trailing_bytes",
    ])

  /// Bytes one by one, and kept bits bit by bit, as the reference prints them.
  static func divided(_ elements: [SyntaxElement], as reference: [ReferenceTrace.Element]) -> [SyntaxElement]
  {
    elements.flatMap { element -> [SyntaxElement] in
      let digits = element.value.compactMap(\.hexDigitValue)
      switch element.descriptor {
      case "b(8)":
        return stride(from: 0, to: digits.count - 1, by: 2).map {
          SyntaxElement(
            name: element.name, descriptor: "u(8)", value: String(digits[$0] * 16 + digits[$0 + 1]))
        }
      case "u(v)":
        // The number of bits is not in the description; the rest of the last byte is zero.
        let count = reference.count { $0.name == element.name }
        return (0..<count).map {
          let bit = $0 / 4 < digits.count ? digits[$0 / 4] >> (3 - $0 % 4) & 1 : 0
          return SyntaxElement(name: element.name, descriptor: "u(1)", value: String(bit))
        }
      default: return [element]
      }
    }
  }
}
