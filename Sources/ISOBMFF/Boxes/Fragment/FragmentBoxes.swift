// swift-multiview · SPDX-License-Identifier: Apache-2.0

let fragmentBoxes: [BoxRegistration] = [
]
