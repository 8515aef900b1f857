// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding
import HEVC
package import ISOBMFF
import Multiview
import TestSupport

extension RuleCase {
  static let structure: [RuleCase] = [
    RuleCase("MV001") { movie in
      // The last box says that it is longer than the file.
      try movie.patch { bytes in bytes[bytes.count - 75 + 3] &+= 40 }
    },
    RuleCase("MV002") { movie in
      let header = try required(movie.tree["moov/trak/mdia/minf/vmhd"])
      try movie.patch { $0[header.offset + 8] = 9 }
    },
    RuleCase("MV003") { $0.remove("moov") },
    RuleCase("MV004") { $0.remove("ftyp") },
    RuleCase("MV081", "cmaf-hevc-sidx.mp4") { movie in
      movie.remove("ftyp")
      movie.remove("moov")
    },
    RuleCase("MV082", also: ["MV055"]) { movie in
      // A parameter set that ends after its first bytes.
      movie.edit("\(entry)/hvcC", HEVCConfigurationBox.self) { box in
        for index in box.record.arrays.indices
        where box.record.arrays[index].nalUnitType == .sequenceParameterSet {
          box.record.arrays[index].units = box.record.arrays[index].units.map { $0.prefix(6) }
        }
      }
    },
    RuleCase("MV100") { movie in
      // Filler without end after the pictures of the first sample.
      let bytes = try movie.encoded()
      var samples: [[UInt8]] = []
      for sample in try movie.opened().tracks[0].samples() {
        samples.append(Array(bytes[Int(sample.offset)..<Int(sample.offset) + Int(sample.size)]))
      }
      for _ in 0..<70_000 { samples[0] += [0, 0, 0, 3, 0x4C, 0x01, 0x80] }
      try movie.place(samples)
    },
    RuleCase("MV083") { $0.remove("moov/mvhd") },
    RuleCase("MV083") { $0.remove("moov/trak/tkhd") },
    RuleCase("MV083") { $0.remove("moov/trak/mdia/mdhd") },
    RuleCase("MV083") { $0.remove("moov/trak/mdia/hdlr") },
    RuleCase("MV083") { $0.remove("moov/trak/mdia/minf/dinf") },
    RuleCase("MV083", also: ["MV082"]) { $0.remove("\(tables)/stsd") },
    RuleCase("MV084") { $0.edit("moov/trak/tkhd", TrackHeaderBox.self) { $0.trackID = 0 } },
    RuleCase("MV084", "two-tracks-lhv1.mp4", also: ["MV074", "MV122"]) { movie in
      movie.edit("moov/trak[1]/tkhd", TrackHeaderBox.self) { $0.trackID = 1 }
    },
    RuleCase("MV085") { $0.edit("moov/mvhd", MovieHeaderBox.self) { $0.timescale = 0 } },
    RuleCase("MV085") { $0.edit("moov/trak/mdia/mdhd", MediaHeaderBox.self) { $0.timescale = 0 } },
    RuleCase("MV095", "cmaf-hevc-sidx.mp4") { movie in
      movie.edit("moof[1]/traf[1]/tfhd", TrackFragmentHeaderBox.self) { $0.trackID = 9 }
    },
    RuleCase("MV096") { movie in
      let header = try required(movie.tree["moov/trak/tkhd"]).encoded()
      try movie.append(header, to: "moov/trak")
    },
    RuleCase("MV097", "two-tracks-lhv1.mp4", also: ["MV074"]) { movie in
      movie.edit("moov/trak[1]") { trak in trak.children.removeAll { $0.type == "tref" } }
      try movie.append(box("tref", box("sbas", u32(7))), to: "moov/trak[1]")
    },
    RuleCase("MV097") { movie in
      try movie.append(box("tref", box("cdsc", u32(7))), to: "moov/trak")
    },
    RuleCase("MV122") { movie in
      try movie.append(box("tref", box("sbas", u32(1)), box("oref", u32(1))), to: "moov/trak")
    },
    RuleCase("MV084") { movie in
      // A second track that nothing names.
      let track = try required(movie.tree["moov/trak"]).encoded()
      try movie.append(track, to: "moov")
      let chunks = movie.tree["moov/trak[0]/mdia/minf/stbl/stco"]?.payload(ChunkOffsetBox.self)
      movie.edit("moov/trak[1]/mdia/minf/stbl/stco", ChunkOffsetBox.self) { $0 = chunks ?? $0 }
    },
    RuleCase("MV065", "cmaf-hevc-sidx.mp4", also: ["MV095"]) { movie in
      // Fragments of this one say everything themselves.
      let defaults = try required(movie.tree["moov/mvex/trex"])
      try movie.patch { $0.replaceSubrange(defaults.offset + 4..<defaults.offset + 8, with: code("free")) }
    },
    RuleCase("MV091") { $0.edit("\(tables)/stsd", SampleDescriptionBox.self) { $0.entryCount = 3 } },
    RuleCase("MV091") {
      $0.edit("moov/trak/mdia/minf/dinf/dref", DataReferenceBox.self) { $0.entryCount = 3 }
    },
  ]

