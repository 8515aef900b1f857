// swift-multiview · SPDX-License-Identifier: Apache-2.0

extension Word {
  private static let apple = "Apple Spatial and Immersive Media – Format additions, 1.9.8"
  private static let hevc = "ISO/IEC 23008-2"

  /// Eyes, and what the stereo tags say of them.
  static let stereo = [
    Word(
      "MV-HEVC", "multiview HEVC", title: "HEVC with several views in one stream",
      "One layer holds the pictures of one eye and is ordinary HEVC; another layer holds those of the second eye, "
        + "predicted from the first, and costs little. A player that does not know it shows the first layer.",
      see: ["lhvC", "Multiview Main", "layer", "view"], source: hevc + ", annexes F and G"),
    Word(
      "spatial metadata", "stereo tags", title: "the boxes that tell a player how the two views were filmed",
      "Which eyes there are, how far the cameras were apart, how wide they saw, how far to shift the views.",
      see: ["vexu", "hfov", "stri", "hero", "blin", "dadj"], source: apple),
    Word(
      "baseline", title: "the distance between the two cameras",
      "In micrometres in the box blin: 63 mm is about the distance between a person's eyes, phones have less.",
      see: ["blin"], source: apple),
    Word(
      "disparity", title: "how far the two views are shifted against each other for presentation",
      "In ten thousandths of the width of the picture, from -10000 to 10000, in the box dadj. It moves "
        + "the whole scene nearer or farther.",
      see: ["dadj"], source: apple),
    Word(
      "field of view", "fov", title: "how wide the camera sees, as an angle",
      "In thousandths of a degree in the box hfov. Without it a movie with two eyes is not taken for spatial.",
      see: ["hfov", "MV022"], source: apple),
    Word(
      "eye", "left eye", "right eye", title: "who looks at a view",
      "A view is not an eye: something has to say which view is for which eye. mvdump eyes shows who says so.",
      see: ["view", "stri", "hero", "reference displays"], source: apple),
    Word(
      "reference displays", "three-dimensional reference displays",
      title: "the SEI message that names the view of the left and of the right eye",
      "Number 176. Where a stream has it, it decides which layer shows which eye.",
      see: ["three_dimensional_reference_displays_info"], source: hevc + ", G.14.2.3"),
    Word(
      "view position", title: "the SEI message that orders the views from left to right",
      "Number 180. Encoders disagree about its direction, so other evidence goes before it.",
      see: ["multiview_view_position"], source: hevc + ", G.14.2.7"),
    Word(
      "view", "view identifier", "view identifiers", "ViewId", title: "one camera's pictures",
      "The video parameter set gives each layer of a multiview stream a view identifier. Layers of one view show "
        + "the same thing, in another quality or as depth.",
      see: ["view_id_val", "layer", "eye"], source: hevc + ", F.7.4.3.1.1"),
    Word(
      "depth", title: "a layer that says how far away things are",
      "Auxiliary pictures with AuxId 2. It is not an eye.", see: ["depth_representation_info", "AuxId"],
      source: hevc + ", table F.2"),
    Word(
      "alpha", title: "a layer that says how opaque things are",
      "Auxiliary pictures with AuxId 1. It is not an eye, though such a stream has two layers as a stereo one has.",
      see: ["alpha_channel_info", "AuxId"], source: hevc + ", table F.2"),
    Word(
      "AuxId", title: "what the auxiliary pictures of a layer hold",
      "0 a view, 1 alpha, 2 depth; others are reserved, or left to applications.", see: ["alpha", "depth"],
      source: hevc + ", table F.2"),
    Word(
      "evidence", title: "who says which layer shows which eye",
      "mvdump eyes lists every statement from the weakest to the strongest kind. The arrow marks the one that "
        + "decided, a note names statements that cannot both be true.",
      see: ["reference displays", "stri", "view position"], source: "mvdump help eyes"),
    Word(
      "packing", "frame packing", "packed", title: "both eyes in one picture",
      "Side by side or one above the other. The box pack says so, or an SEI message of older streams.",
      see: ["pkin", "frame_packing_arrangement", "side", "over"], source: apple),
    Word(
      "side", "side by side", "SideBySide",
      title: "a packing: the left half of the picture is one eye, the right half the other",
      "A code of the box pkin. Unless stri says that the order is reversed, the left eye is left.",
      see: ["pkin", "stri"], source: apple),
    Word(
      "over", "over under", "OverUnder", "top bottom",
      title: "a packing: the upper half of the picture is one eye, the lower half the other",
      "A code of the box pkin. Unless stri says that the order is reversed, the left eye is on top.",
      see: ["pkin", "stri"], source: apple),
    Word(
      "rect", "rectilinear", title: "the projection of ordinary cameras: flat",
      "A code of the box prji. Straight lines stay straight. Spatial video has this projection, or names none.",
      see: ["prji"], source: apple),
    Word(
      "equirectangular", title: "a projection: the whole sphere, longitude and latitude along the sides",
      "The code equi of the box prji: 360° video.", see: ["prji", "360"], source: apple),
    Word(
      "half equirectangular", "hequ projection", title: "a projection: the front half of the sphere",
      "The code hequ of the box prji: 180° video.", see: ["prji", "180"], source: apple),
    Word(
      "prim", "parametric immersive", title: "a projection that a model of the lenses describes",
      "A code of the box prji. The lenses are in the box lnsc.", see: ["prji", "lnsc", "wide"],
      source: apple),
    Word(
      "fish", "fisheye",
      title: "the projection of fisheye lenses, in a form that its maker has not published",
      "A code of the box prji: Apple Immersive Video.", see: ["prji", "immersive"], source: apple),
    Word(
      "lenses", "lens", title: "what is known of the lens of each camera",
      "Centre, focal length, distortion, and where the camera is, for projections that need it.",
      see: ["lnsc"], source: apple),
  ]

