// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import TestSupport
import Testing

/// Every payload of every real file.
@Suite struct CorpusPayloadTests {
  /// What a walk over files found.
  struct Findings {
    var boxes = 0, payloads = 0
    var wrong: [String] = []
    var errors: [String] = []

    mutating func visit(_ box: Box, _ path: String, _ file: String) {
      let path = path.isEmpty ? "\(box.type)" : "\(path)/\(box.type)"
      boxes += 1
      if let decoding = box.decodePayload(), box.isLoaded {
        payloads += 1
        if let error = decoding.error {
          errors.append("\(path) in \(file): \(error)")
        } else {
          do {
            if try decoding.payload.encoded() + decoding.unread.array != box.fields.array {
              wrong.append("\(file): \(path) is written as other bytes")
            }
          } catch { wrong.append("\(file): \(path) is read but not written: \(error)") }
        }
      }
      for child in box.children { visit(child, path, file) }
    }
  }

  /// Files that are not in `broken` and still have a damaged box.
  static let damaged = [
    "third-party/fate/video__mpeg4__invalid_elst_entry_count.mp4",  // 189 edits announced, one is there
    "third-party/mp4-atom/src__test__h264_avcc_ext_2.mp4",  // cut off within a trun
    // iloc cut off
    "third-party/metadata-extractor/heic__IllegalArgumentException.HeifReader.processBoxes.heif",
    // esds: a descriptor reaches into the next
    "third-party/mp4parse-rust/mp4parse_capi__tests__zero_empty_stsc.mp4",
  ]

  @Test(.enabled(if: Corpus.isPresent)) func everyPayloadIsWrittenAsItWasRead() {
    var findings = Findings()
    for name in ["apple", "mvhevc", "lhevc", "made", "third-party", "broken"].flatMap({ Corpus.files($0) }) {
      for box in BoxTree(Corpus.bytes(name), registry: .complete).boxes { findings.visit(box, "", name) }
    }
    print("\(findings.boxes) boxes of corpus files, \(findings.payloads) payloads written as they were read")
    #expect(findings.wrong == [])
    #expect(findings.payloads > 10_000)
    let unexpected = findings.errors.filter { error in
      !error.contains(" in broken/") && !Self.damaged.contains { error.contains($0) }
    }
    #expect(unexpected == [])
  }
}
