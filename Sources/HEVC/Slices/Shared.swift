// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// A value that all copies of a structure share. Slice headers are copied often, and would otherwise copy the parameters that
/// apply to them, and the header before them, as well.
final class Shared<Value: Hashable & Sendable>: Hashable, Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }

  static func == (left: Shared, right: Shared) -> Bool { left === right || left.value == right.value }

  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
