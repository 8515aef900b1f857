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

  @Test func damaged() {
    #expect(read("").error != nil)
    #expect(read("12").error != nil)
    #expect(read("16F8").value.sampleRate == nil, "index 13 is reserved")
  }
}
