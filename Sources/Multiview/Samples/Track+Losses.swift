// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import FileAccess
import ISOBMFF

extension Track {
  /// Errors in tables and fragments because of which samples are missing, or are not those that they should be: what is read of
  /// the track is incomplete. Of a joined track, those of all its tracks.
  public func sampleLosses() throws(SourceError) -> DiagnosticList {
    guard !isRawStream else { return DiagnosticList() }
    var list = DiagnosticList()
    for track in joinedTracks {
      list.append(try track.ownTableLosses())
      list.append(try track.fragmentLosses())
    }
    return list
  }

  private func ownTableLosses() throws(SourceError) -> DiagnosticList {
    let read = try samplesWithDiagnostics()
    return lazy.further.value(\.losses) {
      // A movie in fragments has no tables, or empty ones.
      let hasTables = read.samples.table.count > 0 || !context.hasFragments
      var list = hasTables ? read.samples.table.losses : DiagnosticList()
      for item in read.diagnostics where item.severity == .error { list.append(item) }
      for item in context.treeErrors.byTrack[path] ?? [] where leadsToTables(item.path) { list.append(item) }
      return list
    }
  }

  /// Whether damage in that place may keep tables of the track from being found.
  private func leadsToTables(_ place: String) -> Bool {
    let tables = path + "/mdia/minf/stbl"
    let isAbove = [path, path + "/mdia", path + "/mdia/minf", tables].contains(place)
    return isAbove || place.hasPrefix(tables + "/") && !place.hasPrefix(tables + "/stsd/")
  }

  /// The losses in fragments, and those due to fragments that cannot be found.
  func fragmentLosses() throws(SourceError) -> DiagnosticList {
    guard context.hasFragments else { return DiagnosticList() }
    let errors = context.treeErrors
    var list = errors.ofFragments
    guard isFirstOfItsID else { return list }
    // What a fragment lacks in which the tree has ended is not missing.
    for item in try context.fragments().losses(ofTrack: id) {
      if !errors.isCut || item.code != "missing-structure" { list.append(item) }
    }
    return list
  }
}

/// Errors of the tree because of which samples may be missing, sorted once: thousands of tracks may ask for theirs.
struct TreeErrors: Sendable {
  /// The errors by the path of the track.
  private(set) var byTrack: [String: [Diagnostic]] = [:]
  /// The errors in fragments, and those that end the file.
  private(set) var ofFragments = DiagnosticList(limit: 8)
  /// Whether a limit has ended the tree there.
  private(set) var isCut = false

  init(_ tree: BoxTree?) {
    for item in tree?.diagnostics ?? DiagnosticList() where item.severity == .error {
      if item.path.hasPrefix("moov/trak") {
        let track = item.path.split(separator: "/").prefix(2).joined(separator: "/")
        byTrack[track, default: []].append(item)
      } else if item.path.isEmpty || item.path.hasPrefix("moof") {
        isCut = isCut || item.code == "limit-exceeded"
        ofFragments.append(item)
      }
    }
  }
}
