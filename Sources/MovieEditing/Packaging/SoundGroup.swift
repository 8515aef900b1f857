// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Multiview

/// The audio renditions that a player chooses from by language: those with one codec, if the renditions with other codecs are
/// in the same languages. A player chooses one group, and a rendition in it. HLS authoring specification for Apple
/// devices, 9.4
struct SoundGroup {
  var name = ""
  var renditions: [StreamRendition] = []
  /// The renditions that those of this group have the names of, one for one; empty for its own.
  private var namesakes: [StreamRendition] = []

  init(name: String = "", renditions: [StreamRendition] = []) {
    (self.name, self.renditions) = (name, renditions)
  }

  /// Groups renditions by codec, in their order. Groups must have the same members: if the languages differ, all renditions
  /// are in one group. HTTP Live Streaming, 2nd edition (draft-pantos-hls-rfc8216bis), 4.4.6.1.1
  ///
  /// - Parameter bySource: whether movies that have sound in the same languages are in groups of their own: a stream of sound
  ///   alone has the same content at several rates then.
  static func groups(of renditions: [StreamRendition], bySource: Bool = false) -> [SoundGroup] {
    if bySource, let groups = groups(of: renditions, where: { $0.isFromMovie(of: $1) && $0.hasCodec(of: $1) })
    {
      return groups
    }
    return groups(of: renditions) { $0.hasCodec(of: $1) } ?? [
      SoundGroup(name: "audio", renditions: renditions)
    ]
  }

  /// Groups renditions that belong together; `nil` if the groups have different languages.
  private static func groups(
    of renditions: [StreamRendition], where belong: (StreamRendition, StreamRendition) -> Bool
  ) -> [SoundGroup]? {
    var groups: [SoundGroup] = []
    for rendition in renditions {
      if let index = groups.firstIndex(where: { $0.renditions.first.map { belong($0, rendition) } ?? false })
      {
        groups[index].renditions.append(rendition)
      } else {
        groups.append(
          SoundGroup(name: groups.isEmpty ? "audio" : "audio\(groups.count + 1)", renditions: [rendition]))
      }
    }
    guard let first = groups.first else { return [] }
    for index in groups.indices.dropFirst() {
      guard let ordered = groups[index].renditions(inOrderOf: first) else { return nil }
      groups[index].renditions = ordered
      groups[index].namesakes = first.renditions
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

  /// The index of the rendition that is played unless another is chosen: the first whose track is enabled.
  var defaultIndex: Int { named.firstIndex { $0.track.isEnabled } ?? 0 }
  private var named: [StreamRendition] { namesakes.count == renditions.count ? namesakes : renditions }

  /// The attributes of each rendition in the master playlist.
  ///
  /// - Parameter isInVariant: whether the variant of the group is its default rendition, which has no address then.
  ///   RFC 8216, 4.3.4.2.1
  func attributes(isInVariant: Bool = false) -> [[(key: String, value: String)]] {
    var names: Set<String> = []
    let languages = named.map(\.language)
    return zip(renditions, named).enumerated().map { index, pair in
      let (sound, named) = pair
      let language = languages[index]
      let isDefault = index == defaultIndex
      // One of each language is chosen by itself.
      let isChosen =
        languages[defaultIndex] == language ? isDefault : languages.firstIndex(of: language) == index
      var attributes = [
        (key: "TYPE", value: "AUDIO"), ("GROUP-ID", "\"\(self.name)\""),
        ("NAME", PlaylistText.quoted(Self.newName(named.title ?? language ?? "sound", in: &names))),
      ]
      if let language { attributes.append(("LANGUAGE", PlaylistText.quoted(language))) }
      attributes.append(("DEFAULT", isDefault ? "YES" : "NO"))
      attributes.append(("AUTOSELECT", isChosen ? "YES" : "NO"))
      if let channels = sound.channels { attributes.append(("CHANNELS", "\"\(channels)\"")) }
      if !(isInVariant && isDefault) { attributes.append(("URI", "\"\(sound.name)/media.m3u8\"")) }
      return attributes
    }
  }

  /// Returns a name, with a number if there is one like it. RFC 8216, 4.3.4.1: names differ within a group.
  private static func newName(_ name: String, in known: inout Set<String>) -> String {
    var number = 1
    while true {
      let new = number > 1 ? "\(name) \(number)" : name
      if known.insert(new).inserted { return new }
      number += 1
    }
  }
}

extension StreamRendition {
  /// The language of its sound as a tag; `nil` if not specified.
  fileprivate var language: String? { LanguageTag.tag(for: track.language) }

  /// What its track is called, for people; `nil` if it has no name, or one that programs give to all.
  fileprivate var title: String? { track.box?.ownTitle }

  /// Its channels as `CHANNELS` has them; `nil` if they are not known.
  fileprivate var channels: String? {
    guard let description = track.mainDescription else { return nil }
    if let objects = description.box.first(EnhancedAC3SpecificBox.self)?.objectChannels { return objects }
    return description.audio?.channelCount.flatMap { $0 > 0 ? "\($0)" : nil }
  }

  fileprivate func isFromMovie(of other: StreamRendition) -> Bool { movieIndex == other.movieIndex }
  fileprivate func hasCodec(of other: StreamRendition) -> Bool {
    attributes.codecs == other.attributes.codecs
  }
}

extension Box {
  /// The name of a track (`udta/name`, as programs write it, or that of the handler) if it says more than the kind of the track.
  fileprivate var ownTitle: String? {
    let names = [
      self["udta/name"].map { String(decoding: $0.body.prefix(256).array, as: UTF8.self) },
      self["mdia/hdlr"]?.payload(HandlerBox.self)?.name.text,
    ]
    return names.compactMap { $0?.words }.first { name in
      // Handlers are called SoundHandler, Core Media Audio, ISO Media file produced by …, GPAC ISO Audio Handler.
      let lower = name.lowercased()
      return !["handler", "media", "gpac", "mainconcept", "audio track", "sound track"].contains {
        lower.contains($0)
      } && !["audio", "sound", "stereo", "mono"].contains(lower)
    }
  }
}

extension EnhancedAC3SpecificBox {
  /// The number of objects of Dolby Atmos, as `CHANNELS` has them; `nil` for sound of channels alone. HLS authoring
  /// specification for Apple devices; ETSI TS 103 420, 8.3.2
  var objectChannels: String? {
    guard let objects = objectExtension, objects.isTypeA, objects.complexityIndex > 0 else { return nil }
    return "\(objects.complexityIndex)/JOC"
  }
}

extension String {
  /// The text without spaces and control characters at its ends; `nil` if nothing is left, or it was not text.
  fileprivate var words: String? {
    let isBlank: (Character) -> Bool = { $0.isWhitespace || $0.unicodeScalars.allSatisfy { $0.value < 32 } }
    let start = drop(while: isBlank)
    guard let end = start.lastIndex(where: { !isBlank($0) }) else { return nil }
    let text = String(start[...end])
    return text.contains("\u{FFFD}") ? nil : text
  }
}
