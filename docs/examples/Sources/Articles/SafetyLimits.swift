// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Multiview

// The code of the article "Safety limits".

func openUpload(_ path: String) throws -> MovieFile {
  var limits = Limits.standard
  limits.maximumBoxes = 50_000
  limits.maximumBoxBytes = 64 << 20
  limits.maximumSamples = 10_000_000
  return try MovieFile(path: path, limits: limits)
}

func isCutShort(_ movie: MovieFile) -> Bool {
  movie.allDiagnostics.contains { $0.code == "limit-exceeded" }
}
