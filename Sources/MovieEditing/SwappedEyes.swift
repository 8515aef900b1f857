// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF
import Multiview

extension EditedEntry {
  /// Whether the configuration record of the base layer has a message that assigns views to eyes.
  public var hasEyeMessage: Bool { eyeMessageCount > 0 }

  /// Swaps the eyes: reverses the order in `stri` and, with `inMessage`, exchanges the views that the reference
  /// displays message in the configuration record assigns to the eyes. ISO/IEC 23008-2, G.14.2.3
  ///
  /// A message decides if there is one. Messages in samples are not changed: if they decide, or a message in the
  /// configuration record that is not changed, every layer would still be for the same eye, and writing is refused.
  public mutating func swapEyes(inMessage: Bool) {
    swapsEyes.toggle()
    guard inMessage, hasEyeMessage else {
      stereo.isReversed = !(stereo.isReversed ?? false)
      return
    }
    swapsMessage.toggle()
    // With the message, the flag is redundant, but it must not contradict the message.
    let baseEye = swapsMessage ? originalBaseEye?.opposite : originalBaseEye
    if stereo.isReversed == true || !stereo.isEmpty { stereo.isReversed = baseEye == .right }
  }
}

extension MovieEditor {
  /// Refuses to swap eyes if a message that stays as it is decides, so that every layer would still be for the same eye.
  ///
  /// - Parameter planned: the movie as it would be.
  func checkSwappedEyes(_ planned: MovieFile) throws(EditError) {
    for (index, track) in tracks.enumerated() where planned.tracks.indices.contains(index) {
      for (number, entry) in track.entries.enumerated() where entry.swapsEyes {
        let before = movie.tracks[index].joined.described(byDescription: UInt32(number + 1)).eyeAssignment
        let after = planned.tracks[index].joined.described(byDescription: UInt32(number + 1))
        guard after.eyeAssignment.decidedBy == .referenceDisplays, after.eyeAssignment.eyes == before.eyes
        else { continue }
        let isInSamples = after.layerAnalysis.units.contains { $0.isInSample && $0.unit.hasEyeMessage }
        let place = isInSamples ? "the samples" : "the configuration record"
        throw EditError(
          .contradiction,
          "track \(track.id): a message in \(place) (SEI 176) assigns layers to eyes, and would not be swapped",
          advice: isInSamples
            ? "Samples are not changed: re-encode the movie with the eyes swapped\(.encodeSwapped)."
            : entry.hasEyeMessage && !entry.swapsMessage
              ? "Swap the eyes in the message, too\(.rewriteMessage)."
              : "Find the message\(.showEyes), and change the track that has it.")
      }
    }
  }
}

extension NALUnit {
  /// Whether it has a message that assigns views to eyes.
  var hasEyeMessage: Bool {
    type.isSEI
      && seiMessages().messages.contains {
        $0.payloadType == ThreeDimensionalReferenceDisplaysInfo.payloadType
      }
  }
}

extension Box {
  /// Exchanges the views of the two eyes in the reference displays messages of a configuration record (`hvcC`).
  mutating func swapEyesInMessages() throws(ParseError) {
    guard let index = children.firstIndex(where: { $0.type == "hvcC" }),
      let decoding = children[index].decodePayload()
    else { return }
    if let error = decoding.error { throw error }
    guard var configuration = decoding.payload as? HEVCConfigurationBox, decoding.unread.isEmpty else {
      return
    }
    for array in configuration.record.arrays.indices {
      for unit in configuration.record.arrays[array].units.indices {
        guard let old = NALUnit(configuration.record.arrays[array].units[unit]), old.type.isSEI else {
          continue
        }
        if let new = try old.swappingEyes() { configuration.record.arrays[array].units[unit] = new.bytes }
      }
    }
    children[index].replacePayload(configuration)
  }
}

extension NALUnit {
  /// Returns the unit with the views of the eyes exchanged; `nil` if it has no reference displays message.
  fileprivate func swappingEyes() throws(ParseError) -> NALUnit? {
    let (content, _, error) = rbsp.decode(SEIMessages())
    let kind = ThreeDimensionalReferenceDisplaysInfo.payloadType
    guard content.messages.contains(where: { $0.payloadType == kind }) else { return nil }
    if let error { throw error }
    // If the unit is not written back with the same bytes, more than the views would change.
    guard try NALUnit(header, content).bytes == bytes else {
      throw ParseError(
        .invalid("would not be written with the same bytes again"), offset: bytes.fileOffset, path: "hvcC")
    }
    var swapped = content
    for index in swapped.messages.indices where swapped.messages[index].payloadType == kind {
      swapped.messages[index].payload = try Self.swappingEyes(swapped.messages[index].payload)
    }
    return try NALUnit(header, swapped)
  }

  private static func swappingEyes(_ payload: ByteView) throws(ParseError) -> ByteView {
    let (info, _, error) = payload.decode(ThreeDimensionalReferenceDisplaysInfo())
    if let error { throw error }
    var other = info
    for index in other.displays.indices {
      (other.displays[index].leftViewID, other.displays[index].rightViewID) =
        (info.displays[index].rightViewID, info.displays[index].leftViewID)
    }
    let (before, after) = (try info.encoded(), try other.encoded())
    var bytes = payload.array
    // Both have the same number of bits. The bits after them, in the last byte and beyond, are kept.
    guard before.count == after.count, before.count <= bytes.count, let last = before.indices.last,
      Array(bytes[..<last]) == Array(before[..<last])
    else {
      throw ParseError(
        .invalid("would not be written with the same bytes again"), offset: payload.fileOffset, path: "hvcC")
    }
    let rest = bytes[last] ^ before[last]
    bytes.replaceSubrange(0...last, with: after)
    bytes[last] ^= rest
    return ByteView(bytes)
  }
}
