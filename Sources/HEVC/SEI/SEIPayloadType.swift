// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The type of an SEI message. ISO/IEC 23008-2, D.2.1
public struct SEIPayloadType: RawRepresentable, Hashable, Sendable {
  /// The number.
  public var rawValue: UInt32

  /// Makes a type from its number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Makes a type from its number.
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

extension SEIPayloadType {
  /// The kinds of NAL unit that may contain a message.
  public enum Placement: Sendable, Hashable {
    /// In a prefix SEI only.
    case prefix
    /// In a suffix SEI only.
    case suffix
    /// In either.
    case either
  }

  /// The name in the specification; `nil` if it has none.
  public var name: String? { Self.table[rawValue]?.name }

  /// Where such a message may be; `nil` if the specification does not define the type.
  public var placement: Placement? { Self.table[rawValue]?.placement }

  private static let table: [UInt32: (name: String, placement: Placement)] = [
    0: ("buffering_period", .prefix),
    1: ("pic_timing", .prefix),
    2: ("pan_scan_rect", .prefix),
    3: ("filler_payload", .either),
    4: ("user_data_registered_itu_t_t35", .either),
    5: ("user_data_unregistered", .either),
    6: ("recovery_point", .prefix),
    9: ("scene_info", .prefix),
    15: ("picture_snapshot", .prefix),
    16: ("progressive_refinement_segment_start", .prefix),
    17: ("progressive_refinement_segment_end", .either),
    19: ("film_grain_characteristics", .prefix),
    22: ("post_filter_hint", .either),
    23: ("tone_mapping_info", .prefix),
    45: ("frame_packing_arrangement", .prefix),
    47: ("display_orientation", .prefix),
    56: ("green_metadata", .prefix),
    128: ("structure_of_pictures_info", .prefix),
    129: ("active_parameter_sets", .prefix),
    130: ("decoding_unit_info", .prefix),
    131: ("temporal_sub_layer_zero_idx", .prefix),
    132: ("decoded_picture_hash", .suffix),
    133: ("scalable_nesting", .either),
    134: ("region_refresh_info", .prefix),
    135: ("no_display", .prefix),
    136: ("time_code", .prefix),
    137: ("mastering_display_colour_volume", .prefix),
    138: ("segmented_rect_frame_packing_arrangement", .prefix),
    139: ("temporal_motion_constrained_tile_sets", .prefix),
    140: ("chroma_resampling_filter_hint", .prefix),
    141: ("knee_function_info", .prefix),
    142: ("colour_remapping_info", .prefix),
    143: ("deinterlaced_field_identification", .prefix),
    144: ("content_light_level_info", .prefix),
    145: ("dependent_rap_indication", .prefix),
    146: ("coded_region_completion", .either),
    147: ("alternative_transfer_characteristics", .prefix),
    148: ("ambient_viewing_environment", .prefix),
    149: ("content_colour_volume", .prefix),
    150: ("equirectangular_projection", .prefix),
    151: ("cubemap_projection", .prefix),
    152: ("fisheye_video_info", .prefix),
    154: ("sphere_rotation", .prefix),
    155: ("regionwise_packing", .prefix),
    156: ("omni_viewport", .prefix),
    157: ("regional_nesting", .prefix),
    158: ("mcts_extraction_info_sets", .prefix),
    159: ("mcts_extraction_info_nesting", .prefix),
    160: ("layers_not_present", .prefix),
    161: ("inter_layer_constrained_tile_sets", .prefix),
    162: ("bsp_nesting", .prefix),
    163: ("bsp_initial_arrival_time", .prefix),
    164: ("sub_bitstream_property", .prefix),
    165: ("alpha_channel_info", .prefix),
    166: ("overlay_info", .prefix),
    167: ("temporal_mv_prediction_constraints", .prefix),
    168: ("frame_field_info", .prefix),
    176: ("three_dimensional_reference_displays_info", .prefix),
    177: ("depth_representation_info", .prefix),
    178: ("multiview_scene_info", .prefix),
    179: ("multiview_acquisition_info", .prefix),
    180: ("multiview_view_position", .prefix),
    181: ("alternative_depth_info", .prefix),
    200: ("sei_manifest", .prefix),
    201: ("sei_prefix_indication", .prefix),
    202: ("annotated_regions", .prefix),
    205: ("shutter_interval_info", .prefix),
  ]
}

extension SEIPayloadType: CustomStringConvertible {
  /// The name, or the number.
  public var description: String { name ?? "payload type \(rawValue)" }
}
