// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding

/// The beginning of the first slice segment header of a picture, as far as needed to determine what the picture is
/// predicted from. ISO/IEC 23008-2, 7.3.6.1 and F.7.3.6.1
package struct PictureStart: FieldLayout {
  private var start = SliceSegmentStart()
  private var slice = SliceHeader()

  package init() {}

  fileprivate init(in unit: NALUnitHeader, _ parameters: Shared<SliceParameters>) {
    start.unit = unit
    slice.unit = unit
    slice.sharedParameters = parameters
  }

  /// Which prediction the slice may use.
  package var sliceType: SliceType { slice.sliceType }

  /// The layers whose pictures of the same time the picture refers to.
  package var refPicLayerIDs: [UInt8] { slice.unit.layerID == 0 ? [] : slice.refPicLayerIDs }

  /// The beginning of later segments of the same picture; `nil` if its size is unknown.
  package var laterSlices: LaterSliceStart? {
    slice.parameters.flatMap { LaterSliceStart(of: start.unit, $0) }
  }

  package mutating func layout(_ c: inout some Coder) throws(ParseError) {
    guard let p = slice.parameters else {
      throw c.failure(.missing("the picture parameter set"), "slice_segment_header")
    }
    try start.layout(&c)
    guard start.firstSliceSegmentInPicFlag, !p.is3D else {
      throw c.failure(
        .invalid("is not the first of a picture, or belongs to 3D-HEVC"), "slice_segment_header")
    }
    try slice.layoutBeginning(&c, p)
  }
}

extension ParameterSetStore {
  /// Reads the beginning of the first slice segment of a picture from its first 64 bytes; `nil` for other units,
  /// and if it cannot be read or is longer.
  package mutating func pictureStart(_ unit: NALUnit) -> PictureStart? {
    guard unit.type.isSliceSegment, unit.header.isValid, let id = unit.slicePicParameterSetID,
      let parameters = sharedSliceParameters(pictureParameterSet: id, layerID: unit.layerID)
    else { return nil }
    let (found, _, error) = unit.rbsp(prefix: 64).decode(PictureStart(in: unit.header, parameters))
    return error == nil ? found : nil
  }
}
