// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import Foundation
import TestSupport
import Testing

/// Every variant that the options can express, made from a bare movie and read again by the other command.
@Suite struct VariantTests {
  /// A command line, and what `mvdump info --json` says of the movie then: all other keys of the tags are null.
  struct Variant: Sendable, CustomTestStringConvertible {
    var options: [String]
    var stereo: [String: JSONValue]
    /// Findings of `check` that the values bring about, which `--force-values` lets pass.
    var testDescription: String { options.joined(separator: " ") }

    init(_ options: String, _ stereo: [String: JSONValue]) {
      self.options = options.split(separator: " ").map(String.init)
      self.stereo = stereo
    }
  }

  private static let both: [String: JSONValue] = [
    "leftEye": .bool(true), "rightEye": .bool(true), "reversed": .bool(false), "additional": .bool(false),
  ]

  private static func with(_ more: [String: JSONValue]) -> [String: JSONValue] {
    both.merging(more) { _, new in new }
  }

  static let layered: [Variant] = [
    Variant("--eyes left,right", both),
    Variant("--baseline 63", with(["baseline": .number(63_000)])),
    Variant("--baseline 19.24", with(["baseline": .number(19_240)])),
    Variant("--baseline 0 --force-values", with(["baseline": .number(0)])),
    Variant("--baseline 0.0004 --force-values", with(["baseline": .number(0)])),
    Variant("--field-of-view 63.4", ["fieldOfView": .number(63_400)]),
    Variant("--field-of-view 63.4 --eyes left,right", with(["fieldOfView": .number(63_400)])),
    Variant("--field-of-view 0 --force-values", ["fieldOfView": .number(0)]),
    Variant("--field-of-view 179.999", ["fieldOfView": .number(179_999)]),
    Variant("--disparity 0", with(["disparity": .number(0)])),
    Variant("--disparity 0.02", with(["disparity": .number(200)])),
    Variant("--disparity -0.0321", with(["disparity": .number(-321)])),
    Variant("--disparity -1", with(["disparity": .number(-10_000)])),
    Variant("--disparity 1", with(["disparity": .number(10_000)])),
    Variant("--disparity=1.5 --force-values", with(["disparity": .number(15_000)])),
    Variant("--hero left", with(["hero": .string("left")])),
    Variant("--hero right", with(["hero": .string("right")])),
    Variant("--hero none", with(["hero": .string("none")])),
    Variant("--reversed no", both),
    Variant("--reversed yes --force-values", with(["reversed": .bool(true)])),
    Variant("--additional-views yes --force-values", with(["additional": .bool(true)])),
    Variant("--eyes left --force-values", with(["rightEye": .bool(false)])),
    Variant("--eyes right --force-values", with(["leftEye": .bool(false)])),
    Variant("--projection rect", ["projection": .string("rect")]),
    Variant("--projection equi", ["projection": .string("equi")]),
    Variant("--projection hequ", ["projection": .string("hequ")]),
    Variant("--projection prim", ["projection": .string("prim")]),
    Variant("--projection fish", ["projection": .string("fish")]),
    Variant("--projection abcd --force-values", ["projection": .string("abcd")]),
    Variant("--packing none", ["packing": .string("none")]),
    Variant("--packing side --eyes left,right --force-values", with(["packing": .string("side")])),
    Variant(
      "--baseline 63 --field-of-view 63.4 --disparity 0.02 --hero left --projection rect",
      with([
        "baseline": .number(63_000), "fieldOfView": .number(63_400), "disparity": .number(200),
        "hero": .string("left"), "projection": .string("rect"),
      ])),
    Variant(
      "--set vexu:cameraBaseline=63.5,vexu:heroEyeIndicator=right --set vexu:hasLeftEyeView=true,vexu:hasRightEyeView=true",
      with(["baseline": .number(63_500), "hero": .string("right")])),
  ]

  static let flat: [Variant] = [
    Variant("--packing side --eyes left,right", with(["packing": .string("side")])),
    Variant("--packing over --eyes left,right", with(["packing": .string("over")])),
    Variant(
      "--packing over --eyes left,right --reversed yes",
      with(["packing": .string("over"), "reversed": .bool(true)])),
    Variant(
      "--packing side --baseline 65 --projection hequ --field-of-view 180",
      with([
        "packing": .string("side"), "baseline": .number(65_000), "projection": .string("hequ"),
        "fieldOfView": .number(180_000),
      ])),
    Variant("--projection equi", ["projection": .string("equi")]),
    Variant("--eyes left", with(["rightEye": .bool(false)])),
    Variant("--field-of-view 120", ["fieldOfView": .number(120_000)]),
  ]

  @Test(arguments: layered) func layers(variant: Variant) throws { try check(variant, "spatial.mov") }

  @Test(arguments: flat) func oneLayer(variant: Variant) throws { try check(variant, "hdr10.mp4") }

  private func check(_ variant: Variant, _ name: String) throws {
    let folder = try TemporaryFolder()
    let bare = folder.path + "/bare.mov"
    #expect(mvedit("tag", "--remove", "all", "-o", bare, Fixtures.path(name)).code == .success)
    let bareBytes = contents(bare)
    let output = folder.path + "/out.mov"
    let run = mvedit(["tag", "-o", output] + variant.options + [bare])
    #expect(run.code == .success, "\(run.errors)")
    #expect(tags(output) == variant.stereo, "\(variant.options)")
    #expect(said(output) == variant.stereo, "\(variant.options)")
    try compareWithFFprobe(output, variant.stereo)
    #expect(MovieRules(contents(output) ?? []).breaches == [], "\(variant.options)")
    // Without the values that only force writes, nothing breaks a rule that was whole before.
    let findings = Set(rules(output)).subtracting(rules(bare))
    if !variant.options.contains("--force-values") {
      #expect(findings.isDisjoint(with: ["MV026", "MV027", "MV028", "MV029", "MV041", "MV048", "MV075"]))
    }
    // Gone again, the file is the bare one.
    let back = folder.path + "/back.mov"
    #expect(mvedit("tag", "--remove", "all", "-o", back, output).code == .success)
    #expect(contents(back) == bareBytes)
    #expect(contents(bare) == bareBytes)
  }

