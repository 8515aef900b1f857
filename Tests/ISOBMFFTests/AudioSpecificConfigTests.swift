// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import TestSupport
import Testing

/// Configurations put together bit by bit from ISO/IEC 14496-3, 1.6.2.1.
@Suite struct AudioSpecificConfigTests {
  private func read(_ hex: String) -> (value: AudioSpecificConfig, error: ParseError?) {
    let reading = ByteView(hex: hex).decode(AudioSpecificConfig())
    return (reading.value, reading.error)
  }

  @Test func plain() throws {
    // 00010 0100 0010 000: AAC-LC, index 4, two channels.
    let (config, error) = read("1210")
    #expect(error == nil && config.objectType.number == 2)
    #expect(config.sampleRate == 44_100 && config.channelCount == 2)
    #expect(try config.encoded() == [0x12, 0x10])
  }

  @Test func replicated() throws {
    // 00101 0111 0001 0100 00010 000: SBR, index 7, one channel, index 4 after it, on top of AAC-LC.
    let (config, error) = read("2B8A08")
    #expect(error == nil && config.objectType.number == 5)
    #expect(config.frequency.hertz == 22_050 && config.sampleRate == 44_100)
    #expect(config.channelCount == 1 && config.coreObjectType?.number == 2)
    #expect(try config.encoded() == [0x2B, 0x8A, 0x08])
  }

  @Test func escapes() throws {
    // 11111 001010 1111 000000001011101110000000 0111 00: type 42, 48000 Hz written out, eight channels.
    let (config, error) = read("F95E017700E0")
    #expect(error == nil && config.objectType.number == 42)
    #expect(config.frequency.explicit == 48_000 && config.sampleRate == 48_000)
    #expect(config.channelCount == 8)
    #expect(try config.encoded() == ByteView(hex: "F95E017700E0").array)
  }

  /// Replicated bands that only newer decoders see: 0x2B7 and type 5 after the configuration, with index 3 for 48 kHz; then
  /// 0x548 for parametric stereo, which makes two channels of one. 1.6.2.1
  @Test func replicatedInTheExtension() {
    let (plain, _) = read("131056E598")
    #expect(plain.objectType.number == 2 && plain.frequency.hertz == 24_000)
    #expect(plain.sampleRate == 48_000 && plain.channelCount == 2)
    let (stereo, _) = read("130856E59D4880")
    #expect(stereo.sampleRate == 48_000 && stereo.channelCount == 2)
    let (mono, _) = read("130856E598")
    #expect(mono.sampleRate == 48_000 && mono.channelCount == 1)
  }

  /// Channels that are listed: a pair in front and one behind; then a pair in front and one for low frequencies, a comment of
  /// two bytes, and replicated bands after it. 4.4.1.1
  @Test func listedChannels() {
    let (quad, _) = read("118004C40400211000")
    #expect(quad.channelConfiguration == 0 && quad.channelCount == 4 && quad.sampleRate == 48_000)
    let (three, _) = read("130005840100200002616256E598")
    #expect(three.channelCount == 3 && three.sampleRate == 48_000)
    // The list ends too early.
    #expect(read("118004C4").value.channelCount == nil)
  }

  @Test func damaged() {
    #expect(read("").error != nil)
    #expect(read("12").error != nil)
    #expect(read("16F8").value.sampleRate == nil, "index 13 is reserved")
  }
}
