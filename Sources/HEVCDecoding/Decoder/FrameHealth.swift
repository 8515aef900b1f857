// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Threads

/// Whether the samples of a picture may be wrong, once that is known: pictures that are predicted from it ask.
final class FrameHealth: Sendable {
  private let isDamaged: Monitor<Bool?>

  /// The health of a picture that is not decoded yet, or of a substitute for a missing one, which is damaged.
  init(isDamaged: Bool? = nil) { self.isDamaged = Monitor(isDamaged) }

  /// Settles it. Whoever decodes the picture calls this, whatever becomes of the picture.
  func settle(isDamaged: Bool) { self.isDamaged.change { $0 = isDamaged } }

  /// Waits until it is known.
  ///
  /// Only a picture that begins after this one may wait for it: see ``DecodingThreads``.
  func wait() -> Bool { isDamaged.read { $0 } }
}
