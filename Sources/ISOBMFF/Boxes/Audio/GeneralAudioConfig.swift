// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// `GASpecificConfig()`, and what follows it in the configuration of a decoder: what AAC says of its channels, and what
/// it says of replicated bands in a place that older decoders do not read. ISO/IEC 14496-3, 4.4.1 and 1.6.2.1
struct GeneralAudioConfig: FieldLayout {
  /// The kind of coding, which has some fields of its own. Set before reading.
  var objectType: UInt8 = 2
  /// Whether the channels are listed here. Set before reading.
  var listsChannels = false
  /// How many bits of the configuration come before. Set before reading.
  var bitsBefore = 0

  /// The number of channels that are listed; `nil` if none are.
  var channelCount: Int?
  /// The output sampling frequency with spectral band replication; `nil` if it is not used.
  var extensionFrequency: AudioSpecificConfig.Frequency?
  /// Whether there is parametric stereo, which makes two channels of one.
  var hasParametricStereo = false

  /// The kinds of coding that have this structure.
  static let objectTypes: Set<UInt8> = [1, 2, 3, 4, 6, 7, 17, 19, 20, 21, 22, 23]

  mutating func layout(_ c: inout some Coder) throws(ParseError) {
    var flag = false, hasExtension = false, number: UInt32 = 0
    let bits = c.bitsLeft ?? 0
    try c.flag("frameLengthFlag", &flag)
    try c.flag("dependsOnCoreCoder", &flag)
    if flag { try c.u("coreCoderDelay", &number, 14) }
    try c.flag("extensionFlag", &hasExtension)
    if listsChannels {
      try layoutChannels(&c)
      // The comment begins at a byte of the whole configuration.
      let position = bitsBefore + bits - (c.bitsLeft ?? 0)
      let padding = (8 - position % 8) % 8
      if padding > 0 { try c.u("byte_alignment", &number, padding) }
      var length: UInt8 = 0
      try c.u8("comment_field_bytes", &length)
      for _ in 0..<length { try c.u("comment_field_data", &number, 8) }
    }
    if objectType == 6 || objectType == 20 { try c.u("layerNr", &number, 3) }
    if hasExtension {
      if objectType == 22 { try c.u("numOfSubFrame, layer_length", &number, 16) }
      if [17, 19, 20, 23].contains(objectType) { try c.u("aacResilienceFlags", &number, 3) }
      try c.flag("extensionFlag3", &flag)
    }
    try layoutReplication(&c)
  }

  /// The channels of `program_config_element()`. ISO/IEC 14496-3, 4.4.1.1
  private mutating func layoutChannels(_ c: inout some Coder) throws(ParseError) {
    var number: UInt32 = 0, low: UInt32 = 0, others: UInt32 = 0, coupled: UInt32 = 0, flag = false
    try c.u("element_instance_tag, object_type, sampling_frequency_index", &number, 10)
    var elements: UInt32 = 0
    for _ in 0..<3 {
      try c.u("num_channel_elements", &number, 4)
      elements += number
    }
    try c.u("num_lfe_channel_elements", &low, 2)
    try c.u("num_assoc_data_elements", &others, 3)
    try c.u("num_valid_cc_elements", &coupled, 4)
    for bits in [4, 4, 3] {
      try c.flag("mixdown_present", &flag)
      if flag { try c.u("mixdown", &number, bits) }
    }
    var channels = Int(low)
    for _ in 0..<elements {
      try c.flag("element_is_cpe", &flag)
      try c.u("element_tag_select", &number, 4)
      channels += flag ? 2 : 1
    }
    for _ in 0..<(low + others) { try c.u("element_tag_select", &number, 4) }
    for _ in 0..<coupled { try c.u("cc_element", &number, 5) }
    channelCount = channels
  }

  /// Spectral band replication that only newer decoders see, after an agreed number.
  private mutating func layoutReplication(_ c: inout some Coder) throws(ParseError) {
    var sync: UInt32 = 0, flag = false
    guard c.bitsLeft ?? 0 >= 16 else { return }
    try c.u("syncExtensionType", &sync, 11)
    guard sync == 0x2B7 else { return }
    var type = AudioSpecificConfig.ObjectType()
    try type.layout(&c)
    guard type.number == 5 || type.number == 22 else { return }
    try c.flag("sbrPresentFlag", &flag)
    guard flag else { return }
    var frequency = AudioSpecificConfig.Frequency()
    try frequency.layout(&c)
    extensionFrequency = frequency
    guard type.number == 5, c.bitsLeft ?? 0 >= 12 else { return }
    try c.u("syncExtensionType", &sync, 11)
    guard sync == 0x548 else { return }
    try c.flag("psPresentFlag", &hasParametricStereo)
  }
}

extension AudioSpecificConfig {
  /// What the part that depends on the object type says, as far as it can be read; `nil` for other kinds of coding.
  var general: GeneralAudioConfig? {
    let type = coreObjectType ?? objectType
    guard GeneralAudioConfig.objectTypes.contains(type.number) else { return nil }
    var config = GeneralAudioConfig()
    config.objectType = type.number
    config.listsChannels = channelConfiguration == 0
    config.bitsBefore =
      objectType.bitCount + frequency.bitCount + 4
      + (extensionFrequency.map { $0.bitCount + type.bitCount } ?? 0)
    return ByteView(specific.bytes).decode(config).value
  }
}

extension AudioSpecificConfig.ObjectType {
  fileprivate var bitCount: Int { extensionCode == nil ? 5 : 11 }
}

extension AudioSpecificConfig.Frequency {
  fileprivate var bitCount: Int { explicit == nil ? 4 : 28 }
}
