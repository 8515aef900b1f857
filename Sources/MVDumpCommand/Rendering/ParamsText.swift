// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import Multiview

/// A NAL unit of the kinds that `params` shows, ready to be described.
struct DescribableUnit {
  let unit: NALUnit
  let vps: VideoParameterSet?

  /// Describes the unit's elements behind its header; answers what stopped the reading.
  func describe<Sink: SEISink>(into sink: inout Sink) -> ParseError? {
    let rbsp = unit.rbsp
    switch unit.type {
    case .videoParameterSet:
      var set = VideoParameterSet()
      return rbsp.trace(&set, into: &sink).error
    case .sequenceParameterSet:
      var set = SequenceParameterSet()
      set.nuhLayerID = unit.layerID
      if let vps, unit.layerID > 0 { set.inherited = .init(vps, layerID: unit.layerID) }
      return rbsp.trace(&set, into: &sink).error
    case .pictureParameterSet:
      var set = PictureParameterSet()
      return rbsp.trace(&set, into: &sink).error
    case .prefixSEI, .suffixSEI:
      let (messages, failure) = unit.seiMessages()
      sink.beginArray("sei_messages", count: messages.count)
      var first = failure
      for message in messages {
        sink.beginStructure("sei_message")
        if let error = message.trace(into: &sink), first == nil { first = error }
        sink.endScope(omitted: 0)
      }
      sink.endScope(omitted: 0)
      return first
    default: return nil
    }
  }
}

/// Parameter sets for people, and as traces.
struct ParamsText {
  let invocation: Invocation
  let layer: Int?
  let isTrace: Bool

  func write(_ track: Track) {
    let analysis = track.layerAnalysis
    let out = invocation.out, style = invocation.style
    if !isTrace { out.append(style.name("track \(track.id)") + "\n") }
    for located in analysis.units where layer == nil || Int(located.unit.layerID) == layer {
      let unit = located.unit
      let describable = DescribableUnit(unit: unit, vps: analysis.vps)
      if isTrace {
        out.append("# \(unit.type.name) layer \(unit.layerID) from \(located.source)\n")
        var sink = TraceSink()
        let error = describable.describe(into: &sink)
        for element in sink.elements {
          out.append("\(element.name) \(element.descriptor) \(element.value)\n")
        }
        if let error { out.append("# \(error)\n") }
        continue
      }
      out.append("\n" + style.strong(unit.type.name) + "  ")
      out.append(
        style.faint(
          "layer \(unit.layerID), \(unit.bytes.count) bytes at \(unit.bytes.fileOffset), \(located.source)"))
      out.append("\n")
      var sink = TextSink(out, indentation: 2, style: style.fields)
      let error = describable.describe(into: &sink)
      sink.finish()
      if let error { out.append("  " + style.problem("damaged") + "  \(error)\n") }
    }
    if !isTrace { writeDerived(analysis) }
  }

  private func writeDerived(_ analysis: LayerAnalysis) {
    let out = invocation.out, style = invocation.style
    out.append("\n" + style.strong("derived") + "\n")
    for layer in analysis.layers {
      var facts: [String] = []
      if let size = layer.codedSize { facts.append("coded \(Quantity.size(size.width, size.height))") }
      if let size = layer.croppedSize { facts.append("shown \(Quantity.size(size.width, size.height))") }
      if let index = layer.viewOrderIndex { facts.append("ViewOrderIdx \(index)") }
      if let view = layer.viewID { facts.append("ViewId \(view)") }
      if layer.auxiliaryID > 0 { facts.append("AuxId \(layer.auxiliaryID)") }
      if layer.dependencyID > 0 { facts.append("DependencyId \(layer.dependencyID)") }
      if !layer.directReferences.isEmpty {
        facts.append("refers to layer \(layer.directReferences.map(String.init).joined(separator: ", "))")
      }
      out.append("  layer \(layer.layerID): " + facts.joined(separator: ", ") + "\n")
    }
    for (index, set) in (analysis.structure?.outputLayerSets ?? []).enumerated() {
      out.append("  output layer set \(index): layers \(set.layerSet.ids), puts out \(set.outputLayers)")
      out.append(", needs \(set.necessaryLayers)\n")
    }
    if !analysis.missingLayers.isEmpty {
      let list = analysis.missingLayers.map(String.init).joined(separator: ", ")
      out.append("  described but not in this track: layer \(list)\n")
    }
  }
}
