// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import Multiview

/// Which layers of a track say how opaque others are, and how.
struct AlphaLayers {
  /// The alpha layer of each layer that has one.
  private let layers: [UInt8: UInt8]
  private let interpretation: AlphaInterpretation
  private let shown: [UInt8]

  /// An alpha layer belongs to the layer of the same view. How its samples count says the first message in the configuration
  /// records, else in the first sample.
  init(_ track: Track) {
    let all = track.layers
    var found: [UInt8: UInt8] = [:]
    for layer in all where layer.isTexture {
      let alpha = all.first { $0.auxiliaryID == 1 && $0.viewOrderIndex == layer.viewOrderIndex }
      if let alpha, !found.values.contains(alpha.layerID) { found[layer.layerID] = alpha.layerID }
    }
    layers = found
    shown = all.filter { $0.isTexture && ($0.layerID == 0 || !$0.outputLayerSets.isEmpty) }.map(\.layerID)
    interpretation =
      found.isEmpty ? AlphaInterpretation() : Self.interpretation(track.layerAnalysis.units.map(\.unit))
  }

  private static func interpretation(_ units: [NALUnit]) -> AlphaInterpretation {
    for unit in units where unit.type.isSEI {
      for message in unit.seiMessages().messages where message.payloadType == AlphaChannelInfo.payloadType {
        let (info, _, error) = message.payload.decode(AlphaChannelInfo())
        if error == nil, let use = info.use { return AlphaInterpretation(use) }
      }
    }
    return AlphaInterpretation()
  }

  /// The layers to decode so that `wanted` can be shown; `nil` for all that are meant to be shown, and nothing else.
  func needed(for wanted: Set<UInt8>?) -> Set<UInt8>? {
    guard !layers.isEmpty else { return wanted }
    let wanted = wanted ?? Set(shown)
    return wanted.union(wanted.compactMap { layers[$0] })
  }

  /// The pictures of one moment, those that have an alpha layer with its picture; of the others, those that are wanted.
  func joined(_ pictures: [Picture], wanted: Set<UInt8>?) -> [Picture] {
    guard !layers.isEmpty else { return pictures }
    return pictures.compactMap { picture in
      if let wanted, !wanted.contains(picture.layerID) { return nil }
      var picture = picture
      if let layer = layers[picture.layerID], let alpha = pictures.first(where: { $0.layerID == layer }) {
        picture.alpha = Picture.Alpha(decoded: alpha.decoded, interpretation: interpretation)
      }
      return picture
    }
  }
}
