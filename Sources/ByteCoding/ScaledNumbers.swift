// swift-multiview · SPDX-License-Identifier: Apache-2.0

extension UInt64 {
  /// The number times `factor` over `divisor`, rounded down, and the remainder; `nil` if the quotient does not fit, or the
  /// divisor is 0.
  @inlinable
  package func scaled(by factor: UInt64, over divisor: UInt64) -> (whole: UInt64, rest: UInt64)? {
    let product = multipliedFullWidth(by: factor)
    guard product.high < divisor else { return nil }
    let (whole, rest) = divisor.dividingFullWidth(product)
    return (whole, rest)
  }
}
