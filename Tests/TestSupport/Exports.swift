// swift-multiview · SPDX-License-Identifier: Apache-2.0

// Tests use boxes of all families, and the examples of their contents.
@_exported public import BoxCatalogue
@_exported public import LayoutExamples
