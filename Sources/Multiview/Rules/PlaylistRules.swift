// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

// Rules about the playlists of HLS. They are asked where a playlist is checked: of a movie they have nothing to say.

extension Rule {
  private convenience init(
    playlist id: RuleID, _ severity: Diagnostic.Severity, _ title: String, source: String, why: String,
    fix: Advice
  ) {
    self.init(id, severity, title, source: source, for: [.hls], why: why, fix: fix) {
      (_: RuleContext, _: inout FindingSink) in
    }
  }

  /// The rules that apply only to playlists.
  static let ofPlaylists: [Rule] = [
    .playlistUnreadable, .playlistPlaceMissing, .playlistPlaceOutside, .playlistTargetDuration,
    .playlistVersion, .playlistBandwidth, .playlistAttributes, .playlistLayout, .playlistInitSegment,
    .playlistIndependence, .playlistGroup, .playlistDurations, .playlistTrickPlay, .playlistTargetsDiffer,
    .playlistCodec,
  ]

  package static let playlistUnreadable = Rule(
    playlist: "MV104", .error, "A playlist cannot be read", source: "RFC 8216, 4.1 to 4.4",
    why: "A player gives up on a playlist that it cannot parse, and shows nothing.",
    fix: "Correct the named line.")

  package static let playlistPlaceMissing = Rule(
    playlist: "MV105", .error, "A playlist names a file or a range of bytes that is missing",
    source: "RFC 8216, 4.3.2 and 6.2",
    why: "A player that reaches a missing segment stops, or switches to another variant.",
    fix: "Put the file there, or correct the address or the range of bytes.")

  package static let playlistPlaceOutside = Rule(
    playlist: "MV106", .error, "A playlist points outside its folder, or back to itself",
    source: "RFC 8216, 4.1 and 10",
    why: "Addresses outside the folder are missing when the folder is served from elsewhere, and a playlist "
      + "that lists itself or another multivariant playlist never ends.",
    fix: "Name files in the folder, relative to the playlist; in a multivariant playlist, name media "
      + "playlists only.")

  package static let playlistTargetDuration = Rule(
    playlist: "MV107", .error, "A segment is longer than the target duration", source: "RFC 8216, 4.3.3.1",
    why: "Players reload playlists and fill their buffers by the target duration. No segment may exceed it "
      + "when rounded.",
    fix: "Set EXT-X-TARGETDURATION to the duration of the longest segment, rounded up.")

  package static let playlistVersion = Rule(
    playlist: "MV108", .error, "The version of a playlist is too low for what it uses", source: "RFC 8216, 7",
    why: "A player may ignore tags and attributes that the version does not have.",
    fix: "Write the named version into EXT-X-VERSION.")

  package static let playlistBandwidth = Rule(
    playlist: "MV109", .error, "A variant needs more bits per second than it declares",
    source: "RFC 8216, 4.3.4.2",
    why: "Players choose a variant by BANDWIDTH. If it needs more, it stalls on the connections that it was "
      + "chosen for.",
    fix: "Measure the peak bit rate of the segments, including those of the sound, and write it into "
      + "BANDWIDTH.")

  package static let playlistAttributes = Rule(
    playlist: "MV110", .warning, "The attributes of a variant do not match its segments",
    source: "HLS authoring specification for Apple devices, 9.1 to 9.16; RFC 8216, 4.3.4.2",
    why: "Players choose a variant by these attributes before they load any of it: if one is wrong, the "
      + "picture, its dynamic range, or the whole variant is lost.",
    fix: "Write the named value. A check of the init segment\(.check) lists all of them.")

  package static let playlistLayout = Rule(
    playlist: "MV111", .error, "The REQ-VIDEO-LAYOUT of a variant is missing or wrong",
    source: "HLS authoring specification for Apple devices, 16.1; draft-pantos-hls-rfc8216bis, 4.4.6.2",
    why: "Stereo variants must carry REQ-VIDEO-LAYOUT. Without it Apple Vision Pro shows one eye; with a "
      + "wrong layout the picture is wrong.",
    fix: "Write the named REQ-VIDEO-LAYOUT.")

  package static let playlistInitSegment = Rule(
    playlist: "MV112", .error, "HEVC is not in a fragmented movie with an init segment",
    source: "HLS authoring specification for Apple devices, 1.5",
    why: "HEVC must be streamed as fragmented MP4: without EXT-X-MAP a player has no sample descriptions, "
      + "and thus no parameter sets and no stereo boxes.",
    fix: "Name the init segment with EXT-X-MAP; streams made here\(.package) have one.")

  package static let playlistIndependence = Rule(
    playlist: "MV113", .error, "A segment does not begin with pictures that can be decoded on their own",
    source: "RFC 8216, 4.3.5.1; ISO/IEC 14496-15, 9.6",
    why: "Players start at any segment, and switch variants between segments. Until a picture of every layer "
      + "comes that can be decoded on its own, they show nothing, or one eye. EXT-X-INDEPENDENT-SEGMENTS also "
      + "promises that no picture needs the segment before, which pictures of open groups (RASL) do.",
    fix: "Cut segments at sync samples\(.package); leave out EXT-X-INDEPENDENT-SEGMENTS if groups are open.")

  package static let playlistGroup = Rule(
    playlist: "MV114", .error, "A variant names a group of renditions that is missing",
    source: "RFC 8216, 4.3.4.2",
    why: "A player that looks for the sound of the variant finds none, and may refuse the whole playlist.",
    fix: "Add an EXT-X-MEDIA with that GROUP-ID, or leave out the attribute.")

  package static let playlistDurations = Rule(
    playlist: "MV115", .warning, "The duration of a segment differs from the playlist",
    source: "RFC 8216, 4.3.2.1 and 6.2.1",
    why: "Players seek by the durations in the playlist: if these are wrong, they land in the wrong place, "
      + "and sound and picture drift apart.",
    fix: "Write the duration of the samples into EXTINF.")

  package static let playlistTrickPlay = Rule(
    playlist: "MV116", .note, "No I-frame stream of a multivariant playlist is 2D and rectilinear",
    source: "HLS authoring specification for Apple devices, 6.1 and 6.18",
    why: "Players show single pictures while the user scrubs, and these should be 2D and rectilinear. If all "
      + "variants have a projection, 2D is enough.",
    fix: "Add an EXT-X-I-FRAME-STREAM-INF of a 2D variant, without a projection if there is one\(.package).")

  package static let playlistTargetsDiffer = Rule(
    playlist: "MV131", .error, "The playlists of a stream have different target durations",
    source: "RFC 8216, 6.2.4",
    why: "All media playlists of variants must have the same target duration, except those of subtitles and "
      + "of I-frames. Players plan their buffers by one of them, and stall when they switch to another.",
    fix: "Write the highest target duration into all of them\(.package).")

  package static let playlistCodec = Rule(
    playlist: "MV132", .error, "A stream has a codec that HLS players do not play",
    source: "HLS authoring specification for Apple devices, 1.1 and 2.1",
    why: "HLS players decode H.264, HEVC, Dolby Vision and AV1, and sound that is compressed for streaming. "
      + "They skip variants in other codecs, or refuse the stream.",
    fix: "Encode the stream again in one of these codecs.")
}
