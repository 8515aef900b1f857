// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import Multiview

/// Parameter sets for programs.
struct ParamsJSON {
  let json: JSONWriter
  let layer: Int?

  func write(_ tracks: [Track], _ input: Input) {
    json.beginObject()
    json.key("schema")
    json.value("mvdump.params/1")
    json.key("file")
    json.value(input.name)
    json.key("tracks")
    json.beginArray()
    var diagnostics = DiagnosticList()
    for track in tracks { write(track, &diagnostics) }
    json.endArray()
    json.diagnostics(diagnostics)
    json.endObject()
    json.endDocument()
  }

  private func write(_ track: Track, _ diagnostics: inout DiagnosticList) {
    let analysis = track.layerAnalysis
    json.beginObject()
    json.key("id")
    json.value(track.id)
    json.key("parameterSets")
    json.beginArray()
    for located in analysis.units where layer == nil || Int(located.unit.layerID) == layer {
      json.beginObject()
      json.key("source")
      json.value("\(located.source)")
      json.key("type")
      json.value(located.unit.type.name)
      json.key("layerID")
      json.value(located.unit.layerID)
      json.key("offset")
      json.value(located.unit.bytes.fileOffset)
      json.key("size")
      json.value(located.unit.bytes.count)
      json.key("fields")
      json.beginObject()
      var sink = JSONSink(json)
      let error = DescribableUnit(unit: located.unit, vps: analysis.vps).describe(into: &sink)
      sink.finish()
      json.endObject()
      if let error { diagnostics.append(error.inField(located.unit.type.name)) }
      json.endObject()
    }
    json.endArray()
    json.key("derived")
    writeDerived(analysis)
    json.endObject()
  }

  private func writeDerived(_ analysis: LayerAnalysis) {
    json.beginObject()
    json.key("layers")
    json.beginArray()
    for layer in analysis.layers {
      json.beginObject(inline: true)
      member("layerID", Int(layer.layerID))
      member("viewOrderIdx", layer.viewOrderIndex)
      member("viewId", layer.viewID.map(Int.init))
      member("auxId", layer.auxiliaryID)
      member("dependencyId", layer.dependencyID)
      member("codedWidth", layer.codedSize?.width)
      member("codedHeight", layer.codedSize?.height)
      member("croppedWidth", layer.croppedSize?.width)
      member("croppedHeight", layer.croppedSize?.height)
      list("directReferenceLayers", layer.directReferences)
      list("referenceLayers", layer.allReferences)
      json.endObject()
    }
    json.endArray()
    json.key("outputLayerSets")
    json.beginArray()
    for set in analysis.structure?.outputLayerSets ?? [] {
      json.beginObject(inline: true)
      list("layers", Array(set.layerSet.ids))
      list("outputLayers", Array(set.outputLayers))
      list("necessaryLayers", Array(set.necessaryLayers))
      json.endObject()
    }
    json.endArray()
    json.endObject()
  }

  private func member(_ name: String, _ value: Int?) {
    json.key(name)
    json.value(value)
  }

  private func list(_ name: String, _ values: [UInt8]) {
    json.key(name)
    json.beginArray(inline: true)
    for value in values { json.value(value) }
    json.endArray()
  }
}
