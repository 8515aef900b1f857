// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// What headers and parameter sets decide about a picture before its first block is decoded.
package struct PicturePlan: Sendable {
  /// `nuh_layer_id`
  package let layerID: UInt8
  /// Whether no lower layer is decoded.
  package let isLowestLayer: Bool
  /// The type of its slice segments.
  package let type: NALUnitType
  /// PicOrderCntVal
  package let orderCount: Int
  /// Whether decoding starts anew with it: an IRAP picture with NoRaslOutputFlag equal to 1.
  package let startsSequence: Bool
  /// Whether the other layers start anew too: NoClrasOutputFlag.
  package let restartsLayers: Bool
  /// Whether pictures that wait for their output are dropped. NoOutputOfPriorPicsFlag
  package let discardsPriorPictures: Bool
  /// Whether it is output. PicOutputFlag
  package let isOutput: Bool
  /// The pictures it refers to, and those that are kept for later ones.
  package let references: ReferencePictureSet
  /// How many pictures wait and are kept.
  package let limits: BufferLimits
  /// The sequence parameter set that holds for it.
  package let sps: SequenceParameterSet
  /// The picture parameter set that holds for it.
  package let pps: PictureParameterSet
}

/// Why a picture is passed over: by the standard it is not decoded, and no error.
package enum SkippedPicture: Hashable, Sendable {
  /// Its layer is not one of those that are decoded.
  case layer
  /// It precedes the first picture of its layer at which decoding can start.
  case beforeRandomAccess
  /// It is a leading picture that refers to pictures before the one at which decoding started. RASL
  case leading
}

/// What became of a slice segment.
package enum SliceEvent: Sendable {
  /// It begins a picture.
  case starts(PicturePlan, SliceSegment)
  /// It belongs to the picture of its layer that began last.
  case continues(SliceSegment)
  /// Its picture is passed over.
  case skipped(SkippedPicture)
  /// It cannot be decoded; a picture that has begun lacks it.
  case failed(PictureProblem)
}
