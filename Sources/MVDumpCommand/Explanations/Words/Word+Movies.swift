// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import Multiview

extension Word {
  private static let iso = "ISO/IEC 14496-12"

  /// Samples and their times.
  static let movies = [
    Word(
      "sample", "samples", title: "the data of a track for one point in time",
      "A picture with all its layers, or a few milliseconds of sound. mvdump samples lists them, counted from 0.",
      see: ["stbl", "access unit", "dts", "pts"], source: iso + ", 3.1"),
    Word(
      "index", title: "the number of a sample, counted from 0",
      "A column of mvdump samples. Boxes count from 1.",
      see: ["sample"], source: "mvdump help samples"),
    Word(
      "dts", "decode time", "decoding time", title: "when a sample is decoded",
      "The sum of the preceding durations, in units of the track's timescale.", see: ["stts", "cts", "tfdt"],
      source: iso + ", 8.6.1.2"),
    Word(
      "cts", "composition time", title: "when a sample is shown, on the media timeline",
      "The decode time plus an offset, because pictures may be decoded in a different order than they are shown.",
      see: ["ctts", "dts", "pts"], source: iso + ", 8.6.1.3"),
    Word(
      "pts", "presentation time", title: "when a sample is shown in the movie",
      "The composition time mapped by the edit list. It is empty if the edit list skips the sample.",
      see: ["elst", "cts"], source: iso + ", 8.6.6"),
    Word(
      "dur", title: "how long a sample lasts",
      "A column of mvdump samples, in units of the track's timescale, on the media timeline: an edit that holds a sample or "
        + "plays it at another rate does not count.",
      see: ["stts", "elst"],
      source: iso + ", 8.6.1.2"),
    Word(
      "sync", "sync sample", "keyframe", "key frame", title: "a sample at which playback can start",
      "The table stss lists them; in fragments, a flag of the sample indicates it.", see: ["stss", "IRAP"],
      source: iso + ", 8.6.2"),
    Word(
      "key", title: "pictures at which decoding can start",
      "A column of mvdump layers: how many pictures of the layer are IRAP pictures. In mvdump samples, under dep: a "
        + "sample that depends on no other.",
      see: ["IRAP", "dep"], source: "mvdump help layers"),
    Word(
      "dep", title: "how samples depend on each other, according to the file",
      "A column of mvdump samples: on = depends on others, key = does not; ref = others depend on it, drop = none do.",
      see: ["sdtp", "trun"], source: iso + ", 8.6.4"),
    Word(
      "location", "gps", "geotag", "place of recording", title: "where a movie or photo was recorded",
      "Cameras write it in several forms at once: the metadata key com.apple.quicktime.location.ISO6709, ©xyz and loci "
        + "in user data, Exif and XMP, tracks of timed metadata. mvdump info shows all of them, and mvedit tag --remove "
        + "location removes them.",
      see: ["©xyz", "loci", "keys", "mebx"], source: "mvdump help info"),
    Word(
      "grid", "iovl", "iden", "derived image", title: "an image of a HEIF file that is made of other images",
      "grid puts tiles next to each other, iovl lays images over each other, iden rotates, mirrors or crops one. The reference "
        + "dimg lists them.",
      see: ["dimg", "iref", "iinf"], source: "ISO/IEC 23008-12, 6.6.2"),
    Word(
      "dimg", "thmb", "auxl", "cdsc", title: "how items of a HEIF file, or tracks, belong together",
      "Types of references: dimg leads from a derived image to its parts, thmb from a thumbnail to its image, auxl from alpha or "
        + "depth to the picture, cdsc from metadata to what it describes.",
      see: ["iref", "tref", "auxC"], source: "ISO/IEC 23008-12, 6.4; " + iso + ", 8.3.3"),
    Word(
      "nclx", "nclc", "prof", "rICC", title: "how the box colr describes colour",
      "nclx has three code points and the range, nclc of QuickTime the code points alone; prof and rICC have an ICC profile.",
      see: ["colr", "tapt"], source: iso + ", 12.1.5"),
    Word(
      "motion photo", "live photo", title: "a photo with a short movie",
      "Android appends the movie to the photo, in HEIC in the box mpvd. Apple keeps it in a separate file; both have the "
        + "same com.apple.quicktime.content.identifier.",
      source: "Android, Motion Photo format"),
    Word(
      "timescale", "time scale", "units per second", title: "the number of time units per second",
      "The movie has one, and each track its own.", see: ["mvhd", "mdhd"], source: iso + ", 8.4.2"),
    Word(
      "fragmented", "fragment", "movie fragment", title: "a movie whose samples are listed in several parts",
      "Each moof box precedes its media data, so a movie can be streamed while it is recorded.",
      see: ["moof", "trun", "mvex"], source: iso + ", 8.8"),
    Word(
      "chapters", title: "a text track whose samples are the names of chapters",
      "Another track refers to it with a chap reference.", see: ["tref"],
      source: "QuickTime File Format, Chapter Lists"),
    Word(
      "sbas", title: "a reference to the track with the base layer",
      "A child of tref in a track with enhancement layers.",
      see: ["tref", "lhvC"], source: "ISO/IEC 14496-15, 9.6"),
    Word(
      "oref", title: "a reference to the track that describes the operating points",
      "A child of tref; the referenced track has the sample group oinf.",
      see: ["tref", "oinf"], source: "ISO/IEC 14496-15, 9.6.2"),
    Word(
      "bit rate", "share", title: "bits per second, and the share of all sample bytes",
      "Columns of mvdump layers.", see: ["layer"], source: "mvdump help layers"),
    Word(
      "offset", title: "the position in the file, in bytes from 0",
      "A number after a point is a bit in that byte, counted from 0 at the most significant bit.",
      source: "mvdump"),
  ]

