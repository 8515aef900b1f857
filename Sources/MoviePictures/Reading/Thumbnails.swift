// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import Multiview

extension Track {
  /// The pictures that can be seen at a time. Only the layers that are wanted are decoded, with those that they are predicted
  /// from, from the sync sample before.
  ///
  /// - Throws: ``PictureError/nothingShown(at:shown:)`` where nothing is shown then, and what else keeps it from being decoded.
  public func pictureGroup(
    at time: MediaTime, options: PictureOptions = PictureOptions()
  ) throws(PictureError) -> PictureGroup {
    let reader = try pictures(options: options)
    guard !isRawStream else {
      if time != .zero { throw .noTimes }
      guard let first = try reader.next() else {
        throw .notDecoded(sample: 0, reason: reader.takeProblems().first ?? "the stream has no picture")
      }
      return first
    }
    guard let group = try reader.group(shownAt: time) else {
      throw .nothingShown(at: time, shown: try shownTimes())
    }
    return group
  }

  /// A small picture for an eye at a time: upright, for ordinary displays, and so many pixels wide at most.
  ///
  /// - Parameters:
  ///   - eye: the eye; `nil` for the hero eye, else the base layer.
  /// - Throws: ``PictureError``.
  public func thumbnail(
    at time: MediaTime = .zero, eye: StereoEye? = nil, maximumWidth: Int = 320
  ) throws(PictureError) -> RGBPicture {
    let layer = try layer(showing: eye)
    let group = try pictureGroup(at: time, options: PictureOptions(layers: [layer]))
    guard let picture = eye.map({ group[$0] }) ?? group[layer: layer] else {
      throw .notDecoded(sample: group.sample, reason: "layer \(layer) has no picture there")
    }
    guard picture.displaySize.width > maximumWidth else { return try picture.rgb(range: .standard) }
    return try picture.rgb(width: maximumWidth, range: .standard)
  }

  /// The layer that an eye sees; for no eye in particular that of the hero eye, else the base layer.
  public func layer(showing eye: StereoEye?) throws(PictureError) -> UInt8 {
    let track = joined, assignment = track.eyeAssignment
    let base = track.layers.first?.layerID ?? 0
    // A picture that both eyes share is that of the base layer.
    if track.packedEyes != nil { return base }
    if let eye {
      guard let layer = assignment.layer(of: eye) else { throw .unknownEye(eye) }
      return layer
    }
    if let hero = track.mainDescription?.stereo.heroEye?.eye, let layer = assignment.layer(of: hero) {
      return layer
    }
    return base
  }

  /// From when until when the track shows pictures; `nil` where it shows none, and for a raw stream.
  public func shownTimes() throws(PictureError) -> Range<MediaTime>? {
    do {
      guard !isRawStream else { return nil }
      let samples = try samples()
      guard let first = samples.presentation(at: 0),
        let last = samples.presentation(at: samples.presentationCount - 1),
        first.range.lowerBound <= last.range.upperBound
      else { return nil }
      return MediaTime(
        value: first.range.lowerBound, timescale: timescale)..<MediaTime(
          value: last.range.upperBound, timescale: timescale)
    } catch { throw .unreadable(error) }
  }
}

extension MediaTime {
  /// The last unit at or before the time, of which `scale` make a second.
  func roundedDown(toUnitsOf scale: UInt32) -> Int64 {
    let nearest = converted(to: scale)
    return nearest > self ? nearest.value &- 1 : nearest.value
  }
}
