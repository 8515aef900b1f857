// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Multiview

/// The audio renditions that a player chooses from by language: those with one codec, if the renditions with other codecs are
/// in the same languages. A player chooses one group, and a rendition in it. HLS authoring specification for Apple
/// devices, 9.4
struct SoundGroup {
  var name = ""
  var renditions: [StreamRendition] = []

  /// Groups renditions by codec, in their order. Groups must have the same members: if the languages differ, all renditions
  /// are in one group. HTTP Live Streaming, 2nd edition (draft-pantos-hls-rfc8216bis), 4.4.6.1.1
  static func groups(of renditions: [StreamRendition]) -> [SoundGroup] {
    var groups: [SoundGroup] = []
    for rendition in renditions {
      if let index = groups.firstIndex(where: { $0.codecs == rendition.attributes.codecs }) {
        groups[index].renditions.append(rendition)
      } else {
        groups.append(
          SoundGroup(name: groups.isEmpty ? "audio" : "audio\(groups.count + 1)", renditions: [rendition]))
      }
    }
    guard let first = groups.first else { return [] }
    for index in groups.indices.dropFirst() {
      guard let ordered = groups[index].renditions(inOrderOf: first) else {
        return [SoundGroup(name: first.name, renditions: renditions)]
      }
      groups[index].renditions = ordered
    }
    return groups
  }

  /// The renditions in the order of those of another group with the same languages; `nil` if these differ.
  private func renditions(inOrderOf other: SoundGroup) -> [StreamRendition]? {
    guard renditions.count == other.renditions.count else { return nil }
    var rest = renditions
    var ordered: [StreamRendition] = []
    for rendition in other.renditions {
      guard let place = rest.firstIndex(where: { $0.language == rendition.language }) else { return nil }
      ordered.append(rest.remove(at: place))
    }
    return ordered
  }

  /// The codecs of all renditions: a variant names those of all that a player may choose. RFC 8216, 4.3.4.2
  var codecs: [String] {
    var codecs: [String] = []
    for rendition in renditions {
      codecs += rendition.attributes.codecs.filter { !codecs.contains($0) }
    }
    return codecs
  }
  /// The highest peak bit rate of a rendition: players load one of them.
  var peakBandwidth: Int { renditions.map(\.peakBandwidth).max() ?? 0 }
  var averageBandwidth: Int { renditions.map(\.averageBandwidth).max() ?? 0 }

  /// The attributes of each rendition in the master playlist.
  var attributes: [[(key: String, value: String)]] {
    // The number of renditions so far in each language.
    var counts: [String: Int] = [:]
    return renditions.enumerated().map { index, sound in
      let language = sound.language
      let name = language ?? "sound"
      let number = counts[name, default: 0] + 1
      counts[name] = number
      var attributes = [
        (key: "TYPE", value: "AUDIO"), ("GROUP-ID", "\"\(self.name)\""),
        ("NAME", PlaylistText.quoted(name + (number > 1 ? " \(number)" : ""))),
      ]
      if let language { attributes.append(("LANGUAGE", PlaylistText.quoted(language))) }
      attributes.append(("DEFAULT", index == 0 ? "YES" : "NO"))
      attributes.append(("AUTOSELECT", number == 1 ? "YES" : "NO"))
      if let channels = sound.track.mainDescription?.audio?.channelCount, channels > 0 {
        attributes.append(("CHANNELS", "\"\(channels)\""))
      }
      attributes.append(("URI", "\"\(sound.name)/media.m3u8\""))
      return attributes
    }
  }
}

extension StreamRendition {
  /// The language of its sound as a tag; `nil` if not specified.
  fileprivate var language: String? { LanguageTag.tag(for: track.language) }
}
