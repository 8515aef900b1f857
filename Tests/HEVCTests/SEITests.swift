// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FieldOutput
import HEVC
import TestSupport
import Testing

@Suite struct SEITests {
  /// Surroundings in which every payload can be read.
  static let context: SEIContext = {
    var timing = SEIContext.Timing()
    timing.hasNALParameters = true
    timing.hasVCLParameters = true
    timing.bufferCount = 2
    var sequence = SEIContext.Sequence()
    sequence.timing = timing
    sequence.hasFrameFieldInfo = true
    sequence.sizeInCodingTreeBlocks = 40
    var context = SEIContext()
    context.sequences = [0: sequence, 3: sequence]
    timing.hasSubPictureParameters = true
    timing.hasSubPictureTimingInPictureTiming = true
    sequence.timing = timing
    context.sequences[1] = sequence
    context.activeSequence = sequence
    var video = SEIContext.Video()
    video.maxLayersMinus1 = 2
    video.viewCount = 3
    context.video = video
    return context
  }()

  static func messages(_ hex: String) throws -> [SEIMessage] {
    let unit = try #require(NALUnit(ByteView(hex: hex)))
    let (messages, error) = unit.seiMessages()
    #expect(error == nil)
    return messages
  }

  static func roundTrip<Payload: SEIPayload>(_ payload: Payload) throws {
    let message = try SEIMessage(payload)
    #expect(message.payloadType == Payload.payloadType)
    let back = message.payload.decode(payload)
    #expect(back.error == nil)
    #expect(back.value == payload)
    // An example and its payload say the same: writing what was read gives the same bytes.
    #expect(try SEIMessage(back.value).payload == message.payload)
    // Every truncation is an error or a shorter payload, never anything worse.
    for count in 0..<message.payload.count { _ = message.payload.prefix(count).decode(payload) }
  }

  @Test(arguments: SEIRegistry.standard.all.indices) func examples(index: Int) throws {
    let kind = SEIRegistry.standard.all[index]
    #expect(kind.type.name != nil)
    #expect(!kind.specification.isEmpty && !kind.summary.isEmpty && !kind.examples.isEmpty)
    for example in kind.examples { try Self.roundTrip(example) }
  }

  @Test func everyKindStandsOnce() {
    let types = SEIRegistry.standard.all.map(\.type)
    #expect(Set(types).count == types.count)
    #expect(types.count == 33)
  }

