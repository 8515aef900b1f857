// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

let fileBoxes: [BoxRegistration] = [
  BoxRegistration(FileTypeBox.self),
]
