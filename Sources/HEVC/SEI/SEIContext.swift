// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// What is known around an SEI message: some payloads have fields whose presence and length parameter sets decide.
public struct SEIContext: Sendable, Hashable {
  /// The lengths and flags of a hypothetical reference decoder. ISO/IEC 23008-2, E.2.2
  public struct Timing: Sendable, Hashable {
    /// `nal_hrd_parameters_present_flag`
    public var hasNALParameters = false
    /// `vcl_hrd_parameters_present_flag`
    public var hasVCLParameters = false
    /// `sub_pic_hrd_params_present_flag`
    public var hasSubPictureParameters = false
    /// `sub_pic_cpb_params_in_pic_timing_sei_flag`
    public var hasSubPictureTimingInPictureTiming = false
    /// `initial_cpb_removal_delay_length_minus1`, plus 1
    public var initialRemovalDelayLength = 24
    /// `au_cpb_removal_delay_length_minus1`, plus 1
    public var removalDelayLength = 24
    /// `dpb_output_delay_length_minus1`, plus 1
    public var outputDelayLength = 24
    /// `du_cpb_removal_delay_increment_length_minus1`, plus 1
    public var unitRemovalDelayIncrementLength = 24
    /// `dpb_output_delay_du_length_minus1`, plus 1
    public var unitOutputDelayLength = 24
    /// `cpb_cnt_minus1` of the highest sub-layer, plus 1
    public var bufferCount = 1

    /// The lengths that hold where nothing is said.
    public init() {}
  }

  /// What messages need of a sequence parameter set.
  public struct Sequence: Sendable, Hashable {
    /// `frame_field_info_present_flag`
    public var hasFrameFieldInfo = false
    /// The timing parameters; `nil` where there are none.
    public var timing: Timing?
    /// `PicSizeInCtbsY`
    public var sizeInCodingTreeBlocks: UInt32 = 1

    /// A sequence without timing.
    public init() {}
  }

  /// What messages need of a video parameter set.
  public struct Video: Sendable, Hashable {
    /// `MaxLayersMinus1`
    public var maxLayersMinus1 = 0
    /// `vps_base_layer_internal_flag`
    public var baseLayerIsInternal = true
    /// `NumViews`
    public var viewCount = 1

    /// A video of one layer.
    public init() {}
  }

  /// The sequences by the ids of their parameter sets.
  public var sequences: [UInt32: Sequence] = [:]
  /// The sequence of the picture that the message belongs to.
  public var activeSequence: Sequence?
  /// The video that the message belongs to.
  public var video: Video?
  /// How many messages this one is nested in.
  public var nesting = 0

  /// Nothing is known.
  public init() {}
}
