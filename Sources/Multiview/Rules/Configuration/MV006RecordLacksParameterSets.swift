// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF

extension Rule {
  static let recordLacksParameterSets = Rule(
    "MV006", .error, "hvcC lacks parameter sets",
    source: "ISO/IEC 14496-15, 8.4.3", for: [.spatial, .stereo, .immersive, .hls, .iso],
    why: "hvc1 promises that every parameter set stands in hvcC. Without them AVFoundation makes no format "
      + "description, and the track is not shown at all.",
    mend: "Put VPS, SPS and PPS of the base layer into hvcC, each in an array marked complete."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let description = track.description, track.promisesSetsInRecord else { return }
    guard let record = description.hevcConfiguration else {
      if description.box.first("hvcC") == nil {
        findings.add("there is no hvcC", at: track.place, wanted: "hvcC")
      }
      return
    }
    let lacking = TrackFacts.kindsOfBaseSets(lackingIn: record)
    guard !lacking.isEmpty else { return }
    let names = lacking.map(\.name).joined(separator: ", ")
    findings.add(
      "hvcC has no \(names)", at: track.place(of: "hvcC"),
      found: record.arrays.isEmpty ? "no arrays" : "\(record.arrays.count) arrays", wanted: names)
  }
}

extension TrackFacts {
  fileprivate var promisesSetsInRecord: Bool {
    description.map { ["hvc1", "hvc2", "dvh1"].contains($0.codec) } ?? false
  }

  /// Whether there is no parameter set of some kind for the base layer where all of them should be.
  var lacksBaseSets: Bool {
    guard promisesSetsInRecord else { return false }
    return description?.hevcConfiguration.map { !Self.kindsOfBaseSets(lackingIn: $0).isEmpty } ?? true
  }

  fileprivate static func kindsOfBaseSets(lackingIn record: DecoderConfigurationRecord) -> [NALUnitType] {
    let types = Set(record.nalUnits.filter { $0.layerID == 0 }.map(\.type))
    return [.videoParameterSet, .sequenceParameterSet, .pictureParameterSet].filter { !types.contains($0) }
  }
}
