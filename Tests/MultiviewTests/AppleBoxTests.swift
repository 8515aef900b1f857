// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ISOBMFF
import MovieCases
import Multiview
import TestSupport
import Testing

@Suite struct AppleBoxTests {
  @Test func realBytesReadAsWritten() throws {
    let entry = SampleEntryBytes(realStereoBoxes).entry
    let eyes = try #require(entry["vexu/eyes"])
    let stri = try #require(eyes.first(StereoViewInformationBox.self))
    #expect(stri.flagBits == 3)
    #expect(stri.hasLeftEyeView && stri.hasRightEyeView)
    #expect(!stri.hasAdditionalViews && !stri.eyeViewsReversed && stri.reserved == 0)
    #expect(eyes.first(HeroEyeBox.self)?.heroEye == .left)
    #expect(entry["vexu/eyes/cams"]?.first(CameraBaselineBox.self)?.baseline.rawValue == 19_240)
    #expect(entry["vexu/eyes/cmfy"]?.first(DisparityAdjustmentBox.self)?.adjustment.rawValue == 200)
    #expect(entry.first(HorizontalFieldOfViewBox.self)?.fieldOfView.degrees == 63.4)
    #expect(entry["vexu"]?.children.map(\.type) == ["eyes"])
    #expect(eyes.children.map(\.type) == ["stri", "hero", "cams", "cmfy"])
  }

  @Test func realBytesAreWrittenAgain() throws {
    var entry = Box("test")
    entry.children = [
      Box(
        "vexu",
        children: [
          Box(
            "eyes",
            children: [
              Box("stri", StereoViewInformationBox(eyes: [.leftEye, .rightEye])),
              Box("hero", HeroEyeBox(.left)),
              Box("cams", children: [Box("blin", CameraBaselineBox(Micrometers(rawValue: 19_240)))]),
              Box("cmfy", children: [Box("dadj", DisparityAdjustmentBox(DisparityRatio(rawValue: 200)))]),
            ])
        ]),
      Box("hfov", HorizontalFieldOfViewBox(Millidegrees(rawValue: 63_400))),
    ]
    #expect(try entry.encoded() == box("test", realStereoBoxes))
  }

  @Test func striBits() throws {
    for (bits, expected) in [
      (0x01 as UInt8, "left"), (0x02, "right"), (0x04, "additional"), (0x08, "reversed"), (0xF0, "reserved"),
    ] {
      let (value, _, error) = ByteView([0, 0, 0, 0, bits]).decode(StereoViewInformationBox())
      #expect(error == nil)
      #expect(value.hasLeftEyeView == (expected == "left"))
      #expect(value.hasRightEyeView == (expected == "right"))
      #expect(value.hasAdditionalViews == (expected == "additional"))
      #expect(value.eyeViewsReversed == (expected == "reversed"))
      #expect(value.reserved == (expected == "reserved" ? 15 : 0))
      #expect(try value.encoded() == [0, 0, 0, 0, bits])
    }
  }

  @Test func disparityIsSigned() {
    let (value, _, _) = ByteView([0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0x38]).decode(DisparityAdjustmentBox())
    #expect(value.adjustment.rawValue == -200)
    #expect(value.adjustment.fraction == -0.02)
  }

  @Test func sameTypeMeansAnotherThingElsewhere() {
    let registry = BoxRegistry.standard
    #expect(
      registry.registration(for: "stri", in: .box("eyes"))?.payloadType == StereoViewInformationBox.self)
    #expect(
      registry.registration(for: "stri", in: .box("strk"))?.payloadType != StereoViewInformationBox.self)
    let apple = registry.registration(for: "equi", in: .box("proj", in: "vexu"))
    #expect(apple?.payloadType == ProjectionKindBox.self)
    #expect(registry.registration(for: "equi", in: .box("proj"))?.payloadType != ProjectionKindBox.self)
    #expect(registry.registration(for: "hfov", in: .box("vexu")) == nil)
    #expect(BoxScope.box("proj", in: "vexu").description == "vexu/proj")
  }

  @Test func lensesAreReadWithAndWithoutFullHeader() throws {
    let one: [UInt8] = u32(0x3F80_0000)
    let parts =
      fullBox("lnhd", u32(7), code("prim"), code("colr"), code("left"))
      + fullBox("rdim", u32(4320), u32(4000))
      + fullBox(
        "lnin", flags: 3, u16(4), u16(2), u32(32_768), u32(34_560),
        u32(32_000), u32(32_784), i32(-6), u32(0x3E80_0000))
      + fullBox("ldst", flags: 1, one, one, one, u32(0xBF80_0000), u32(0x42BE_0000))
      + fullBox("lfad", u32(0), one, u32(0), u32(0), one, u32(0x3F00_0000))
      + box(
        "lnex", fullBox("corg", code("blin")),
        box("cxfm", fullBox("uqua", u32(0x3F00_0000), u32(0x3F00_0000), u32(0x3F00_0000))))
    let collection = box("lnsc", fullBox("lens", parts), box("lens", parts), box("free", [1, 2, 3]))
    let bytes = SampleEntryBytes(box("vexu", collection))
    #expect(try bytes.tree.encoded() == box("test", box("vexu", collection)))
    let layout = bytes.layout
    #expect(layout.hasLensCollection)
    #expect(layout.lenses.count == 2)
    for (index, lens) in layout.lenses.enumerated() {
      #expect(lens.place?.path == "hvc1/vexu/lnsc/lens[\(index)]")
      #expect(lens.missing == [])
      #expect(lens.header?.lensIdentifier == 7)
      #expect(lens.header?.lensRole == "left")
      #expect(lens.referenceDimensions?.referenceWidth == 4320)
      #expect(lens.referenceDimensions?.referenceHeight == 4000)
      #expect(lens.intrinsics?.intrinsicMatrix == [2048, 0, 0, -1.5, 2049, 0, 2160, 2000, 1])
      #expect(lens.intrinsics?.projectionOffset?.value == 0.25)
      #expect(lens.distortions?.p2.value == -1)
      #expect(lens.distortions?.calibrationLimitRadialAngle?.value == 95)
      #expect(lens.frameAdjustment?.y2.value == 0.5)
      #expect(lens.origin == "blin")
      #expect(lens.orientation?.w == 0.5)
      let entries = lens.formatDescriptionEntries
      #expect(
        entries.first { $0.key.rawValue == "ExtrinsicOriginSource" }?.value
          == .string("StereoCameraSystemBaseline"))
      #expect(entries.first { $0.key.rawValue == "LensIdentifier" }?.value == .integer(7))
    }
  }

  @Test func intrinsicsWithoutVerticalParts() {
    let bytes = ByteView(
      u32(0) + i16(-1) + u16(0) + u32(100) + u32(1)
        + u32(2))
    let (value, unread, error) = bytes.decode(LensIntrinsicsBox())
    #expect(error == nil && unread.isEmpty)
    #expect(value.focalLengthY == nil && value.skewFactor == nil && value.projectionOffset == nil)
    // A negative shift multiplies.
    #expect(value.intrinsicMatrix == [200, 0, 0, 0, 200, 0, 2, 4, 1])
  }

  @Test func quaternionOutsideTheUnitSphereHasNoRealPart() {
    var quaternion = UnitQuaternionBox()
    quaternion.x = 2
    #expect(quaternion.w == nil)
    quaternion.x = Binary32(.nan)
    #expect(quaternion.w == nil)
    quaternion.x = 0
    #expect(quaternion.w == 1)
  }
}
