// swift-multiview · SPDX-License-Identifier: Apache-2.0

// Tests use boxes of all families.
@_exported public import BoxCatalogue
