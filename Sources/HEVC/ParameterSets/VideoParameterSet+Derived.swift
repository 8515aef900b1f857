// swift-multiview · SPDX-License-Identifier: Apache-2.0

// What the fields of a video parameter set imply for its layers. ISO/IEC 23008-2, F.7.4.3.1.1

extension VideoParameterSet {
  /// `layer_id_in_nuh` of the layer at an index.
  public func layerID(at index: Int) -> UInt8 {
    vpsExtension?.layerID(at: index) ?? UInt8(clamping: index)
  }

  /// LayerIdxInVps; `nil` where there is no such layer.
  public func layerIndex(of layerID: UInt8) -> Int? {
    for index in 0...maxLayersMinus1 where self.layerID(at: index) == layerID { return index }
    return nil
  }

  /// `rep_format()`, each with its sample format: one that leaves it out has that of the format before.
  public var repFormats: [RepFormat] {
    var formats = vpsExtension?.repFormats ?? []
    var samples: RepFormat.SampleFormat?
    for index in formats.indices {
      samples = formats[index].sampleFormat ?? samples
      formats[index].sampleFormat = samples
    }
    return formats
  }

  /// `vps_rep_format_idx` of the layer at an index.
  public func repFormatIndex(_ index: Int) -> Int {
    guard let vpsExtension else { return 0 }
    if let indices = vpsExtension.vpsRepFormatIdx {
      let position = vpsBaseLayerInternalFlag ? index - 1 : index
      return indices.indices.contains(position) ? Int(indices[position]) : 0
    }
    return min(index, max(0, vpsExtension.repFormats.count - 1))
  }
}
