// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import CommandLineSupport
import FieldOutput
import Multiview

/// `mvdump probe`: one line a file, and an exit status.
package enum ProbeCommand: Command {
  static let question = Option(
    "is", .choice("KIND", ["spatial", "stereo", "immersive", "multiview"]), "What to ask; without it, spatial"
  )

  package static let name = "probe"
  package static let summary = "one line a file: is it spatial? Made for whole libraries"
  package static let discussion = [
    "The exit status is 0 where every file is what was asked for, and 1 where one is not. 'stereo' takes in spatial "
      + "video, 'immersive' everything with a projection: 180, 360, wide and immersive; 'multiview' is video with a "
      + "layer for each eye. A photo is stereo where it has a pair of images for the two eyes, and spatial where "
      + "it tells of their cameras, too. Any other file that holds no movie answers no."
  ]
  package static let operands = Operands.files
  package static let options = [question] + CommonOptions.input
  package static let examples = [
    Example("mvdump probe movie.mov && echo spatial", "A question for a script"),
    Example("mvdump probe -r --is stereo library/", "Everything stereo in a library"),
  ]

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    let question = invocation.arguments.text(question) ?? "spatial"
    return Batch.ofMovies(invocation).forEach { input throws(InputError) in
      let movie = try input.movie()
      let classification = movie.classification
      let isMultiview = !movie.tracks(withMediaCharacteristic: .containsStereoMultiviewVideo).isEmpty
      if invocation.isJSON {
        let json = invocation.jsonWriter()
        json.beginObject(inline: true)
        json.key("schema")
        json.value("mvdump.probe/1")
        json.key("file")
        json.value(input.name)
        json.key("classification")
        json.value(classification.rawValue)
        json.key("multiview")
        json.value(isMultiview)
        json.endObject()
        json.endDocument()
      } else {
        let shown =
          classification.rawValue + String(repeating: " ", count: max(1, 10 - classification.rawValue.count))
        let name = ValueText.printable(input.name)
        invocation.out.append("\(shown)\(isMultiview ? "multiview" : "-        ")  \(name)\n")
      }
      return answer(question, movie, classification, isMultiview) ? .success : .no
    }
  }

  private static func answer(
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