  static let cameras: [RuleCase] = [
    RuleCase("MV022") { $0.remove("\(entry)/hfov") },
    RuleCase("MV023") { $0.remove("\(entry)/vexu/eyes/cams") },
    RuleCase("MV024") { $0.remove("\(entry)/vexu/eyes/cmfy") },
    RuleCase("MV025") { movie in
      for path in ["hfov", "vexu/eyes/cams", "vexu/eyes/cmfy"] { movie.remove("\(entry)/\(path)") }
    },
    RuleCase(
      "MV026",
      from: {
        var movie = EditedMovie()
        for path in ["vexu/eyes/cams", "vexu/eyes/cmfy"] { movie.remove("\(entry)/\(path)") }
        return movie
      }
    ) { movie in
      movie.edit("\(entry)/hfov", HorizontalFieldOfViewBox.self) { $0.fieldOfView.rawValue = 0 }
    },
    RuleCase("MV026") {
      $0.edit("\(entry)/hfov", HorizontalFieldOfViewBox.self) { $0.fieldOfView.rawValue = 0 }
    },
    RuleCase("MV027") { movie in
      movie.edit("\(entry)/vexu/eyes/cams/blin", CameraBaselineBox.self) { $0.baseline.rawValue = 0 }
    },
    RuleCase("MV028") { movie in
      movie.edit("\(entry)/hfov", HorizontalFieldOfViewBox.self) { $0.fieldOfView.rawValue = 400_000 }
    },
    RuleCase("MV029") { movie in
      movie.edit("\(entry)/vexu/eyes/cmfy/dadj", DisparityAdjustmentBox.self) {
        $0.adjustment.rawValue = 20_000
      }
    },
    RuleCase("MV030", "half-equirect-180.mov") { movie in
      movie.edit("\(entry)/hfov", HorizontalFieldOfViewBox.self) { $0.fieldOfView.rawValue = 63_400 }
    },
    RuleCase("MV030", "half-equirect-180.mov") { movie in
      movie.edit("\(entry)/hfov", HorizontalFieldOfViewBox.self) { $0.fieldOfView.rawValue = 360_000 }
    },
    RuleCase("MV030", "half-equirect-180.mov") { movie in
      movie.edit("\(entry)/vexu/proj/prji", ProjectionInformationBox.self) {
        $0.projection = .equirectangular
      }
    },
    // The least value that is not one of a flat camera.
    RuleCase("MV030", "half-equirect-180.mov") { movie in
      movie.edit("\(entry)/vexu/proj/prji", ProjectionInformationBox.self) {
        $0.projection = .equirectangular
      }
      movie.edit("\(entry)/hfov", HorizontalFieldOfViewBox.self) { $0.fieldOfView.rawValue = 120_000 }
    },
    RuleCase("MV080", from: packed) { try $0.append(box("hfov", u32(63_400)), to: entry) },
    RuleCase("MV092") { movie in
      movie.edit("\(entry)/vexu/eyes/cams/blin", CameraBaselineBox.self) { $0.baseline.rawValue = 64_000_000 }
    },
  ]

