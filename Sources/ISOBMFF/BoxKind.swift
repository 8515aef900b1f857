// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess

/// The origin of the boxes in a tree: the source they were read from, and the registry that interprets them.
final class BoxOrigin: Sendable {
  /// The bytes of the file; `nil` for boxes made in memory.
  let source: (any ByteSource)?
  /// The file offset of the first byte of `source`.
  let start: Int
  let registry: BoxRegistry
  let limits: Limits

  init(source: (any ByteSource)?, start: Int = 0, registry: BoxRegistry, limits: Limits = .standard) {
    self.source = source
    self.start = start
    self.registry = registry
    self.limits = limits
  }

  /// The bytes of `range`, all of them. At most `Limits.maximumBoxBytes` are loaded at once.
  func bytes(_ range: Range<Int>) throws(ParseError) -> ByteView {
    guard let source, range.lowerBound >= start else {
      throw ParseError(.missing("the source of the box"), offset: range.lowerBound)
    }
    guard range.count <= limits.maximumBoxBytes else {
      throw ParseError(
        .limitExceeded(limit: "maximumBoxBytes", value: UInt64(clamping: range.count)),
        offset: range.lowerBound)
    }
    let bytes: ByteView
    do {
      bytes = try source.read(UInt64(range.lowerBound - start)..<UInt64(range.upperBound - start))
    } catch {
      throw ParseError(.invalid("cannot be read: \(error)"), offset: range.lowerBound)
    }
    guard bytes.count == range.count else {
      throw ParseError(
        .truncated(neededBits: range.count &* 8, availableBits: bytes.count &* 8), offset: range.lowerBound)
    }
    return start == 0 ? bytes : bytes.copy(at: UInt64(range.lowerBound))
  }
}

/// What the boxes in one container have in common.
struct BoxSurroundings: Hashable {
  var scope: BoxScope
  var handler: FourCC?
  var sampleDescriptionVersion: UInt8 = 0
  var parentVersion: UInt8 = 0
  var depth = 0
}

/// What all boxes of one kind in one kind of place have in common.
final class BoxKind: Sendable {
  let registration: BoxRegistration?
  /// The payload ID of the registration.
  let payloadID: ObjectIdentifier?
  let context: BoxContext
  /// The scope of the children.
  let childScope: BoxScope
  let origin: BoxOrigin

  init(
    _ type: FourCC, _ around: BoxSurroundings, isQuickTime: Bool, _ registration: BoxRegistration?,
    _ origin: BoxOrigin
  ) {
    self.registration = registration
    payloadID = registration?.payloadID
    context = BoxContext(
      type: type, scope: around.scope, handler: around.handler, isQuickTime: isQuickTime,
      sampleDescriptionVersion: around.sampleDescriptionVersion, parentVersion: around.parentVersion)
    var childScope = registration?.info.childScope ?? .box(type)
    if type == "stsd" {
      switch around.handler {
      case "vide", "auxv", "pict": childScope = .visualSampleDescription
      case "soun": childScope = .audioSampleDescription
      default: childScope = .otherSampleDescription
      }
    }
    self.childScope = childScope
    self.origin = origin
  }

  /// Whether a box of the same type in these `surroundings` has this kind.
  func isPlaced(in around: BoxSurroundings, isQuickTime: Bool) -> Bool {
    context.scope == around.scope && context.handler == around.handler
      && context.sampleDescriptionVersion == around.sampleDescriptionVersion
      && context.parentVersion == around.parentVersion && context.isQuickTime == isQuickTime
  }
}
