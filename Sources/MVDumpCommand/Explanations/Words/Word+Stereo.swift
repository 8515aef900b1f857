// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Multiview

extension Word {
  private static let apple = "Apple Spatial and Immersive Media – Format additions, 1.9.8"
  private static let hevc = "ISO/IEC 23008-2"

  /// Eyes, and what the stereo tags say of them.
  static let stereo = [
    Word(
      "MV-HEVC", "multiview HEVC", title: "HEVC with several views in one stream",
      "One layer holds one eye's pictures and is ordinary HEVC. A second layer holds the other eye's pictures, predicted "
        + "from the first, which takes few bits. A player without support shows the first layer.",
      see: ["lhvC", "Multiview Main", "layer", "view"], source: hevc + ", annexes F and G"),
    Word(
      "spatial metadata", "stereo tags", title: "the boxes that describe how the two views were filmed",
      "Which eyes are present, the distance between the cameras, their field of view, and how far to shift the views.",
      see: ["vexu", "hfov", "stri", "hero", "blin", "dadj"], source: apple),
    Word(
      "baseline", title: "the distance between the two cameras",
      "In micrometres, in the box blin. A person's eyes are about 63 mm apart; the cameras of phones are closer together.",
      see: ["blin"], source: apple),
    Word(
      "disparity", title: "how far the two views are shifted relative to each other for presentation",
      "In ten thousandths of the picture width, from -10000 to 10000, in the box dadj. It moves the whole scene "
        + "nearer or farther.",
      see: ["dadj"], source: apple),
    Word(
      "field of view", "fov", title: "the horizontal angle that the camera sees",
      "In thousandths of a degree, in the box hfov. Without it, a movie with two eyes is not treated as spatial.",
      see: ["hfov", Rule.fieldOfViewAbsent.id.rawValue], source: apple),
    Word(
      "eye", "left eye", "right eye", title: "the eye that a view is shown to",
      "A view is not an eye: a box or message must signal which view is for which eye. mvdump eyes shows the evidence.",
      see: ["view", "stri", "hero", "reference displays"], source: apple),
    Word(
      "reference displays", "three-dimensional reference displays",
      title: "the SEI message that names the left and the right view",
      "Number 176. If a stream has it, it decides which layer shows which eye.",
      see: ["three_dimensional_reference_displays_info"], source: hevc + ", G.14.2.3"),
    Word(
      "view position", title: "the SEI message that orders the views from left to right",
      "Number 180. Encoders disagree about its direction, so other evidence takes precedence.",
      see: ["multiview_view_position"], source: hevc + ", G.14.2.7"),
    Word(
      "view", "view identifier", "view identifiers", "ViewId", title: "one camera's pictures",
      "The video parameter set gives each layer of a multiview stream a view identifier. Layers with the same view "
        + "show the same camera's pictures, in another quality or as depth.",
      see: ["view_id_val", "layer", "eye"], source: hevc + ", F.7.4.3.1.1"),
    Word(
      "depth", title: "a layer with the distance of each point",
      "Auxiliary pictures with AuxId 2. It is not an eye.", see: ["depth_representation_info", "AuxId"],
      source: hevc + ", table F.2"),
    Word(
      "alpha", title: "a layer with the opacity of each point",
      "Auxiliary pictures with AuxId 1. It is not an eye, although such a stream has two layers like a stereo stream.",
      see: ["alpha_channel_info", "AuxId"], source: hevc + ", table F.2"),
    Word(
      "AuxId", title: "what the auxiliary pictures of a layer contain",
      "0: a view, 1: alpha, 2: depth. Other values are reserved or for applications to define.",
      see: ["alpha", "depth"],
      source: hevc + ", table F.2"),
    Word(
      "evidence", title: "what signals which layer shows which eye",
      "mvdump eyes lists each source from the weakest to the strongest. The arrow marks the one that decides; a note "
        + "names contradictions.",
      see: ["reference displays", "stri", "view position"], source: "mvdump help eyes"),
    Word(
      "packing", "frame packing", "packed", title: "both eyes in one picture",
      "Side by side or one above the other, signaled by the box pack, or by an SEI message in older streams.",
      see: ["pkin", "frame_packing_arrangement", "side", "over"], source: apple),
    Word(
      "side", "side by side", "SideBySide", "SBS", "half SBS", "HSBS",
      title: "a packing: the left half of the picture is one eye, the right half the other",
      "A code of the box pkin. Unless stri signals reversed eyes, the left eye is on the left.",
      see: ["pkin", "stri"], source: apple),
    Word(
      "over", "over under", "OverUnder", "top bottom",
      title: "a packing: the upper half of the picture is one eye, the lower half the other",
      "A code of the box pkin. Unless stri signals reversed eyes, the left eye is on top.",
      see: ["pkin", "stri"], source: apple),
    Word(
      "rect", "rectilinear", title: "the projection of ordinary cameras: flat",
      "A code of the box prji. Straight lines stay straight. Spatial video has this projection, or no projection box.",
      see: ["prji"], source: apple),
    Word(
      "equirectangular", "equi",
      title: "a projection: the whole sphere, longitude and latitude along the sides",
      "The code equi of the box prji: 360° video.", see: ["prji", "360"], source: apple),
    Word(
      "half equirectangular", "hequ", "hequ projection", title: "a projection: the front half of the sphere",
      "The code hequ of the box prji: 180° video.", see: ["prji", "180"], source: apple),
    Word(
      "prim", "parametric immersive", title: "a projection described by a model of the lenses",
      "A code of the box prji. The lenses are in the box lnsc.", see: ["prji", "lnsc", "wide"],
      source: apple),
    Word(
      "fish", "fisheye",
      title: "the projection of fisheye lenses, in an unpublished form",
      "A code of the box prji: Apple Immersive Video.", see: ["prji", "immersive"], source: apple),
    Word(
      "lenses", "lens", title: "the properties of each camera's lens",
      "Optical centre, focal length, distortion and camera position, for projections that need them.",
      see: ["lnsc"], source: apple),
  ]

