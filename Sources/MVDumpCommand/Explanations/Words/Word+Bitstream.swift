// swift-multiview · SPDX-License-Identifier: Apache-2.0

extension Word {
  private static let hevc = "ISO/IEC 23008-2"
  private static let definitions = hevc + ", clause 3"

  /// What HEVC streams are made of.
  static let bitstream = [
    Word(
      "HEVC", "H.265", title: "the video codec of ISO/IEC 23008-2, also ITU-T H.265",
      "The bitstream inside of spatial movies, and of many others.", see: ["MV-HEVC", "NAL unit", "hvcC"],
      source: hevc),
    Word(
      "IDR",
      title: "a picture at which decoding can start, and after which nothing refers to what was before",
      "An instantaneous decoding refresh picture: order counts start anew.",
      see: ["IDR_W_RADL", "IDR_N_LP", "CRA", "IRAP"], source: definitions),
    Word(
      "CRA", title: "a picture at which decoding can start, though pictures shown before it may be lost then",
      "A clean random access picture.", see: ["CRA_NUT", "RASL", "IDR", "IRAP"], source: definitions),
    Word(
      "BLA", title: "a picture at which a stream was cut and joined",
      "A broken link access picture: a clean random access picture whose past is another stream's.",
      see: ["BLA_W_LP", "BLA_W_RADL", "BLA_N_LP", "IRAP"], source: definitions),
    Word(
      "IRAP", title: "a picture at which decoding can start",
      "An intra random access point picture: IDR, CRA or BLA.", see: ["IDR", "CRA", "BLA"],
      source: definitions),
    Word(
      "RADL",
      title: "a picture shown before the random access point it follows, which can be decoded after it",
      "A random access decodable leading picture.", see: ["RADL_N", "RADL_R", "RASL"], source: definitions),
    Word(
      "RASL", title: "a picture shown before the random access point it follows, which is skipped after it",
      "A random access skipped leading picture: it refers to what came before the point.",
      see: ["RASL_N", "RASL_R", "RADL"], source: definitions),
    Word(
      "NAL unit", "NAL", title: "the piece of which HEVC streams are made",
      "A header of two bytes that says what it is and of which layer, and its bytes: a slice, a parameter set, a "
        + "message. mvdump nal lists them.",
      see: ["nal_unit_header", "nal-unit-types", "Annex B"], source: hevc + ", 7.3.1"),
    Word(
      "VCL", title: "NAL units with slices of pictures", "All others are about the pictures.",
      see: ["nal-unit-types", "slice"], source: definitions),
    Word(
      "RBSP", title: "the bytes of a NAL unit without emulation prevention",
      "What the fields are read from.", see: ["emulation prevention"], source: hevc + ", 7.3.1.1"),
    Word(
      "emulation prevention",
      title: "bytes put into a NAL unit so that nothing in it looks like a start code",
      "A 3 after two zero bytes. Offsets that mvdump shows count them, as they are in the file.",
      see: ["Annex B", "RBSP"], source: hevc + ", 7.4.2"),
    Word(
      "Annex B", "byte stream", "start code", "raw HEVC stream",
      title: "NAL units after one another, each after a start code",
      "The bytes 0 0 1 precede each. Files that end in .hevc or .265 are such streams; in movies NAL units have "
        + "lengths instead. mvdump extract writes such streams.",
      see: ["NAL unit", "emulation prevention"], source: hevc + ", annex B"),
    Word(
      "parameter set", "parameter sets", title: "what a decoder has to know before the first picture",
      "VPS for the layers, SPS for the pictures of a layer, PPS for their slices. They are in hvcC and lhvC, or in "
        + "samples. mvdump params shows them.",
      see: ["VPS", "SPS", "PPS", "hvcC", "lhvC"], source: definitions),
    Word(
      "SEI", "SEI message", title: "a message in the stream that a decoder may do without",
      "Supplemental enhancement information: times, colours of the display, positions of cameras.",
      see: ["sei-messages", "reference displays"], source: hevc + ", annex D"),
    Word(
      "VUI", title: "the part of parameter sets that says how pictures are shown",
      "Video usability information: aspect ratio, colours, frame rate.",
      see: ["vui_parameters_present_flag", "SPS"], source: hevc + ", annex E"),
    Word(
      "HRD", title: "the model decoder whose buffers a stream must not overrun",
      "The hypothetical reference decoder.", see: ["buffering_period", "pic_timing"],
      source: hevc + ", annex C"),
    Word(
      "DPB", title: "where a decoder keeps pictures that are still needed",
      "The decoded picture buffer.", see: ["sps_max_dec_pic_buffering_minus1"], source: hevc + ", annex C"),
    Word(
      "layer", "layer ID", "layerID", title: "pictures that can be taken out of a stream by their number",
      "Layer 0 is ordinary HEVC. Other layers are further views, more detail, alpha or depth; 'needs' names the "
        + "layers from which one is predicted.",
      see: ["nuh_layer_id", "base layer", "view", "lhvC"], source: hevc + ", annex F"),
    Word(
      "base layer", title: "layer 0: what every HEVC decoder shows",
      "Its parameter sets are in hvcC. It is mostly the left eye, and not always.", see: ["layer", "hvcC"],
      source: hevc + ", annex F"),
    Word(
      "enhancement layer", title: "a layer on top of the base layer",
      "A further view, more detail, alpha or depth. Its parameter sets are in lhvC.",
      see: ["layer", "lhvC"],
      source: hevc + ", annex F"),
    Word(
      "from layers", title: "pictures that may be predicted from another layer",
      "A column of mvdump layers: how many pictures may be predicted from the picture of another layer at the same "
        + "time.",
      see: ["layer", "inter_layer_pred_enabled_flag"], source: "mvdump help layers"),
    Word(
      "needs", title: "the layers from which a layer is predicted",
      "A column of mvdump info. A decoder of the layer needs those as well.", see: ["direct_dependency_flag"],
      source: "mvdump help info"),
    Word(
      "shows", title: "what the pictures of a layer are",
      "A column: an eye, alpha or depth. It is empty for a view of which nothing says which eye it is for.",
      see: ["eye", "alpha", "depth"], source: "mvdump help info"),
    Word(
      "temporal", "temporal ID", "temporal sub-layer", title: "in which sub-layer of times a picture is",
      "Those of the highest number may be left out, for fewer pictures a second.",
      see: ["nuh_temporal_id_plus1"], source: definitions),
    Word(
      "pictures", "picture", title: "what a camera sees at one time, as samples of brightness and colour",
      "A layer has one for each access unit. mvdump layers counts them by the slices that they are made of.",
      see: ["slice", "access unit"], source: definitions),
    Word(
      "slice", title: "a piece of a picture that is decoded by itself", "Most pictures have one.",
      see: ["I", "P", "B", "slice_segment_header"], source: definitions),
    Word(
      "I", "I slice", "I picture", title: "a slice, or a picture, that is predicted from no other picture",
      "Intra.",
      see: ["slice_type", "P", "B"], source: hevc + ", 7.4.7.1"),
    Word(
      "P", "P slice", "P picture",
      title: "a slice, or a picture, of which a block is predicted from one other picture",
      "With layers, the other picture may be that of another view at the same time.",
      see: ["slice_type", "I", "B"],
      source: hevc + ", 7.4.7.1"),
    Word(
      "B", "B slice", "B picture",
      title: "a slice, or a picture, of which a block may be predicted from two pictures",
      "They may be shown before it and after it.", see: ["slice_type", "I", "P"], source: hevc + ", 7.4.7.1"),
    Word(
      "POC", "picture order count", "order count", title: "the order in which pictures are shown",
      "It counts from the last IDR picture. Pictures of several layers at one time have the same.",
      see: ["slice_pic_order_cnt_lsb"], source: hevc + ", 8.3.1"),
    Word(
      "access unit", title: "all NAL units of one time: the pictures of all layers",
      "In a movie it is one sample, unless layers are in tracks of their own.",
      see: ["sample", "NAL unit"],
      source: definitions),
    Word(
      "GOP", "group of pictures", title: "the pictures from one at which decoding can start to the next",
      "A name that the standard does not use. In mvdump samples a sync sample begins one.",
      see: ["IRAP", "sync"],
      source: "usage"),
    Word(
      "profile", title: "the set of tools that a stream uses",
      "A decoder says which profiles it knows.", see: ["profiles", "general_profile_idc"],
      source: hevc + ", annex A"),
    Word(
      "level", title: "how large and how fast pictures may be at most",
      "general_level_idc is 30 times the level: 93 is level 3.1.", see: ["general_level_idc", "tier"],
      source: hevc + ", A.4"),
    Word(
      "tier", "Main tier", "High tier", title: "how many bits a second a level allows: Main or High",
      "In codec strings the L or H before the level.", see: ["general_tier_flag", "level"],
      source: hevc + ", A.4"),
    Word(
      "codec string", "CODECS", title: "codec, profile, compatibility, tier and level in one word",
      "hvc1.1.6.L60.90: the sample entry hvc1, profile 1, compatible with 1 and 2, Main tier, level 2, and the "
        + "constraint flags. It is what playlists and web pages have.",
      see: ["hvc1", "profile", "level"], source: "ISO/IEC 14496-15, annex E"),
    Word(
      "format", "chroma format", "4:2:0", "4:2:2", "4:4:4", "4:0:0",
      title: "how many samples of colour a picture has, and how many bits each",
      "4:2:0 has a quarter as many samples of colour as of brightness, 4:2:2 half as many, 4:4:4 as many; 4:0:0 has "
        + "none.",
      see: ["chroma_format_idc", "bit_depth_luma_minus8"], source: hevc + ", 6.2"),
    Word(
      "HDR", "PQ", "HLG", title: "pictures with more range between dark and bright than usual",
      "PQ is transfer characteristics 16 (SMPTE ST 2084), HLG 18 (ARIB STD-B67).",
      see: ["colr", "transfer_characteristics", "mdcv", "clli"], source: "ISO/IEC 23091-2, 8.2"),
    Word(
      "extra bits in an SEI payload", "reserved_payload_extension_data", "payload_bit_equal_to_one",
      "payload_bit_equal_to_zero", title: "what is between the fields of a message and its end",
      "Data for later versions, then a 1, then zeros up to the end of a byte. They are kept, and written as they were.",
      see: ["SEI"], source: hevc + ", D.2.1"),
  ]
}
