// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import BoxCatalogue
import ByteCoding
import ISOBMFF

extension IPMPInfoBox: ExampleProviding {
  package static var examples: [IPMPInfoBox] {
    var sample = IPMPInfoBox()
    sample.descriptors = [Descriptor(.init(rawValue: 11), .other(ByteView([1, 0, 0])))]
    return [sample]
  }
}

extension IPMPControlBox: ExampleProviding {
  package static var examples: [IPMPControlBox] {
    var sample = IPMPControlBox()
    sample.descriptorCount = 1
    sample.descriptors = [Descriptor(.init(rawValue: 11), .other(ByteView([1, 0, 0])))]
    return [sample]
  }
}
