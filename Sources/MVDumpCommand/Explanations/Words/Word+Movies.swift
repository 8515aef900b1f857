// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport

extension Word {
  private static let iso = "ISO/IEC 14496-12"

  /// Samples and their times.
  static let movies = [
    Word(
      "sample", "samples", title: "the bytes of a track for one time",
      "A picture with all its layers, or some milliseconds of sound. mvdump samples lists them, counted from 0.",
      see: ["stbl", "access unit", "dts", "pts"], source: iso + ", 3.1"),
    Word(
      "index", title: "the number of a sample, counted from 0",
      "A column of mvdump samples; boxes count from 1.",
      see: ["sample"], source: "mvdump help samples"),
    Word(
      "dts", "decode time", "decoding time", title: "when a sample is decoded",
      "The durations before it added up, in units of the track.", see: ["stts", "cts", "tfdt"],
      source: iso + ", 8.6.1.2"),
    Word(
      "cts", "composition time", title: "when a sample is shown, on the timeline of its media",
      "The decode time and an offset: pictures are not decoded in the order in which they are shown.",
      see: ["ctts", "dts", "pts"], source: iso + ", 8.6.1.3"),
    Word(
      "pts", "presentation time", title: "when a sample is shown in the movie",
      "The composition time through the edit list. It is empty where the edit list leaves a sample out.",
      see: ["elst", "cts"], source: iso + ", 8.6.6"),
    Word(
      "dur", title: "how long a sample lasts", "A column of mvdump samples, in units of the track.",
      see: ["stts"],
      source: iso + ", 8.6.1.2"),
    Word(
      "sync", "sync sample", "keyframe", "key frame", title: "a sample at which playing can start",
      "The table stss lists them; in fragments a flag of the sample says it.", see: ["stss", "IRAP"],
      source: iso + ", 8.6.2"),
    Word(
      "key", title: "pictures at which decoding can start",
      "A column of mvdump layers: how many pictures of the layer are IRAP pictures. In mvdump samples, under dep, it "
        + "is a sample that depends on no other.",
      see: ["IRAP", "dep"], source: "mvdump help layers"),
    Word(
      "dep", title: "what the file says of how samples depend on each other",
      "A column of mvdump samples: on depends on others, key does not; ref others depend on it, drop none do.",
      see: ["sdtp", "trun"], source: iso + ", 8.6.4"),
    Word(
      "timescale", "time scale", "units a second", title: "how many units of time make a second",
      "The movie has one, and each track its own.", see: ["mvhd", "mdhd"], source: iso + ", 8.4.2"),
    Word(
      "fragmented", "fragment", "movie fragment", title: "a movie whose samples are listed piece by piece",
      "moof boxes, each before its media data, so that a movie can be streamed while it is made.",
      see: ["moof", "trun", "mvex"], source: iso + ", 8.8"),
    Word(
      "chapters", title: "a text track whose samples are the names of chapters",
      "Another track refers to it by chap.", see: ["tref"], source: "QuickTime File Format, Chapter Lists"),
    Word(
      "sbas", title: "a reference to the track of the layer that another one builds on",
      "A child of tref in a track of enhancement layers; it names the track with the base layer.",
      see: ["tref", "lhvC"], source: "ISO/IEC 14496-15, 9.6"),
    Word(
      "oref", title: "a reference to the track that describes the operating points",
      "A child of tref; the track that it names has the sample group oinf.",
      see: ["tref", "oinf"], source: "ISO/IEC 14496-15, 9.6.2"),
    Word(
      "bit rate", "share", title: "bits a second; and the part of all bytes of the samples",
      "Columns of mvdump layers: what a layer costs.", see: ["layer"], source: "mvdump help layers"),
    Word(
      "offset", title: "the place in the file, in bytes from 0",
      "In all screens. After a point it is a bit in that byte, from 0, the most significant first.",
      source: "mvdump"),
  ]

