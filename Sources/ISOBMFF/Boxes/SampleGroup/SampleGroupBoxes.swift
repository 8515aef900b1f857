// swift-multiview · SPDX-License-Identifier: Apache-2.0

let sampleGroupBoxes: [BoxRegistration] = [
  BoxRegistration(SampleGroupDescriptionBox.self),
  BoxRegistration(SampleToGroupBox.self),
  BoxRegistration(CompactSampleToGroupBox.self),
]
