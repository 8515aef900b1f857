// swift-multiview · SPDX-License-Identifier: Apache-2.0

import FileAccess
import ISOBMFF
import Multiview

// The code of the article "Edit a box and write the movie".

func setFieldOfView(_ path: String) throws -> BoxTree {
  var tree = try BoxTree(FileBytes(path: path), registry: .standard)
  let entry = "moov/trak[0]/mdia/minf/stbl/stsd/hvc1"
  try tree.edit("\(entry)/hfov", HorizontalFieldOfViewBox.self) {
    $0.fieldOfView = Millidegrees(rawValue: 63_400)
  }
  return tree
}

func moveBoxes(_ tree: inout BoxTree, _ entry: String) throws {
  try tree.insert(Box("free"), in: "moov")
  try tree.move("moov/free", into: "moov", at: 0)
  try tree.remove("moov/free")
  tree["\(entry)/hfov"] = nil
}

func write(_ tree: BoxTree, _ output: String) throws {
  let plan = try tree.writePlan()
  print("\(plan.byteCount) bytes, \(plan.copiedByteCount) of them copied")
  let edited = try MovieFile(edited: tree)
  print(edited.tracks.count)
  try tree.write(toFile: output)
}

func writeForPlayingAtOnce(_ tree: BoxTree, _ output: String) throws {
  var options = WriteOptions(moviePlace: .first)
  options.usesFreeSpace = true
  try tree.write(toFile: output, overwriting: true, options)
}
