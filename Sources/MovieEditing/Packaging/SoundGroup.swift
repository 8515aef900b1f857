// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Multiview

/// Sound that is coded in one way, in all of its languages. Players choose one group, and a rendition in it.
/// HLS authoring specification for Apple devices, 9.4
struct SoundGroup {
  var name = ""
  var renditions: [StreamRendition] = []

  /// The groups of some renditions, in the order in which they come.
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
  /// The most that a rendition takes: players load one of them.
  var peakBandwidth: Int { renditions.map(\.peakBandwidth).max() ?? 0 }
  var averageBandwidth: Int { renditions.map(\.averageBandwidth).max() ?? 0 }

  /// What the master playlist says of each rendition.
  var attributes: [[(key: String, value: String)]] {
    // How many renditions are in a language so far.
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