  /// Whatever is in a payload: what can be read is written back to the bit.
  @Test func anythingThatCanBeReadIsWrittenBack() throws {
    var generator = SeededGenerator(seed: 176)
    var read = 0
    for kind in SEIRegistry.standard.all {
      for round in 0..<300 {
        let bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
          round % 2 == 0
            ? UInt8.random(in: 0...255, using: &generator)
            : UInt8.random(in: 0...255, using: &generator) | UInt8.random(in: 0...255, using: &generator)
        }
        let message = SEIMessage(kind.type, payload: ByteView(bytes))
        let content = try #require(message.content(in: Self.context))
        guard content.error == nil else { continue }
        #expect(try SEIMessage(content).payload.array == bytes, "\(kind.type)")
        read += 1
      }
    }
    #expect(read > 3_000)
  }

  // MARK: Known bytes

  @Test func referenceDisplaysWithDistanceAndShift() throws {
    let messages = try Self.messages("4e01b00e1b148512491a2ca6af2f6105000180")
    #expect(messages.count == 1)
    let info = try #require(try messages[0].payload(as: ThreeDimensionalReferenceDisplaysInfo.self))
    #expect(info.widthPrecision == 12)
    #expect(info.distancePrecision == 9)
    #expect(info.displays.count == 2)
    #expect(info.displays.map(\.leftViewID) == [9, 3])
    #expect(info.displays.map(\.rightViewID) == [3, 9])
    #expect(info.displays[0].width == SEINumber(exponent: 36, mantissa: 74_565))
    #expect(info.displays[0].viewingDistance == SEINumber(exponent: 37, mantissa: 6_844))
    #expect(SEINumber.mantissaLength(exponent: 36, precision: 12) == 17)
    #expect(SEINumber.mantissaLength(exponent: 37, precision: 9) == 15)
    #expect(info.displays[0].shift == -20)
    #expect(abs(info.displays[0].widthInCentimetres - 50.2043) < 0.0001)
    #expect(info.displays[1].width == SEINumber(exponent: 0, mantissa: 0))
    #expect(info.displays[1].widthInCentimetres == 0)
    #expect(info.displays[1].viewingDistance == SEINumber(exponent: 0, mantissa: 0))
    #expect(!info.displays[1].hasShift && info.displays[1].shift == 0)
    #expect(info.extensionFlag == 0)
    let content = try #require(messages[0].content())
    #expect(content.tail.extensionData.isEmpty && content.tail.stopBit == 1)
  }

  @Test func referenceDisplaysAsCamerasWriteThem() throws {
    let info = try #require(
      try Self.messages("4e01b004040d002080")[0].payload(as: ThreeDimensionalReferenceDisplaysInfo.self))
    #expect(info.widthPrecision == 31 && !info.hasViewingDistance)
    #expect(info.displays.map(\.leftViewID) == [0] && info.displays.map(\.rightViewID) == [1])
    #expect(info.displays[0].width == SEINumber())
    #expect(info.displays[0].viewingDistanceInCentimetres == nil)
  }

  @Test func anEncoderThatWritesABitTooMany() throws {
    let message = try Self.messages("4e01b004040d001080")[0]
    let content = try #require(message.content())
    #expect(content.error == nil)
    let info = try #require(content.payload as? ThreeDimensionalReferenceDisplaysInfo)
    #expect(info.displays.map(\.leftViewID) == [0] && info.displays.map(\.rightViewID) == [1])
    // The bit is kept as extension data, and written back.
    #expect(content.tail.extensionData.bitCount == 1)
    #expect(try SEIMessage(content).payload.array == [0x04, 0x0D, 0x00, 0x10])
  }

  @Test func emulationPreventionIsNotCounted() throws {
    let unit = try #require(
      NALUnit(ByteView(hex: "4e010514000102030405060708090a0b0c0d0e0f000003000180", fileOffset: 50)))
    let message = try #require(unit.seiMessages().messages.first)
    #expect(message.payload.count == 20)
    let data = try #require(try message.payload(as: UnregisteredUserData.self))
    #expect(data.uuid.array == (0...15).map { UInt8($0) })
    #expect(data.data.array == [0, 0, 0, 1])
    // Byte 2 of the data precedes the emulation prevention byte, byte 3 after it.
    #expect(data.data.fileOffset(at: 1) == 71 && data.data.fileOffset(at: 2) == 73)
    #expect(try NALUnit(unit.header, SEIMessages([message])) == unit)
  }

  @Test func whatUserDataAre() throws {
    func meaning(_ hex: String) throws -> String? {
      let bytes = ByteView(hex: hex)
      return try SEIMessage(SEIPayloadType(4), payload: bytes).payload(as: RegisteredUserData.self)?.meaning
    }
    #expect(try meaning("b5 0031 47413934 03 40") == "CEA-608/708 captions")
    #expect(try meaning("b5 0031 47413934 06") == "bar data")
    #expect(try meaning("b5 0031 44544731 40") == "active format description")
    #expect(try meaning("b5 003c 0001 04 01 40") == "HDR10+ (ST 2094-40)")
    #expect(try meaning("26 0004 0005") == "HDR Vivid")
    #expect(try meaning("b5 00") == nil)
    #expect(try meaning("ff 01 0031 47413934") == nil)
  }

  @Test func framePackingThatIsCancelledKeepsItsLastFlag() throws {
    // id 0, cancel, upsampled_aspect_ratio_flag 1.
    let message = SEIMessage(SEIPayloadType(45), payload: ByteView([0b1110_0000 | 0b1_0000]))
    let packing = try #require(try message.payload(as: FramePackingArrangement.self))
    #expect(packing.cancels && packing.arrangement == nil && packing.hasUpsampledAspectRatio)
  }

  @Test func messagesInMessages() throws {
    // subset 0, op 0, all layers 1, five zero bits; content light level 1000, 400.
    let inner = "90 04 03e8 0190"
    let nesting = try #require(
      try SEIMessage(SEIPayloadType(133), payload: ByteView(hex: "20" + inner)).payload(
        as: ScalableNesting.self))
    #expect(nesting.layers?.areAll == true)
    let light = try nesting.messages.first?.payload(as: ContentLightLevelInfo.self)
    #expect(light?.maxCLL == 1_000 && light?.maxFALL == 400)
    var deep = SEIContext()
    deep.nesting = 2
    #expect(throws: ParseError.self) {
      try SEIMessage(SEIPayloadType(133), payload: ByteView(hex: "20" + inner))
        .payload(as: ScalableNesting.self, in: deep)
    }
  }

  @Test func whatIsMissingIsNamed() throws {
    for type: UInt32 in [0, 1, 160] {
      let content = try #require(SEIMessage(SEIPayloadType(type), payload: ByteView([0xFF, 0xFF])).content())
      guard case .missing = content.error?.code else {
        Issue.record("\(SEIPayloadType(type)) was read without its surroundings")
        continue
      }
    }
    #expect(SEIMessage(SEIPayloadType(181), payload: ByteView([1])).content() == nil)
    #expect(SEIPayloadType(181).name == "alternative_depth_info")
    #expect(SEIPayloadType(9_999).name == nil && SEIPayloadType(9_999).description == "payload type 9999")
    #expect(SEIPayloadType(132).placement == .suffix && SEIPayloadType(5).placement == .either)
  }

  @Test func descriptionsFollowTheBitstream() throws {
    let trace = TraceSink()
    let message = try Self.messages("4e01b004040d001080")[0]
    #expect(message.trace(into: trace) == nil)
    #expect(
      trace.elements.map(\.name) == [
        "payload_type", "payload_size", "prec_ref_display_width", "ref_viewing_distance_flag",
        "num_ref_displays_minus1", "left_view_id", "right_view_id", "exponent_ref_display_width",
        "mantissa_ref_display_width", "additional_shift_present_flag",
        "three_dimensional_reference_displays_extension_flag", "reserved_payload_extension_data",
        "payload_bit_equal_to_one",
      ] + [String](repeating: "payload_bit_equal_to_zero", count: 4))
    let out = OutputBuffer()
    let text = TextSink(out)
    #expect(SEIMessage(SEIPayloadType(200), payload: ByteView([1, 2])).trace(into: text) == nil)
    text.finish()
    #expect(out.text.contains("sei_payload") && out.text.contains("0102"))
  }

  // MARK: Damage

  @Test func sizesInManyBytes() throws {
    let payload = ByteView([UInt8](repeating: 7, count: 255 * 3))
    let messages = SEIMessages([SEIMessage(SEIPayloadType(255 * 2 + 4), payload: payload)])
    let bytes = try messages.encoded()
    #expect(bytes.prefix(7) == [255, 255, 4, 255, 255, 255, 0])
    #expect(try ByteView(bytes).decoded(SEIMessages()) == messages)
  }

  @Test func endlessSizes() throws {
    for count in [1, 2, 100, 1_000_000] {
      let unit = try #require(NALUnit(ByteView([0x4E, 1] + [UInt8](repeating: 255, count: count))))
      #expect(unit.seiMessages().error != nil)
      let sized = try #require(NALUnit(ByteView([0x4E, 1, 4] + [UInt8](repeating: 255, count: count))))
      #expect(sized.seiMessages().error != nil)
    }
    let zeros = try #require(NALUnit(ByteView([0x4E, 1] + [UInt8](repeating: 0, count: 500_000))))
    #expect(zeros.seiMessages().messages.isEmpty && zeros.seiMessages().error != nil)
    // Many small messages in front of many zeros take time in proportion, not squared.
    let many = [UInt8](repeating: 1, count: 400_000).enumerated().map { UInt8($0.offset & 1 == 0 ? 4 : 0) }
    let flood = try #require(
      NALUnit(ByteView([0x4E, 1] + many + [0x80] + [UInt8](repeating: 0, count: 400_000))))
    #expect(flood.seiMessages().messages.count == 200_000)
  }

  @Test func everyTruncationAndMutationOfAUnit() throws {
    let bytes = ByteView(hex: "4e01b00e1b148512491a2ca6af2f6105000180").array
    for count in 2..<bytes.count {
      let unit = try #require(NALUnit(ByteView(bytes.prefix(count), fileOffset: 100)))
      let (messages, error) = unit.seiMessages()
      if count < bytes.count - 1 { #expect(messages.isEmpty && error != nil) }
      if let error { #expect(error.offset >= 100 && error.offset <= 100 + count) }
    }
    for index in bytes.indices {
      for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
        var damaged = bytes
        damaged[index] = value
        for message in NALUnit(ByteView(damaged))?.seiMessages().messages ?? [] {
          _ = message.content(in: Self.context)
        }
      }
    }
  }
}
