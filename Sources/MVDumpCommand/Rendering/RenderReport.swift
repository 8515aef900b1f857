// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import FieldOutput
import Multiview

/// A picture that was written.
struct RenderedPicture {
  var path: String
  /// The track; `nil` for a photo.
  var track: UInt32?
  /// The item of a photo; `nil` for a track.
  var item: UInt32?
  var sample: Int
  var eye: String
  var layers: [UInt8]
  var time: MediaTime?
  var width: Int
  var height: Int
  var problems: [String]
}

/// The report of `mvdump render` on the pictures that it has written.
enum RenderReport {
  /// `left eye of sample 12 at 0.4 s, 1920×1080`
  static func words(_ picture: RenderedPicture) -> String {
    let what =
      switch picture.eye {
      case "both": "both eyes"
      case "left", "right": "\(picture.eye) eye"
      default: "layer \(picture.eye)"
      }
    let time = picture.time.map { " at \(Quantity.duration($0))" } ?? ""
    let place = picture.item.map { "item \($0)" } ?? "sample \(picture.sample)"
    return "\(what) of \(place)\(time), \(Quantity.size(picture.width, picture.height))"
  }

  /// The document of `mvdump render`.
  static func json(_ pictures: [RenderedPicture], _ file: String) -> JSONObject {
    [
      "schema": "mvdump.render/1", "file": file,
      "pictures": JSONList(pictures) { picture in
        [
          "output": picture.path, "track": picture.track, "item": picture.item,
          "sample": picture.item == nil ? picture.sample : nil,
          "eye": ["left", "right", "both"].contains(picture.eye) ? picture.eye : nil,
          "layers": picture.layers.inline,
          "time": picture.time.map {
            JSONObject.inline(["value": $0.value, "timescale": $0.timescale])
          },
          "width": picture.width, "height": picture.height, "problems": picture.problems,
        ]
      },
    ]
  }
}
