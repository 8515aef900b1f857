// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FieldOutput
import Multiview

extension QuickTimeMetadata {
  /// Names and values; of bytes only how many.
  var json: some JSONValue {
    JSONList(rows: items) { item in
      var item = item
      item.key.rawValue = item.key.rawValue.shortened
      return [
        "identifier": item.identifier, "value": item.stringValue, "size": item.dataRange.count,
        "language": item.languageCode,
      ]
    }
  }
}

extension ItemCollection {
  /// The items of HEIF.
  func json(_ photos: [StereoPhoto]) -> JSONObject {
    [
      "primary": primaryItemID, "list": JSONList(rows: items, \.json),
      "references": JSONList(rows: references) {
        ["type": $0.type.description, "from": $0.from, "to": $0.to.inline]
      },
      "groups": JSONList(rows: groups) {
        ["type": $0.type.description, "id": $0.id, "members": $0.members.inline]
      },
      "stereoPairs": JSONList(rows: photos, \.json),
    ]
  }
}

extension StereoPhoto {
  fileprivate var json: JSONObject {
    [
      "group": group, "left": left, "right": right, "spatial": isSpatial,
      "horizontalFieldOfView": leftCamera.horizontalFieldOfView.map { Int(($0 * 1_000).rounded()) },
      "baseline": baseline.map { Int($0.rounded()) }, "disparityAdjustment": disparityAdjustment,
    ]
  }
}

extension ItemCollection.Item {
  fileprivate var json: JSONObject {
    [
      "id": id, "type": type?.description,
      // Only the item itself has its name; a type is shared by any number of items.
      "name": name.shortened(to: 1_024), "hidden": isHidden, "size": byteCount, "width": width,
      "height": height, "auxiliaryType": auxiliaryType?.shortened, "layered": hasLayers,
    ]
  }
}
