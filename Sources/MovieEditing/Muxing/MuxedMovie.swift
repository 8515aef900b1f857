// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF
import Multiview

/// The boxes of a movie that is made from a stream, in the forms of Apple's writers.
struct MuxedMovie {
  let options: MuxOptions
  /// How the pictures are turned; `nil` for not at all.
  var matrix: TransformationMatrix?
  /// The part of the pictures to show; `nil` for all of them.
  var cleanAperture: CleanApertureBox?
  /// The language and the name of the pictures.
  var labels = TrackLabels()
  let descriptions: [StreamDescription]
  let timescale: UInt32

  private var isQuickTime: Bool { options.brand == .mov }

  /// Returns the brands of the file.
  static func fileType(_ brand: MuxOptions.Brand) -> FileTypeBox {
    switch brand {
    case .mov: FileTypeBox("qt  ", compatibleBrands: ["qt  "])
    case .mp4: FileTypeBox("mp42", minorVersion: 1, compatibleBrands: ["isom", "mp41", "mp42"])
    }
  }

  /// Returns the header of the media data, with 16 bytes whatever their size: in QuickTime, eight free bytes
  /// precede a header with a size of 32 bits.
  static func mediaHeader(_ brand: MuxOptions.Brand, count: UInt64) -> ByteView {
    guard brand == .mov, !MediaDataHeader.needsLargeSize(count) else {
      return ByteView(MediaDataHeader.bytes(of: count, isLarge: true))
    }
    // Leaves room for a size of 64 bits.
    return ByteView([0, 0, 0, 8] + Array("wide".utf8) + MediaDataHeader.bytes(of: count, isLarge: false))
  }

  private func box(_ type: FourCC, _ payload: (any BoxPayload)? = nil, _ children: [Box] = []) -> Box {
    Box(type, payload, children: children, registry: .standard)
  }

  /// Returns the `moov`.
  ///
  /// - Parameters:
  ///   - times: the samples of the video track, which are complete.
  ///   - others: other tracks, with IDs from 2 on and edits in `movieTimescale`.
  func movie(
    _ times: inout PictureTimes, others: [Box] = [], movieTimescale: UInt32, otherDuration: UInt64 = 0,
    metadata: [Box] = [], creationTime: UInt64? = nil
  ) throws(EditError) -> Box {
    let shift = options.reordering == .edit ? try times.shiftToUnsigned() : 0
    let hidden = times.hiddenDuration
    let mediaDuration = UInt64(clamping: times.table.decodeEndTime)
    let shown = UInt64(clamping: times.table.decodeEndTime &- hidden)
    // The timescale of the movie is a multiple of that of the media, so that no time is rounded.
    let factor = UInt64(movieTimescale / max(1, timescale))
    let (duration, overflow) = shown.multipliedReportingOverflow(by: factor)
    let (delay, isLate) = UInt64(clamping: times.delay).multipliedReportingOverflow(by: factor)
    guard !overflow, !isLate, duration <= UInt64(Int64.max) - delay else {
      throw EditError(.exceedsLimit, "the movie is too long for its timescale")
    }
    do {
      var header = MovieHeaderBox()
      header.timescale = movieTimescale
      header.setDuration(max(delay + duration, otherDuration))
      header.nextTrackID = UInt32(clamping: others.count + 2)
      if let creationTime {
        header.creationTime = creationTime
        if creationTime > UInt64(UInt32.max) { header.version = 1 }
      }
      let video = try track(
        times, delay: delay, duration: duration, mediaDuration: mediaDuration, start: hidden + shift,
        creationTime: creationTime ?? 0)
      return Box(
        "moov", nil, children: [box("mvhd", header), video] + others + metadata, in: .file,
        registry: .standard)
    } catch { throw EditError(error, source: .refused) }
  }

