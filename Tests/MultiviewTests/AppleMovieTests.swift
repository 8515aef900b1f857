// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import Multiview
import TestSupport
import Testing

/// The two movies by Apple's own writers, value by value: against `ffprobe`, the reference decoder's trace, and what the
/// corpus says of them.
@Suite(.enabled(if: Corpus.isPresent)) struct AppleMovieTests {
  static let names = ["apple/iphone15promax.mov", "apple/stereo_spatial.mp4"]

  static func movie(_ name: String) throws -> MovieFile {
    try MovieFile(path: (Corpus.folder ?? "") + "/" + name)
  }

  /// "200/10000" and plain numbers, in units of the denominator.
  static func numerator(_ value: JSONValue?) -> Int? {
    value?.integer ?? value?.text.flatMap { Int($0.components("/")[0]) }
  }

  @Test(arguments: names) func asFFprobeSays(name: String) throws {
    let movie = try Self.movie(name)
    let json = try #require(JSONValue(Corpus.truth(name, "ffprobe.json") ?? ""))
    let streams = json["streams"]?.elements ?? []
    #expect(movie.tracks.count == streams.count)
    for (track, stream) in zip(movie.tracks, streams) {
      #expect(stream["id"]?.text == "0x" + String(track.id, radix: 16))
      #expect(stream["codec_tag_string"]?.text == track.codec?.description)
      #expect(stream["time_base"]?.text == "1/\(track.timescale)")
      #expect(stream["duration_ts"]?.integer.map(Int64.init) == track.duration?.value)
      #expect(stream["nb_frames"]?.text == "\(track.sampleCount)")
    }
    let track = movie.tracks[0], stream = streams[0]
    let base = try #require(track.layers.first)
    #expect(stream["width"]?.integer == base.croppedSize?.width)
    #expect(stream["height"]?.integer == base.croppedSize?.height)
    #expect(stream["coded_width"]?.integer == base.codedSize?.width)
    #expect(stream["coded_height"]?.integer == base.codedSize?.height)
    #expect(stream["level"]?.integer == base.profileTierLevel.map { Int($0.generalLevelIdc.rawValue) })
    #expect(stream["pix_fmt"]?.text == "yuv420p" && base.chromaFormat == "4:2:0" && base.bitDepthLuma == 8)
    #expect(stream["avg_frame_rate"]?.text == "30/1" && track.nominalFrameRate == 30)
    #expect(
      stream["view_ids_available"]?.text == track.layers.map { "\($0.viewID ?? 99)" }.joined(separator: ","))
    // AV_STEREO3D_VIEW: 1 is left, 2 right.
    let positions = track.layers.map { $0.eye == .left ? "1" : $0.eye == .right ? "2" : "0" }
    #expect(stream["view_pos_available"]?.text == positions.joined(separator: ","))
    let sides = stream["side_data_list"]?.elements ?? []
    let stereo = try #require(sides.first { $0["side_data_type"]?.text == "Stereo 3D" })
    let extensions = try #require(track.formatDescriptions.first).extensions
    #expect(stereo["view"]?.text == "packed")
    #expect(extensions.hasLeftStereoEyeView == true && extensions.hasRightStereoEyeView == true)
    #expect((stereo["inverted"]?.integer == 1) == track.formatDescriptions[0].stereo.eyeViewsReversed)
    #expect(stereo["primary_eye"]?.text == (extensions.heroEye.map { "\($0)" } ?? "none"))
    #expect(Self.numerator(stereo["baseline"]) == extensions.stereoCameraBaseline.map(Int.init))
    #expect(
      Self.numerator(stereo["horizontal_disparity_adjustment"])
        == extensions.horizontalDisparityAdjustment.map(Int.init))
    #expect(
      Self.numerator(stereo["horizontal_field_of_view"]) == extensions.horizontalFieldOfView.map(Int.init))
    let spherical = sides.first { $0["side_data_type"]?.text == "Spherical Mapping" }
    #expect(
      spherical?["projection"]?.text
        == track.formatDescriptions[0].stereo.projection.map { $0 == .rectilinear ? "rectilinear" : "\($0)" })
  }

  @Test(arguments: names) func fileAndMetadata(name: String) throws {
    let movie = try Self.movie(name)
    let format = try #require(JSONValue(Corpus.truth(name, "ffprobe.json") ?? "")?["format"])
    let tags = try #require(format["tags"])
    #expect(tags["major_brand"]?.text == movie.container.majorBrand?.description)
    #expect(tags["minor_version"]?.text == movie.container.minorVersion.map { "\($0)" })
    #expect(
      tags["compatible_brands"]?.text == movie.container.compatibleBrands.map(\.description).joined())
    #expect(
      format["duration"]?.text.flatMap(Double.init).map { ($0 * 600).rounded() / 600 }
        == movie.duration?.seconds)
    #expect(movie.isReadable)
    let keys = movie.metadata.items.filter { $0.keySpace == .quickTimeMetadata }
    var found = 0
    for item in keys {
      // ffprobe shows no place where a movie was taken under this key, and times of day in its own way.
      guard let theirs = tags[item.key.rawValue]?.text else { continue }
      #expect(item.stringValue == theirs, "\(item.key)")
      found += 1
    }
    #expect(found == (name.hasSuffix(".mov") ? 7 : 0))
    guard name.hasSuffix(".mov") else { return }
    #expect(movie.metadata[.spatialFormatVersion]?.stringValue == "1.0")
    #expect(movie.metadata[.spatialAggressorsSeen]?.integerValue == 0)
    #expect(movie.metadata[.make]?.stringValue == "Apple")
    #expect(movie.metadata[.model]?.stringValue == "iPhone 15 Pro Max")
    #expect(movie.metadata[.software]?.stringValue == "17.5.1")
    // The track of timed metadata has keys, each with its type.
    let table = try #require(movie.tracks[1].timedMetadataKeys)
    #expect(!table.keys.isEmpty && table.diagnostics.isEmpty)
  }

  @Test(arguments: names) func asTheTraceSays(name: String) throws {
    let track = try #require(try Self.movie(name).tracks.first)
    let trace = ReferenceTrace(Corpus.truth(name, "HTM16.TraceDec.txt") ?? "")
    let elements = trace.nalUnits.flatMap(\.elements)
    func values(_ element: String) -> [Int64] { elements.filter { $0.name == element }.map(\.value) }
    #expect(values("layer_id_in_nuh") == track.layers.dropFirst().map { Int64($0.layerID) })
    #expect(values("view_id_val") == track.layers.map { Int64($0.viewID ?? 99) })
    #expect(values("direct_dependency_flag") == [1] && track.layers.map(\.directReferences) == [[], [0]])
    #expect(
      values("pic_width_vps_in_luma_samples").first == track.layers[1].codedSize.map { Int64($0.width) })
    #expect(
      values("pic_height_vps_in_luma_samples").first == track.layers[1].codedSize.map { Int64($0.height) })
    // The trace of the other movie ends within its VPS.
    guard name.hasSuffix(".mov") else { return }
    #expect(values("left_view_id") == [1] && values("right_view_id") == [0])
    #expect(track.layers.map(\.eye) == [.right, .left])
    #expect(track.eyeAssignment.decidedBy == .referenceDisplays && track.eyeAssignment.contradictions.isEmpty)
    #expect(values("pic_width_in_luma_samples").first == track.layers[0].codedSize.map { Int64($0.width) })
    #expect(values("general_profile_idc").last == 1)
    let pictures = trace.nalUnits.filter { $0.type >= 0 && $0.type < 32 }
    var layers: [Int] = [], types: [Int] = []
    try track.forEachAccessUnit { places, _ in
      for unit in places.units where unit.header.type.isVideoCodingLayer {
        layers.append(Int(unit.header.layerID))
        types.append(Int(unit.header.type.rawValue))
      }
      return true
    }
    #expect(layers == pictures.map(\.layerID))
    #expect(types == pictures.map(\.type))
  }

  @Test(arguments: names) func tagsAndClass(name: String) throws {
    let track = try #require(try Self.movie(name).tracks.first)
    // The corpus: the capture's base layer is the right eye, the other movie's the left.
    let eyes: [StereoViewComponents] =
      name.hasSuffix(".mov") ? [.rightEye, .leftEye] : [.leftEye, .rightEye]
    #expect(
      track.tagCollections == [
        [.videoLayerID(0), .stereoView(eyes[0])], [.videoLayerID(1), .stereoView(eyes[1])],
      ])
    #expect(track.classification == .spatial && track.classificationReport.strict?.isSpatial == true)
    #expect(
      track.mediaCharacteristics == [
        .visual, .frameBased, .containsStereoMultiviewVideo, .carriesVideoStereoMetadata,
        .indicatesHorizontalFieldOfView,
      ])
    #expect(track.codecString == (name.hasSuffix(".mov") ? "hvc1.1.6.L123.B0" : "hvc1.1.6.L60.B0"))
    #expect(track.layers.map { $0.profileTierLevel?.general?.profileIdc.rawValue } == [1, 6])
    #expect(track.layers.map(\.outputLayerSets) == [[0, 1], [1]])
    let cursor = try #require(try track.makeSampleCursorAtFirstSampleInDecodeOrder())
    #expect(cursor.currentSampleSyncInfo.sampleIsFullSync)
    #expect(cursor.samplesRequiredForDecoderRefresh == 0)
    var last = cursor
    #expect(last.stepInDecodeOrder(byCount: 100) == Int64(track.sampleCount - 1))
    // Neither movie has groups that say it.
    #expect(last.samplesRequiredForDecoderRefresh == 0)
  }
}
