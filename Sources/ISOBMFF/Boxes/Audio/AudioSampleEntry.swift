// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// How the samples of an audio track are coded; the type of the box is the codec.
///
/// Four layouts share their first 20 bytes: that of ISO/IEC 14496-12, its version 1 (in an `stsd` of version 1),
/// and versions 1 and 2 of QuickTime, which add fields. Some files break these rules, so the bytes after each
/// candidate are checked: a child box must begin there.
public struct AudioSampleEntry: BoxPayload {
  public static let info = BoxInfo(
    [
      "mp4a", "enca", "resa", "ac-3", "ec-3", "ac-4", "Opus", "fLaC", "alac", "mhm1", "mhm2", "mha1", "mha2",
      "iamf", "apac", "ipcm", "fpcm", "lpcm", "sowt", "twos", "in24", "in32", "fl32", "fl64", "raw ", "NONE",
      "ulaw", "alaw", "ima4", "MAC3", "MAC6", ".mp3", "dtsc", "dtse", "dtsh", "dtsl", "dtsx", "samr", "sawb",
      "sawp", "sevc", "sqcp", "Qclp", "QDM2", "QDMC", "vdva", "dvca", "g719", "m4ae", "mlpa",
    ], name: "audio sample entry", in: [.audioSampleDescription],
    "ISO/IEC 14496-12, 12.2.3; QuickTime File Format, Sound Media",
    "How the samples of an audio track are coded; the type of the box is the codec.", childrenFollow: true,
    childScope: .audioSampleEntry)

  /// Which fields follow the common ones.
  public enum Form: Sendable, Hashable {
    /// None: ISO/IEC 14496-12, and version 0 of QuickTime.
    case basic
    /// The sizes of packets, in version 1 of QuickTime.
    case quickTimeVersion1
    /// A second set of fields that replaces the first, in version 2 of QuickTime.
    case quickTimeVersion2
  }

