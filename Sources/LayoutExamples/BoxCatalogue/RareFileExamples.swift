// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import BoxCatalogue
import ByteCoding
import ISOBMFF

extension TypeCombinationBox: ExampleProviding {
  package static var examples: [TypeCombinationBox] {
    var sample = TypeCombinationBox()
    sample.compatibleBrands = ["iso8", "heic"]
    return [sample]
  }
}

extension MetaboxRelationBox: ExampleProviding {
  package static var examples: [MetaboxRelationBox] { [MetaboxRelationBox()] }
}
