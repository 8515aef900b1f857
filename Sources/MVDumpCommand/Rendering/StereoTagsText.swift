// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import Multiview

/// The stereo tags of a track for people: with units, and the number in the file beside them.
struct StereoTagsText {
  let style: Style

  func write(_ track: Track, to out: OutputBuffer) {
    let layout = track.stereo
    guard layout.hasVideoExtendedUsage || layout.horizontalFieldOfView != nil else { return }
    for (name, value) in lines(layout) {
      let filling = String(repeating: " ", count: max(1, 15 - name.count))
      out.append("  " + style.faint(name + filling) + value + "\n")
    }
  }

  private func lines(_ layout: StereoLayout) -> [(name: String, value: String)] {
    let tags = StereoTags(layout)
    var lines = StereoTag.all.compactMap { tag -> (name: String, value: String)? in
      guard let label = tag.label, let value = tag.value(tags) else { return nil }
      return (label, value.words + (value.stored.map { style.faint(" (\($0))") } ?? ""))
    }
    if layout.eyeViewsReversed == true { lines.append(("eyes", "in reversed order")) }
    if !layout.lenses.isEmpty {
      lines.append(("lenses", Quantity.count(layout.lenses.count, "lens", "lenses")))
    }
    return lines
  }
}