  /// The fields that version 1 of QuickTime adds.
  public struct PacketSizes: FieldLayout {
    /// How many samples of a channel are in a packet.
    public var samplesPerPacket: UInt32 = 0
    /// How many bytes of a channel are in a packet.
    public var bytesPerPacket: UInt32 = 0
    /// How many bytes of all channels are in a packet.
    public var bytesPerFrame: UInt32 = 0
    /// How many bytes an uncompressed sample takes.
    public var bytesPerSample: UInt32 = 0
    /// Makes sizes of 0.
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u32("samples_per_packet", &samplesPerPacket)
      try c.u32("bytes_per_packet", &bytesPerPacket)
      try c.u32("bytes_per_frame", &bytesPerFrame)
      try c.u32("bytes_per_sample", &bytesPerSample)
    }
  }

  /// The fields that version 2 of QuickTime adds.
  public struct LinearFormat: FieldLayout {
    /// The number of bytes from the start of the sample entry to its first child.
    public var sizeOfStruct: UInt32 = 72
    /// The sample rate, as the bits of a floating-point number.
    public var sampleRateBits: UInt64 = 0
    /// The number of channels.
    public var channelCount: UInt32 = 0
    /// Always 0x7F000000.
    public var reserved: UInt32 = 0x7F00_0000
    /// The number of bits of a sample of linear audio.
    public var bitsPerChannel: UInt32 = 0
    /// How samples of linear audio are stored, as a sum of 1 floating-point, 2 big-endian, 4 signed, 8 packed, …
    public var formatFlags: UInt32 = 0
    /// The number of bytes in a packet if that is constant, otherwise 0.
    public var bytesPerPacket: UInt32 = 0
    /// How many samples of a channel are in a packet if that is constant, otherwise 0.
    public var framesPerPacket: UInt32 = 0
    /// Bytes after these fields, as many as the size announces.
    public var codecExtension = ByteView()
    /// Makes fields of 0.
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u32("sizeOfStructOnly", &sizeOfStruct)
      try c.u64("audioSampleRate", &sampleRateBits, .binaryFloat)
      try c.u32("numAudioChannels", &channelCount)
      try c.reserved("always7F000000", &reserved, bits: 32, expecting: 0x7F00_0000)
      try c.u32("constBitsPerChannel", &bitsPerChannel)
      try c.u32("formatSpecificFlags", &formatFlags, .hexadecimal)
      try c.u32("constBytesPerAudioPacket", &bytesPerPacket)
      try c.u32("constLPCMFramesPerAudioPacket", &framesPerPacket)
      // 72 bytes are the header of the box, the common fields and these.
      if sizeOfStruct > 72 {
        try c.bytes("extension", &codecExtension, count: Int(clamping: sizeOfStruct) &- 72)
      }
    }
    /// The sample rate in hertz.
    public var sampleRate: Double { Double(bitPattern: sampleRateBits) }
  }

  /// Which fields follow the common ones. Not in the file, but determined by the version and by looking ahead.
  public var form = Form.basic
  /// Six bytes that should be 0.
  public var reserved: UInt64 = 0
  /// The location of the samples, as a 1-based index into `dref`.
  public var dataReferenceIndex: UInt16 = 1
  /// The version of the entry.
  public var entryVersion: UInt16 = 0
  /// The revision of the codec; should be 0.
  public var revisionLevel: UInt16 = 0
  /// The vendor of the codec.
  public var vendor: UInt32 = 0
  /// The number of channels; often wrong: use the fields of the codec.
  public var channelCount: UInt16 = 2
  /// The number of bits of an uncompressed sample.
  public var sampleSize: UInt16 = 16
  /// In QuickTime, -2 if packets vary in size.
  public var compressionID: Int16 = 0
  /// In QuickTime, always 0.
  public var packetSize: UInt16 = 0
  /// The sample rate in hertz, as a 16.16 fixed-point number; one that does not fit is in another field.
  public var sampleRate: UInt32 = 0
  /// The fields that version 1 of QuickTime adds; `nil` in other forms.
  public var packetSizes: PacketSizes?
  /// The fields that version 2 of QuickTime adds; `nil` in other forms.
  public var linearFormat: LinearFormat?

  public init() {}

  public mutating func prepare(for context: BoxContext, payload: ByteView) {
    let preferred: Form
    switch payload.bigEndian(at: 8, width: 2) {
    case 1: preferred = context.sampleDescriptionVersion == 1 ? .basic : .quickTimeVersion1
    case 2: preferred = .quickTimeVersion2
    default: preferred = .basic
    }
    form = preferred
    if preferred == .basic && payload.bigEndian(at: 8, width: 2) != 1 { return }
    if Self.childBegins(payload, form: preferred) { return }
    let other: Form = preferred == .basic ? .quickTimeVersion1 : .basic
    if Self.childBegins(payload, form: other) { form = other }
  }

  /// Whether the fields of `form` are present and end where a child begins, or where the entry ends.
  static func childBegins(_ payload: ByteView, form: Form) -> Bool {
    var offset = 28
    switch form {
    case .basic: break
    case .quickTimeVersion1: offset = 44
    case .quickTimeVersion2:
      guard let size = payload.bigEndian(at: 28, width: 4) else { return false }
      offset = 64 &+ max(0, Int(size) &- 72)
    }
    let left = payload.count &- offset
    if left < 8 { return left >= 0 && payload.suffix(from: offset).isAllZero }
    guard let size = payload.bigEndian(at: offset, width: 4), let type = payload.fourCC(at: offset &+ 4)
    else {
      return false
    }
    return size >= 8 && Int(size) <= left && (type.isPrintable || type.rawValue == 0)
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.reserved("reserved", &reserved, bits: 48, expecting: 0)
    try c.u16("data_reference_index", &dataReferenceIndex)
    try c.u16("entry_version", &entryVersion)
    try c.u16("revision_level", &revisionLevel)
    try c.u32("vendor", &vendor, .hexadecimal)
    try c.u16("channelcount", &channelCount)
    try c.u16("samplesize", &sampleSize)
    try c.i16("compression_id", &compressionID)
    try c.u16("packet_size", &packetSize)
    try c.u32("samplerate", &sampleRate, .fixedPoint(fractionBits: 16))
    try c.group("packet_sizes", &packetSizes, if: form == .quickTimeVersion1)
    try c.group("linear_format", &linearFormat, if: form == .quickTimeVersion2)
  }
}
