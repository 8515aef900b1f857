// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// What parameter sets decide about slices, kept once for all headers that it holds for: a header is copied often, and
/// these would be copied with it.
final class SharedSliceParameters: Hashable, Sendable {
  let value: SliceParameters

  init(_ value: SliceParameters) { self.value = value }

  static func == (left: SharedSliceParameters, right: SharedSliceParameters) -> Bool {
    left === right || left.value == right.value
  }

  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
