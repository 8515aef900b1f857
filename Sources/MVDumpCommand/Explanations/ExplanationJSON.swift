// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FieldOutput

/// Writes explanations for programs; docs/schema/explain.json says what is where.
enum ExplanationJSON {
  static func write(_ topic: String, _ explanations: [Explanation], _ writer: JSONWriter) {
    writer.beginObject()
    writer.key("schema")
    writer.value("mvdump.explain/1")
    writer.key("topic")
    writer.value(topic)
    writer.key("explanations")
    writer.beginArray(inline: explanations.isEmpty)
    for explanation in explanations { write(explanation, writer) }
    writer.endArray()
    writer.endObject()
    writer.endDocument()
  }

  private static func write(_ explanation: Explanation, _ writer: JSONWriter) {
    writer.beginObject()
    for (key, text) in [
      ("kind", explanation.kind), ("name", explanation.name), ("title", explanation.title),
      ("summary", explanation.summary), ("specification", explanation.specification),
    ] {
      writer.key(key)
      writer.value(text)
    }
    for (key, texts) in [("places", explanation.places), ("contents", explanation.contents)] {
      writer.key(key)
      writer.beginArray(inline: true)
      for text in texts { writer.value(text) }
      writer.endArray()
    }
    writer.key("remarks")
    writer.beginObject(inline: true)
    for remark in explanation.remarks {
      writer.key(remark.label)
      writer.value(remark.text)
    }
    writer.endObject()
    writer.key("fields")
    let fields = explanation.fields()
    writer.beginArray(inline: fields.isEmpty)
    for field in fields { write(field, writer) }
    writer.endArray()
    writer.endObject()
  }

  private static func write(_ field: FieldDescription, _ writer: JSONWriter) {
    writer.beginObject(inline: true)
    writer.key("path")
    writer.value(field.path)
    writer.key("coding")
    writer.value(field.coding?.descriptor)
    writer.key("minimum")
    writer.value(field.allowed?.lowerBound)
    writer.key("maximum")
    writer.value(field.allowed?.upperBound)
    writer.key("optional")
    writer.value(field.isOptional)
    writer.key("values")
    writer.beginObject(inline: true)
    for meaning in field.meanings where meaning.values.count == 1 {
      writer.key(String(meaning.values.lowerBound))
      writer.value(meaning.name)
    }
    writer.endObject()
    writer.endObject()
  }
}
