// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import CommandLineSupport
import FieldOutput
import Multiview

/// `mvdump probe`: one line a file, and an exit status.
package enum ProbeCommand: Command {
  static let question = Option(
    "is", .choice("KIND", kinds), "What to ask; without it, spatial"
  )
  static let only = Option(
    "only", .choice("KIND", kinds),
    "List only the files that are of this kind; the exit status is 0 if there are any")
  static let zero = Option(
    "print0", short: "0", "With --only, write only the names, with a zero byte after each: for xargs -0")
  private static let kinds = ["spatial", "stereo", "immersive", "multiview"]

  package static let name = "probe"
  package static let summary = "one line a file: is it spatial? Made for whole libraries"
  package static let discussion = [
    "The exit status is 0 where every file is what was asked for, and 1 where one is not. 'stereo' takes in spatial "
      + "video, 'immersive' everything with a projection: 180, 360, wide and immersive; 'multiview' is video with a "
      + "layer for each eye. A photo is stereo where it has a pair of images for the two eyes, and spatial where "
      + "it tells of their cameras, too. Any other file that holds no movie answers no."
  ]
  package static let operands = Operands.files
  package static let options = [question, only, zero] + CommonOptions.input
  package static let examples = [
    Example("mvdump probe movie.mov && echo spatial", "A question for a script"),
    Example("mvdump probe -r --is stereo library/", "Whether everything in a library is stereo"),
    Example(
      "mvdump probe -r --only spatial -0 library/ | xargs -0 mvedit tag --remove location --in-place",
      "Do something with each spatial video of a library"),
  ]

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    let arguments = invocation.arguments
    let wanted = arguments.text(only)
    if wanted != nil, arguments.has(Self.question) {
      throw UsageError("--is asks about all files, and --only lists some: they cannot be asked for together")
    }
    let isBare = arguments.has(zero)
    guard !isBare || (wanted != nil && !invocation.isJSON) else {
      throw UsageError("--print0 goes with --only, and without JSON")
    }
    let question = wanted ?? arguments.text(Self.question) ?? "spatial"
    var isAnyFound = false
    let batch = Batch.ofMovies(invocation)
    let code = batch.forEach(threads: batch.threads) { input throws(InputError) in
      let movie = try input.movie()
      let classification = movie.classification
      let isMultiview = !movie.tracks(withMediaCharacteristic: .containsStereoMultiviewVideo).isEmpty
      return Answer(
        name: input.name, classification: classification, isMultiview: isMultiview,
        isWanted: isWanted(question, movie, classification, isMultiview))
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
        let shown = classification + String(repeating: " ", count: max(1, 10 - classification.count))
        let name = ValueText.printable(answer.name)
        invocation.out.append("\(shown)\(answer.isMultiview ? "multiview" : "-        ")  \(name)\n")
      }
      return answer.isWanted ? .success : .no
    }
    return wanted != nil && !isAnyFound ? max(code, .no) : code
  }

  /// What is said of one file.
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
          $0.mediaType == .video && $0.classificationReport.stereoKind != .notStereo
        }
    default: return [.spatial, .spatialPhoto].contains(classification)
    }
  }
}
