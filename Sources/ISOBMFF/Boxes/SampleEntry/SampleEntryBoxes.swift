// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

let sampleEntryBoxes: [BoxRegistration] = [
  BoxRegistration(VisualSampleEntry.self),
  BoxRegistration(VisualSampleEntry.self, types: []),
]
