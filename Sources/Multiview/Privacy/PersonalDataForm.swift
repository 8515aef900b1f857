// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

/// One form in which files tell personal data. Reading, removing and reporting all iterate over ``all``.
struct PersonalDataForm: Sendable {
  /// Where the form is found.
  enum Home: Sendable {
    /// A name of a metadata item: a key, or the name in a `----` item. Each pattern is one word or several
    /// consecutive words of the name; a word that ends with `*` matches the beginning of one.
    case keys([String])
    /// Items of an `ilst` without keys.
    case items([FourCC])
    /// Boxes in user data, of the movie or of a track.
    case userData([FourCC])
    /// A `uuid` box, by its user type in hexadecimal.
    case userType(String)
    /// Boxes at the top level or in `moov`.
    case file([FourCC])
    /// Items of a `meta`, by their type and the media type of their content.
    case metaItem(FourCC, contentType: String?)
    /// Boxes in a `meta`.
    case meta([FourCC])
    /// Tracks whose samples tell it, by the type of their sample entry.
    case samples([FourCC])
  }

  /// How the data are coded.
  enum Content: Sendable {
    /// Text.
    case text
    /// Text by ISO 6709.
    case iso6709
    /// The fields of `loci`.
    case locationInformation
    /// Something that is not read: it is removed as a whole.
    case opaque
    /// An XML document: elements and attributes are removed one by one.
    case xml
    /// The fields of TIFF: they are removed one by one.
    case exif
    /// A picture that may have Exif and XMP of its own.
    case picture
    /// A movie in a box.
    case movie
    /// Boxes of Canon: their texts, fields and pictures are removed one by one.
    case canon
  }

  /// What it can reveal.
  var kinds: Set<PersonalDataKind>
  /// Where it is found.
  var home: Home
  /// How it is coded.
  var content: Content
  /// What to call it; `nil` for the name of the key or the type of the box.
  var name: String?

  init(
    _ home: Home, _ kinds: Set<PersonalDataKind>, _ content: Content = .text, _ name: String? = nil
  ) {
    (self.home, self.kinds, self.content, self.name) = (home, kinds, content, name)
  }

  /// Notes of makers: they may tell all of these.
  private static let anything = Set(PersonalDataKind.allCases)

