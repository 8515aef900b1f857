// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Multiview

/// The audio renditions with one codec, in all languages. A player chooses one group, and a rendition in it.
/// HLS authoring specification for Apple devices, 9.4
struct SoundGroup {
  var name = ""
  var renditions: [StreamRendition] = []

  /// Groups renditions by codec, in their order.
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
    return groups
  }

  var codecs: [String] { renditions.first?.attributes.codecs ?? [] }
  /// The highest peak bit rate of a rendition: players load one of them.
  var peakBandwidth: Int { renditions.map(\.peakBandwidth).max() ?? 0 }
  var averageBandwidth: Int { renditions.map(\.averageBandwidth).max() ?? 0 }

  /// The attributes of each rendition in the master playlist.
  var attributes: [[(key: String, value: String)]] {
    // The number of renditions so far in each language.
    var counts: [String: Int] = [:]
    return renditions.enumerated().map { index, sound in
      let language = LanguageTag.tag(for: sound.track.language)
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
