// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import FieldOutput
package import Multiview

extension JSONWriter {
  /// A place of a file that tells personal data, as every command reports it.
  package func write(_ datum: PersonalDatum) {
    beginObject(inline: true)
    member("kind", datum.kind.rawValue)
    member("form", datum.form.shortened(to: 1_024))
    member("value", datum.value?.shortened(to: 1_024))
    key("location")
    if let location = datum.location {
      beginObject(inline: true)
      key("latitude")
      value(location.latitude)
      key("longitude")
      value(location.longitude)
      key("altitude")
      if let altitude = location.altitude { value(altitude) } else { null() }
      endObject()
    } else {
      null()
    }
    member("certain", datum.isCertain)
    key("samples")
    value(datum.sampleCount)
    key("track")
    value(datum.trackID)
    member("path", datum.place.path)
    endObject()
  }
}