  private func rules(_ path: String) -> [String] {
    mvdump("check", "--json", path).json?["findings"]?.elements.compactMap { $0["rule"]?.text } ?? []
  }

  /// What the boxes say, read field by field from `mvdump tree`, which knows nothing of what was asked.
  private func tags(_ path: String) -> [String: JSONValue] {
    var found: [String: JSONValue] = [:]
    func collect(_ value: JSONValue?) {
      guard let value else { return }
      let fields = value["fields"]
      switch value["type"]?.text {
      case "stri":
        found["leftEye"] = fields?["has_left_eye_view"]
        found["rightEye"] = fields?["has_right_eye_view"]
        found["reversed"] = fields?["eye_views_reversed"]
        found["additional"] = fields?["has_additional_views"]
      case "hero":
        let names = ["none", "left", "right"]
        found["hero"] = fields?["hero_eye_indicator"]?.integer.flatMap {
          names.indices.contains($0) ? .string(names[$0]) : nil
        }
      case "blin": found["baseline"] = fields?["baseline_value"]
      case "dadj": found["disparity"] = fields?["disparity_adjustment"]
      case "hfov": found["fieldOfView"] = fields?["field_of_view"]
      case "prji": found["projection"] = fields?["projection_kind"]
      case "pkin": found["packing"] = fields?["view_packing_kind"]
      default: break
      }
      for child in value["boxes"]?.elements ?? value["children"]?.elements ?? [] { collect(child) }
    }
    let json = mvdump("tree", "--json", path).json
    for box in json?["boxes"]?.elements ?? [] { collect(box) }
    return found
  }
  /// What `mvdump info` says, by the keys of the variants.
  private func said(_ path: String) -> [String: JSONValue] {
    let names = [
      "hasLeftEye": "leftEye", "hasRightEye": "rightEye", "eyesReversed": "reversed",
      "hasAdditionalViews": "additional", "heroEye": "hero", "baselineMicrometers": "baseline",
      "disparityAdjustment": "disparity", "horizontalFieldOfViewMillidegrees": "fieldOfView",
      "projection": "projection", "packing": "packing",
    ]
    let stereo = mvdump("info", "--json", path).json?["tracks"]?.elements.first?["stereo"]
    var found: [String: JSONValue] = [:]
    for (key, name) in names {
      if let value = stereo?[key], value != .null { found[name] = value }
    }
    return found
  }

  /// What FFmpeg reads of the tags, where there is an ffprobe that knows them: 7.1 and later. It leaves out further views, and does not open
  /// a movie with a projection that it does not know.
  private func compareWithFFprobe(_ path: String, _ stereo: [String: JSONValue]) throws {
    guard let tool = OtherTools.ffprobe, stereo["projection"] != .string("abcd") else { return }
    let run = try shell("'\(tool)' -v error -show_streams -of json '\(path)'")
    let streams = try #require(JSONValue(run.output)?["streams"], "\(run.errors)")
    let sideData = streams.elements.first?["side_data_list"]?.elements ?? []
    let view = sideData.first { $0["side_data_type"]?.text == "Stereo 3D" }
    let mapping = sideData.first { $0["side_data_type"]?.text == "Spherical Mapping" }
    func number(_ key: String) -> Int { stereo[key]?.integer.map { Int($0) } ?? 0 }
    /// A ratio that is absent has another denominator.
    func ratio(_ key: String, _ denominator: Int) -> String {
      stereo[key] == nil ? "0/1" : "\(number(key))/\(denominator)"
    }
    if let left = stereo["leftEye"] {
      let right = stereo["rightEye"]
      let eyes = left == right ? "packed" : left == .bool(true) ? "left" : "right"
      #expect(view?["view"]?.text == eyes)
      #expect(view?["inverted"]?.integer == (stereo["reversed"] == .bool(true) ? 1 : 0))
      #expect(view?["primary_eye"]?.text == stereo["hero"]?.text ?? "none")
      #expect(view?["baseline"]?.integer.map { Int($0) } == number("baseline"))
      #expect(view?["horizontal_disparity_adjustment"]?.text == ratio("disparity", 10_000))
      let types = ["side": "side by side", "over": "top and bottom"]
      #expect(view?["type"]?.text == types[stereo["packing"]?.text ?? ""] ?? "unspecified")
    }
    if stereo["leftEye"] != nil || stereo["fieldOfView"] != nil {
      #expect(view?["horizontal_field_of_view"]?.text == ratio("fieldOfView", 1_000))
    }
    let projections = [
      "rect": "rectilinear", "equi": "equirectangular", "hequ": "half equirectangular",
      "prim": "parametric immersive", "fish": "fisheye",
    ]
    #expect(mapping?["projection"]?.text == projections[stereo["projection"]?.text ?? ""])
  }
}

/// Programs of others that read what is written here.
private enum OtherTools {
  /// The ffprobe that `MV_FFPROBE` names; `nil`, with a message, where none is named.
  static let ffprobe: String? = {
    let path = ProcessInfo.processInfo.environment["MV_FFPROBE"]
    if path == nil { print("skipped: no ffprobe 7.1 or later to compare with (MV_FFPROBE names one)") }
    return path
  }()
}
