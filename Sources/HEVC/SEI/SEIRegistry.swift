// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// What the library knows about one kind of SEI message.
public final class SEIPayloadKind: Sendable {
  /// The type of message.
  public let type: SEIPayloadType
  /// The document and clause that define it.
  public let specification: String
  /// What the message is for.
  public let summary: String
  /// The Swift type of its payload.
  public let payloadType: any SEIPayload.Type

  /// Registers a payload type.
  ///
  /// Its layout is not specialised for each coder: messages are few, and there are many kinds.
  public init(_ payload: any SEIPayload.Type) {
    type = payload.payloadType
    specification = payload.specification.description
    summary = payload.summary.description
    payloadType = payload
  }

  func decode(_ bytes: ByteView, _ context: SEIContext) -> SEIContent {
    Self.decode(payloadType, bytes, context)
  }

  func encode(_ content: SEIContent) throws(ParseError) -> [UInt8] { try Self.encode(payloadType, content) }

  func trace(_ bytes: ByteView, _ context: SEIContext, _ sink: any FieldSink) -> ParseError? {
    Self.trace(payloadType, bytes, context, sink)
  }

  private static func initial<Payload: SEIPayload>(_ context: SEIContext) -> SEIPayloadWithTail<Payload> {
    var value = SEIPayloadWithTail<Payload>()
    value.payload.prepare(for: context)
    return value
  }

  private static func decode<Payload: SEIPayload>(
    _: Payload.Type, _ bytes: ByteView, _ context: SEIContext
  ) -> SEIContent {
    let start: SEIPayloadWithTail<Payload> = initial(context)
    let (value, _, error) = bytes.decode(start)
    return SEIContent(payload: value.payload, tail: value.tail, error: error)
  }

  private static func encode<Payload: SEIPayload>(
    _: Payload.Type, _ content: SEIContent
  ) throws(ParseError) -> [UInt8] {
    guard let payload = content.payload as? Payload else {
      throw ParseError(.invalid("has a different type"), offset: 0, field: "sei_payload")
    }
    var whole = SEIPayloadWithTail<Payload>()
    whole.payload = payload
    whole.tail = content.tail
    return try whole.encoded()
  }

  private static func trace<Payload: SEIPayload>(
    _: Payload.Type, _ bytes: ByteView, _ context: SEIContext, _ sink: any FieldSink
  ) -> ParseError? {
    var value: SEIPayloadWithTail<Payload> = initial(context)
    return bytes.trace(&value, into: sink).error
  }
}

/// The payload of a message, as far as it could be read.
public struct SEIContent: Sendable {
  /// The payload; if `error` is set, the fields before the damage.
  public var payload: any SEIPayload
  /// What follows the fields of the payload.
  public var tail: SEIPayloadTail
  /// The error that stopped reading; `nil` if there was none.
  public var error: ParseError?
}

/// All known kinds of SEI messages.
public struct SEIRegistry: Sendable {
  private let kinds: [SEIPayloadType: SEIPayloadKind]
  /// Every kind, in the order given.
  public let all: [SEIPayloadKind]

  /// Makes a registry; if two kinds have the same type, the later one is used.
  public init(_ kinds: [SEIPayloadKind]) {
    all = kinds
    self.kinds = Dictionary(kinds.map { ($0.type, $0) }) { _, later in later }
  }

  /// The kind of a message; `nil` if only its name is known, or nothing at all.
  public subscript(type: SEIPayloadType) -> SEIPayloadKind? { kinds[type] }

  /// The same registry with additional kinds.
  public func adding(_ kinds: [SEIPayloadKind]) -> SEIRegistry { SEIRegistry(all + kinds) }

  /// The messages of ISO/IEC 23008-2.
  public static let standard = SEIRegistry([
    SEIPayloadKind(BufferingPeriod.self),
    SEIPayloadKind(PictureTiming.self),
    SEIPayloadKind(RegisteredUserData.self),
    SEIPayloadKind(UnregisteredUserData.self),
    SEIPayloadKind(RecoveryPoint.self),
    SEIPayloadKind(FramePackingArrangement.self),
    SEIPayloadKind(DisplayOrientation.self),
    SEIPayloadKind(ActiveParameterSets.self),
    SEIPayloadKind(DecodedPictureHash.self),
    SEIPayloadKind(ScalableNesting.self),
    SEIPayloadKind(TimeCode.self),
    SEIPayloadKind(MasteringDisplayColourVolume.self),
    SEIPayloadKind(ContentLightLevelInfo.self),
    SEIPayloadKind(AlternativeTransferCharacteristics.self),
    SEIPayloadKind(AmbientViewingEnvironment.self),
    SEIPayloadKind(ContentColourVolume.self),
    SEIPayloadKind(EquirectangularProjection.self),
    SEIPayloadKind(CubemapProjection.self),
    SEIPayloadKind(SphereRotation.self),
    SEIPayloadKind(RegionwisePacking.self),
    SEIPayloadKind(OmniViewport.self),
    SEIPayloadKind(LayersNotPresent.self),
    SEIPayloadKind(InterLayerConstrainedTileSets.self),
    SEIPayloadKind(SubBitstreamProperty.self),
    SEIPayloadKind(AlphaChannelInfo.self),
    SEIPayloadKind(OverlayInfo.self),
    SEIPayloadKind(TemporalMVPredictionConstraints.self),
    SEIPayloadKind(FrameFieldInfo.self),
    SEIPayloadKind(ThreeDimensionalReferenceDisplaysInfo.self),
    SEIPayloadKind(DepthRepresentationInfo.self),
    SEIPayloadKind(MultiviewSceneInfo.self),
    SEIPayloadKind(MultiviewAcquisitionInfo.self),
    SEIPayloadKind(MultiviewViewPosition.self),
  ])
}

extension SEIMessage {
  /// The decoded payload; `nil` if only the name of its type is known.
  public func content(
    in context: SEIContext = SEIContext(), registry: SEIRegistry = .standard
  ) -> SEIContent? { registry[payloadType]?.decode(payload, context) }

  /// Makes a message from content that may have been modified.
  public init(
    _ content: SEIContent, registry: SEIRegistry = .standard
  ) throws(ParseError) {
    let type = Swift.type(of: content.payload).payloadType
    guard let kind = registry[type] else {
      throw ParseError(.missing("a kind for \(type)"), offset: 0, field: "sei_payload")
    }
    self.init(type, payload: ByteView(try kind.encode(content)))
  }
}

extension Sequence where Element == NALUnit {
  /// The payload of the first message of a kind; `nil` if there is none, or it cannot be read.
  package func firstMessage<Payload: SEIPayload>(_: Payload.Type) -> Payload? {
    for unit in self where unit.type.isSEI {
      for message in unit.seiMessages().messages where message.payloadType == Payload.payloadType {
        let (payload, _, error) = message.payload.decode(Payload())
        return error == nil ? payload : nil
      }
    }
    return nil
  }
}

extension SEIPayloadType {
  /// Whether such messages belong in the configuration record of a movie: they apply to the whole stream, and
  /// players look for them there. Other messages have no use there, and some hardware decoders refuse large
  /// ones.
  package var belongsInRecord: Bool { Self.ofRecords.contains(self) }

  private static let ofRecords: Set<SEIPayloadType> = [
    MasteringDisplayColourVolume.payloadType, ContentLightLevelInfo.payloadType,
    AlternativeTransferCharacteristics.payloadType, ThreeDimensionalReferenceDisplaysInfo.payloadType,
  ]
}
