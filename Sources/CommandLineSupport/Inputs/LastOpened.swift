// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// Holds on to what was opened last, until the process ends.
///
/// The system reclaims the memory of a process that ends at once; to release a movie of many boxes first, piece by piece, is a
/// tenth of all that a glance at it takes. In a folder each movie is released before the next one is opened.
package final class LastOpened: Sendable {
  private let kept = Locked<(any Sendable)?>(nil)

  package init() {}

  /// Opens something in place of what was opened before.
  func replace<Opened: Sendable, E: Error>(with open: () throws(E) -> Opened) throws(E) -> Opened {
    kept.withLock { $0 = nil }
    let opened = try open()
    kept.withLock { $0 = opened }
    return opened
  }
}
