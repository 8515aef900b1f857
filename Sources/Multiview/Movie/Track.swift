// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
import FileAccess
import HEVC
import ISOBMFF

/// One track of a movie.
public struct Track: Sendable {
  let context: MovieContext
  /// What its boxes say: the same for all copies of the track.
  let boxes: TrackBoxes
  /// The tracks that this one joins; `nil` for a track of the file.
  private let joining: JoinedParts?
  /// By which of its sample descriptions the track is described; `nil` for those of its first sample.
  let describing: DescribedSamples?
  let lazy: TrackAnalyses

  /// The track ID; 0 for a raw HEVC stream.
  public var id: UInt32 { boxes.header?.trackID ?? 0 }
  /// The index of the track in the movie, from 0.
  public var index: Int { boxes.index }
  /// The path of its box: `moov/trak[0]`; empty for a raw stream.
  public var path: String { boxes.path }
  /// The media type of the track.
  public var mediaType: MediaType { MediaType(rawValue: boxes.handler ?? FourCC(0)) }
  /// The number of units of media time per second.
  public var timescale: UInt32 { max(1, boxes.mediaHeader?.timescale ?? 1) }
  /// The formats of its samples, one for each sample description.
  public var formatDescriptions: [FormatDescription] { boxes.formatDescriptions }
  var parts: [Track] { joining?.tracks ?? [] }

  /// The track header; `nil` if it cannot be read.
  public var header: TrackHeaderBox? { boxes.header }
  /// The media header; `nil` if it cannot be read.
  public var mediaHeader: MediaHeaderBox? { boxes.mediaHeader }
  /// The box; `nil` for a raw stream.
  public var box: Box? { boxes.box }
  /// Whether it is a raw HEVC stream.
  public var isRawStream: Bool { boxes.box == nil }
  /// The codec of the description of its first sample, which describes the track.
  public var codec: FourCC? { isRawStream ? "hevc" : mainDescription?.codec }
  /// Whether the track takes part in the presentation.
  public var isEnabled: Bool { header?.isEnabled ?? true }
  /// The language of the media: the tag of `elng`, as in `zh-Hant-TW`, otherwise the three letters of ISO 639-2 that
  /// the media header or its Macintosh code stands for; `nil` if none is set. ISO/IEC 14496-12, 8.4.6
  public var language: String? {
    if let tag = box?.first("mdia")?.first(ExtendedLanguageBox.self)?.extendedLanguage.text, !tag.isEmpty {
      return tag == "und" ? nil : tag
    }
    guard let packed = mediaHeader?.language, packed != 0x7FFF else { return nil }
    if packed < 0x400 {
      return context.tree?.isQuickTime == true ? MacintoshLanguage.code(packed) : nil
    }
    let text = languageLetters(packed)
    return text == "und" ? nil : text
  }

  static func all(in context: MovieContext, _ diagnostics: inout DiagnosticList) -> [Track] {
    if let compressed = context.tree?["moov/cmov"] {
      diagnostics.append(
        .error, "compressed-movie", path: "moov/cmov", offset: compressed.offset,
        "the boxes of the movie are compressed, as in old QuickTime movies; mux the movie again to get plain "
          + "ones"
      )
    }
    let count = context.trackCount
    let limit = Limits.maximumTracks
    if count > limit {
      diagnostics.append(
        .error, "limit-exceeded", path: "moov",
        "\(count) tracks are over the limit of \(limit)")
    }
    return context.trackBoxes.map { boxes in
      boxes.reportMissing(in: &diagnostics)
      return Track(boxes, in: context)
    }
  }

  /// A track of the file.
  init(_ boxes: TrackBoxes, in context: MovieContext) {
    self.boxes = boxes
    self.context = context
    joining = nil
    describing = nil
    lazy = TrackAnalyses()
  }

  init(stream source: any ByteSource, _ limits: Limits) {
    self.init(TrackBoxes(), in: MovieContext(tree: nil, source: source, limits: limits))
  }

  /// A copy that joins other tracks, or none, and may be described by other sample descriptions.
  init(
    _ track: Track, joining parts: JoinedParts?, by describing: DescribedSamples? = nil,
    analyses: TrackAnalyses = TrackAnalyses()
  ) {
    boxes = track.boxes
    context = track.context
    joining = parts
    self.describing = describing
    lazy = analyses
  }

  /// The box of sample tables.
  var sampleTableBox: Box? { boxes.sampleTable }

  /// The box of the places in which samples may be.
  var dataReferencesBox: Box? { boxes.dataReferences }

  /// The samples that are not found by offsets into this file.
  package var externalMedia: ExternalMedia { boxes.externalMedia }

  /// The sample descriptions, counted from 1, whose samples are not read as those of the first are.
  var otherDescriptions: [UInt32: FormatDescription] { boxes.otherDescriptions }

  /// Returns the IDs of the tracks that references of a type name.
  public func references(_ type: FourCC) -> [UInt32] {
    box?.first("tref")?.first(type).map { context.trackIDs(of: $0) } ?? []
  }

  /// All its references to other tracks, by type.
  public var references: [(type: FourCC, trackIDs: [UInt32])] {
    box?.first("tref")?.children.map { ($0.type, context.trackIDs(of: $0)) } ?? []
  }

  /// The duration of the media: that of the media header, but at least that of the samples in movie fragments,
  /// which the header does not include. For a part of a live stream, the time before it does not count.
  public var duration: MediaTime? {
    var value = Int64(clamping: mediaHeader?.knownDuration ?? 0)
    if !isRawStream, context.hasFragments {
      do {
        let samples = try samples()
        value = max(value, samples.endTime.subtractingReportingOverflow(samples.startTime).partialValue)
      } catch {}
    }
    return value > 0 ? MediaTime(value: value, timescale: timescale) : nil
  }

  /// The display size of pictures, from the track header; `nil` for tracks without pictures.
  public var naturalSize: (width: Double, height: Double)? {
    guard let header, header.width > 0, header.height > 0 else { return nil }
    return (Double(header.width) / 65_536, Double(header.height) / 65_536)
  }
}
