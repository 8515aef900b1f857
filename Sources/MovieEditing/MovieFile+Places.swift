// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ISOBMFF
import Multiview

extension MovieFile {
  /// Refuses a movie whose media data are going to be rewritten, if boxes other than sample tables have offsets
  /// in the file, which would no longer be correct.
  func checkPlaces() throws(EditError) {
    if let place = tree?.firstUnfollowedPlace { throw place.refusal }
  }
}

extension UnfollowedPlace {
  /// The refusal of a movie with such a box.
  var refusal: EditError {
    .refused(
      "the box \(path) at byte \(offset) \(reason): in the new file, all positions change",
      advice: "Remove it first if it is not needed.")
  }
}
