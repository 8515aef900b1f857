// swift-multiview · SPDX-License-Identifier: Apache-2.0

import FileAccess
public import Multiview

extension Track {
  /// Returns the pictures that are shown at a time; of a raw stream the first ones, at time 0. Only the
  /// requested layers and those that they depend on are decoded, from the preceding sync sample on.
  ///
  /// - Throws: ``PictureError/nothingShown(at:shown:)`` if nothing is shown at that time;
  ///   ``PictureError/noTimes`` for a raw stream and a time other than 0; and any other error that prevents
  ///   decoding.
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

  /// Returns a small picture for an eye at a time: upright, and for displays of standard dynamic range.
  ///
  /// - Parameters:
  ///   - time: the time at which the picture is shown.
  ///   - eye: the eye; `nil` for the hero eye, or the base layer if there is none.
  ///   - maximumWidth: the largest width, in pixels. A picture that is not wider keeps its size.
  /// - Throws: ``PictureError`` as ``pictureGroup(at:options:)`` and ``Picture/rgb(width:depth:range:)`` do.
  public func thumbnail(
    at time: MediaTime = .zero, eye: StereoEye? = nil, maximumWidth: Int = 320
  ) throws(PictureError) -> RGBPicture {
    let layer = try described(at: time).layer(showing: eye)
    let group = try pictureGroup(at: time, options: PictureOptions(layers: [layer]))
    guard let picture = eye.map({ group[$0] }) ?? group[layer: layer] else {
      throw .notDecoded(sample: group.sample, reason: "layer \(layer) has no picture there")
    }
    guard picture.displaySize.width > maximumWidth else { return try picture.rgb(range: .standard) }
    return try picture.rgb(width: maximumWidth, range: .standard)
  }

  /// The track as the sample that is shown at a time shows it: parts of a joined movie may have other eyes.
  private func described(at time: MediaTime) throws(PictureError) -> Track {
    guard !isRawStream, joined.hasSeveralDescriptions else { return self }
    do throws(SourceError) {
      let samples = try samples()
      guard let shown = samples.presentation(atTime: time.roundedDown(toUnitsOf: timescale)),
        let sample = samples.sample(at: shown.sample)
      else { return self }
      return joined.described(for: sample)
    } catch { throw .unreadable(error) }
  }

  /// Returns the layer that an eye sees: for `nil` that of the hero eye, or the base layer if there is none. If
  /// both eyes share a picture, it is the base layer.
  ///
  /// It is that of the first sample: ask `described(for:)` about others, in which eyes may be in another order.
  ///
  /// - Throws: ``PictureError/unknownEye(_:)`` if no layer is known to show the eye, and ``PictureError/oneView`` if there is
  ///   only one.
  public func layer(showing eye: StereoEye?) throws(PictureError) -> UInt8 {
    let track = joined, assignment = track.eyeAssignment
    let base = track.layers.first?.layerID ?? 0
    // A picture that both eyes share belongs to the base layer.
    if track.packedEyes != nil { return base }
    if let eye {
      guard let layer = assignment.layer(of: eye) else {
        throw track.layers.count(where: \.isTexture) == 1 ? .oneView : .unknownEye(eye)
      }
      return layer
    }
    if let hero = track.stereo.heroEye?.eye, let layer = assignment.layer(of: hero) {
      return layer
    }
    return base
  }

  /// Returns the range of times in which the track shows pictures; `nil` if it shows none, and for a raw stream.
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
  /// The time in units of 1/`scale` seconds, rounded down.
  func roundedDown(toUnitsOf scale: UInt32) -> Int64 {
    let nearest = converted(to: scale)
    return nearest > self ? nearest.value &- 1 : nearest.value
  }
}
