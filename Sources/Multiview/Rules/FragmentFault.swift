// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

/// The track fragments of one track in which the same thing is wrong.
struct FragmentFault {
  /// The track.
  let trackID: UInt32
  /// The path of the first of them.
  let path: String
  /// The byte offset of the fault in the file.
  let offset: Int
  /// The byte offset of the header (`tfhd`).
  let headerOffset: Int
  /// The value that was found instead of the expected one.
  let found: String
  /// How many there are.
  var count = 1

  /// How many there are, in words.
  var subject: String {
    count == 1 ? "a fragment of track \(trackID)" : "\(count) fragments of track \(trackID)"
  }
}

extension RuleContext {
  /// The fragments in which something is wrong, track by track.
  ///
  /// - Parameter fault: returns what is wrong with a fragment, or `nil`; it gets whether the fragment is the
  ///   first of its `moof`.
  func fragmentFaults(
    _ fault: (_ fragment: Box, _ header: TrackFragmentHeaderBox, _ isFirst: Bool) -> String?
  ) -> [FragmentFault] {
    var faults: [FragmentFault] = []
    var places: [UInt32: Int] = [:]
    let boxes = movie.tree?.boxes ?? []
    BoxPath.forEachSibling(boxes, where: { $0[$1].type == "moof" }) { index, name in
      BoxPath.forEachSibling(boxes[index].children) { child, childName, number in
        guard child.type == "traf", let header = child.first(TrackFragmentHeaderBox.self),
          let headerOffset = child.first("tfhd")?.offset,
          let found = fault(child, header, number == 0)
        else { return }
        if let place = places[header.trackID] {
          faults[place].count += 1
        } else {
          places[header.trackID] = faults.count
          faults.append(
            FragmentFault(
              trackID: header.trackID, path: "\(name)/\(childName)", offset: child.offset,
              headerOffset: headerOffset, found: found))
        }
      }
    }
    return faults
  }
}