  private static let published = "Apple, Creating spatial photos and videos with spatial metadata"

  /// The classes of video.
  static let classes = [
    Word(
      "spatial", "spatial video", title: "stereo video that is shown as if one looked through a window",
      "Two views as layers of one track, a flat projection, and field of view, baseline and disparity adjustment "
        + "in its boxes. Readers differ in which of these they insist on; mvdump check says what is missing.",
      see: ["MV-HEVC", "vexu", "hfov", "stereo"], source: published),
    Word(
      "stereo", "stereo video", title: "video with a view for each eye",
      "As layers of one track, in two tracks, or packed into one picture; with fewer tags than spatial video has.",
      see: ["spatial", "packing", "vexu"], source: published),
    Word(
      "mono", "flat", "flat video", title: "video with one view",
      "Also what is left of stereo video whose second view nothing signals: mvdump check says why.",
      see: ["MV014", "MV015", "MV016"], source: published),
    Word(
      "180", "180° video", "180 degrees", title: "video of all that is in front of the camera",
      "In the half equirectangular projection, often with a view for each eye.",
      see: ["half equirectangular", "sei 180"], source: apple),
    Word(
      "360", "360° video", "360 degrees", title: "video of everything around the camera",
      "In the equirectangular projection.", see: ["equirectangular"], source: apple),
    Word(
      "wide", "wide-angle video", title: "video of a wide lens, with the model of the lens",
      "In the parametric immersive projection.", see: ["prim", "lnsc"], source: apple),
    Word(
      "immersive", "immersive video", title: "Apple Immersive Video, or any video with a projection",
      "As a class of mvdump info it is Apple Immersive Video: the fisheye projection, and metadata that belong to it. As a question of mvdump "
        + "probe and mvdump check it takes in 180°, 360° and wide-angle video.",
      see: ["fish", "180", "360", "wide"], source: apple),
    Word(
      "stereoPhoto", "stereo photo", title: "a pair of images for the two eyes",
      "In a file of images (HEIC) without video: the group ster names the image of the left eye, then that of the right.",
      see: ["ster", "MV119"], source: "ISO/IEC 23008-12"),
    Word(
      "spatialPhoto", "spatial photo", title: "a stereo photo with what is known of its cameras",
      "Each image of the pair has the intrinsics of its camera (cmin), from which the field of view follows, and its place (cmex), from which "
        + "the baseline follows. Apple's frameworks write how far the images are to be shifted, too.",
      see: ["ster", "cmin", "cmex", "baseline"], source: "ISO/IEC 23008-12; " + apple),
    Word(
      "multiview", title: "several views as layers of one track",
      "A way to keep stereo video: the kind that spatial video needs.",
      see: ["MV-HEVC", "twoTrack", "packed"],
      source: hevc + ", annex G"),
    Word(
      "twoTrack", "two tracks", title: "a layer for each eye, in two tracks",
      "The track of the second eye refers to that of the first. Apple's players want both in one track.",
      see: ["hvc2", "lhv1", "MV020"], source: "ISO/IEC 14496-15, 9.5"),
  ]
}
