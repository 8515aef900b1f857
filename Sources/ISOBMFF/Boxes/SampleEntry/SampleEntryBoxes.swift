// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

let sampleEntryBoxes: [BoxRegistration] =
  [
    BoxRegistration(VisualSampleEntry.self),
    BoxRegistration(VisualSampleEntry.self, types: [], in: [.visualSampleDescription]),
    BoxRegistration(BitRateBox.self),
    BoxRegistration(PixelAspectRatioBox.self),
    BoxRegistration(CleanApertureBox.self),
    BoxRegistration(ColourInformationBox.self),
    BoxRegistration(FieldHandlingBox.self),
    BoxRegistration(ChromaLocationBox.self),
    BoxRegistration(GammaLevelBox.self),
    BoxRegistration(AlphaModeBox.self),
    BoxRegistration(MasteringDisplayColourVolumeBox.self),
    BoxRegistration(ContentLightLevelBox.self),
    BoxRegistration(AmbientViewingEnvironmentBox.self),
    BoxRegistration(ContentColourVolumeBox.self),
    BoxRegistration(VPMasteringDisplayBox.self),
    BoxRegistration(VPContentLightLevelBox.self),
    BoxRegistration(CodingConstraintsBox.self),
    BoxRegistration(AuxiliaryTypeInfoBox.self),
    BoxRegistration(SampleScaleBox.self),
    BoxRegistration(AVCConfigurationBox.self),
    BoxRegistration(VVCConfigurationBox.self),
    BoxRegistration(AV1CodecConfigurationBox.self),
    BoxRegistration(VPCodecConfigurationBox.self),
    BoxRegistration(DolbyVisionConfigurationBox.self),
    BoxRegistration(H263SpecificBox.self),
    BoxRegistration(H263BitrateBox.self),
    BoxRegistration(GlobalHeaderBox.self),
    BoxRegistration(LocalIDDependencyBox.self),
    BoxRegistration(Stereoscopic3DBox.self),
    BoxRegistration(
      container: "sv3d", name: "SphericalVideoBox", in: [.visualSampleEntry], "Spherical Video V2 RFC",
      "How the picture maps to directions of view."),
    BoxRegistration(SphericalVideoHeaderBox.self),
    BoxRegistration(
      container: "proj", name: "SphericalProjectionBox", in: [.box("sv3d")], "Spherical Video V2 RFC",
      "The projection of a spherical picture."),
    BoxRegistration(ProjectionHeaderBox.self),
    BoxRegistration(EquirectangularProjectionBox.self),
    BoxRegistration(CubemapProjectionBox.self),
    BoxRegistration(MeshProjectionBox.self),
  ] + otherSampleEntryBoxes
