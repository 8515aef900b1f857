// swift-multiview · SPDX-License-Identifier: Apache-2.0

// ISO/IEC 23008-2, 7.4.3.2.1 and F.7.4.3.2.1

extension SequenceParameterSet {
  /// The number of temporal sub-layers, less 1. In the multilayer form, that of the video parameter set; `nil` if
  /// that set is unknown (`sps_max_sub_layers_minus1`).
  public var maxSubLayersMinus1: UInt8? {
    isMultilayerForm ? inherited?.maxSubLayersMinus1 : spsMaxSubLayersMinus1
  }

  /// The size and sample format: its own, or that of a `rep_format()` of the video parameter set. `nil` if that
  /// set is unknown, or does not have such a format.
  public var format: PictureFormat? {
    guard isMultilayerForm else { return pictureFormat }
    guard let inherited else { return nil }
    let index = spsRepFormatIdx.map(Int.init) ?? inherited.repFormatIdx
    guard inherited.repFormats.indices.contains(index) else { return nil }
    return PictureFormat(inherited.repFormats[index])
  }

  /// The format that palette entries depend on.
  var paletteFormat: PaletteFormat? {
    format.map {
      PaletteFormat(
        isMonochrome: $0.chromaFormatIdc == 0, bitDepthLuma: $0.bitDepthLuma,
        bitDepthChroma: $0.bitDepthChroma)
    }
  }

  /// The size of a coded picture.
  public var codedSize: PictureSize? { format?.codedSize }
  /// The size inside the conformance window.
  public var croppedSize: PictureSize? { format?.croppedSize }

  /// Log2 of the size of the smallest coding block in luma samples (`MinCbLog2SizeY`).
  public var minCbLog2SizeY: Int { Int(log2MinLumaCodingBlockSizeMinus3) + 3 }
  /// Log2 of the size of a coding tree block in luma samples (`CtbLog2SizeY`).
  public var ctbLog2SizeY: Int { minCbLog2SizeY + Int(log2DiffMaxMinLumaCodingBlockSize) }
  /// The width and height of a coding tree block in luma samples. `CtbSizeY`
  public var ctbSizeY: Int { 1 << min(ctbLog2SizeY, 16) }
  /// Log2 of the size of the smallest transform block in luma samples (`MinTbLog2SizeY`).
  public var minTbLog2SizeY: Int { Int(log2MinLumaTransformBlockSizeMinus2) + 2 }
  /// Log2 of the size of the largest transform block in luma samples (`MaxTbLog2SizeY`).
  public var maxTbLog2SizeY: Int { minTbLog2SizeY + Int(log2DiffMaxMinLumaTransformBlockSize) }
  /// The width of a picture in coding tree blocks. `PicWidthInCtbsY`
  public var picWidthInCtbsY: Int? { codedSize.map { ($0.width + ctbSizeY - 1) / ctbSizeY } }
  /// The height of a picture in coding tree blocks. `PicHeightInCtbsY`
  public var picHeightInCtbsY: Int? { codedSize.map { ($0.height + ctbSizeY - 1) / ctbSizeY } }
  /// The number of coding tree blocks in a picture (`PicSizeInCtbsY`).
  public var picSizeInCtbsY: Int? {
    guard let width = picWidthInCtbsY, let height = picHeightInCtbsY else { return nil }
    return width * height
  }
  /// The modulus of the coded low bits of order counts (`MaxPicOrderCntLsb`).
  public var maxPicOrderCntLsb: Int { 1 << (Int(min(log2MaxPicOrderCntLsbMinus4, 12)) + 4) }
  /// The number of bits of `slice_pic_order_cnt_lsb`.
  public var picOrderCntLsbBits: Int { Int(log2MaxPicOrderCntLsbMinus4) + 4 }

  /// The number of pictures per second as a fraction, according to the timing in the VUI; the field rate if
  /// `field_seq_flag` is set. `nil` if there is no timing.
  public var pictureRate: (numerator: UInt32, denominator: UInt32)? {
    guard let timing = vui?.timing, timing.numUnitsInTick > 0, timing.timeScale > 0 else { return nil }
    return (timing.timeScale, timing.numUnitsInTick)
  }

  /// The width and height of a luma sample, in any unit; `nil` if unspecified.
  public var sampleAspectRatio: (width: UInt16, height: UInt16)? { vui?.aspectRatio?.ratio }
}

extension SequenceParameterSet.Inherited {
  /// Takes the values that sequence parameter sets of a layer inherit from `vps`.
  public init(_ vps: VideoParameterSet, layerID: UInt8) {
    self.init()
    maxSubLayersMinus1 = vps.vpsMaxSubLayersMinus1
    repFormats = vps.repFormats
    repFormatIdx = vps.layerIndex(of: layerID).map { vps.repFormatIndex(at: $0) } ?? 0
  }
}