  static let stereoBoxes: [RuleCase] = [
    RuleCase("MV031") { movie in
      movie.edit("\(entry)/vexu/eyes/stri", StereoViewInformationBox.self) { $0.hasRightEyeView = false }
    },
    RuleCase("MV032") { try $0.append(fullBox("must", code("zzzz")), to: "\(entry)/vexu") },
    RuleCase("MV033") { try $0.append(box("free"), to: "\(entry)/vexu/eyes/cams") },
    RuleCase("MV034", also: ["MV022"]) { movie in
      movie.remove("\(entry)/hfov")
      try movie.append(box("hfov", u32(63_400)), to: "\(entry)/vexu")
    },
    RuleCase("MV034", also: ["MV016"]) { movie in
      movie.remove("\(entry)/vexu")
      try movie.append(vexu(3), to: "moov/trak")
    },
    RuleCase("MV034") { try $0.append(box("proj", fullBox("prji", code("hequ"))), to: entry) },
    RuleCase("MV035", also: ["MV033"]) { movie in
      movie.remove("\(entry)/hfov")
      try movie.append(fullBox("hfov", u32(63_400)), to: entry)
    },
    RuleCase("MV035", also: ["MV001", "MV002", "MV016", "MV038"]) { movie in
      movie.remove("\(entry)/vexu")
      try movie.append(box("vexu", fullBox("eyes", fullBox("stri", [3]))), to: entry)
    },
    RuleCase("MV036", also: ["MV002", "MV023"]) { movie in
      let baseline = try required(movie.tree["moov/trak/mdia/minf/stbl/stsd/hvc1/vexu/eyes/cams/blin"])
      try movie.patch { $0[baseline.offset + 8] = 1 }
    },
    RuleCase("MV036", "half-equirect-180.mov", also: ["MV002", "MV038"]) { movie in
      let information = try required(movie.tree["moov/trak/mdia/minf/stbl/stsd/hvc1/vexu/proj/prji"])
      try movie.patch { $0[information.offset + 8] = 1 }
    },
    RuleCase("MV037") { movie in
      let field = try required(movie.tree["moov/trak/mdia/minf/stbl/stsd/hvc1/hfov"]).encoded()
      try movie.append(field, to: entry)
    },
    RuleCase("MV033") { movie in
      // Bytes after the fields.
      movie.remove("\(entry)/hfov")
      try movie.append(box("hfov", u32(63_400), u32(7)), to: entry)
    },
    RuleCase("MV038") { try $0.append(box("pack"), to: "\(entry)/vexu") },
    RuleCase("MV037") { try $0.append(box("hfov", u32(63_400)), to: entry) },
    RuleCase("MV038", also: ["MV016"]) { $0.remove("\(entry)/vexu/eyes/stri") },
    RuleCase("MV039", "half-equirect-180.mov") { movie in
      movie.edit("\(entry)/vexu/proj/prji", ProjectionInformationBox.self) { $0.projection.rawValue = "zzzz" }
    },
    RuleCase(
      "MV040",
      from: {
        var movie = EditedMovie("alpha-layer.mp4")
        movie.remove("\(entry)/vexu")
        return movie
      }, { try $0.append(vexu(3), to: entry) }),
    RuleCase("MV041", from: packed) { $0.remove("\(entry)/vexu/pack") },
    RuleCase("MV042", "hdr10.mp4", also: ["MV062", "MV123"]) {
      try $0.append(fullBox("st3d", [2]), to: entry)
    },
    RuleCase("MV043") { try $0.append(fullBox("st3d", [2]), to: entry) },
    RuleCase("MV044", "hdr10.mp4", also: ["MV062"]) { movie in
      let projection =
        fullBox("prhd", u32(0), u32(0), u32(0)) + fullBox("equi", u32(0), u32(0), u32(0), u32(0))
      try movie.append(box("sv3d", fullBox("svhd", [0]), box("proj", projection)), to: entry)
    },
    RuleCase("MV045", "half-equirect-180.mov") { movie in
      movie.edit("\(entry)/vexu/proj/prji", ProjectionInformationBox.self) {
        $0.projection = .parametricImmersive
      }
    },
    RuleCase("MV075") {
      try $0.append(box("pack", fullBox("pkin", code("side"))), to: "\(entry)/vexu")
    },
    RuleCase("MV076", from: twoEyes) { movie in
      movie.edit("moov/trak[1]/mdia/minf/stbl/stsd/hvc1/vexu/eyes/stri", StereoViewInformationBox.self) {
        ($0.hasLeftEyeView, $0.hasRightEyeView) = (true, false)
      }
    },
    RuleCase("MV127", also: ["MV064"], from: twoEyes) { movie in
      movie.edit("moov/trak[1]/mdia/minf/stbl/stsd/hvc1", VisualSampleEntry.self) { $0.height -= 8 }
    },
    RuleCase("MV127", from: twoEyes) { movie in
      movie.edit("moov/trak[1]/mdia/mdhd", MediaHeaderBox.self) { $0.timescale /= 2 }
    },
    RuleCase("MV077", from: packed) { movie in
      movie.edit("\(entry)/vexu/eyes/stri", StereoViewInformationBox.self) { $0.hasRightEyeView = false }
    },
    RuleCase("MV077", from: packed) { $0.remove("\(entry)/vexu/eyes") },
    RuleCase("MV078", "half-equirect-180.mov") { movie in
      movie.edit("\(entry)/vexu/proj/prji", ProjectionInformationBox.self) { $0.projection = .fisheye }
    },
    RuleCase("MV079") { try $0.append(box("lnsc", lens), to: "\(entry)/vexu") },
    RuleCase("MV088", "half-equirect-180.mov", also: []) { movie in
      movie.edit("\(entry)/vexu/proj/prji", ProjectionInformationBox.self) {
        $0.projection = .parametricImmersive
      }
      try movie.append(box("lnsc", lens), to: "\(entry)/vexu")
    },
    // A focal length of 0, a reference picture without height, a rotation that is none.
    RuleCase("MV088", from: parametric) {
      try $0.append(box("lnsc", wholeLens(focalLength: 0)), to: "\(entry)/vexu")
    },
    RuleCase("MV088", from: parametric) {
      try $0.append(box("lnsc", wholeLens(verticalFocalLength: 0)), to: "\(entry)/vexu")
    },
    RuleCase("MV088", from: parametric) {
      try $0.append(box("lnsc", wholeLens(height: 0)), to: "\(entry)/vexu")
    },
    RuleCase("MV088", from: parametric) {
      try $0.append(box("lnsc", wholeLens(turn: 1)), to: "\(entry)/vexu")
    },
    RuleCase("MV088", from: parametric) {
      try $0.append(box("lnsc", wholeLens(), wholeLens()), to: "\(entry)/vexu")
    },
    // Two eyes need two lenses, and those that the baseline places need its length.
    RuleCase("MV088", from: stereoParametric) {
      try $0.append(box("lnsc", wholeLens(role: "left")), to: "\(entry)/vexu")
    },
    RuleCase("MV088", from: stereoParametric) {
      try $0.append(
        box("lnsc", wholeLens(role: "rght"), wholeLens(identifier: 2, role: "rght")), to: "\(entry)/vexu")
    },
    RuleCase("MV088", from: stereoLenses) { $0.remove("\(entry)/vexu/eyes/cams") },
    RuleCase("MV093") { movie in
      movie.edit("\(entry)/vexu/eyes/stri", StereoViewInformationBox.self) { $0.hasAdditionalViews = true }
    },
  ]

