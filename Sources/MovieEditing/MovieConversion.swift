// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import FileAccess

/// Makes another movie of one: what ``MovieTrimmer``, ``MovieStripper`` and the others of their kind have in common.
package protocol MovieConversion {
  /// What is said of the new movie.
  associatedtype Report

  /// What would be in the new movie, without writing it.
  func plannedReport() throws(EditError) -> Report
  /// Writes the new movie to an output that was begun.
  func write(to output: SafeOutput, _ options: MovieWriteOptions) throws(EditError) -> Report
}
