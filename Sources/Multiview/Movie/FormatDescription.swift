// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
import HEVC
import ISOBMFF

/// How the samples of a track are coded: one sample entry, understood. AVFoundation: `CMFormatDescription`
///
/// It is a class because tracks hand descriptions on for the sake of one property.
public final class FormatDescription: Sendable {
  /// The type of the sample entry, as it is in the file: of encrypted media `encv` or `enca`.
  public var sampleEntryType: FourCC { box.type }
  /// The codec: the sample entry's type, or what encryption or a restriction hides.
  public let codec: FourCC
  /// Whether samples are HEVC, with or without base layer.
  public let isHEVC: Bool
  /// Whether the samples are encrypted. Those of restricted media (`resv`) are not: they are to be shown in a certain
  /// way. ISO/IEC 14496-12, 8.15
  public let isProtected: Bool
  /// The box.
  public let box: Box
  /// Its path.
  public let path: String
  /// Size, resolution and depth of pictures; `nil` for tracks without.
  public var visual: VisualSampleEntry? { details?.visual }
  /// The configuration of the base layer.
  public var hevcConfiguration: DecoderConfigurationRecord? { details?.hevcConfiguration }
  /// The configuration of the enhancement layers.
  public var layeredConfiguration: LayeredConfigurationRecord? { details?.layeredConfiguration }
  /// The eyes, cameras, projection and packing in the boxes.
  public var stereo: StereoLayout { details?.stereo ?? StereoLayout() }
  /// The problems of the entry.
  public let diagnostics: DiagnosticList

  /// What reading the NAL units of the configuration records costs (`WorkBudget`).
  package var configurationCost: Int { details?.configurationCost ?? 0 }

  /// `nil` if there is nothing in the entry.
  private let details: Details?

  /// What is in the entry: a file may have a hundred thousand entries with nothing in them.
  private final class Details: Sendable {
    let visual: VisualSampleEntry?
    let hevcConfiguration: DecoderConfigurationRecord?
    let layeredConfiguration: LayeredConfigurationRecord?
    let stereo: StereoLayout
    let configurationCost: Int

    init(_ box: Box, path: String, _ diagnostics: inout DiagnosticList) {
      visual = box.payload(VisualSampleEntry.self)
      let base = FormatDescription.record(HEVCConfigurationBox.self, in: box, path, &diagnostics)?.record
      let layered = FormatDescription.record(LHEVCConfigurationBox.self, in: box, path, &diagnostics)?.record
      // Of a version that is not known nothing was read.
      hevcConfiguration = base.flatMap { $0.configurationVersion <= 1 ? $0 : nil }
      layeredConfiguration = layered.flatMap { $0.configurationVersion <= 1 ? $0 : nil }
      stereo = visual == nil ? StereoLayout() : StereoLayout(sampleEntry: box, path: path)
      diagnostics.append(stereo.diagnostics)
      let units = [hevcConfiguration?.nalUnits ?? [], layeredConfiguration?.nalUnits ?? []].joined()
      configurationCost = WorkBudget.Work.cost(of: units)
    }
  }

  static func all(
    in descriptions: Box, of context: MovieContext, path: String, atMost count: Int
  ) -> [FormatDescription] {
    var found: [FormatDescription] = []
    BoxPath.forEachSibling(descriptions.children) { box, name, _ in
      if found.count < count { found.append(FormatDescription(context.whole(box), path: path + "/" + name)) }
    }
    return found
  }

  init(_ box: Box, path: String) {
    var diagnostics = DiagnosticList()
    (self.box, self.path) = (box, path)
    let protection = box.first("sinf")
    let original = (protection ?? box.first("rinf"))?.first("frma")?.body.fourCC(at: 0)
    codec = original ?? box.type
    isHEVC = Self.hevcCodecs.contains(codec)
    isProtected = protection != nil
    details = box.body.isEmpty && box.children.isEmpty ? nil : Details(box, path: path, &diagnostics)
    if isHEVC { Self.checkRecords(of: box, codec, path, details, &diagnostics) }
    self.diagnostics = diagnostics
  }

  /// Whether the records that the codec needs are there, and agree.
  private static func checkRecords(
    of box: Box, _ codec: FourCC, _ path: String, _ details: Details?, _ diagnostics: inout DiagnosticList
  ) {
    let isEnhancementOnly = isOfEnhancements(codec)
    if box.first("lhvC") != nil, box.first("hvcC") == nil, !isEnhancementOnly {
      diagnostics.append(
        .warning, "base-layer-not-configured", path: path, offset: box.offset,
        "the enhancement layers are configured (lhvC), but the base layer is not (hvcC)")
    }
    if isEnhancementOnly, box.first("lhvC") == nil {
      diagnostics.append(
        .warning, "missing-structure", path: path, offset: box.offset,
        "a track of enhancement layers has no configuration (lhvC)")
    }
    if let base = details?.hevcConfiguration?.lengthSize,
      let layered = details?.layeredConfiguration?.lengthSize, base != layered
    {
      diagnostics.append(
        .warning, "length-sizes-differ", path: path, offset: box.offset,
        "NAL unit lengths have \(base) bytes according to hvcC, and \(layered) according to lhvC; \(base) "
          + "are used")
    }
  }

  private static func record<Payload: BoxPayload>(
    _: Payload.Type, in entry: Box, _ path: String, _ diagnostics: inout DiagnosticList
  ) -> Payload? {
    let children = entry.children
    guard let index = children.firstIndex(where: { $0.registration?.isOf(Payload.self) == true }) else {
      return nil
    }
    let box = children[index]
    guard let decoding = box.decodeLoadedPayload() else { return nil }
    if let error = decoding.error {
      diagnostics.append(error.inPath("\(path)/\(box.type)"))
    } else if !decoding.unread.isEmpty {
      diagnostics.append(
        .warning, "trailing-bytes", path: "\(path)/\(box.type)", offset: decoding.unread.fileOffset,
        "\(decoding.unread.count) bytes follow the record")
    }
    return decoding.payload as? Payload
  }

  /// The types under which HEVC is carried. ISO/IEC 14496-15, 8.4 and 9.5
  static let hevcCodecs: Set<FourCC> = [
    "hvc1", "hev1", "hvc2", "hev2", "hvc3", "hev3", "lhv1", "lhe1", "dvh1", "dvhe", "hvt1", "hvt2", "hvt3",
    "lht1",
  ]

  /// Whether the entry is for a track with enhancement layers only.
  public var isEnhancementOnly: Bool { Self.isOfEnhancements(codec) }
  private static func isOfEnhancements(_ codec: FourCC) -> Bool { codec == "lhv1" || codec == "lhe1" }

  /// Whether parameter sets may be in samples instead of the configuration records. ISO/IEC 14496-15, 8.4.3 and 9.5.3
  var allowsSetsInSamples: Bool { ["hev1", "hev2", "hev3", "lhe1", "dvhe"].contains(codec) }

  /// How many bytes precede each NAL unit of a sample for its length; `nil` if no record says it.
  public var lengthSize: Int? { hevcConfiguration?.lengthSize ?? layeredConfiguration?.lengthSize }

  /// The length size of a track: the first one that is known, otherwise four.
  static func lengthSize(of descriptions: [FormatDescription]) -> Int {
    descriptions.lazy.compactMap(\.lengthSize).first ?? 4
  }

  /// The vocabulary of `CMFormatDescription` extensions.
  public var extensions: FormatDescriptionExtensions { FormatDescriptionExtensions(stereo) }
}