  private static let published = "Apple, Creating spatial photos and videos with spatial metadata"

  /// The classes of video.
  static let classes = [
    Word(
      "spatial", "spatial video", title: "stereo video that is shown as if through a window",
      "Two views as layers of one track, a flat projection, and field of view, baseline and disparity adjustment "
        + "in its boxes. Players differ in which of these they require; mvdump check lists what is missing.",
      see: ["MV-HEVC", "vexu", "hfov", "stereo"], source: published),
    Word(
      "stereo", "stereo video", title: "video with a view for each eye",
      "As layers of one track, in two tracks, or packed into one picture, with fewer tags than spatial video.",
      see: ["spatial", "packing", "vexu"], source: published),
    Word(
      "mono", "flat", "flat video", title: "video with one view",
      "This includes stereo video whose second view is not signaled; mvdump check explains why.",
      see: [
        Rule.layerNotConfigured.id.rawValue, Rule.secondViewLost.id.rawValue,
        Rule.viewsNotSignalled.id.rawValue,
      ], source: published),
    Word(
      "180", "180° video", "180 degrees", title: "video of everything in front of the camera",
      "In the half equirectangular projection, often with a view for each eye.",
      see: ["half equirectangular", "sei 180"], source: apple),
    Word(
      "360", "360° video", "360 degrees", title: "video of everything around the camera",
      "In the equirectangular projection.", see: ["equirectangular"], source: apple),
    Word(
      "wide", "wide-angle video", title: "video from a wide-angle lens, with a model of the lens",
      "In the parametric immersive projection.", see: ["prim", "lnsc"], source: apple),
    Word(
      "immersive", "immersive video", title: "Apple Immersive Video, or any video with a projection",
      "As a class in mvdump info, it means Apple Immersive Video: the fisheye projection and its metadata. As a target of mvdump "
        + "probe and mvdump check, it includes 180°, 360° and wide-angle video.",
      see: ["fish", "180", "360", "wide"], source: apple),
    Word(
      "stereoPhoto", "stereo photo", title: "a pair of images for the two eyes",
      "In an image file (HEIC) without video, the group ster (or stem) names the left eye's image, then the right eye's.",
      see: ["ster", Rule.pairWithoutCameras.id.rawValue], source: "ISO/IEC 23008-12"),
    Word(
      "spatialPhoto", "spatial photo", title: "a stereo photo with the properties of its cameras",
      "Each image of the pair has its camera's intrinsics (cmin), which give the field of view, and its position (cmex), which gives "
        + "the baseline. Apple's frameworks also write how far to shift the images.",
      see: ["ster", "cmin", "cmex", "baseline"], source: "ISO/IEC 23008-12; " + apple),
    Word(
      "multiview", title: "several views as layers of one track",
      "One way to store stereo video, and the one that spatial video requires.",
      see: ["MV-HEVC", "twoTrack", "packed"],
      source: hevc + ", annex G"),
    Word(
      "twoTrack", "two tracks", title: "a view for each eye, in two tracks",
      "Layers: the track of the second eye refers to that of the first; Apple's players require both in one track. Or each track "
        + "is coded by itself, and its stri names one eye, as in video for editing.",
      see: [
        "hvc2", "lhv1", "stri", Rule.layersInTwoTracks.id.rawValue, Rule.otherEyeAbsent.id.rawValue,
        Rule.tracksOfEyesDiffer.id.rawValue,
      ], source: "ISO/IEC 14496-15, 9.5; " + apple),
    Word(
      "ster", "stereo pair", title: "a group in an image file (HEIC): the images for the two eyes",
      "In the box grpl. It names the image for the left eye, then the one for the right eye.",
      see: ["grpl/ster", "stem", "stereoPhoto", Rule.pairIncomplete.id.rawValue],
      source: "ISO/IEC 23008-12, 6.8.5"),
    Word(
      "stem",
      title: "a group in an image file (HEIC): the images for the two eyes, and one for flat displays",
      "In the box grpl. It names the image for the left eye, the one for the right eye, and the one to show where there is one view.",
      see: ["grpl/stem", "ster", "stereoPhoto"], source: "ISO/IEC 23008-12:2022/Amd 1:2025"),
  ]
}
