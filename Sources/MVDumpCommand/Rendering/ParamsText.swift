// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FieldOutput
import FileAccess
import HEVC
import Multiview

/// Parameter sets for people, and as traces.
struct ParamsText {
  let invocation: Invocation
  let isTrace: Bool
  let allowance: ParamsAllowance

  /// The name of the file, if there are several.
  func writeName(of input: Input) {
    let name = ValueText.printable(input.name)
    invocation.out.append((isTrace ? "# " + name : invocation.style.strong(name)) + "\n")
  }

  func write(
    _ units: ParamsUnits, noting damage: (_ sample: Int, ParseError) -> Void
  ) throws(SourceError) {
    let out = invocation.out
    if !isTrace { out.append(invocation.style.name("track \(units.track.id)") + "\n") }
    try units.forEach(noting: damage) { unit in
      if isTrace { writeTrace(unit) } else { write(unit) }
      return !invocation.isOutputClosed
    }
    if !isTrace { writeDerived(units.track.layerAnalysis) }
  }

  /// Says what was left out.
  func writeEnd() {
    guard allowance.isExceeded else { return }
    let item = allowance.diagnostic
    let text = "\(item.message) [\(item.code.rawValue)]"
    invocation.out.append(isTrace ? "# \(text)\n" : "\n\(invocation.style.warning("warning")): \(text)\n")
  }

  /// One line an element; what is not of the bitstream follows `#`.
  private func writeTrace(_ describable: DescribableUnit) {
    let out = invocation.out, unit = describable.unit
    out.append("# \(unit.type.name) layer \(unit.layerID) from \(describable.located.source)\n")
    var sink = TraceSink()
    unit.header.describe(into: sink)
    var failure: ParseError?
    if unit.type.isSEI {
      let (content, error) = describable.messages()
      failure = error
      for message in content.messages where allowance.admitsText() {
        if let error = message.trace(into: sink, in: describable.context) { failure = failure ?? error }
        // Each with a sink of its own: there may be thousands.
        write(sink.elements)
        sink = TraceSink()
      }
      if error == nil { content.trailing.describe(into: sink) }
    } else {
      failure = describable.describeSet(into: sink)
    }
    write(sink.elements)
    if let failure { out.append("# \(failure)\n") }
  }

  private func write(_ elements: [SyntaxElement]) {
    for element in elements {
      // Of all elements these alone are text, such as the names of overlays.
      let value = element.descriptor == "st(v)" ? ValueText.printable(element.value) : element.value
      invocation.out.append("\(element.name) \(element.descriptor) \(value)\n")
    }
  }

  private func write(_ describable: DescribableUnit) {
    let out = invocation.out, style = invocation.style, unit = describable.unit
    out.append("\n" + style.strong(unit.type.name) + "  ")
    let place = "\(unit.bytes.count) bytes at \(unit.bytes.fileOffset), \(describable.located.source)"
    out.append(style.faint("layer \(unit.layerID), " + place) + "\n")
    if unit.type.isSEI {
      writeMessages(describable)
    } else {
      let sink = TextSink(out, indentation: 2, style: style.fields)
      complain(describable.describeSet(into: sink))
    }
  }

  private func writeMessages(_ describable: DescribableUnit) {
    let (content, error) = describable.messages()
    for message in content.messages where allowance.admitsText() {
      invocation.out.append("  " + invocation.style.name("\(message.payloadType)") + "\n")
      let sink = TextSink(invocation.out, indentation: 4, style: invocation.style.fields)
      complain(message.trace(into: sink, in: describable.context))
    }
    complain(error)
  }

  private func complain(_ error: ParseError?) {
    guard let error else { return }
    invocation.out.append("  " + invocation.style.problem("damaged") + "  \(error)\n")
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
      guard allowance.admitsText() else { break }
      out.append("  output layer set \(index): layers \(set.layerSet.ids), outputs \(set.outputLayers)")
      out.append(", needs \(set.necessaryLayers)\n")
    }
    if !analysis.missingLayers.isEmpty {
      let list = analysis.missingLayers.map(String.init).joined(separator: ", ")
      out.append("  described but not in this track: layer \(list)\n")
    }
  }
}
