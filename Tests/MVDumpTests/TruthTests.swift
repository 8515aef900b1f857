// swift-multiview · SPDX-License-Identifier: Apache-2.0

import MVDumpCommand
import TestSupport
import Testing

/// The facts that `info`, `samples` and `nal` tell are those that other tools tell.
@Suite(.enabled(if: Corpus.isPresent)) struct TruthTests {
  static let files = ["mvhevc", "apple", "lhevc", "made"].flatMap { Corpus.files($0) }

  static func document(_ command: String, _ name: String) -> JSONValue? {
    mvdump(command, "--json", (Corpus.folder ?? "") + "/" + name).json
  }

  /// Where the reading of a tool is not in the corpus, the tool itself is asked if it is there.
  static func reading(_ name: String, _ reading: String, _ command: String) -> String? {
    if let text = Corpus.truth(name, reading) { return text }
    guard let folder = Corpus.folder, !command.isEmpty,
      let run = try? shell("\(command) '\(folder)/\(name)'"), run.status == 0
    else { return nil }
    return run.output
  }

  static func finish(_ comparison: Comparison, files: Int, atLeast minimum: Int) {
    print("\(files) files, " + comparison.report)
    #expect(comparison.unexplained == [])
    #expect(comparison.total >= minimum)
  }

  // MARK: ffprobe: container, tracks, layers, tags

  @Test func ffprobe() throws {
    var comparison = Comparison([
      .init(
        file: "_split", fact: "views",
        text: "the second view is in another track; ffprobe reads the VPS alone"),
      .init(
        file: "_split", fact: "eyes", text: "the second view is in another track; ffprobe reads the VPS alone"
      ),
      .init(file: "", fact: "duration", text: "ffprobe gives what the edit list presents, we the media"),
      .init(file: "", fact: "language", text: "0 is English on a Macintosh; we give codes of ISO 639 only"),
      .init(file: "cover_art", fact: "track", text: "ffprobe makes a stream of the cover picture"),
      .init(
        file: "frag_mfra_hybrid", fact: "sampleCount", text: "ffprobe counts the samples of the moov alone"),
    ])
    var count = 0
    for name in Self.files where !name.hasSuffix(".heic") {
      let command = "ffprobe -v quiet -show_streams -show_format -of json"
      guard let text = Self.reading(name, "ffprobe.json", command), let theirs = JSONValue(text),
        theirs["streams"]?.elements.isEmpty == false, let ours = Self.document("info", name)
      else { continue }
      count += 1
      comparison.begin(name)
      Self.compareContainer(ours, theirs["format"], &comparison)
      let streams = theirs["streams"]?.elements ?? []
      for stream in streams {
        let id = stream["id"]?.text.flatMap { Int($0.dropFirst(2), radix: 16) } ?? 0
        guard let track = ours["tracks"]?.elements.first(where: { $0["id"]?.integer == id }) else {
          comparison.expect("track \(id)", false, true)
          continue
        }
        Self.compareTrack(track, stream, &comparison)
      }
    }
    Self.finish(comparison, files: count, atLeast: 1_000)
  }

  private static func compareContainer(
    _ ours: JSONValue, _ format: JSONValue?, _ comparison: inout Comparison
  ) {
    comparison.expect("size", ours["size"]?.integer, format?["size"]?.text.flatMap { Int($0) })
    let tags = format?["tags"], container = ours["container"]
    comparison.expect("majorBrand", container?["majorBrand"]?.text, tags?["major_brand"]?.text)
    comparison.expect(
      "minorVersion", container?["minorVersion"]?.integer.map(String.init), tags?["minor_version"]?.text)
    comparison.expect(
      "compatibleBrands", container?["compatibleBrands"]?.elements.compactMap(\.text).joined(),
      tags?["compatible_brands"]?.text)
  }

  private static func compareTrack(_ track: JSONValue, _ stream: JSONValue, _ comparison: inout Comparison) {
    let tag = stream["codec_tag_string"]?.text
    let isRaw = tag == "[0][0][0][0]"
    if !isRaw { comparison.expect("codec", track["codec"]?.text, tag) }
    comparison.expect(
      "sampleCount", track["sampleCount"]?.integer.map(String.init), stream["nb_frames"]?.text)
    if !isRaw, let base = stream["time_base"]?.text, let units = stream["duration_ts"]?.integer {
      let timescale = track["timescale"]?.integer
      comparison.expect("timescale", timescale.map { "1/\($0)" }, base)
      if units > 0 { comparison.expect("duration", track["duration"]?["value"]?.integer, units) }
    }
    let language = stream["tags"]?["language"]?.text
    comparison.expect("language", track["language"]?.text ?? "und", language)
    comparison.expect(
      "sampleRate", track["sampleRate"]?.integer.map(String.init), stream["sample_rate"]?.text)
    comparison.expect("channels", track["channelCount"]?.integer, stream["channels"]?.integer)
    guard stream["codec_type"]?.text == "video" else { return }
    let layer = track["layers"]?[0]
    if stream["codec_name"]?.text == "hevc", stream["profile"] != nil, let layer {
      compareLayer(layer, stream, &comparison)
      compareViews(track, stream, &comparison)
    }
    if !isRaw, stream["side_data_list"] != nil || layer != nil {
      compareStereo(track["stereo"], stream["side_data_list"]?.elements ?? [], &comparison)
    }
  }

  private static func compareLayer(_ layer: JSONValue, _ stream: JSONValue, _ comparison: inout Comparison) {
    comparison.expect("width", layer["width"]?.integer, stream["width"]?.integer)
    comparison.expect("height", layer["height"]?.integer, stream["height"]?.integer)
    // Older versions give the shown size for the coded one.
    if stream["view_ids_available"] != nil {
      comparison.expect("codedWidth", layer["codedWidth"]?.integer, stream["coded_width"]?.integer)
      comparison.expect("codedHeight", layer["codedHeight"]?.integer, stream["coded_height"]?.integer)
    }
    comparison.expect("level", layer["levelIDC"]?.integer, stream["level"]?.integer)
    let profiles = ["Main": 1, "Main 10": 2, "Main Still Picture": 3, "Rext": 4]
    comparison.expect(
      "profile", layer["profileIDC"]?.integer, stream["profile"]?.text.flatMap { profiles[$0] })
    let formats = [
      "yuv420p": "4:2:0 8", "yuvj420p": "4:2:0 8", "yuv420p10le": "4:2:0 10", "yuv422p": "4:2:2 8",
    ]
    let format = "\(layer["chromaFormat"]?.text ?? "?") \(layer["bitDepthLuma"]?.integer ?? 0)"
    comparison.expect("format", format, stream["pix_fmt"]?.text.flatMap { formats[$0] })
  }

  private static func compareViews(_ track: JSONValue, _ stream: JSONValue, _ comparison: inout Comparison) {
    let layers = track["layers"]?.elements ?? []
    if let views = stream["view_ids_available"]?.text, !views.isEmpty {
      let ours = layers.map { "\($0["viewID"]?.integer ?? -1)" }
      comparison.expect("views", ours.joined(separator: ","), views)
    }
    if let eyes = stream["view_pos_available"]?.text, !eyes.isEmpty {
      let ours = layers.map { ["left": "1", "right": "2"][$0["eye"]?.text] ?? "0" }
      comparison.expect("eyes", ours.joined(separator: ","), eyes)
    }
  }

  private static func compareStereo(
    _ ours: JSONValue?, _ sideData: [JSONValue], _ comparison: inout Comparison
  ) {
    guard let theirs = sideData.first(where: { $0["side_data_type"]?.text == "Stereo 3D" }) else { return }
    comparison.expect("hero", ours?["heroEye"]?.text ?? "none", theirs["primary_eye"]?.text)
    comparison.expect("baseline", ours?["baselineMicrometers"]?.integer ?? 0, theirs["baseline"]?.integer)
    func fraction(_ value: Int?, _ divisor: Int) -> String { value.map { "\($0)/\(divisor)" } ?? "0/1" }
    comparison.expect(
      "disparity", fraction(ours?["disparityAdjustment"]?.integer, 10_000),
      theirs["horizontal_disparity_adjustment"]?.text)
    comparison.expect(
      "fieldOfView", fraction(ours?["horizontalFieldOfViewMillidegrees"]?.integer, 1_000),
      theirs["horizontal_field_of_view"]?.text)
    let spherical = sideData.first { $0["side_data_type"]?.text == "Spherical Mapping" }
    let names = ["rect": "rectilinear", "equi": "equirectangular", "hequ": "half equirectangular"]
    comparison.expect(
      "projection", ours?["projection"]?.text.flatMap { names[$0] }, spherical?["projection"]?.text)
  }

  // MARK: MP4Box: times of tracks

  @Test func mediaHeaders() throws {
    var comparison = Comparison([])
    var count = 0
    for name in Self.files {
      guard let text = Corpus.truth(name, "MP4Box.diso.xml"), let ours = Self.document("info", name) else {
        continue
      }
      count += 1
      comparison.begin(name)
      let lines = text.split(separator: "\n").map { XMLLine(text: $0) }
      if let movie = lines.first(where: { $0.text.hasPrefix("<MovieHeaderBox") }), movie["Duration"] != "0" {
        comparison.expect(
          "movieDuration", ours["duration"]?["value"]?.integer.map(String.init), movie["Duration"])
        comparison.expect(
          "movieTimescale", ours["duration"]?["timescale"]?.integer.map(String.init), movie["TimeScale"])
      }
      let headers = lines.filter { $0.text.hasPrefix("<MediaHeaderBox") }
      let handlers = lines.filter { $0.text.hasPrefix("<HandlerBox") && $0.text.contains("minf") }
      for (index, track) in (ours["tracks"]?.elements ?? []).enumerated() {
        guard headers.indices.contains(index) else { continue }
        comparison.expect(
          "timescale", track["timescale"]?.integer.map(String.init), headers[index]["TimeScale"])
        if headers[index]["Duration"] != "0" {
          comparison.expect(
            "duration", track["duration"]?["value"]?.integer.map(String.init), headers[index]["Duration"])
        }
        guard handlers.indices.contains(index), handlers.count == headers.count else { continue }
        comparison.expect("handler", track["handler"]?.text, handlers[index]["hdlrType"])
      }
    }
    Self.finish(comparison, files: count, atLeast: 200)
  }

  // MARK: ffprobe: samples

  @Test func packets() throws {
    let trimmed = "the edit list leaves these samples out; ffprobe gives them times before the start"
    let random = "ffprobe takes CRA pictures for sync samples that the file does not list as such"
    let shifted =
      "ffprobe moves the times of fragments with negative composition offsets, as if there were an edit list"
    var comparison = Comparison([
      .init(file: "hevc_hvc1_aac.mp4", fact: "pts", text: trimmed),
      .init(file: "_ffmpeg.mov", fact: "pts", text: trimmed),
      .init(file: "opengop", fact: "sync", text: random),
      .init(file: "confwin_rh", fact: "sync", text: random),
      .init(file: "d256_300f", fact: "sync", text: random),
      .init(file: "gpac_frag", fact: "pts", text: shifted),
    ])
    var count = 0
    for name in Self.files
    where !name.hasSuffix(".heic") && !name.hasSuffix(".hevc") && !name.hasSuffix(".bit") {
      guard let text = Corpus.truth(name, "ffprobe.packets.csv"), let ours = Self.document("samples", name),
        let tracks = Self.document("info", name)?["tracks"]?.elements
      else { continue }
      count += 1
      comparison.begin(name)
      var rows: [Int: [[String: String]]] = [:]
      for line in text.split(separator: "\n") where line.hasPrefix("packet,") {
        var row: [String: String] = [:]
        for cell in line.split(separator: ",").dropFirst() {
          let parts = cell.split(separator: "=", maxSplits: 1)
          if parts.count == 2 { row[String(parts[0])] = String(parts[1]) }
        }
        rows[row["stream_index"].flatMap { Int($0) } ?? 0, default: []].append(row)
      }
      for (index, packets) in rows where tracks.indices.contains(index) {
        let id = tracks[index]["id"]
        let samples = ours["tracks"]?.elements.first { $0["id"] == id }?["samples"]?.elements ?? []
        Self.compare(samples, packets, &comparison)
      }
    }
    Self.finish(comparison, files: count, atLeast: 1_000)
  }

  private static func compare(
    _ samples: [JSONValue], _ packets: [[String: String]], _ comparison: inout Comparison
  ) {
    comparison.expect("sampleCount", samples.count, packets.count)
    // Decoding times are shifted so that none comes after its presentation.
    let first = packets.first.flatMap { $0["dts"] }.flatMap { Int($0) }
    let shift = (samples.first?["dts"]?.integer ?? 0) - (first ?? 0)
    for (sample, packet) in zip(samples, packets) {
      let number = sample["index"]?.integer ?? -1
      func theirs(_ name: String) -> Int? { packet[name].flatMap { Int($0) } }
      comparison.expect("size of \(number)", sample["size"]?.integer, theirs("size"))
      comparison.expect("offset of \(number)", sample["offset"]?.integer, theirs("pos"))
      comparison.expect("pts of \(number)", sample["pts"]?.integer, theirs("pts"))
      comparison.expect("dts of \(number)", sample["dts"]?.integer, theirs("dts").map { $0 + shift })
      comparison.expect("duration of \(number)", sample["duration"]?.integer, theirs("duration"))
      let isKey = packet["flags"].map { $0.hasPrefix("K") }
      comparison.expect("sync of \(number)", sample["sync"].map { $0 == .bool(true) }, isKey)
    }
  }

  // MARK: MP4Box: NAL units

  @Test func units() throws {
    let lost = "the muxer lost the parameter sets of the layer: MP4Box says 0 and unknown, we say nothing"
    let version = "lhvC says version 0, which is no version: MP4Box reads it all the same"
    let layer6 = "MP4Box counts layer 6 by itself; the reference decoder counts as we do"
    var comparison = Comparison(
      ["poc", "slice"].flatMap { fact in
        [
          Comparison.Reason(file: "_ffmpeg.mov", fact: fact, text: lost),
          .init(file: "hev1inband", fact: fact, text: lost),
          .init(file: "htm_2view_nuh6_gpac", fact: fact, text: version),
          .init(file: "htm_3view_gpac", fact: fact, text: version),
          .init(file: "htm_2view_nuh6_mp4ff", fact: fact, text: layer6),
        ]
      })
    var count = 0
    for name in Self.files {
      guard let text = Corpus.truth(name, "MP4Box.dnal.xml"), let ours = Self.document("nal", name) else {
        continue
      }
      count += 1
      comparison.begin(name)
      var track = 0, sample = -1, isInSamples = false
      var theirs: [Int: [(sample: Int, line: XMLLine)]] = [:]
      for line in text.split(separator: "\n") {
        let line = XMLLine(text: line.drop { $0 == " " })
        if line.text.hasPrefix("<NALUTrack") {
          (track, sample) = (line["trackID"].flatMap { Int($0) } ?? 0, -1)
        }
        if line.text.hasPrefix("<NALUSamples") { isInSamples = true }
        if line.text.hasPrefix("</NALUSamples") { isInSamples = false }
        if isInSamples, line.text.hasPrefix("<Sample ") { sample += 1 }
        if isInSamples, line.text.hasPrefix("<NALU ") { theirs[track, default: []].append((sample, line)) }
      }
      for (id, units) in theirs {
        let found = ours["tracks"]?.elements.first { $0["id"]?.integer == id }?["nalUnits"]?.elements ?? []
        comparison.expect("unitCount of track \(id)", found.count, units.count)
        for (unit, (sample, line)) in zip(found, units) {
          Self.compare(unit, sample, line, &comparison)
        }
        Self.compareLayers(of: id, name, units.map(\.line), &comparison)
      }
    }
    Self.finish(comparison, files: count, atLeast: 10_000)
  }

  private static func compare(
    _ unit: JSONValue, _ sample: Int, _ line: XMLLine, _ comparison: inout Comparison
  ) {
    func theirs(_ name: String) -> Int? { line[name].flatMap { Int($0) } }
    let place = "in sample \(sample)"
    comparison.expect("sample \(place)", unit["sample"]?.integer, sample)
    comparison.expect("unitSize \(place)", unit["size"]?.integer, theirs("size"))
    comparison.expect("type \(place)", unit["type"]?.integer, theirs("code"))
    comparison.expect("layer \(place)", unit["layerID"]?.integer, theirs("layer_id"))
    comparison.expect("temporal \(place)", unit["temporalID"]?.integer, theirs("temporal_id"))
    comparison.expect("sliceType \(place)", unit["sliceType"]?.text, line["slice"])
    comparison.expect("poc \(place)", unit["poc"]?.integer, theirs("poc"))
  }

  /// What `layers` counts is what there is among the other tool's units.
  private static func compareLayers(
    of track: Int, _ name: String, _ units: [XMLLine], _ comparison: inout Comparison
  ) {
    let tracks = document("layers", name)?["tracks"]?.elements ?? []
    let layers = tracks.first { $0["id"]?.integer == track }?["layers"]?.elements ?? []
    for layer in layers {
      guard let id = layer["layerID"]?.integer else { continue }
      let own = units.filter { $0["layer_id"] == "\(id)" }
      // These files have one slice in a picture.
      let slices = own.filter { $0["first_slice_in_pic"] == "1" }
      comparison.expect(
        "layerBytes \(id)", layer["bytes"]?.integer,
        own.compactMap { $0["size"].flatMap { Int($0) } }.reduce(0, +))
      guard slices.count == own.filter({ $0["slice"] != nil }).count, !slices.isEmpty else { continue }
      comparison.expect("pictures \(id)", layer["pictures"]?.integer, slices.count)
      for (key, letter) in [("intraPictures", "I"), ("predictedPictures", "P"), ("bipredictedPictures", "B")]
      {
        comparison.expect(
          "sliceTypes \(id)", layer[key]?.integer, slices.filter { $0["slice"] == letter }.count)
      }
    }
  }

  // MARK: GPAC: the items of HEIF conformance files

  @Test func items() throws {
    var comparison = Comparison([])
    var count = 0
    for name in Corpus.files(with: "conformance_gpac.json") {
      let path = "third-party/nokia-heif/" + (name.split(separator: "/").last.map(String.init) ?? "")
      guard let text = Corpus.truth(path, "conformance_gpac.json"),
        let meta = JSONValue(text)?["IsoMediaFile"]?["MetaBox"], meta["ItemInfoBox"] != nil,
        let ours = Self.document("info", path)?["items"]
      else { continue }
      count += 1
      comparison.begin(name)
      func list(_ value: JSONValue?) -> [JSONValue] {
        guard let value else { return [] }
        if case .array(let elements) = value { return elements }
        return [value]
      }
      func number(_ value: JSONValue?, _ key: String) -> Int? { value?["@" + key]?.text.flatMap { Int($0) } }
      comparison.expect("primary", ours["primary"]?.integer, number(meta["PrimaryItemBox"], "item_ID"))
      let theirs = list(meta["ItemInfoBox"]?["ItemInfoEntryBox"])
      comparison.expect("itemCount", ours["list"]?.elements.count, theirs.count)
      for (item, entry) in zip(ours["list"]?.elements ?? [], theirs) {
        comparison.expect("item", item["id"]?.integer, number(entry, "item_ID"))
        comparison.expect("itemType", item["type"]?.text, entry["@item_type"]?.text)
        comparison.expect("itemName", item["name"]?.text, entry["@item_name"]?.text)
      }
      for entry in list(meta["ItemLocationBox"]?["ItemLocationEntry"]) {
        let sizes = list(entry["ItemExtentEntry"]).compactMap { number($0, "extent_length") }
        let item = ours["list"]?.elements.first { $0["id"]?.integer == number(entry, "item_ID") }
        comparison.expect("itemSize", item?["size"]?.integer, sizes.contains(0) ? nil : sizes.reduce(0, +))
      }
    }
    Self.finish(comparison, files: count, atLeast: 50)
  }

  // MARK: mp4ff: stereo boxes

  @Test func stereoBoxes() throws {
    var comparison = Comparison([])
    var count = 0
    for name in Self.files {
      guard let text = Corpus.truth(name, "mp4ff-mvhevc.txt"), text.contains("vexu"),
        let track = Self.document("info", name)?["tracks"]?[0], let stereo = track["stereo"]
      else { continue }
      count += 1
      comparison.begin(name)
      for line in text.split(separator: "\n") {
        let words = line.split(separator: " ").map(String.init)
        guard let first = words.first, words.count > 1 else { continue }
        func flag(_ name: String) -> JSONValue? {
          words.first { $0.hasPrefix(name + "=") }.map { .bool($0.hasSuffix("true")) }
        }
        switch first {
        case "stri:":
          comparison.expect("left", stereo["hasLeftEye"], flag("left"))
          comparison.expect("right", stereo["hasRightEye"], flag("right"))
          comparison.expect("additional", stereo["hasAdditionalViews"], flag("additional"))
          comparison.expect("reversed", stereo["eyesReversed"], flag("reversed"))
        case "hero:": comparison.expect("hero", stereo["heroEye"]?.text, words[1])
        case "baseline:": comparison.expect("baseline", stereo["baselineMicrometers"]?.integer, Int(words[1]))
        case "projection:": comparison.expect("projection", stereo["projection"]?.text, words[1])
        case "hfov:":
          comparison.expect(
            "fieldOfView", stereo["horizontalFieldOfViewMillidegrees"]?.integer,
            words[1].split(separator: "/").first.flatMap { Int($0) })
        case "VPS:":
          let layers = words.first { $0.hasPrefix("layers=") }.flatMap { Int($0.dropFirst(7)) }
          comparison.expect("layers", track["layers"]?.elements.count, layers)
        default: continue
        }
      }
    }
    Self.finish(comparison, files: count, atLeast: 100)
  }
}
