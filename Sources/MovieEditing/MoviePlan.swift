// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

extension MovieEditor {
  /// Plans the edited movie in the layout of the original: ranges of it, and bytes in memory between them.
  func plan(_ options: MovieWriteOptions) throws(EditError) -> CheckedPlan {
    guard movie.source.size != nil else {
      throw .refused("the size of the movie is not known", advice: "Give it as a file.")
    }
    let tree = try editedTree()
    let plan: WritePlan
    do {
      plan = try tree.writePlan(WriteOptions(moviePlace: options.putsMovieFirst ? .first : .unchanged))
    } catch {
      let canStay = !movie.container.isFragmented && movie.source is FileBytes
      throw .refused("\(error)", advice: canStay ? "A change in place\(.changeInPlace) moves nothing." : "")
    }
    let planned = CheckedPlan(plan: plan, movie: try opened(plan))
    guard !options.keepsFreeSpace else { return planned }
    let free = FreeSpace(planned.movie).ranges
    guard !free.isEmpty else { return planned }
    // What free space has from earlier times: zeros take its place, so that nothing moves.
    let blank: WritePlan
    do { blank = try plan.blanking(free) } catch { throw .refused("\(error)") }
    return CheckedPlan(plan: blank, movie: try opened(blank))
  }
}
