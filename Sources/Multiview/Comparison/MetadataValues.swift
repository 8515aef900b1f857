// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF

/// Texts that identify the metadata values of one file. Large values, such as covers, are read for them.
struct MetadataValues {
  private let source: any ByteSource
  private let budget: WorkBudget

  init(_ source: any ByteSource, _ budget: WorkBudget) {
    self.source = source
    self.budget = budget
  }

  /// The values by the names of their items.
  func texts(of items: [MetadataItem]) throws(SourceError) -> [String: [String]] {
    var texts: [String: [String]] = [:]
    for item in items { texts[item.identifier, default: []].append(try text(item)) }
    return texts
  }

  /// The value, and for whom it is, if not for everybody; of bytes also their type, by which readers choose how to show
  /// them.
  private func text(_ item: MetadataItem) throws(SourceError) -> String {
    var remarks: [String] = []
    if item.language != 0 { remarks.append("language " + (item.languageCode ?? "\(item.language)")) }
    if item.country != 0 { remarks.append("country \(item.country)") }
    var value = item.stringValue
    if value == nil {
      value = "\(item.dataRange.count) bytes"
      remarks.insert(try hash(of: item)?.description ?? "not compared", at: 0)
      if let type = item.dataType { remarks.append("type \(type.rawValue)") }
    }
    return (value ?? "") + (remarks.isEmpty ? "" : " (\(remarks.joined(separator: ", ")))")
  }

  /// `nil` if that must not be read any more.
  private func hash(of item: MetadataItem) throws(SourceError) -> ContentHash? {
    if item.isLoaded { return ContentHash(item.data) }
    let start = UInt64(clamping: item.dataRange.lowerBound), end = UInt64(clamping: item.dataRange.upperBound)
    guard budget.admits(.bytes(item.dataRange.count), at: start) else { return nil }
    return try ContentHash(bytesIn: start..<max(start, end), of: source)
  }
}
