// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Foundation
import Multiview

// Runs the code of the articles on the movies of a folder. Usage: cookbook FOLDER TASK

let arguments = CommandLine.arguments
guard arguments.count == 3 else {
  print("usage: cookbook FOLDER library|many|decoder|stream|timeline|metadata|store|compose")
  exit(64)
}
let folder = URL(fileURLWithPath: arguments[1], isDirectory: true)
func file(_ name: String) -> String { folder.appendingPathComponent(name).path }

do {
  switch arguments[2] {
  case "library":
    try printLibrary(folder)
    try printSummary(folder.appendingPathComponent("spatial.mov"))
  case "many":
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".mov")
    }
    // Each many times: as many as a library has.
    let files = (0..<200).map { folder.appendingPathComponent(names[$0 % names.count]) }
    let cards = await cards(of: files)
    print(cards.count, "movies,", Set(cards.map(\.classification)).count, "classes")
  case "decoder":
    try printSamples(file("spatial.mov"))
    try printStarts(file("spatial.mov"))
  case "stream":
    try printStream(ByteView([UInt8](Data(contentsOf: URL(fileURLWithPath: file("two-views.hevc"))))))
  case "timeline":
    try printTimeline(file("edit-list-trim.mp4"))
    try printPicture(file("spatial.mov"), at: 0.05)
  case "metadata":
    try printMetadata(file("timed-metadata.mov"))
    try printMetadata(file("metadata-keys.mov"))
  case "store":
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file("spatial.mov"))))
    try await printObject(Bucket(["spatial.mov": bytes]), "spatial.mov", UInt64(bytes.count))
  case "compose":
    let output = FileManager.default.temporaryDirectory.appendingPathComponent("composed.mov").path
    let path = file("metadata-keys.mov")
    try printComposition(path, with: path, to: output)
  default:
    print("no such task: \(arguments[2])")
    exit(64)
  }
} catch {
  print(error)
  exit(1)
}
