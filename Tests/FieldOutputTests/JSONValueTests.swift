// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Testing

@testable import FieldOutput

/// Documents that are declared as data.
@Suite struct JSONValueTests {
  private func text(_ document: JSONObject, pretty: Bool = true) -> String {
    let out = OutputBuffer()
    JSONWriter(out, pretty: pretty).write(document)
    return out.text
  }

  private let document: JSONObject = [
    "name": "a \"b\"", "absent": Int?.none, "flag": true, "half": 0.5, "large": UInt64.max,
    "lines": ["x", "y"], "line": [1, 2].inline, "none": [String](),
    "rows": JSONList(rows: 0..<2) { ["index": $0, "in": ["z": $0] as JSONObject] },
    "list": JSONList([UInt8(7)]) { ["id": $0] }, "short": JSONList([3]) { ["id": $0] }.inline,
    "object": JSONObject.inline(["a": 1, "b": nil as Double?]),
  ]

  @Test func aDocumentIsWrittenInItsOrder() {
    #expect(
      text(document) == """
        {
          "name": "a \\"b\\"",
          "absent": null,
          "flag": true,
          "half": 0.5,
          "large": "18446744073709551615",
          "lines": [
            "x",
            "y"
          ],
          "line": [1, 2],
          "none": [],
          "rows": [
            {"index": 0, "in": {"z": 0}},
            {"index": 1, "in": {"z": 1}}
          ],
          "list": [
            {
              "id": 7
            }
          ],
          "short": [{"id": 3}],
          "object": {"a": 1, "b": null}
        }

        """)
  }

  @Test func aDocumentCanBeOneLine() {
    let pairs: [(String, any JSONValue)] = [("b", 1), ("a", JSONNumber(digits: "99.50"))]
    #expect(text(JSONObject(pairs) + ["c": 2], pretty: false) == "{\"b\":1,\"a\":99.50,\"c\":2}\n")
  }

  @Test func numbersAreRounded() {
    #expect(1.23456.rounded(toParts: 1_000) == 1.235 && (-1.5).rounded(toParts: 1) == -2)
  }
}
