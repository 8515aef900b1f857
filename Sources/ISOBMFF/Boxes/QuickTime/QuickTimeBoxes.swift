// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

let quickTimeBoxes: [BoxRegistration] = [
  BoxRegistration(
    container: "gmhd", name: "GenericMediaHeaderBox", in: [.box("minf")],
    "QuickTime File Format, Base Media Information Header Atom",
    "The header of media that are neither picture nor sound."),
  BoxRegistration(GenericMediaInformationBox.self),
  BoxRegistration(TelemetryMediaInformationBox.self),
  BoxRegistration(TextMediaInformationBox.self),
  BoxRegistration(
    container: "tmcd", name: "TimecodeMediaHeaderBox", in: [.box("gmhd")],
    "QuickTime File Format, Timecode Media Information Atom", "The header of timecodes."),
  BoxRegistration(TimecodeMediaInformationBox.self),
  BoxRegistration(
    container: "tapt", name: "TrackApertureModeBox", in: [.box("trak")],
    "QuickTime File Format, Track Aperture Mode Dimensions", "The size of a track's pictures, in three modes."
  ),
  BoxRegistration(TrackApertureDimensionsBox.self),
  BoxRegistration(LoadSettingsBox.self),
  BoxRegistration(
    container: "txas", name: "TrackExclusionBox", in: [.box("trak")],
    "QuickTime File Format, Track Exclude From Autoselection Atom",
    "That a player is not to choose the track on its own; it holds nothing."),
  BoxRegistration(
    container: "clip", name: "ClippingBox", in: [.box("moov"), .box("trak")],
    "QuickTime File Format, Clipping Atom", "The part of a movie or track that is drawn."),
  BoxRegistration(ClippingRegionBox.self),
  BoxRegistration(
    container: "matt", name: "TrackMatteBox", in: [.box("trak")], "QuickTime File Format, Track Matte Atom",
    "How much of a track shows at each point."),
  BoxRegistration(CompressedMatteBox.self),
  BoxRegistration(ColorTableBox.self),
  BoxRegistration(PreviewBox.self),
  BoxRegistration(
    container: "imap", name: "TrackInputMapBox", in: [.box("trak")],
    "QuickTime File Format, Track Input Map Atoms", "What references to other tracks change in this one."),
  BoxRegistration(TrackInputBox.self),
  BoxRegistration(TrackInputTypeBox.self),
  BoxRegistration(ObjectIDBox.self),

  BoxRegistration(
    container: "cmov", name: "CompressedMovieBox", in: [.box("moov")],
    "QuickTime File Format, Compressed Movie Resources", "A movie whose boxes are compressed."),
  BoxRegistration(DataCompressionBox.self),
  BoxRegistration(CompressedMovieDataBox.self),

  BoxRegistration(WindowLocationBox.self),
  BoxRegistration(LoopingBox.self),
  BoxRegistration(PlaybackFlagBox.self),
  BoxRegistration(PrintToVideoBox.self),

  BoxRegistration(
    container: "rmra", name: "ReferenceMovieBox", in: [.box("moov")],
    "QuickTime File Format, Reference Movies",
    "Other movies of which one is to be played instead."),
  BoxRegistration(
    container: "rmda", name: "ReferenceMovieDescriptorBox", in: [.box("rmra")],
    "QuickTime File Format, Reference Movie Descriptor Atom", "Another movie, and what it needs."),
  BoxRegistration(DataReferenceAtomBox.self),
  BoxRegistration(ReferenceDataRateBox.self),
  BoxRegistration(ReferenceCPUSpeedBox.self),
  BoxRegistration(ReferenceVersionCheckBox.self),
  BoxRegistration(ReferenceComponentBox.self),
  BoxRegistration(ReferenceQualityBox.self),
]
