// swift-multiview · SPDX-License-Identifier: Apache-2.0

extension Word {
  private static let hevc = "ISO/IEC 23008-2"
  private static let definitions = hevc + ", clause 3"

  /// What HEVC streams are made of.
  static let bitstream = [
    Word(
      "HEVC", "H.265", title: "the video codec of ISO/IEC 23008-2, also ITU-T H.265",
      "The codec of spatial movies, and of many others.", see: ["MV-HEVC", "NAL unit", "hvcC"],
      source: hevc),
    Word(
      "IDR",
      title: "a picture at which decoding can start; no later picture refers to an earlier one",
      "An instantaneous decoding refresh picture. Picture order counts restart.",
      see: ["IDR_W_RADL", "IDR_N_LP", "CRA", "IRAP"], source: definitions),
    Word(
      "CRA", title: "a picture at which decoding can start, but pictures shown before it may be lost",
      "A clean random access picture.", see: ["CRA_NUT", "RASL", "IDR", "IRAP"], source: definitions),
    Word(
      "BLA", title: "a picture at which a stream was cut and joined",
      "A broken link access picture: a clean random access picture that follows the pictures of another stream.",
      see: ["BLA_W_LP", "BLA_W_RADL", "BLA_N_LP", "IRAP"], source: definitions),
    Word(
      "IRAP", title: "a picture at which decoding can start",
      "An intra random access point picture: IDR, CRA or BLA.", see: ["IDR", "CRA", "BLA"],
      source: definitions),
    Word(
      "RADL",
      title: "a picture that follows a random access point, is shown before it, and can be decoded after it",
      "A random access decodable leading picture.", see: ["RADL_N", "RADL_R", "RASL"], source: definitions),
    Word(
      "RASL",
      title:
        "a picture that follows a random access point, is shown before it, and must be skipped when decoding starts there",
      "A random access skipped leading picture: it refers to pictures before that point.",
      see: ["RASL_N", "RASL_R", "RADL"], source: definitions),
    Word(
      "NAL unit", "NAL", title: "the unit that HEVC streams consist of",
      "A two-byte header with its type and layer, followed by a slice, a parameter set or a message. "
        + "mvdump nal lists them.",
      see: ["nal_unit_header", "nal-unit-types", "Annex B"], source: hevc + ", 7.3.1"),
    Word(
      "VCL", title: "NAL units with slices of pictures", "The other types carry parameters and metadata.",
      see: ["nal-unit-types", "slice"], source: definitions),
    Word(
      "RBSP", title: "the bytes of a NAL unit without emulation prevention",
      "The raw byte sequence payload, from which fields are read.", see: ["emulation prevention"],
      source: hevc + ", 7.3.1.1"),
    Word(
      "emulation prevention",
      title: "bytes inserted into a NAL unit so that nothing in it looks like a start code",
      "A byte 3 after two zero bytes. Offsets shown by mvdump include these bytes.",
      see: ["Annex B", "RBSP"], source: hevc + ", 7.4.2"),
    Word(
      "Annex B", "byte stream", "start code", "raw HEVC stream",
      title: "consecutive NAL units, each preceded by a start code",
      "The start code is 0 0 1. Files named .hevc or .265 are such streams; in movies, NAL units have lengths "
        + "instead. mvdump extract writes this form.",
      see: ["NAL unit", "emulation prevention"], source: hevc + ", annex B"),
    Word(
      "parameter set", "parameter sets", title: "what a decoder needs before the first picture",
      "VPS for the layers, SPS for the pictures of a layer, PPS for their slices. They are in hvcC and lhvC, or in "
        + "samples. mvdump params shows them.",
      see: ["VPS", "SPS", "PPS", "hvcC", "lhvC"], source: definitions),
    Word(
      "SEI", "SEI message", title: "a message in the stream that decoding does not require",
      "Supplemental enhancement information: timing, display colours, camera positions and more.",
      see: ["sei-messages", "reference displays"], source: hevc + ", annex D"),
    Word(
      "VUI", title: "the part of a parameter set that describes how to show pictures",
      "Video usability information: aspect ratio, colours, frame rate.",
      see: ["vui_parameters_present_flag", "SPS"], source: hevc + ", annex E"),
    Word(
      "HRD", title: "the model decoder whose buffers a stream must not overflow or underflow",
      "The hypothetical reference decoder.", see: ["buffering_period", "pic_timing"],
      source: hevc + ", annex C"),
    Word(
      "DPB", title: "where a decoder keeps pictures that are still needed",
      "The decoded picture buffer.", see: ["sps_max_dec_pic_buffering_minus1"], source: hevc + ", annex C"),
    Word(
      "layer", "layer ID", "layerID", title: "a numbered set of pictures that can be extracted from a stream",
      "Layer 0 is ordinary HEVC. Other layers add views, detail, alpha or depth; 'needs' names the layers that a "
        + "layer is predicted from.",
      see: ["nuh_layer_id", "base layer", "view", "lhvC"], source: hevc + ", annex F"),
    Word(
      "base layer", title: "layer 0, which every HEVC decoder can show",
      "Its parameter sets are in hvcC. It is often, but not always, the left eye.", see: ["layer", "hvcC"],
      source: hevc + ", annex F"),
    Word(
      "enhancement layer", title: "a layer on top of the base layer",
      "Another view, more detail, alpha or depth. Its parameter sets are in lhvC.",
      see: ["layer", "lhvC"],
      source: hevc + ", annex F"),
    Word(
      "from layers", title: "pictures that may be predicted from another layer",
      "A column of mvdump layers: how many pictures may be predicted from the picture of another layer at the same "
        + "time.",
      see: ["layer", "inter_layer_pred_enabled_flag"], source: "mvdump help layers"),
    Word(
      "needs", title: "the layers that a layer is predicted from",
      "A column of mvdump info. Decoding the layer requires those layers too.",
      see: ["direct_dependency_flag"],
      source: "mvdump help info"),
    Word(
      "shows", title: "what the pictures of a layer are",
      "A column: an eye, alpha or depth. It is empty if nothing signals which eye a view is for.",
      see: ["eye", "alpha", "depth"], source: "mvdump help info"),
    Word(
      "temporal", "temporal ID", "temporal sub-layer", title: "the temporal sub-layer of a picture",
      "Pictures with the highest numbers can be dropped for a lower frame rate.",
      see: ["nuh_temporal_id_plus1"], source: definitions),
    Word(
      "pictures", "picture", title: "one image of a layer, as samples of luma and chroma",
      "A layer has one in each access unit. mvdump layers counts them by slice type.",
      see: ["slice", "access unit"], source: definitions),
    Word(
      "slice", title: "a part of a picture that can be parsed independently", "Most pictures have one.",
      see: ["I", "P", "B", "slice_segment_header"], source: definitions),
    Word(
      "I", "I slice", "I picture", title: "a slice or picture that is not predicted from other pictures",
      "Intra.",
      see: ["slice_type", "P", "B"], source: hevc + ", 7.4.7.1"),
    Word(
      "P", "P slice", "P picture",
      title: "a slice or picture in which each block is predicted from up to one other picture",
      "With layers, the other picture may be another view at the same time.",
      see: ["slice_type", "I", "B"],
      source: hevc + ", 7.4.7.1"),
    Word(
      "B", "B slice", "B picture",
      title: "a slice or picture in which a block may be predicted from two other pictures",
      "These may be shown before or after it.", see: ["slice_type", "I", "P"], source: hevc + ", 7.4.7.1"),
    Word(
      "POC", "picture order count", "order count",
      title: "the number that gives the output order of pictures",
      "It restarts at each IDR picture. All layers of an access unit have the same value.",
      see: ["slice_pic_order_cnt_lsb"], source: hevc + ", 8.3.1"),
    Word(
      "access unit", title: "all NAL units of one point in time: the pictures of all layers",
      "In a movie it is one sample, unless layers are in separate tracks.",
      see: ["sample", "NAL unit"],
      source: definitions),
    Word(
      "GOP", "group of pictures", title: "the pictures from one random access point up to the next",
      "The standard does not use this term. In mvdump samples, a sync sample starts a group.",
      see: ["IRAP", "sync"],
      source: "usage"),
    Word(
      "profile", title: "the set of coding tools that a stream may use",
      "A decoder supports certain profiles.", see: ["profiles", "general_profile_idc"],
      source: hevc + ", annex A"),
    Word(
      "level", title: "the maximum picture size and rate",
      "general_level_idc is 30 times the level: 93 is level 3.1.", see: ["general_level_idc", "tier"],
      source: hevc + ", A.4"),
    Word(
      "tier", "Main tier", "High tier",
      title: "which of two bit rate limits of a level applies: Main or High",
      "The L or H before the level in codec strings.", see: ["general_tier_flag", "level"],
      source: hevc + ", A.4"),
    Word(
      "codec string", "CODECS", title: "codec, profile, compatibility, tier and level in one string",
      "hvc1.1.6.L60.90: the sample entry hvc1, profile 1, compatible with 1 and 2, Main tier, level 2, and the "
        + "constraint flags. Playlists and web pages use it.",
      see: ["hvc1", "profile", "level"], source: "ISO/IEC 14496-15, annex E"),
    Word(
      "format", "chroma format", "4:2:0", "4:2:2", "4:4:4", "4:0:0",
      title: "the chroma resolution and the bit depth of pictures",
      "4:2:0 has a quarter as many chroma samples as luma samples per component, 4:2:2 half as many, 4:4:4 the "
        + "same number, and 4:0:0 none.",
      see: ["chroma_format_idc", "bit_depth_luma_minus8"], source: hevc + ", 6.2"),
    Word(
      "HDR", "PQ", "HLG", title: "pictures with a higher dynamic range than usual",
      "PQ is transfer characteristics 16 (SMPTE ST 2084), HLG 18 (ARIB STD-B67).",
      see: ["colr", "transfer_characteristics", "mdcv", "clli"], source: "ISO/IEC 23091-2, 8.2"),
    Word(
      "extra bits in an SEI payload", "reserved_payload_extension_data", "payload_bit_equal_to_one",
      "payload_bit_equal_to_zero", title: "data between the last field of a message and its end",
      "Data for later versions, then a 1 bit, then 0 bits up to the end of the byte. It is kept and written back unchanged.",
      see: ["SEI"], source: hevc + ", D.2.1"),
  ]
}
