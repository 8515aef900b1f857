// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import HEVCDecoding
import TestSupport
import Testing

/// What is not decoded is refused by its name, at the first picture that needs it, and never decoded wrongly.
@Suite struct RefusalTests {
  private static func units(_ name: String) -> [NALUnit] {
    AnnexBNALUnits(Fixtures.bytes("pictures/\(name).bit")).compactMap { try? $0.get() }
  }

  /// The stream with another set in the place of each sequence parameter set of a layer.
  private static func changed(
    _ name: String, layerID: UInt8 = 0, _ change: (inout SequenceParameterSet) -> Void
  ) throws -> [NALUnit] {
    let units = units(name)
    let vps = try units.first { $0.type == .videoParameterSet }.map { try VideoParameterSet(rbsp: $0.rbsp) }
    return try units.map { unit in
      guard unit.type == .sequenceParameterSet, unit.layerID == layerID else { return unit }
      var sps =
        layerID == 0
        ? try SequenceParameterSet(rbsp: unit.rbsp, layerID: 0)
        : try SequenceParameterSet(rbsp: unit.rbsp, layerID: layerID, vps: try #require(vps))
      change(&sps)
      return try NALUnit(unit.header, sps)
    }
  }

  private static func decode(_ units: [NALUnit]) -> ([DecodedPicture], [HEVCDecoder.Failure]) {
    let decoder = HEVCDecoder()
    var pictures: [DecodedPicture] = []
    for (index, unit) in AccessUnitGrouper.group(units).enumerated() {
      pictures += decoder.decode(unit.units, tag: index)
    }
    return (pictures + decoder.finish(), decoder.takeFailures())
  }

  /// Each tool for screen content alone.
  @Test func screenContent() throws {
    var tools: [SPSSCCExtension] = []
    var tool = SPSSCCExtension()
    tool.spsCurrPicRefEnabledFlag = true
    tools.append(tool)
    tool = SPSSCCExtension()
    tool.palette = SPSSCCExtension.Palette()
    tools.append(tool)
    tool = SPSSCCExtension()
    tool.motionVectorResolutionControlIdc = 1
    tools.append(tool)
    tool = SPSSCCExtension()
    tool.intraBoundaryFilteringDisabledFlag = true
    tools.append(tool)
    for tool in tools {
      let units = try Self.changed("ids_a") { sps in
        sps.extensions = sps.extensions ?? SPSExtensions()
        sps.extensions?.screenContent = tool
      }
      let (pictures, failures) = Self.decode(units)
      #expect(pictures.isEmpty)
      #expect(failures.first?.tag == 0)
      #expect(failures.first?.problem == .unsupported("coding tools for screen content"), "\(tool)")
    }
  }

  /// The extension alone asks for nothing.
  @Test func screenContentWithoutItsTools() throws {
    let units = try Self.changed("ids_a") { sps in
      sps.extensions = sps.extensions ?? SPSExtensions()
      sps.extensions?.screenContent = SPSSCCExtension()
    }
    let (pictures, failures) = Self.decode(units)
    #expect(pictures.map(DecodedStreamTests.truth) == PictureTruth.fixtures["ids_a"])
    #expect(failures.isEmpty)
  }

  /// The base layer goes on; the layer whose pictures would have to be scaled says why it is missing.
  @Test func layersOfDifferentSizes() throws {
    // The set of the higher layer takes its format from here; that of the base layer has its own.
    let units = try Self.units("x265_mv_noise").map { unit in
      guard unit.type == .videoParameterSet else { return unit }
      var vps = try VideoParameterSet(rbsp: unit.rbsp)
      let formats = try #require(vps.vpsExtension?.repFormats)
      for index in formats.indices { vps.vpsExtension?.repFormats[index].picWidthInLumaSamples += 32 }
      return try NALUnit(unit.header, vps)
    }
    let (pictures, failures) = Self.decode(units)
    let truth = try #require(PictureTruth.fixtures["x265_mv_noise"])
    #expect(pictures.map(DecodedStreamTests.truth) == truth.filter { $0.format.hasPrefix("0 ") })
    #expect(failures.first?.tag == 0 && failures.first?.layerID == 1)
    let what = "prediction between layers of different sizes or sample formats"
    #expect(failures.first?.problem == .unsupported(what))
  }

  @Test func threeDimensionalLayers() throws {
    let units = try Self.changed("x265_mv_noise", layerID: 1) { sps in
      sps.extensions = sps.extensions ?? SPSExtensions()
      sps.extensions?.threeDimensional = SPS3DExtension()
    }
    let (pictures, failures) = Self.decode(units)
    #expect(!pictures.isEmpty && pictures.allSatisfy { $0.layerID == 0 })
    #expect(failures.first?.layerID == 1)
    #expect(failures.first?.problem == .unsupported("3D-HEVC"))
  }

  /// What a caller finds too large is not even begun.
  @Test func picturesLargerThanAllowed() {
    var options = HEVCDecoder.Options()
    options.maximumLumaSamples = 63 * 64
    let decoder = HEVCDecoder(options)
    let pictures = decoder.decode(Self.units("mv_far"), tag: 0) + decoder.finish()
    #expect(pictures.isEmpty)
    #expect(decoder.takeFailures().first?.problem == .unsupported("a picture of 64x64"))
  }
}
