// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// What is known about the context of an SEI message: the presence and length of some fields depend on parameter
/// sets.
public struct SEIContext: Sendable, Hashable {
  /// The lengths and flags of a hypothetical reference decoder. ISO/IEC 23008-2, E.2.2
  public struct Timing: Sendable, Hashable {
    /// Whether there are parameters for all NAL units (`nal_hrd_parameters_present_flag`).
    public var hasNALParameters = false
    /// Whether there are parameters for VCL NAL units and filler data alone (`vcl_hrd_parameters_present_flag`).
    public var hasVCLParameters = false
    /// Whether there are parameters for decoding units (`sub_pic_hrd_params_present_flag`).
    public var hasSubPictureParameters = false
    /// Whether delays of decoding units are in picture timing messages
    /// (`sub_pic_cpb_params_in_pic_timing_sei_flag`).
    public var hasSubPictureTimingInPictureTiming = false
    /// The number of bits of initial removal delays (`initial_cpb_removal_delay_length_minus1` + 1).
    public var initialRemovalDelayLength = 24
    /// The number of bits of removal delays (`au_cpb_removal_delay_length_minus1` + 1).
    public var removalDelayLength = 24
    /// The number of bits of output delays (`dpb_output_delay_length_minus1` + 1).
    public var outputDelayLength = 24
    /// The number of bits of removal delay increments of decoding units
    /// (`du_cpb_removal_delay_increment_length_minus1` + 1).
    public var unitRemovalDelayIncrementLength = 24
    /// The number of bits of output delays of decoding units (`dpb_output_delay_du_length_minus1` + 1).
    public var unitOutputDelayLength = 24
    /// The number of delivery schedules of the highest sub-layer (`cpb_cnt_minus1` + 1).
    public var bufferCount = 1

    /// Makes the default lengths.
    public init() {}
  }

  /// The values that messages need from a sequence parameter set.
  public struct Sequence: Sendable, Hashable {
    /// Whether picture timing messages describe frames and fields (`frame_field_info_present_flag`).
    public var hasFrameFieldInfo = false
    /// The timing parameters; `nil` if there are none.
    public var timing: Timing?
    /// The number of coding tree blocks in a picture (`PicSizeInCtbsY`).
    public var sizeInCodingTreeBlocks: UInt32 = 1

    /// Makes a sequence without timing.
    public init() {}
  }

  /// The values that messages need from a video parameter set.
  public struct Video: Sendable, Hashable {
    /// The number of layers, less 1 (`MaxLayersMinus1`).
    public var maxLayersMinus1 = 0
    /// Whether the base layer is in this stream (`vps_base_layer_internal_flag`).
    public var baseLayerIsInternal = true
    /// The number of views (`NumViews`).
    public var viewCount = 1

    /// Makes a video of one layer.
    public init() {}
  }

  /// The sequences, by the IDs of their parameter sets.
  public var sequences: [UInt32: Sequence] = [:]
  /// The sequence of the picture that the message belongs to; `nil` if unknown.
  public var activeSequence: Sequence?
  /// The video that the message belongs to; `nil` if unknown.
  public var video: Video?
  /// How many messages this one is nested in.
  public var nesting = 0

  /// Makes a context in which nothing is known.
  public init() {}
}
