// swift-multiview · SPDX-License-Identifier: Apache-2.0

// Tests name boxes of any family.
@_exported public import BoxCatalogue