  static let all: [PersonalDataForm] = [
    // Names of metadata items. A name that matches a place is a place, whatever else it matches.
    .init(.keys(["iso6709", "coordinates"]), [.location], .iso6709),
    .init(.keys(["location date"]), [.location, .date]),
    .init(
      .keys([
        "location*", "loc", "gps*", "geo", "geotag*", "geolocation*", "latitude", "longitude", "latlng",
        "latlong", "altitude", "direction facing", "direction motion", "place", "city", "country",
        "sublocation", "landmark", "recordinglocation", "shotlocation", "lat", "lon", "lng", "elevation",
      ]), [.location], .iso6709),
    .init(
      .keys([
        "author", "artist", "creator", "owner", "ownername", "photographer", "cinematographer", "director",
        "producer", "performer", "performers", "copyright", "username", "person", "people",
        "originalartist", "composer", "arranger", "publisher", "credits", "artists", "albumartist",
        "conductor", "engineer", "lyricist", "writer", "user name", "camera owner",
      ]), [.name]),
    .init(
      .keys([
        "make", "model", "modelname", "cameramodel", "manufacturer", "serial*", "lens*",
        "camera identifier", "camera id", "camera name", "device*", "software", "firmware*",
        "android version", "hostcomputer", "variation identifier", "marketname", "market name", "productname",
        "product name", "camera make", "camera model", "imei",
      ]), [.device]),
    .init(
      .keys([
        "creationdate", "date", "datetime*", "year", "creationtime", "creation time", "originaldatetime",
        "shootdate", "shotdate", "recorddate", "recordingdate", "releasedate", "createdate", "modifydate",
        "modificationdate", "timestamp", "utc offset", "creation date", "modification date", "create date",
        "modify date", "capture date", "original date", "recording date",
      ]),
      [.date]),
    // Items of iTunes.
    .init(.items(["©xyz"]), [.location], .iso6709),
    .init(.items(["loci"]), [.location], .locationInformation),
    .init(.items(["covr"]), anything, .picture, "cover"),
    .init(
      .items([
        "©ART", "aART", "©aut", "©cpy", "cprt", "©dir", "©prd", "©prf", "©wrt", "ownr", "apID", "soar",
        "soaa", "soco", "©com", "©con", "©nrt", "©pub", "©phg", "©sol", "©arg", "©ard", "©sne", "auth",
        "perf", "xid ",
      ]), [.name]),
    .init(.items(["©mak", "©mod", "©mdl", "©swr"]), [.device]),
    .init(.items(["©day", "purd", "rldt"]), [.date]),
    // User data: QuickTime, 3GPP, and makers.
    .init(.userData(["©xyz", "@xyz"]), [.location], .iso6709),
    .init(.userData(["loci"]), [.location], .locationInformation),
    .init(
      .userData([
        "©ART", "©aut", "©com", "©cpy", "©dir", "©prd", "©prf", "©wrt", "auth", "perf", "cprt", "ownr",
        "©arg", "©ope", "©pub", "albr",
      ]), [.name]),
    .init(
      .userData([
        "©mak", "©mod", "©mdl", "©swr", "@mak", "@mod", "@swr", "manu", "modl", "cmnm", "cmid", "CNMN",
        "CNFV", "CNCV", "FIRM", "vndr", "mdln", "©csn", "©dsn",
      ]), [.device]),
    .init(.userData(["©gps"]), [.location], .opaque),
    .init(
      .userData(["slno", "SNum", "CAME", "LENS", "MUID", "GUMI", "BCID", "©uid", "©dji"]), [.device], .opaque),
    .init(.userData(["©day", "@day", "date", "yrrc", "RDTG"]), [.date]),
    .init(
      .userData([
        "TAGS", "CNTH", "CNOP", "QVMI", "FFMV", "MVTG", "GPMF", "DcMD", "MMA0", "MMA1", "NCDT", "PANA",
        "LEIC", "PENT", "PXMN", "PXTH", "RMKN", "INFO", "htcb", "pmcc", "Xtra", "gdta", "gps ", "smta",
      ]), anything, .opaque, "maker notes"),
    .init(.userData(["thmb", "scrn", "RTHU", "mcvr", "snal"]), anything, .picture, "thumbnail"),
    .init(.userData(["XMP_"]), anything, .xml, "XMP"),
    // Boxes with a user type.
    .init(.userType("be7acfcb97a942e89c71999491e3afac"), anything, .xml, "XMP"),
    .init(.userType("4a706754696666457869662d3e4a5032"), anything, .exif, "Exif"),
    .init(.userType("0537cdab9d0c4431a72afa561f2a113e"), anything, .exif, "Exif"),
    .init(.userType("85c0b687820f11e08111f4ce462b6a48"), anything, .canon, "Canon"),
    .init(.userType("33c7a4d2b81d4723a0baf1a3e097ad38"), [.location, .name, .date], .opaque, "IPTC"),
    .init(.userType("b14bf8bd083d4b43a5ae8cd7d5a6ce03"), [.location], .opaque, "GeoTIFF"),
    .init(.userType("9b630f8d637440ec8204bc5ff5091728"), [.location, .date], .opaque, "Garmin positions"),
    .init(.userType("efe1589abb7749ef809527759eb1dc6f"), [.location, .date], .opaque, "360Fly sensor data"),
    .init(.userType("4ab03b0f618d407582b2d9faced35ff5"), [.device, .date], .opaque, "maker notes"),
    .init(.userType("56495242616374696f6e63616d657261"), [.device], .opaque, "maker notes"),
    .init(.userType("55534d5421d24fcebb88695cfac9c740"), [.name, .device, .date], .opaque, "USMT"),
    // Boxes of makers at the top level or in the movie.
    .init(.file(["gps ", "GPS ", "gps0", "udat"]), [.location, .date], .opaque, "positions"),
    .init(.file(["sefd", "_htc", "prrt"]), anything, .opaque, "maker notes"),
    .init(.file(["thum", "thm "]), anything, .picture, "thumbnail"),
    .init(.file(["IDIT"]), [.date]),
    .init(.file(["mpvd"]), anything, .movie, "motion photo"),
    // Metadata of images, and of files.
    .init(.metaItem("Exif", contentType: nil), anything, .exif, "Exif"),
    .init(.metaItem("mime", contentType: "application/rdf+xml"), anything, .xml, "XMP"),
    .init(.metaItem("mime", contentType: "text/xml"), anything, .xml, "XML"),
    .init(.metaItem("mime", contentType: "application/xml"), anything, .xml, "XML"),
    .init(.meta(["xml "]), anything, .xml, "XML"),
    .init(.meta(["bxml"]), anything, .opaque, "binary XML"),
    // Packagers write their name and version there.
    .init(.meta(["ID32"]), [.name, .device, .date], .opaque, "ID3"),
    // Samples.
    .init(
      .samples(["camm", "gpmd", "rtmd", "djmd", "dbgi", "CTMD"]), anything, .opaque, "sensor recordings"),
    // GoPro's own description of the file: the model, its firmware and its serial number.
    .init(.samples(["fdsc"]), [.device], .opaque, "file description"),
  ]

