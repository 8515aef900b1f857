// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// What personal data reveal.
public enum PersonalDataKind: String, CaseIterable, Hashable, Sendable, Codable {
  /// Where it was recorded.
  case location
  /// The names of people: authors, owners, performers.
  case name
  /// The device: its maker, model, software, lens and serial numbers.
  case device
  /// When it was recorded.
  case date

  /// What the value of a metadata key tells; `nil` if it is not known for personal data.
  public init?(ofKey key: MetadataKey) {
    let form = PersonalDataForm.ofKey(key.rawValue)
    guard let form, let kind = Self.allCases.first(where: form.kinds.contains) else { return nil }
    self = kind
  }
}

/// One place of a file that tells where, by whom, with what or when it was recorded.
public struct PersonalDatum: Hashable, Sendable {
  /// What it reveals.
  public var kind: PersonalDataKind
  /// The form: a metadata key, the type of a box, or the name of a field in Exif or XMP.
  public var form: String
  /// The value as text; `nil` if it is not text, or cannot be read.
  public var value: String?
  /// The value as a place on the earth; `nil` if it is not one.
  public var location: GeographicLocation?
  /// Whether it certainly tells that. Notes of makers in a form that this library does not read may.
  public var isCertain = true
  /// The number of samples in which a track of timed metadata tells it; `nil` if it is not in samples.
  public var sampleCount: Int?
  /// Whether it is in a movie box that a change in place has replaced and left in the file.
  public var isFormer = false
  /// The track it belongs to; `nil` for the whole file.
  public var trackID: UInt32?
  /// The box that has it.
  public var place: BoxPlace
}

extension PersonalDatum: CustomStringConvertible {
  /// The value in words: `52.4597, 13.322, 51.178 m (com.apple.quicktime.location.ISO6709)`.
  public var description: String {
    let what: String
    if let sampleCount {
      what = "in \(sampleCount) samples"
    } else if let location {
      what = "\(location)"
    } else if let value {
      what = value
    } else {
      what = isCertain ? "present" : "possible"
    }
    return "\(what) (\(form))"
  }
}

extension MovieFile {
  /// Everything in the file that tells where, by whom, with what or when it was recorded, in all known forms:
  /// metadata keys, user data of movie and tracks, Exif, XMP, notes of makers, tracks of timed metadata.
  ///
  /// Notes of makers that this library does not read are listed with `isCertain` false.
  public var personalData: [PersonalDatum] { personalData(Set(PersonalDataKind.allCases)) }

  /// Returns everything in the file that tells something of some kinds.
  public func personalData(_ kinds: Set<PersonalDataKind>) -> [PersonalDatum] {
    var pass = PersonalDataPass(self, PersonalDataRequest(kinds: kinds))
    pass.scan()
    return pass.found
  }
}
