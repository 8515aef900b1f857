// swift-multiview · SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import ISOBMFF
import Multiview

// Writes a movie with another field of view. Usage: set-field-of-view DEGREES movie.mov new.mov

let arguments = CommandLine.arguments
guard arguments.count == 4, let degrees = Double(arguments[1]), (0...360).contains(degrees) else {
  print("usage: set-field-of-view DEGREES MOVIE NEW")
  exit(64)
}

do {
  var tree = try BoxTree(FileBytes(path: arguments[2]), registry: .standard)
  // Every sample entry of every track that has a field of view.
  for match in tree.matches("moov/trak/mdia/minf/stbl/stsd/*/hfov") {
    guard let path = BoxPath(match.path) else { continue }
    try tree.edit(path, HorizontalFieldOfViewBox.self) { box in
      print("\(match.path): \(Double(box.fieldOfView.rawValue) / 1000)° becomes \(degrees)°")
      box.fieldOfView = Millidegrees(rawValue: UInt32(degrees * 1000))
    }
  }
  let plan = try tree.writePlan()
  print("\(plan.byteCount) bytes, \(plan.copiedByteCount) of them copied")
  try tree.write(toFile: arguments[3], overwriting: true)
} catch {
  print(error)
  exit(1)
}