  /// Files.
  static let files = [
    Word(
      "box", "atom", title: "the piece of which MP4 and QuickTime files are made",
      "A size, a type of four characters, and what is in it, often other boxes. mvdump tree shows them all.",
      see: ["boxes", "moov", "moof", "mdat"], source: iso + ", 4.2"),
    Word(
      "brand", "major brand", title: "the specification that a file follows, as four characters",
      "In ftyp, and shown after the kind of the file: MP4 (isom). isom and iso2 to iso9 are versions of the base "
        + "format, mp41 and mp42 MP4, qt QuickTime, M4V and M4A Apple's, cmfc CMAF, dash DASH segments, heic and mif1 "
        + "pictures.",
      see: ["ftyp"], source: iso + ", 4.3 and annex E; mp4ra.org"),
    Word(
      "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "iso7", "iso8", "iso9",
      title: "a brand: a version of the ISO base media file format",
      "The number says from which edition on a reader has to know the file.", see: ["ftyp", "brand"],
      source: iso + ", annex E"),
    Word(
      "qt", "qt  ", title: "a brand: a QuickTime movie", "Apple's format, from which MP4 was made.",
      see: ["ftyp", "brand"], source: "QuickTime File Format, File Type Compatibility Atom"),
    Word(
      "mp41", "mp42", "M4V", "M4A", title: "a brand: an MP4 file",
      "M4V and M4A are Apple's, for video and for sound.",
      see: ["ftyp", "brand"], source: "ISO/IEC 14496-14"),
    Word(
      "heic", "mif1", "heix", "hevc brand", "avif", title: "a brand: pictures in a file of boxes",
      "HEIF: items instead of tracks.", see: ["ftyp", "meta", "iloc"], source: "ISO/IEC 23008-12"),
    Word(
      "descriptor", "u(n)", "ue(v)", "se(v)", "i(n)", "f(n)", "b(8)", "u(v)", title: "how a field is coded",
      "u(n) is an unsigned number of n bits, i(n) a signed one, f(n) a fixed pattern, b(8) a byte; ue(v) and se(v) are "
        + "Exp-Golomb codes, unsigned and signed, whose length varies; v is a length that depends on other fields.",
      see: ["nal_unit_header"], source: "ISO/IEC 23008-2, 7.2"),
  ]

  /// Verdicts of `mvdump check`, and what it writes for playlists.
  static let checks = [
    Word(
      "verdict", "pass", "fail", title: "whether the movie is what it is checked for",
      "mvdump check gives one for spatial, stereo, immersive, HLS and ISO; a dash where the question does not apply. "
        + "The findings below are the reasons.",
      see: ["rules", "predicted"], source: "mvdump help check"),
    Word(
      "predicted", title: "concluded from what Apple has published, not tried on a device",
      "What follows says how sure it is: documented, observed or inferred.", see: ["documented"],
      source: "mvdump help check"),
    Word(
      "documented", "observed", "inferred", title: "how sure a rule or a prediction is",
      "documented: a standard, or the maker of the platform, says so; observed: readers do so, by their source or by "
        + "what users report; inferred: concluded from how the parts work together.",
      see: ["rules"], source: "mvdump help check"),
    Word(
      "HLS", "HTTP Live Streaming", title: "Apple's way to stream movies in segments",
      "It has rules of its own for stereo and immersive video.", see: ["REQ-VIDEO-LAYOUT", "MV068"],
      source: "HLS authoring specification for Apple devices"),
    Word(
      "REQ-VIDEO-LAYOUT", "CH-STEREO", "CH-MONO", "PROJ-RECT", "PROJ-EQUI", "PROJ-HEQU", "PROJ-PRIM",
      "PROJ-AIV",
      title: "what a player has to be able to show, as an attribute of a playlist",
      "CH- is for the number of eyes, PROJ- for the projection. mvdump check writes the line that fits the movie.",
      see: ["HLS", "stereo", "prji"], source: "HTTP Live Streaming, second edition: EXT-X-STREAM-INF"),
    Word(
      "SUPPLEMENTAL-CODECS", "RESOLUTION", "FRAME-RATE", "VIDEO-RANGE",
      title: "attributes of a stream in an HLS playlist",
      "mvdump check writes them as they are for the movie.", see: ["HLS", "CODECS"],
      source: "HTTP Live Streaming, second edition: EXT-X-STREAM-INF"),
  ]
}
