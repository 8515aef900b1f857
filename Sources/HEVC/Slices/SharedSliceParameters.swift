// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Slice parameters, shared by all headers they apply to: headers are copied often, and would otherwise copy these
/// as well.
final class SharedSliceParameters: Hashable, Sendable {
  let value: SliceParameters

  init(_ value: SliceParameters) { self.value = value }

  static func == (left: SharedSliceParameters, right: SharedSliceParameters) -> Bool {
    left === right || left.value == right.value
  }

  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
