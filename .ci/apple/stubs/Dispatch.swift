// swift-multiview · SPDX-License-Identifier: Apache-2.0

// Every SDK of Apple has this module. The package asks for its presence and uses nothing of it.

@_exported public import Darwin
