// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import Multiview

/// The stereo tags of a track for people: with units, and the number in the file beside them.
struct StereoTagsText {
  let style: Style

  func write(_ track: Track, to out: OutputBuffer) {
    guard let layout = track.mainDescription?.stereo,
      layout.hasVideoExtendedUsage || layout.horizontalFieldOfView != nil
    else { return }
    for (name, value) in lines(layout) {
      let filling = String(repeating: " ", count: max(1, 15 - name.count))
      out.append("  " + style.faint(name + filling) + value + "\n")
    }
  }

  private func lines(_ layout: StereoLayout) -> [(name: String, value: String)] {
    var lines: [(name: String, value: String)] = []
    if let hero = layout.heroEye { lines.append(("hero eye", "\(hero)")) }
    if let baseline = layout.baseline {
      let value =
        Quantity.decimal(baseline.millimeters, 3) + " mm" + style.faint(" (\(baseline.rawValue) µm)")
      lines.append(("baseline", value))
    }
    if let disparity = layout.disparityAdjustment {
      let value = Quantity.percent(disparity.fraction) + style.faint(" (\(disparity.rawValue)/10000)")
      lines.append(("disparity", value))
    }
    if let view = layout.horizontalFieldOfView {
      let value = Quantity.decimal(view.degrees, 3) + "°" + style.faint(" (\(view.rawValue)/1000°)")
      lines.append(("field of view", value))
    }
    if let projection = layout.projection { lines.append(("projection", "\(projection)")) }
    if let packing = layout.packing { lines.append(("packing", "\(packing)")) }
    if layout.eyeViewsReversed == true { lines.append(("eyes", "in reversed order")) }
    if !layout.lenses.isEmpty {
      lines.append(("lenses", Quantity.count(layout.lenses.count, "lens", "lenses")))
    }
    return lines
  }
}
