// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

extension MovieEditor {
  /// Plans the edited movie in the layout of the original: ranges of it, and bytes in memory between them.
  func plan(_ options: MovieWriteOptions) throws(EditError) -> WritePlan {
    guard movie.source.size != nil else {
      throw .refused("the size of the movie is not known", advice: "Give it as a file.")
    }
    let tree = try editedTree()
    do {
      let plan = try tree.writePlan(WriteOptions(moviePlace: options.putsMovieFirst ? .first : .unchanged))
      return try options.keepsFreeSpace ? plan : plan.withoutFreeContents(limits: movie.limits)
    } catch {
      let canStay = !movie.container.isFragmented && movie.source is FileBytes
      throw .refused("\(error)", advice: canStay ? "A change in place\(.changeInPlace) moves nothing." : "")
    }
  }
}
