// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import CommandLineSupport
import FieldOutput
import Multiview

/// `mvdump probe`: one line a file, and an exit status.
package enum ProbeCommand: Command {
  static let question = Option(
    "is", .choice("KIND", kinds), "The kind to test for; spatial by default"
  )
  static let only = Option(
    "only", .choice("KIND", kinds),
    "List only files of this kind; the exit status is 0 if there are any")
  static let zero = Option(
    "print0", short: "0", "With --only, write only the names, each followed by a zero byte, for xargs -0")
  private static let kinds = ["spatial", "stereo", "immersive", "multiview"]

  package static let name = "probe"
  package static let summary = "one line per file: is it spatial? For scripts and whole libraries"
  package static let discussion = [
    "The exit status is 0 if every file is of the kind tested for, and 1 if one is not. 'stereo' includes "
      + "spatial video; 'immersive' is everything with a projection: 180, 360, wide and immersive; "
      + "'multiview' is video with a layer for each eye. A photo is stereo if it has a pair of images for "
      + "the two eyes, and spatial if it also describes their cameras. Any other file without a movie is "
      + "of none of these kinds."
  ]
  package static let operands = Operands.files
  package static let options = [question, only, zero] + CommonOptions.input
  package static let examples = [
    Example("mvdump probe movie.mov && echo spatial", "A test in a script"),
    Example("mvdump probe -r --is stereo library/", "Whether everything in a library is stereo"),
    Example(
      "mvdump probe -r --only spatial -0 library/ | xargs -0 mvedit tag --remove location --in-place",
      "Run a command on each spatial video in a library"),
  ]

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    let arguments = invocation.arguments
    let wanted = arguments.text(only)
    if wanted != nil, arguments.has(Self.question) {
      throw UsageError("--is and --only cannot be used together: --is tests all files, --only lists some")
    }
    let isBare = arguments.has(zero)
    guard !isBare || (wanted != nil && !invocation.isJSON) else {
      throw UsageError("--print0 needs --only, and cannot be used with JSON")
    }
    let question = wanted ?? arguments.text(Self.question) ?? "spatial"
    var isAnyFound = false
    let batch = Batch.ofMovies(invocation)
    let code = batch.forEach(threads: batch.threads) { input throws(InputError) in
      let movie = try input.movie()
      let classification = movie.classification
      let isMultiview = movie.tracks.contains { track in
        track.mediaType == .video
          && track.variants.contains { $0.mediaCharacteristics.contains(.containsStereoMultiviewVideo) }
      }
      let answer = Answer(
        name: input.name, classification: classification, isMultiview: isMultiview,
        isWanted: isWanted(question, movie, classification, isMultiview))
      try input.checkWasRead()
      return answer
    } _: { answer in
      if answer.isWanted { isAnyFound = true }
      if wanted != nil, !answer.isWanted { return .success }
      let classification = answer.classification.rawValue
      if isBare {
        invocation.out.append(answer.name + "\0")
      } else if invocation.isJSON {
        let line: JSONObject = [
          "schema": "mvdump.probe/1", "file": answer.name, "classification": classification,
          "multiview": answer.isMultiview,
        ]
        invocation.jsonWriter().write(line.inline)
      } else {
        let shown = classification.padded(to: 9) + " "
        let name = ValueText.printable(answer.name)
        invocation.out.append("\(shown)\(answer.isMultiview ? "multiview" : "-        ")  \(name)\n")
      }
      return answer.isWanted ? .success : .no
    }
    return wanted != nil && !isAnyFound ? max(code, .no) : code
  }

  /// The result for one file.
  private struct Answer: Sendable {
    let name: String
    let classification: Classification
    let isMultiview: Bool
    let isWanted: Bool
  }

  private static func isWanted(
    _ question: String, _ movie: MovieFile, _ classification: Classification, _ isMultiview: Bool
  ) -> Bool {
    switch question {
    case "multiview": return isMultiview
    case "immersive":
      return [.degrees180, .degrees360, .wide, .immersive].contains(classification)
    case "stereo":
      return [.stereoPhoto, .spatialPhoto].contains(classification)
        || movie.tracks.contains {
          $0.mediaType == .video
            && $0.variants.contains { $0.classificationReport.stereoKind != .notStereo }
        }
    default: return [.spatial, .spatialPhoto].contains(classification)
    }
  }
}
