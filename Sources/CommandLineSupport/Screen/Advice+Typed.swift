// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding

extension Advice {
  /// The sentence, with what to type for each step.
  package var typed: String { text { " (\($0.typed))" } }
}

extension Advice.Step {
  /// An option, or a command with one. Words in capitals stand for what only a person knows.
  package var typed: String {
    switch self {
    case .overwrite: "--force"
    case .writeAnother: "-o FILE"
    case .changeInPlace: "--in-place"
    case .changePartLength: "--duration SECONDS"
    case .cutBeginning: "mvedit trim --from TIME"
    case .mergeTracks: "mvedit merge"
    case .makeMovie: "mvedit mux"
    case .restore: "mvedit repair --from ORIGINAL"
    case .copyTags: "mvedit tag --copy-from MOVIE"
    case .package: "mvedit package"
    case .check: "mvdump check"
    case .showSummary: "mvdump info"
    case .showBox(let path): "mvdump tree" + (path.map { " --path " + $0 } ?? "")
    case .showEyes: "mvdump eyes"
    case .showUnits: "mvdump nal"
    case .showSamples: "mvdump samples"
    case .showParameterSets: "mvdump params"
    case .explain(let rule): "mvdump explain \(rule)"
    case .chooseEye(let eye): "--eye" + (eye.map { " " + $0 } ?? "")
    case .useExtractors: "--extractors"
    case .requireSameTags: "--same-spatial"
    case .keepEyesOfEach: "--mixed-eyes"
    case .allowDamage: "--allow-damage"
    case .skipUndecodable: "--skip-undecodable"
    case .setFrameRate: "--fps"
    case .describePlanes: "--size WIDTHxHEIGHT --fps RATE"
    case .setLayout: "--layout ARRANGEMENT"
    case .renderSideBySide: Self.sideBySidePipe
    case .putMovieBoxFirst: "--faststart"
    case .nameOriginal: "--from"
    case .setTag(let name, let value): "--\(name)" + (value.map { " " + $0 } ?? "")
    case .removeTag(let name): "--remove \(name)"
    case .forceValues: "--force-values"
    case .rewriteMessage: "--rewrite-message"
    case .encodeSwapped: "mvedit encode --right-first"
    }
  }
}

extension Advice.Step {
  /// How both eyes of a movie become pictures side by side in a movie that any headset plays, with the sound.
  package static let sideBySidePipe =
    "mvdump render --all --eye both -o - FILE | "
    + "ffmpeg -v error -i - -i FILE -map 0:v -map '1:a?' -pix_fmt yuv420p OUT.mp4"
}
