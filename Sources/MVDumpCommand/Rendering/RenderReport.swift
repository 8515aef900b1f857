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

  /// One document.
  static func write(_ pictures: [RenderedPicture], _ file: String, _ invocation: Invocation) {
    let json = invocation.jsonWriter()
    json.beginObject()
    json.member("schema", "mvdump.render/1")
    json.member("file", file)
    json.key("pictures")
    json.beginArray()
    for picture in pictures {
      json.beginObject()
      json.member("output", picture.path)
      json.member("track", picture.track)
      json.member("item", picture.item)
      json.member("sample", picture.item == nil ? picture.sample : nil)
      json.member("eye", ["left", "right", "both"].contains(picture.eye) ? picture.eye : nil)
      json.key("layers")
      json.beginArray(inline: true)
      for layer in picture.layers { json.value(layer) }
      json.endArray()
      json.key("time")
      if let time = picture.time {
        json.beginObject(inline: true)
        json.member("value", time.value)
        json.member("timescale", time.timescale)
        json.endObject()
      } else {
        json.null()
      }
      json.member("width", picture.width)
      json.member("height", picture.height)
      json.key("problems")
      json.beginArray()
      for problem in picture.problems { json.value(problem) }
      json.endArray()
      json.endObject()
    }
    json.endArray()
    json.endObject()
    json.endDocument()
  }
}