  /// Files.
  static let files = [
    Word(
      "box", "atom", title: "the unit that MP4 and QuickTime files consist of",
      "A size, a four-character type, and contents, often other boxes. mvdump tree shows them all.",
      see: ["boxes", "moov", "moof", "mdat"], source: iso + ", 4.2"),
    Word(
      "brand", "major brand", title: "a four-character code for a specification that a file follows",
      "In ftyp, and shown after the kind of the file: MP4 (isom). isom and iso2 to iso9 are versions of the base "
        + "format, mp41 and mp42 MP4, qt QuickTime, M4V and M4A Apple's, cmfc CMAF, dash DASH segments, heic and mif1 "
        + "pictures.",
      see: ["ftyp"], source: iso + ", 4.3 and annex E; mp4ra.org"),
    Word(
      "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "iso7", "iso8", "iso9",
      title: "a brand: a version of the ISO base media file format",
      "The number indicates the edition that a reader must support.", see: ["ftyp", "brand"],
      source: iso + ", annex E"),
    Word(
      "qt", "qt  ", title: "a brand: a QuickTime movie", "Apple's format, on which MP4 is based.",
      see: ["ftyp", "brand"], source: "QuickTime File Format, File Type Compatibility Atom"),
    Word(
      "mp41", "mp42", "M4V", "M4A", title: "a brand: an MP4 file",
      "M4V and M4A are Apple's brands for video and audio.",
      see: ["ftyp", "brand"], source: "ISO/IEC 14496-14"),
    Word(
      "heic", "mif1", "heix", "hevc brand", "avif", title: "a brand: images in a file of boxes",
      "HEIF: items instead of tracks.", see: ["ftyp", "meta", "iloc"], source: "ISO/IEC 23008-12"),
    Word(
      "descriptor", "u(n)", "ue(v)", "se(v)", "i(n)", "f(n)", "b(8)", "u(v)", title: "how a field is coded",
      "u(n) is an unsigned number of n bits, i(n) a signed one, f(n) a fixed pattern, b(8) a byte; ue(v) and se(v) are "
        + "Exp-Golomb codes, unsigned and signed, of variable length; v is a length that depends on other fields.",
      see: ["nal_unit_header"], source: "ISO/IEC 23008-2, 7.2"),
  ]

  /// Verdicts of `mvdump check`, and what it writes for playlists.
  static let checks = [
    Word(
      "verdict", "pass", "fail", title: "whether the movie passes for a target",
      "mvdump check gives one for spatial, stereo, immersive, HLS and ISO; a dash means that the question does not "
        + "apply. The findings below give the reasons.",
      see: ["rules", "predicted"], source: "mvdump help check"),
    Word(
      "predicted", title: "concluded from what Apple has published, not tried on a device",
      "The word after it is the confidence: documented, observed or inferred.", see: ["documented"],
      source: "mvdump help check"),
    Word(
      "documented", "observed", "inferred", title: "the confidence of a rule or a prediction",
      "documented: by a standard or the platform vendor; observed: readers behave this way, according to their source "
        + "or to users; inferred: from how the parts work together.",
      see: ["rules"], source: "mvdump help check"),
    Word(
      "HLS", "HTTP Live Streaming", title: "Apple's protocol for streaming movies in segments",
      "It has its own rules for stereo and immersive video.",
      see: ["REQ-VIDEO-LAYOUT", Rule.streamingSampleEntry.id.rawValue],
      source: "HLS authoring specification for Apple devices"),
    Word(
      "REQ-VIDEO-LAYOUT", "CH-STEREO", "CH-MONO", "PROJ-RECT", "PROJ-EQUI", "PROJ-HEQU", "PROJ-PRIM",
      "PROJ-AIV",
      title: "a playlist attribute: what a player must be able to show",
      "CH- gives the number of eyes, PROJ- the projection. mvdump check prints the line for the movie.",
      see: ["HLS", "stereo", "prji"], source: "HTTP Live Streaming, second edition: EXT-X-STREAM-INF"),
    Word(
      "SUPPLEMENTAL-CODECS", "RESOLUTION", "FRAME-RATE", "VIDEO-RANGE",
      title: "attributes of a stream in an HLS playlist",
      "mvdump check prints the values for the movie.", see: ["HLS", "CODECS"],
      source: "HTTP Live Streaming, second edition: EXT-X-STREAM-INF"),
  ]
}
