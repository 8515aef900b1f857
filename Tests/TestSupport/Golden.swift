// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Foundation

/// The recorded output in fixtures/golden. `MV_UPDATE_GOLDEN=1 swift test` records it again; read the
/// difference before you commit it.
public enum Golden {
  /// Whether output is recorded instead of compared.
  public static let isUpdating = ProcessInfo.processInfo.environment["MV_UPDATE_GOLDEN"] != nil

  /// Returns how `text` differs from the output recorded under `name`; `nil` if it does not.
  public static func difference(_ text: String, _ name: String) -> String? {
    difference(text, file: Fixtures.folder + "/golden/" + name)
  }

  /// Returns how `text` differs from the file at `path`; `nil` if it does not.
  public static func difference(_ text: String, file path: String) -> String? {
    let stored = contents(path).map { String(decoding: $0, as: UTF8.self) }
    if stored == text { return nil }
    let shown = path.replacingOccurrences(of: PackageFolder.root + "/", with: "")
    if isUpdating {
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
      do {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      } catch { return "\(shown) cannot be written: \(error)" }
      return nil
    }
    guard let stored else { return "\(shown) is missing (MV_UPDATE_GOLDEN=1 writes it)" }
    let old = stored.split(separator: "\n", omittingEmptySubsequences: false)
    let new = text.split(separator: "\n", omittingEmptySubsequences: false)
    for index in 0..<max(old.count, new.count) {
      let was = index < old.count ? old[index] : "(nothing)"
      let isNow = index < new.count ? new[index] : "(nothing)"
      if was != isNow { return "\(shown) line \(index + 1) was: \(was)\nand is: \(isNow)" }
    }
    return nil
  }
}
