// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
import HEVC
import ISOBMFF

/// How the samples of a track are coded: one sample entry, understood. AVFoundation: `CMFormatDescription`
public struct FormatDescription: Sendable {
  /// The type of the sample entry, as it stands in the file: of encrypted media `encv` or `enca`.
  public let sampleEntryType: FourCC
  /// The codec: the sample entry's type, or what encryption hides.
  public let codec: FourCC
  /// Whether the samples are encrypted or otherwise restricted.
  public let isProtected: Bool
  /// The box.
  public let box: Box
  /// The way to it.
  public let path: String
  /// Size, resolution and depth of pictures; `nil` for tracks without.
  public let visual: VisualSampleEntry?
  /// The configuration of the base layer.
  public let hevcConfiguration: DecoderConfigurationRecord?
  /// The configuration of the enhancement layers.
  public let layeredConfiguration: LayeredConfigurationRecord?
  /// What the boxes say of eyes, cameras, projection and packing.
  public let stereo: StereoLayout
  /// What is wrong with the entry.
  public private(set) var diagnostics: DiagnosticList

  static func all(
    in descriptions: Box, of context: MovieContext, path: String
  ) -> [FormatDescription] {
    var found: [FormatDescription] = []
    BoxPath.forEachSibling(descriptions.children) { box, name, _ in
      found.append(FormatDescription(context.whole(box), path: path + "/" + name))
    }
    return found
  }

  init(_ box: Box, path: String) {
    self.box = box
    self.path = path
    sampleEntryType = box.type
    let protection = box.first("sinf") ?? box.first("rinf")
    let original = protection?.first("frma")?.body.fourCC(at: 0)
    codec = original ?? box.type
    isProtected = protection != nil
    visual = box.payload(VisualSampleEntry.self)
    var diagnostics = DiagnosticList()
    let base = FormatDescription.record(HEVCConfigurationBox.self, in: box, path, &diagnostics)?.record
    let layered = FormatDescription.record(LHEVCConfigurationBox.self, in: box, path, &diagnostics)?.record
    // Of a version that is not known nothing was read.
    hevcConfiguration = base.flatMap { $0.configurationVersion <= 1 ? $0 : nil }
    layeredConfiguration = layered.flatMap { $0.configurationVersion <= 1 ? $0 : nil }
    stereo = visual == nil ? StereoLayout() : StereoLayout(sampleEntry: box, path: path)
    diagnostics.append(stereo.diagnostics)
    self.diagnostics = diagnostics
    checkRecords()
  }

  /// Whether the records that the codec needs are there, and agree.
  private mutating func checkRecords() {
    guard isHEVC else { return }
    if box.first("lhvC") != nil, box.first("hvcC") == nil, !isEnhancementOnly {
      diagnostics.append(
        .warning, "base-layer-not-configured", path: path, offset: box.offset,
        "the enhancement layers are configured (lhvC), the base layer is not (hvcC)")
    }
    if isEnhancementOnly, box.first("lhvC") == nil {
      diagnostics.append(
        .warning, "missing-structure", path: path, offset: box.offset,
        "a track of enhancement layers has no configuration (lhvC)")
    }
    if let base = hevcConfiguration?.lengthSize, let layered = layeredConfiguration?.lengthSize,
      base != layered
    {
      diagnostics.append(
        .warning, "length-sizes-differ", path: path, offset: box.offset,
        "NAL unit lengths take \(base) bytes by hvcC and \(layered) by lhvC; \(base) are taken")
    }
  }

  private static func record<Payload: BoxPayload>(
    _: Payload.Type, in entry: Box, _ path: String, _ diagnostics: inout DiagnosticList
  ) -> Payload? {
    guard let box = entry.children.first(where: { $0.registration?.payloadType == Payload.self }) else {
      return nil
    }
    guard let decoding = box.decodePayload() else { return nil }
    if let error = decoding.error {
      diagnostics.append(error.inPath("\(path)/\(box.type)"))
    } else if !decoding.unread.isEmpty {
      diagnostics.append(
        .warning, "trailing-bytes", path: "\(path)/\(box.type)", offset: decoding.unread.fileOffset,
        "\(decoding.unread.count) bytes stand behind the record")
    }
    return decoding.payload as? Payload
  }

  /// Whether samples are HEVC, with or without base layer.
  public var isHEVC: Bool { FormatDescription.hevcCodecs.contains(codec) }

  /// The types under which HEVC is carried. ISO/IEC 14496-15, 8.4 and 9.5
  static let hevcCodecs: Set<FourCC> = [
    "hvc1", "hev1", "hvc2", "hev2", "hvc3", "hev3", "lhv1", "lhe1", "dvh1", "dvhe", "hvt1", "hvt2", "hvt3",
    "lht1",
  ]

  /// Whether the entry is for a track that holds enhancement layers only.
  public var isEnhancementOnly: Bool { codec == "lhv1" || codec == "lhe1" }

  /// How many bytes stand in front of each NAL unit of a sample for its length; `nil` where no record says it.
  public var lengthSize: Int? { hevcConfiguration?.lengthSize ?? layeredConfiguration?.lengthSize }

  /// The vocabulary of `CMFormatDescription` extensions.
  public var extensions: FormatDescriptionExtensions { FormatDescriptionExtensions(stereo) }
}
