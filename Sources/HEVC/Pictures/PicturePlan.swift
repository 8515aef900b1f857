// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// What headers and parameter sets decide about a picture before its first block is decoded.
package struct PicturePlan: Sendable {
  /// The layer (`nuh_layer_id`).
  package let layerID: UInt8
  /// Whether no lower layer is decoded.
  package let isLowestLayer: Bool
  /// The type of its slice segments.
  package let type: NALUnitType
  /// The position in output order (`PicOrderCntVal`).
  package let orderCount: Int
  /// Whether decoding starts with it: it is an IRAP picture with NoRaslOutputFlag equal to 1.
  package let startsSequence: Bool
  /// Whether the other layers restart too (`NoClrasOutputFlag`).
  package let restartsLayers: Bool
  /// Whether pictures that wait for output are discarded (`NoOutputOfPriorPicsFlag`).
  package var discardsPriorPictures: Bool
  /// Whether it is output (`PicOutputFlag`).
  package let isOutput: Bool
  /// The pictures it refers to, and those kept for later pictures.
  package let references: ReferencePictureSet
  /// How many pictures may wait and how many are kept.
  package let limits: BufferLimits
  /// The sequence parameter set in force.
  package let sps: SequenceParameterSet
  /// The picture parameter set in force.
  package let pps: PictureParameterSet
}

/// Why a picture is skipped: the standard says not to decode it, so it is not an error.
package enum SkippedPicture: Hashable, Sendable {
  /// Its layer is not decoded.
  case layer
  /// It precedes the first picture of its layer at which decoding can start.
  case beforeRandomAccess
  /// It is a leading picture that refers to pictures before the one at which decoding started (RASL).
  case leading
}

/// The result of processing a slice segment.
package enum SliceEvent: Sendable {
  /// It begins a picture.
  case starts(PicturePlan, SliceSegment)
  /// It belongs to the picture of its layer that began last.
  case continues(SliceSegment)
  /// Its picture is skipped.
  case skipped(SkippedPicture)
  /// It cannot be decoded, and is missing from any picture that has already begun.
  case failed(PictureProblem)
}
