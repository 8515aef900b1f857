// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Which of the targets this executable fuzzes.
let targetName = "FuzzBoxTree"
