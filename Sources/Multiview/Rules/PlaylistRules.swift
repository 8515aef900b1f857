// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

// Rules about the playlists of HLS. They are asked where a playlist is checked: of a movie they have nothing to say.

extension Rule {
  private init(
    playlist id: RuleID, _ severity: Diagnostic.Severity, _ title: String, source: String, why: String,
    fix: Advice
  ) {
    self.init(id, severity, title, source: source, for: [.hls], why: why, fix: fix) {
      (_: RuleContext, _: inout FindingSink) in
    }
  }

  /// Those that are asked of playlists alone.
  static let ofPlaylists: [Rule] = [
    .playlistUnreadable, .playlistPlaceMissing, .playlistPlaceOutside, .playlistTargetDuration,
    .playlistVersion, .playlistBandwidth, .playlistAttributes, .playlistLayout, .playlistInitSegment,
    .playlistIndependence, .playlistGroup, .playlistDurations, .playlistTrickPlay,
  ]

  package static let playlistUnreadable = Rule(
    playlist: "MV104", .error, "A playlist cannot be read", source: "RFC 8216, 4.1 to 4.4",
    why: "A player gives up on a playlist that it cannot parse, and shows nothing.",
    fix: "Correct the line that is named.")

  package static let playlistPlaceMissing = Rule(
    playlist: "MV105", .error, "A playlist names what is not there", source: "RFC 8216, 4.3.2 and 6.2",
    why: "A player that comes to a missing segment stops, or changes to another variant.",
    fix: "Put the file there, or correct the address or the range of bytes.")

  package static let playlistPlaceOutside = Rule(
    playlist: "MV106", .error, "A playlist leads out of its folder, or back to itself",
    source: "RFC 8216, 4.1 and 10",
    why:
      "Addresses outside the folder are not there when the folder is served from elsewhere, and a playlist that lists itself or "
      + "another list of variants has no end.",
    fix: "Name files in the folder, relative to the playlist; of a list of variants name media playlists.")

  package static let playlistTargetDuration = Rule(
    playlist: "MV107", .error, "A segment is longer than the target duration", source: "RFC 8216, 4.3.3.1",
    why:
      "Players load again and fill their buffers by the target duration, which every segment must keep when rounded.",
    fix: "Write an EXT-X-TARGETDURATION of the longest segment, rounded up.")

  package static let playlistVersion = Rule(
    playlist: "MV108", .error, "The version of a playlist is lower than what it uses", source: "RFC 8216, 7",
    why: "A player may ignore tags and attributes that the version does not have.",
    fix: "Write the version that is named into EXT-X-VERSION.")

  package static let playlistBandwidth = Rule(
    playlist: "MV109", .error, "A variant needs more bits in a second than it says",
    source: "RFC 8216, 4.3.4.2",
    why:
      "Players choose a variant by BANDWIDTH. One that needs more stalls on the connections that it was chosen for.",
    fix: "Measure the peak of the segments, with those of the sound, and write it into BANDWIDTH.")

  package static let playlistAttributes = Rule(
    playlist: "MV110", .warning, "What a playlist says of a variant is not what its segments have",
    source: "HLS authoring specification for Apple devices, 9.1 to 9.16; RFC 8216, 4.3.4.2",
    why:
      "Players choose a variant by these attributes before they load any of it: a wrong one costs the picture, its range, or the variant.",
    fix: "Write the value that is named. A check of the init segment\(.check) names all of them.")

  package static let playlistLayout = Rule(
    playlist: "MV111", .error, "A variant in stereo does not say so, or says what it is not",
    source: "HLS authoring specification for Apple devices, 16.1; draft-pantos-hls-rfc8216bis, 4.4.6.2",
    why:
      "Variants in stereo must carry REQ-VIDEO-LAYOUT. Without it Apple Vision Pro shows one eye; with another layout the picture is wrong.",
    fix: "Write the REQ-VIDEO-LAYOUT that is named.")

  package static let playlistInitSegment = Rule(
    playlist: "MV112", .error, "HEVC is not in fragments of a movie with an init segment",
    source: "HLS authoring specification for Apple devices, 1.5",
    why:
      "HEVC must be streamed as fragmented MP4: without EXT-X-MAP a player has no sample descriptions, and so no parameter sets and no eyes.",
    fix: "Name the init segment with EXT-X-MAP; streams made here\(.package) have one.")

  package static let playlistIndependence = Rule(
    playlist: "MV113", .error, "A segment does not begin with pictures that can be decoded by themselves",
    source: "RFC 8216, 4.3.5.1; ISO/IEC 14496-15, 9.6",
    why:
      "Players begin with any segment, and change variants between segments. Without a picture of every layer that can be decoded by itself "
      + "they show nothing, or one eye, until one comes.",
    fix: "Cut segments at sync samples\(.package).")

  package static let playlistGroup = Rule(
    playlist: "MV114", .error, "A variant names a group of renditions that is not there",
    source: "RFC 8216, 4.3.4.2",
    why: "A player that looks for the sound of the variant finds none, and may refuse the whole playlist.",
    fix: "Add an EXT-X-MEDIA of that GROUP-ID, or leave out the attribute.")

  package static let playlistDurations = Rule(
    playlist: "MV115", .warning, "A segment does not last as long as the playlist says",
    source: "RFC 8216, 4.3.2.1 and 6.2.1",
    why:
      "Players seek by the durations in the playlist: when these are wrong they land in the wrong place, and what drifts apart is sound and picture.",
    fix: "Write the duration of the samples into EXTINF.")

  package static let playlistTrickPlay = Rule(
    playlist: "MV116", .note, "A list of variants has no flat stream of single pictures",
    source: "HLS authoring specification for Apple devices, 6.1 and 6.18",
    why: "Players show single pictures while somebody looks for a place, and these must be flat.",
    fix: "Add an EXT-X-I-FRAME-STREAM-INF of a flat variant\(.package).")
}
