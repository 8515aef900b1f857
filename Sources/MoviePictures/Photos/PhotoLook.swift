// swift-multiview · SPDX-License-Identifier: Apache-2.0

import BoxCatalogue
import HEVC
import HEVCDecoding
import ISOBMFF
import Multiview

extension PictureLook {
  /// What the stream of an image says.
  init(parameterSets units: [NALUnit]) {
    var store = ParameterSetStore()
    for unit in units { store.insert(unit) }
    let vui = store.firstSequenceParameterSet(ofLayer: 0)?.content.vui
    chromaLocation = vui?.chromaLocation.map { Int(clamping: $0.topField) }
    guard let signal = vui?.videoSignalType else { return }
    colour.primaries = signal.colour.flatMap { Self.known(UInt16($0.colourPrimaries)) }
    colour.transfer = signal.colour.flatMap { Self.known(UInt16($0.transferCharacteristics)) }
    colour.matrix = signal.colour.flatMap { Self.known(UInt16($0.matrixCoeffs)) }
    colour.isFullRange = signal.videoFullRangeFlag
  }

  /// What the properties of an item say, in their order; what was said before remains where they leave it open.
  mutating func apply(_ properties: [Box], item: UInt32) throws(PictureError) {
    var rotation = geometry.orientation.rotation, isMirrored = geometry.orientation.isMirrored
    var isTurned = geometry.orientation != .upright
    for property in properties {
      if let box = property.payload(ColourInformationBox.self), box.colourType == "nclx" {
        colour.primaries = Self.known(box.colourPrimaries) ?? colour.primaries
        colour.transfer = Self.known(box.transferCharacteristics) ?? colour.transfer
        colour.matrix = Self.known(box.matrixCoefficients) ?? colour.matrix
        colour.isFullRange = box.isFullRange
      } else if let box = property.payload(PixelAspectRatioBox.self) {
        geometry.pixelShape =
          DisplayGeometry.PixelShape(width: Int(clamping: box.hSpacing), height: Int(clamping: box.vSpacing))
          ?? .square
      } else if let box = property.payload(CleanApertureBox.self) {
        guard !isTurned, geometry.aperture == nil else {
          throw .unsupported("item \(item) is turned or cut before it is cut to its clean aperture")
        }
        geometry.aperture = box
      } else if let box = property.payload(ImageRotationProperty.self) {
        // Quarter turns against the clock.
        rotation -= 90 * Int(box.angle & 3)
        isTurned = true
      } else if let box = property.payload(ImageMirrorProperty.self) {
        // To be mirrored after a turn is to be mirrored before the opposite turn.
        rotation = -rotation
        isMirrored.toggle()
        // Top and bottom are swapped (0), which is a half turn more than to swap left and right (1).
        if box.axis & 1 == 0 { rotation += 180 }
        isTurned = true
      }
    }
    geometry.orientation = PictureOrientation(rotation: rotation, isMirrored: isMirrored) ?? .upright
  }

  /// What neither stream nor file says: BT.601; in full range in a MIAF file, else in the limited range of a stream that says
  /// nothing. ISO/IEC 23000-22, 7.3.6.4; ISO/IEC 23008-2, E.3.1
  mutating func completeForPhotos(isMIAF: Bool) {
    colour.matrix = colour.matrix ?? 6
    colour.isFullRange = colour.isFullRange ?? isMIAF
  }

  func interpretation(of picture: DecodedPicture) throws(PictureError) -> ColourInterpretation {
    try ColourInterpretation(colour, chromaLocation: chromaLocation, size: picture.size)
  }

  /// 2 leaves it open.
  private static func known(_ code: UInt16) -> Int? { code == 2 ? nil : Int(code) }
}
