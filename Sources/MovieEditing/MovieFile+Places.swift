// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ISOBMFF
import Multiview

extension MovieFile {
  /// Refuses a movie whose media data are going to be written anew, where boxes other than the tables of samples say where something is in
  /// the file: nobody would find it there.
  func checkPlaces() throws(EditError) {
    if let place = tree?.firstUnfollowedPlace { throw place.refusal }
  }
}

extension UnfollowedPlace {
  /// What is refused of a movie that has it.
  var refusal: EditError {
    .refused(
      "the box \(path) at byte \(offset) \(reason): in the new file everything is at other places",
      advice: "Remove it first, if nobody needs it.")
  }
}
