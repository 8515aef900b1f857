// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FieldOutput
import FileAccess
import HEVC
import Multiview

/// Parameter sets for programs.
struct ParamsJSON {
  let json: JSONWriter
  let allowance: ParamsAllowance

  /// Writes the whole document; what could not be read is reported in it, and thrown when it is complete.
  func write(
    _ tracks: [ParamsUnits], _ input: Input, noting damage: (_ sample: Int, ParseError) -> Void
  ) throws(InputError) {
    var failure: SourceError?
    json.beginObject()
    json.key("schema")
    json.value("mvdump.params/1")
    json.key("file")
    json.value(input.name)
    json.key("tracks")
    json.beginArray()
    var diagnostics = DiagnosticList()
    for track in tracks {
      let error = write(track, noting: damage, &diagnostics)
      failure = failure ?? error
    }
    json.endArray()
    if allowance.isExceeded { diagnostics.append(allowance.diagnostic) }
    json.diagnostics(diagnostics)
    json.endObject()
    json.endDocument()
    if let failure { throw InputError(failure) }
  }

  private func write(
    _ units: ParamsUnits, noting damage: (_ sample: Int, ParseError) -> Void,
    _ diagnostics: inout DiagnosticList
  ) -> SourceError? {
    var failure: SourceError?
    json.beginObject()
    json.key("id")
    json.value(units.track.id)
    json.key("parameterSets")
    json.beginArray()
    do {
      try units.forEach(noting: damage) { unit in
        if let error = write(unit) { diagnostics.append(error.inField(unit.unit.type.name)) }
        return true
      }
    } catch {
      diagnostics.append(.error, "read-failed", path: units.track.path, error.reason)
      failure = error
    }
    json.endArray()
    json.key("derived")
    writeDerived(units.track.layerAnalysis)
    json.endObject()
    return failure
  }

  /// Writes a unit, and returns what is wrong with it; `nil` if nothing is.
  private func write(_ describable: DescribableUnit) -> ParseError? {
    let unit = describable.unit
    json.beginObject()
    json.key("source")
    json.value("\(describable.located.source)")
    json.key("type")
    json.value(unit.type.name)
    json.key("layerID")
    json.value(unit.layerID)
    json.key("offset")
    json.value(unit.bytes.fileOffset)
    json.key("size")
    json.value(unit.bytes.count)
    json.key("fields")
    json.beginObject()
    let error = unit.type.isSEI ? writeMessages(describable) : writeSet(describable)
    json.endObject()
    json.endObject()
    return error
  }

  private func writeSet(_ describable: DescribableUnit) -> ParseError? {
    let sink = JSONSink(json)
    return describable.describeSet(into: sink)
  }

  private func writeMessages(_ describable: DescribableUnit) -> ParseError? {
    let (content, error) = describable.messages()
    var failure = error
    json.key("sei_messages")
    json.beginArray()
    for message in content.messages {
      json.beginObject()
      // In the stream these are sums of bytes; an object has each name once.
      json.member("payload_type", message.payloadType.rawValue)
      json.member("payload_size", message.payload.count)
      let sink = JSONSink(json)
      let problem = message.tracePayload(into: sink, in: describable.context)
      failure = failure ?? problem
      json.endObject()
    }
    json.endArray()
    if error == nil {
      json.key("rbsp_trailing_bits")
      json.beginObject(inline: true)
      let sink = JSONSink(json)
      content.trailing.describe(into: sink)
      json.endObject()
    }
    return failure
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
      guard allowance.admitsText() else { break }
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