  /// A lens of which the kind and nothing else is reported.
  private static let lens = fullBox(
    "lens", fullBox("lnhd", u32(1), code("prim"), code("colr"), code("mono")))

  /// A movie of a parametric projection without a lens.
  @Sendable private static func parametric() throws -> EditedMovie {
    var movie = EditedMovie("half-equirect-180.mov")
    movie.edit("\(entry)/vexu/proj/prji", ProjectionInformationBox.self) {
      $0.projection = .parametricImmersive
    }
    return movie
  }

  /// The same with the distance of the cameras, for two eyes.
  @Sendable private static func stereoParametric() throws -> EditedMovie {
    var movie = try parametric()
    movie.remove("\(entry)/vexu/eyes/cams")
    try movie.append(box("cams", fullBox("blin", u32(64_000))), to: "\(entry)/vexu/eyes")
    return movie
  }

  /// The same with a lens for each eye.
  @Sendable private static func stereoLenses() throws -> EditedMovie {
    var movie = try stereoParametric()
    try movie.append(
      box("lnsc", wholeLens(role: "left"), wholeLens(identifier: 2, role: "rght")), to: "\(entry)/vexu")
    return movie
  }

  /// A lens of which everything is reported. The rotation is turned about three axes, each by that imaginary part.
  private static func wholeLens(
    focalLength: UInt32 = 500, verticalFocalLength: UInt32? = nil, height: UInt32 = 1_000, turn: Float = 0,
    identifier: UInt32 = 1, role: FourCC = "mono"
  ) -> [UInt8] {
    let part = u32(turn.bitPattern)
    // The vertical focal length comes with the skew.
    let vertical = verticalFocalLength.map { u32($0) + u32(0) } ?? []
    let intrinsics = fullBox(
      "lnin", flags: vertical.isEmpty ? 2 : 3, u32(0), u32(focalLength), u32(500), u32(500), vertical, u32(0))
    let distortions = fullBox("ldst", flags: 1, u32(0), u32(0), u32(0), u32(0), u32(Float(90).bitPattern))
    let extrinsics = box(
      "lnex", fullBox("corg", code("blin")), box("cxfm", fullBox("uqua", part, part, part)))
    return fullBox(
      "lens", fullBox("lnhd", u32(identifier), code("prim"), code("colr"), code(role)),
      fullBox("rdim", u32(1_000), u32(height)), intrinsics, distortions,
      fullBox("lfad", u32(0), u32(0), u32(0), u32(0), u32(0), u32(0)), extrinsics)
  }

