// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import FieldOutput
package import Multiview

extension PersonalDatum {
  /// A place of a file that tells personal data, as every command reports it.
  package var json: JSONObject {
    [
      "kind": kind.rawValue, "form": form.shortened(to: 1_024), "value": value?.shortened(to: 1_024),
      "location": location?.json, "certain": isCertain, "samples": sampleCount, "track": trackID,
      "path": place.path,
    ]
  }
}

extension GeographicLocation {
  fileprivate var json: JSONObject {
    ["latitude": latitude, "longitude": longitude, "altitude": altitude]
  }
}

extension PlaylistAttributes {
  /// The attributes. In JSON, the quotation marks of the playlist are in the way.
  package var json: JSONObject {
    JSONObject(
      entries.map { ($0.key, $0.value.hasPrefix("\"") ? String($0.value.dropFirst().dropLast()) : $0.value) })
  }
}
