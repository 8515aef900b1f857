// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
import ISOBMFF

extension Track {
  /// Errors in tables and fragments because of which samples are missing, or others than they should be: what is read of
  /// the others is not all. Of a joined track, those of all its tracks.
  public func sampleLosses() throws(SourceError) -> DiagnosticList {
    guard !isRawStream else { return DiagnosticList() }
    var list = DiagnosticList(limit: context.limits.maximumDiagnostics)
    for track in joinedTracks {
      list.append(try track.ownTableLosses())
      list.append(try track.fragmentLosses())
    }
    return list
  }

  private func ownTableLosses() throws(SourceError) -> DiagnosticList {
    let read = try samplesWithDiagnostics()
    return lazy.further.losses.value {
      // A movie in fragments has no tables, or empty ones.
      let hasTables = read.samples.table.count > 0 || !context.hasFragments
      var list = hasTables ? read.samples.table.losses : DiagnosticList()
      for item in read.diagnostics where item.severity == .error { list.append(item) }
      return list
    }
  }

  /// Those that stand in fragments, and those that keep fragments from being found.
  func fragmentLosses() throws(SourceError) -> DiagnosticList {
    guard context.hasFragments, let tree = context.tree else { return DiagnosticList() }
    var list = DiagnosticList(limit: context.limits.maximumDiagnostics)
    for item in tree.diagnostics where item.severity == .error {
      if item.path.isEmpty || item.path.hasPrefix("moof") { list.append(item) }
    }
    if isFirstOfItsID { list.append(try context.fragments().losses(ofTrack: id)) }
    return list
  }
}
