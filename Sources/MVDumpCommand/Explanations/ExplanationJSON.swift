// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FieldOutput

extension [Explanation] {
  /// The document of `mvdump explain`: docs/schema/explain.json.
  func json(_ topic: String) -> JSONObject {
    ["schema": "mvdump.explain/1", "topic": topic, "explanations": JSONList(self, \.json)]
  }
}

extension Explanation {
  fileprivate var json: JSONObject {
    [
      "kind": kind, "name": name, "title": title, "summary": summary, "specification": specification,
      "places": places.inline, "contents": contents.inline,
      "remarks": JSONObject(remarks.map { ($0.label, $0.text) }).inline,
      "fields": JSONList(rows: fields(), \.json),
    ]
  }
}

extension FieldDescription {
  fileprivate var json: JSONObject {
    let names = meanings.filter { $0.values.count == 1 }.map { (String($0.values.lowerBound), $0.name) }
    return [
      "path": path, "coding": coding?.descriptor, "minimum": allowed?.lowerBound,
      "maximum": allowed?.upperBound, "optional": isOptional, "values": JSONObject(names),
    ]
  }
}
