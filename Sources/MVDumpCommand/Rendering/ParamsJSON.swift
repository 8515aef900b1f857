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
    json.member("schema", "mvdump.params/1")
    json.member("file", input.name)
    json.key("tracks")
    json.beginArray()
    var diagnostics = DiagnosticList()
    for track in tracks {
      let error = write(track, noting: damage, &diagnostics)
      failure = failure ?? error
    }
    json.endArray()
    if allowance.isExceeded { diagnostics.append(allowance.diagnostic) }
    diagnostics.json.writeMembers(to: json)
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
    json.member("id", units.track.id)
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
    derived(units.track.layerAnalysis).write(to: json)
    json.endObject()
    return failure
  }

  /// Writes a unit, and returns what is wrong with it; `nil` if nothing is.
  private func write(_ describable: DescribableUnit) -> ParseError? {
    let unit = describable.unit
    json.beginObject()
    json.member("source", "\(describable.located.source)")
    json.member("type", unit.type.name)
    json.member("layerID", unit.layerID)
    json.member("offset", unit.bytes.fileOffset)
    json.member("size", unit.bytes.count)
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

  private func derived(_ analysis: LayerAnalysis) -> JSONObject {
    [
      "layers": JSONList(rows: analysis.layers) { layer in
        [
          "layerID": layer.layerID, "viewOrderIdx": layer.viewOrderIndex, "viewId": layer.viewID,
          "auxId": layer.auxiliaryID, "dependencyId": layer.dependencyID,
          "codedWidth": layer.codedSize?.width, "codedHeight": layer.codedSize?.height,
          "croppedWidth": layer.croppedSize?.width, "croppedHeight": layer.croppedSize?.height,
          "directReferenceLayers": layer.directReferences.inline,
          "referenceLayers": layer.allReferences.inline,
        ]
      },
      "outputLayerSets": JSONList(
        rows: (analysis.structure?.outputLayerSets ?? []).lazy.prefix { _ in allowance.admitsText() }
      ) {
        [
          "layers": Array($0.layerSet.ids).inline, "outputLayers": Array($0.outputLayers).inline,
          "necessaryLayers": Array($0.necessaryLayers).inline,
        ]
      },
    ]
  }
}
