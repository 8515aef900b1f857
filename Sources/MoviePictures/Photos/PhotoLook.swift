// swift-multiview · SPDX-License-Identifier: Apache-2.0

import BoxCatalogue
import HEVC
import HEVCDecoding
import ISOBMFF
import Multiview

extension PictureLook {
  /// Makes the look that the parameter sets of an image specify.
  init(parameterSets units: [NALUnit]) {
    var store = ParameterSetStore()
    for unit in units { store.insert(unit) }
    var messages = ColourMessages()
    for unit in units where unit.type.isSEI {
      for message in unit.seiMessages().messages { messages.note(message) }
    }
    peak = messages.peak
    let vui = store.firstSequenceParameterSet(ofLayer: 0)?.content.vui
    chromaLocation = vui?.chromaLocation.map { Int(clamping: $0.topField) }
    colour = VideoColour(nil, vui?.videoSignalType)
    if let preferred = messages.preferredTransfer { colour.prefer(preferred) }
  }

  /// Applies the properties of an item, in their order; what they do not specify stays as it is.
  mutating func apply(_ properties: [Box], item: UInt32) throws(PictureError) {
    var rotation = geometry.orientation.rotation, isMirrored = geometry.orientation.isMirrored
    var isTurned = geometry.orientation != .upright
    var light = ColourMessages()
    for property in properties {
      if let box = property.payload(ColourInformationBox.self), box.colourType == "nclx" {
        colour.note(
          primaries: Int(box.colourPrimaries), transfer: Int(box.transferCharacteristics),
          matrix: Int(box.matrixCoefficients))
        colour.isFullRange = box.isFullRange
      } else if let profile = property.payload(ColourInformationBox.self)?.rgbProfile {
        colour.iccProfile = profile
      } else if let box = property.payload(ContentLightLevelBox.self) {
        light.maximumLight = Int(box.maxCLL)
      } else if let box = property.payload(MasteringDisplayColourVolumeBox.self) {
        light.displayLuminance = Int(box.maxLuminance)
      } else if let box = property.payload(PixelAspectRatioBox.self) {
        geometry.pixelShape =
          DisplayGeometry.PixelShape(width: Int(clamping: box.hSpacing), height: Int(clamping: box.vSpacing))
          ?? .square
      } else if let box = property.payload(CleanApertureBox.self) {
        guard !isTurned, geometry.aperture == nil else {
          throw .unsupported(
            "item \(item) is rotated or cropped before its clean aperture is applied, which is not supported")
        }
        geometry.aperture = box
      } else if let box = property.payload(ImageRotationProperty.self) {
        // In units of 90 degrees anticlockwise.
        rotation -= 90 * Int(box.angle & 3)
        isTurned = true
      } else if let box = property.payload(ImageMirrorProperty.self) {
        // Mirroring after a rotation equals mirroring before the opposite rotation.
        rotation = -rotation
        isMirrored.toggle()
        // 0 swaps top and bottom: that equals swapping left and right (1), plus a rotation by 180 degrees.
        if box.axis & 1 == 0 { rotation += 180 }
        isTurned = true
      }
    }
    peak = light.peak ?? peak
    geometry.orientation = PictureOrientation(rotation: rotation, isMirrored: isMirrored) ?? .upright
  }

  /// Sets what neither stream nor file specifies: the matrix of BT.601; full range in a MIAF file, else limited
  /// range, the default of a stream. ISO/IEC 23000-22, 7.3.6.4; ISO/IEC 23008-2, E.3.1
  mutating func completeForPhotos(isMIAF: Bool) {
    colour.matrix = colour.matrix ?? 6
    colour.isFullRange = colour.isFullRange ?? isMIAF
  }

  func interpretation(of picture: DecodedPicture) throws(PictureError) -> ColourInterpretation {
    try ColourInterpretation(
      colour.ofPictures(chromaArrayType: picture.format.chromaArrayType), chromaLocation: chromaLocation,
      size: picture.size)
  }
}