  private func track(
    _ times: PictureTimes, delay: UInt64, duration: UInt64, mediaDuration: UInt64, start: Int64,
    creationTime: UInt64
  ) throws -> Box {
    guard let size = descriptions.first?.base?.croppedSize else {
      throw EditError(.damaged, "the size of the pictures is not known")
    }
    /// The width of pixels that are square, as a 16.16 fixed-point number.
    func squared(_ width: UInt64) -> UInt32 {
      guard let ratio = descriptions.first?.base?.sampleAspectRatio, ratio.width > 0, ratio.height > 0 else {
        return UInt32(clamping: width)
      }
      return UInt32(clamping: width * UInt64(ratio.width) / UInt64(ratio.height))
    }
    let encoded = (width: UInt64(size.width) << 16, height: UInt64(size.height) << 16)
    var shown = encoded
    if let cleanAperture, cleanAperture.widthD > 0, cleanAperture.heightD > 0 {
      shown.width = min(shown.width, UInt64(cleanAperture.widthN) << 16 / UInt64(cleanAperture.widthD))
      shown.height = min(shown.height, UInt64(cleanAperture.heightN) << 16 / UInt64(cleanAperture.heightD))
    }
    var header = TrackHeaderBox()
    header.flags = isQuickTime ? 0xF : 1
    header.duration = delay + duration
    header.creationTime = creationTime
    header.version = max(header.duration, creationTime) > UInt64(UInt32.max) - 1 ? 1 : 0
    header.width = squared(shown.width)
    header.height = UInt32(clamping: shown.height)
    if let matrix { header.matrix = matrix.placed(width: header.width, height: header.height) }
    var children = [box("tkhd", header)]
    if isQuickTime {
      var aperture = TrackApertureDimensionsBox()
      var modes: [Box] = []
      // The encoded size is in pixels of their own shape.
      let sizes: [(type: FourCC, width: UInt32, height: UInt64)] = [
        ("clef", header.width, shown.height), ("prof", squared(encoded.width), encoded.height),
        ("enof", UInt32(clamping: encoded.width), encoded.height),
      ]
      for size in sizes {
        (aperture.width, aperture.height) = (size.width, UInt32(clamping: size.height))
        modes.append(box(size.type, aperture))
      }
      children.append(box("tapt", nil, modes))
    }
    var edits = [EditListBox.Entry(editDuration: duration, mediaTime: start)]
    if delay > 0 { edits.insert(.init(editDuration: delay, mediaTime: -1), at: 0) }
    children.append(box("edts", nil, [box("elst", EditListBox(edits))]))
    var media = MediaHeaderBox()
    media.timescale = timescale
    media.duration = mediaDuration
    media.creationTime = creationTime
    media.language = labels.language
    media.version = max(mediaDuration, creationTime) > UInt64(UInt32.max) - 1 ? 1 : 0
    let description = [handler("mhlr", "vide", labels.handlerName ?? "Video")] + labels.extendedLanguage
    children.append(box("mdia", nil, [box("mdhd", media)] + description + [try information(times)]))
    if !labels.names.isEmpty { children.append(box("udta", nil, labels.names)) }
    return box("trak", nil, children)
  }

  private func handler(_ componentType: FourCC, _ type: FourCC, _ name: String) -> Box {
    var handler = HandlerBox(type, name: name)
    if isQuickTime {
      handler.componentType = componentType.rawValue
      handler.isNamePascal = true
    }
    return box("hdlr", handler)
  }

  private func information(_ times: PictureTimes) throws -> Box {
    var header = VideoMediaHeaderBox()
    if isQuickTime {
      header.graphicsMode = 64
      header.opColor = RGBColor(red: 32_768, green: 32_768, blue: 32_768)
    }
    var children = [box("vmhd", header)]
    if isQuickTime { children.append(handler("dhlr", "alis", "Data")) }
    let reference = isQuickTime ? box("alis", DataEntryAliasBox()) : box("url ", DataEntryURLBox())
    children.append(box("dinf", nil, [box("dref", DataReferenceBox(), [reference])]))
    var entries: [Box] = []
    for description in descriptions {
      var entry = try description.entry(isQuickTime: isQuickTime)
      if let cleanAperture {
        entry.children.append(Box("clap", cleanAperture, in: .visualSampleEntry, registry: .standard))
      }
      entries.append(entry)
    }
    var tables = try times.table.boxes()
    if options.reordering == .ctts0, let index = tables.firstIndex(where: { $0.type == "ctts" }),
      var offsets = tables[index].payload(CompositionOffsetBox.self)
    {
      offsets.version = 0
      tables[index].replacePayload(offsets)
    }
    children.append(
      box("stbl", nil, [box("stsd", SampleDescriptionBox(), entries)] + (try times.groupBoxes()) + tables))
    return box("minf", nil, children)
  }
}

extension TransformationMatrix {
  /// The matrix that turns a picture of this size, in 16.16 fixed-point numbers, in the same way, with its upper left corner in the
  /// place of the movie's. One that does not turn pictures is as it was.
  func placed(width: UInt32, height: UInt32) -> TransformationMatrix {
    guard a <= 0 || d <= 0 || b != 0 || c != 0 else { return self }
    /// The smallest of the coordinates that the corners get.
    func start(_ first: Int32, _ second: Int32) -> Int32 {
      let horizontal = (Int64(first) * Int64(width)) >> 16, vertical = (Int64(second) * Int64(height)) >> 16
      return Int32(clamping: -(min(0, horizontal) + min(0, vertical)))
    }
    var placed = self
    (placed.x, placed.y) = (start(a, c), start(b, d))
    return placed
  }
}
