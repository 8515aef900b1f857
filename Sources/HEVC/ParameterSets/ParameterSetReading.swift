// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

// Reading whole parameter sets. The work is done in this module, where the compiler knows the decoder, and in
// place: that is several times as fast as calling the general `decoded(_:)` from elsewhere.

extension VideoParameterSet {
  /// Reads a parameter set from the bytes after the NAL unit header, without emulation prevention bytes.
  public init(rbsp: ByteView) throws(ParseError) {
    self.init()
    var decoder = FieldDecoder(rbsp)
    try layout(&decoder)
  }
}

extension SequenceParameterSet {
  /// Reads a parameter set from the bytes after the NAL unit header, without emulation prevention bytes.
  ///
  /// - Parameters:
  ///   - rbsp: the bytes.
  ///   - layerID: `nuh_layer_id` of the NAL unit, which determines the form.
  public init(rbsp: ByteView, layerID: UInt8) throws(ParseError) {
    self.init()
    nuhLayerID = layerID
    var decoder = FieldDecoder(rbsp)
    try layout(&decoder)
  }

  /// Reads a parameter set that refers to a known video parameter set: the multilayer form takes its picture size
  /// from there.
  public init(rbsp: ByteView, layerID: UInt8, vps: VideoParameterSet) throws(ParseError) {
    self.init()
    nuhLayerID = layerID
    if layerID != 0 { inherited = Inherited(vps, layerID: layerID) }
    var decoder = FieldDecoder(rbsp)
    try layout(&decoder)
  }
}

extension PictureParameterSet {
  /// Reads a parameter set from the bytes after the NAL unit header, without emulation prevention bytes.
  public init(rbsp: ByteView) throws(ParseError) {
    self.init()
    var decoder = FieldDecoder(rbsp)
    try layout(&decoder)
  }
}

// The same for an initial value, and for whatever can be read of a damaged parameter set. Because they are for
// specific types, they are preferred to the general ones wherever this module is imported.

extension ByteView {
  /// Reads as much of a video parameter set as possible.
  public func decode(
    _ initial: VideoParameterSet
  ) -> (value: VideoParameterSet, unread: ByteView, error: ParseError?) { decodeHere(initial) }

  /// Reads as much of a sequence parameter set as possible.
  public func decode(
    _ initial: SequenceParameterSet
  ) -> (value: SequenceParameterSet, unread: ByteView, error: ParseError?) { decodeHere(initial) }

  /// Reads as much of a picture parameter set as possible.
  public func decode(
    _ initial: PictureParameterSet
  ) -> (value: PictureParameterSet, unread: ByteView, error: ParseError?) { decodeHere(initial) }

  private func decodeHere<L: FieldLayout>(
    _ initial: L
  ) -> (value: L, unread: ByteView, error: ParseError?) {
    var value = initial
    var decoder = FieldDecoder(self)
    do {
      try value.layout(&decoder)
      return (value, decoder.unread, nil)
    } catch {
      return (value, decoder.unread, error)
    }
  }
}