  /// A movie with both views in one picture.
  @Sendable private static func packed() throws -> EditedMovie {
    var movie = EditedMovie("hdr10.mp4")
    try movie.append(vexu(3, box("pack", fullBox("pkin", code("side")))), to: entry)
    return movie
  }

  /// A movie with a track for each eye.
  @Sendable private static func twoEyes() throws -> EditedMovie {
    var movie = EditedMovie("hdr10.mp4")
    try movie.append(vexu(1), to: entry)
    let track = try required(movie.tree["moov/trak"]).encoded()
    try movie.append(track, to: "moov")
    movie.edit("moov/trak[1]/tkhd", TrackHeaderBox.self) { $0.trackID = 2 }
    movie.edit("moov/trak[1]/mdia/minf/stbl/stsd/hvc1/vexu/eyes/stri", StereoViewInformationBox.self) {
      ($0.hasLeftEyeView, $0.hasRightEyeView) = (false, true)
    }
    return movie
  }

  /// A movie whose box and VUI signal the same colours.
  @Sendable private static func coloured() throws -> EditedMovie {
    var movie = EditedMovie()
    try movie.editSPS { $0.setColour(1, 1, 1) }
    try movie.append(colr(1, 1, 1, isFullRange: false), to: entry)
    return movie
  }

  static let colour: [RuleCase] = [
    RuleCase("MV062") { try $0.editSPS { $0.setColour(9, 16, 9) } },
    RuleCase(
      "MV063",
      from: coloured,
      { movie in
        movie.edit("\(entry)/colr", ColourInformationBox.self) { $0.colourPrimaries = 9 }
      }),
    RuleCase(
      "MV063",
      from: coloured,
      { movie in
        movie.edit("\(entry)/colr", ColourInformationBox.self) { $0.isFullRange = true }
      }),
    RuleCase(
      "MV063",
      from: {
        // The VUI says of colours no more than their range.
        var movie = EditedMovie()
        try movie.editSPS { $0.setColour(1, 1, 1) }
        try movie.editSPS { $0.vui?.videoSignalType?.colour = nil }
        try movie.append(colr(1, 1, 1, isFullRange: false), to: entry)
        return movie
      },
      { movie in
        try movie.editSPS { $0.vui?.videoSignalType?.videoFullRangeFlag = true }
      }),
    RuleCase("MV064") { $0.edit(entry, VisualSampleEntry.self) { $0.height = 184 } },
  ]

