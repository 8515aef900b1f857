// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import Multiview

/// The alpha layers of a track, and how their samples become opacity.
struct AlphaLayers {
  /// The alpha layer of each layer that has one.
  private let layers: [UInt8: UInt8]
  private let interpretation: AlphaInterpretation
  private let shown: [UInt8]

  /// Finds the alpha layers: each belongs to the layer of the same view. The first `alpha_channel_info` message
  /// in the configuration records, else in the first sample, specifies what their samples mean.
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

  /// Whether no layer has an alpha layer.
  var isEmpty: Bool { layers.isEmpty }

  /// The layers to decode so that `wanted` (`nil` for all output layers) can be shown with alpha.
  func needed(for wanted: Set<UInt8>?) -> Set<UInt8> {
    let wanted = wanted ?? Set(shown)
    return wanted.union(wanted.compactMap { layers[$0] })
  }

  /// Returns those pictures of one time that are wanted, each with the picture of its alpha layer if it has one.
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
