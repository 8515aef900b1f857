// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

/// The document that defines the boxes of this family, as the summaries of it cite it.
let spatialMedia = "Apple Spatial and Immersive Media – Format additions, 1.9.8"

let videoExtendedUsageBoxes: [BoxRegistration] = [
  BoxRegistration(
    container: "vexu", name: "video extended usage", in: [.visualSampleEntry], spatialMedia,
    "What a player needs to know to present the video: eyes, projection, packing, lenses."),
  BoxRegistration(RequiredBoxTypesBox.self),
  BoxRegistration(
    container: "eyes", name: "stereo view", in: [.box("vexu")], spatialMedia,
    "Which eyes the video has views for, and how the views were captured."),
  BoxRegistration(StereoViewInformationBox.self),
  BoxRegistration(HeroEyeBox.self),
  BoxRegistration(
    container: "cams", name: "stereo camera system", in: [.box("eyes")], spatialMedia,
    "The cameras that captured the views."),
  BoxRegistration(CameraBaselineBox.self),
  BoxRegistration(
    container: "cmfy", name: "stereo comfort", in: [.box("eyes")], spatialMedia,
    "How to present the views comfortably."),
  BoxRegistration(DisparityAdjustmentBox.self),
  BoxRegistration(
    container: "proj", name: "projection", in: [.box("vexu")], spatialMedia,
    "How the picture maps to viewing directions.", childScope: .box("proj", in: "vexu")),
  BoxRegistration(ProjectionInformationBox.self),
  BoxRegistration(ProjectionKindBox.self),
  BoxRegistration(
    container: "pack", name: "view packing", in: [.box("vexu")], spatialMedia,
    "How several views are packed into one picture."),
  BoxRegistration(ViewPackingInformationBox.self),
  BoxRegistration(
    container: "lnsc", name: "camera system lens collection", in: [.box("vexu"), .box("cams")], spatialMedia,
    "The lenses of the cameras that captured the views."),
  BoxRegistration(CameraLensBox.self),
  BoxRegistration(LensHeaderBox.self),
  BoxRegistration(LensReferenceDimensionsBox.self),
  BoxRegistration(LensIntrinsicsBox.self),
  BoxRegistration(LensDistortionsBox.self),
  BoxRegistration(LensFrameAdjustmentBox.self),
  BoxRegistration(
    container: "lnex", name: "lens extrinsics", in: [.box("lens")], spatialMedia,
    "The position and orientation of a lens."),
  BoxRegistration(LensOriginBox.self),
  BoxRegistration(
    container: "cxfm", name: "lens transform", in: [.box("lnex")], spatialMedia,
    "The rotation of a lens."),
  BoxRegistration(UnitQuaternionBox.self),
  BoxRegistration(HorizontalFieldOfViewBox.self),
]