  // MARK: Finding

  /// The forms of boxes in user data, by their type.
  static let ofUserData = table { if case .userData(let types) = $0 { types } else { [] } }
  /// The forms of items of iTunes, by their type.
  static let ofItem = table { if case .items(let types) = $0 { types } else { [] } }
  /// The forms of boxes at the top level or in `moov`, by their type.
  static let ofFile = table { if case .file(let types) = $0 { types } else { [] } }
  /// The forms of boxes in a `meta`, by their type.
  static let ofMeta = table { if case .meta(let types) = $0 { types } else { [] } }
  /// The forms of tracks, by the type of their sample entry.
  static let ofSamples = table { if case .samples(let types) = $0 { types } else { [] } }

  private static func table(_ types: (Home) -> [FourCC]) -> [FourCC: PersonalDataForm] {
    var table: [FourCC: PersonalDataForm] = [:]
    for form in all { for type in types(form.home) where table[type] == nil { table[type] = form } }
    return table
  }

  private static let byUserType: [String: PersonalDataForm] = {
    var table: [String: PersonalDataForm] = [:]
    for form in all { if case .userType(let type) = form.home { table[type.lowercased()] = form } }
    return table
  }()

  /// Returns the form of a `uuid` box.
  static func ofUserType(_ type: ByteView) -> PersonalDataForm? {
    byUserType[type.hexadecimalText().filter { $0 != " " && $0 != "-" }.lowercased()]
  }
  /// Returns the form of an item of a `meta`.
  static func ofMetaItem(_ type: FourCC, contentType: String) -> PersonalDataForm? {
    all.first { form in
      guard case .metaItem(type, let wanted) = form.home else { return false }
      return wanted == nil || contentType.lowercased().hasPrefix(wanted ?? "")
    }
  }

  /// Returns the form of a metadata item by its name.
  static func ofKey(_ name: String) -> PersonalDataForm? {
    let whole = words(name.lowercased()), parts = words(dividingCases(name).lowercased())
    let isDivided = parts.count > whole.count
    return all.first { form in
      guard case .keys(let patterns) = form.home else { return false }
      return patterns.contains {
        matches(whole, $0)
          || (isDivided && !undivided.contains($0) && matches(parts, $0))
      }
    }
  }

  /// Words that do not count inside a name in camel case, because they may mean something else there: `colorModel`,
  /// `placeHolder`, `textureCoordinates`, `faceLandmark`.
  private static let undivided: Set<String> = [
    "model", "make", "place", "person", "people", "coordinates", "landmark", "date", "year", "loc", "geo",
    "lat", "lon", "lng", "director", "producer", "performer", "performers", "credits", "conductor",
    "engineer",
    "writer", "timestamp",
  ]

  private static func words(_ name: String) -> [Substring] {
    name.split { !$0.isLetter && !$0.isNumber }
  }

  /// `camera Serial Number` for `cameraSerialNumber`.
  private static func dividingCases(_ name: String) -> String {
    var text = "", wasLower = false
    for character in name {
      if wasLower, character.isUppercase { text.append(" ") }
      text.append(character)
      wasLower = character.isLowercase
    }
    return text
  }

  private static func matches(_ words: [Substring], _ pattern: String) -> Bool {
    let wanted = pattern.split(separator: " ")
    guard words.count >= wanted.count else { return false }
    return (0...(words.count - wanted.count)).contains { start in
      zip(words[start...], wanted).allSatisfy { word, part in
        part.hasSuffix("*") ? word.hasPrefix(part.dropLast()) : word == part
      }
    }
  }
}