  static let streaming: [RuleCase] = [
    RuleCase("MV065", "two-views-fragmented.mp4", also: ["MV054", "MV056"]) { movie in
      let defaults = try required(movie.tree["moov/mvex/trex"])
      try movie.patch { $0.replaceSubrange(defaults.offset + 4..<defaults.offset + 8, with: code("free")) }
    },
    RuleCase("MV066", "two-views-fragmented.mp4", also: ["MV057"]) { movie in
      movie.edit("\(tables)/stts", TimeToSampleBox.self) { $0.entries = .of([run(1, 1_000)]) }
      // Fragments name places in the file: what moov grows by is taken from the padding in front of it.
      movie.replace("free", with: box("free", [UInt8](repeating: 0, count: 75 - 8 - 8)))
    },
    RuleCase("MV067", "two-views-fragmented.mp4") { movie in
      movie.edit("\(entry)/hvcC", HEVCConfigurationBox.self) { $0.record.generalLevelIdc.rawValue = 180 }
    },
    RuleCase("MV068", "two-views-fragmented.mp4", also: ["MV005"]) { try rename("hev1", &$0) },
    RuleCase("MV128", "cmaf-hevc-sidx.mp4", also: ["MV080"]) {
      try $0.append(vexu(3, box("pack", fullBox("pkin", code("side")))), to: entry)
    },
    RuleCase("MV069", "cmaf-hevc-sidx.mp4") { movie in
      let time = try required(movie.tree["moof[1]/traf[0]/tfdt"])
      try movie.patch { $0.replaceSubrange(time.offset + 4..<time.offset + 8, with: code("free")) }
    },
    RuleCase("MV070", "cmaf-hevc-sidx.mp4") { movie in
      // The offsets of the second track count from the data of the first now.
      let header = try required(movie.tree["moof[1]/traf[1]/tfhd"])
      try movie.patch { $0[header.offset + 9] = 0 }
    },
    RuleCase("MV071", "cmaf-hevc-sidx.mp4") { movie in
      movie.edit("ftyp", FileTypeBox.self) { box in
        box.majorBrand = "iso5"
        box.compatibleBrands = ["iso5", "mp41", "mp42", "dash"]
      }
    },
    RuleCase("MV072", "cmaf-hevc-sidx.mp4") { movie in
      movie.edit("moov") { moov in
        let place = moov.children.firstIndex { $0.type == "mvex" }
        if let place { moov.children.insert(moov.children.remove(at: place), at: 1) }
      }
    },
  ]

  /// A `colr` with code points.
  package static func colr(_ primaries: UInt16, _ transfer: UInt16, _ matrix: UInt16, isFullRange: Bool)
    -> [UInt8]
  {
    box("colr", code("nclx"), u16(primaries), u16(transfer), u16(matrix), [isFullRange ? 0x80 : 0])
  }

  /// Bytes that name the sample entry otherwise.
  package static func rename(_ type: FourCC, _ movie: inout EditedMovie) throws {
    let entry = try required(movie.tree["moov/trak/mdia/minf/stbl/stsd/hvc1"])
    try movie.patch { $0.replaceSubrange(entry.offset + 4..<entry.offset + 8, with: code(type)) }
  }

  /// A row of `stts`.
  package static func run(_ count: UInt32, _ delta: UInt32) -> TimeToSampleBox.Entry {
    var entry = TimeToSampleBox.Entry()
    (entry.sampleCount, entry.sampleDelta) = (count, delta)
    return entry
  }
}

extension SequenceParameterSet {
  /// Writes code points of colour into the VUI.
  fileprivate mutating func setColour(_ primaries: UInt8, _ transfer: UInt8, _ matrix: UInt8) {
    var vui = self.vui ?? VUIParameters()
    var signal = vui.videoSignalType ?? VideoSignalType()
    var colour = ColourDescription()
    (colour.colourPrimaries, colour.transferCharacteristics, colour.matrixCoeffs) = (
      primaries, transfer, matrix
    )
    signal.colour = colour
    vui.videoSignalType = signal
    self.vui = vui
  }
}
