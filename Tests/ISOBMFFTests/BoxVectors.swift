// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import TestSupport
import Testing

/// Reads the payload of a box as a file's reader does, from hexadecimal, and holds what was read against the bytes:
/// no error, `unread` bytes left for children, and the same bytes when written.
func payload<Payload: BoxPayload>(
  _ type: FourCC, in scope: BoxScope, _ hex: String, as: Payload.Type, unread: Int = 0,
  sampleDescriptionVersion: UInt8 = 0, parentVersion: UInt8 = 0, location: SourceLocation = #_sourceLocation
) throws -> Payload {
  let bytes = ByteView(hex: hex)
  let decoding = try decode(
    type, in: scope, bytes, sampleDescriptionVersion: sampleDescriptionVersion, parentVersion: parentVersion,
    location: location)
  #expect(decoding.error == nil, sourceLocation: location)
  #expect(decoding.unread.count == unread, sourceLocation: location)
  #expect(
    ByteView(try decoding.payload.encoded()) == bytes.prefix(bytes.count - unread), sourceLocation: location)
  return try #require(decoding.payload as? Payload, sourceLocation: location)
}

/// Reads the payload of a box as a file's reader does.
func decode(
  _ type: FourCC, in scope: BoxScope, _ bytes: ByteView, sampleDescriptionVersion: UInt8 = 0,
  parentVersion: UInt8 = 0, location: SourceLocation = #_sourceLocation
) throws -> BoxRegistration.Decoding {
  let registration = try #require(
    BoxRegistry.complete.registration(for: type, in: scope), "nothing is registered for \(type) in \(scope)",
    sourceLocation: location)
  let context = BoxContext(
    type: type, scope: scope, sampleDescriptionVersion: sampleDescriptionVersion, parentVersion: parentVersion
  )
  return try #require(registration.decode(bytes, context), sourceLocation: location)
}
