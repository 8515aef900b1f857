// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import ISOBMFF
import MVDumpCommand
import Multiview
import TestSupport
import Testing

/// Movies whose boxes lose samples: every command that goes through samples says that these are not all.
@Suite struct IncompleteSamplesTests {
  enum Loss: CaseIterable {
    case shortTable, noTable, noFragmentHeader, brokenFragment

    var bytes: ByteView {
      var bytes = Fixtures.bytes(isFragmented ? "cmaf-hevc-sidx.mp4" : "spatial.mov").array
      let tree = BoxTree(ByteView(bytes), registry: .standard)
      func put(_ value: [UInt8], at path: BoxPath, _ place: Int) {
        guard let offset = tree[path]?.offset else { return }
        bytes.replaceSubrange(offset + place..<offset + place + value.count, with: value)
      }
      switch self {
      case .shortTable: put([0, 0, 0, 2], at: "moov/trak/mdia/minf/stbl/stsz", 16)
      case .noTable: put(Array("free".utf8), at: "moov/trak/mdia/minf/stbl/stco", 4)
      case .noFragmentHeader: put(Array("free".utf8), at: "moof[1]/traf/tfhd", 4)
      case .brokenFragment: put([0, 0, 0xFF, 0xFF], at: "moof[1]/traf/trun", 12)
      }
      return ByteView(bytes)
    }

    var isFragmented: Bool { self == .noFragmentHeader || self == .brokenFragment }
  }

  @Test(arguments: Loss.allCases)
  func everyCommandSaysSo(_ loss: Loss) {
    let bytes = loss.bytes
    for command in ["samples", "nal", "layers"] {
      let run = mvdump([command, "-"], input: bytes)
      #expect(run.code == .unreadable && run.errors.contains("not all samples were found"), "\(command)")
      #expect(!run.output.isEmpty)
    }
    let extracted = mvdump("extract", "-l", "0", "-o", "-", "-", input: bytes)
    #expect(extracted.code == .no && extracted.errors.contains("the stream is incomplete"))
    let checked = mvdump("check", "-", input: bytes)
    #expect(checked.code == .no)
    if loss.isFragmented {
      #expect(checked.output.contains("HLS        unknown cannot be determined: samples are missing"))
      #expect(mvdump("info", "-", input: bytes).output.contains("error  moof"))
    }
  }

  @Test func soundMoviesLoseNothing() {
    for fixture in ["spatial.mov", "cmaf-hevc-sidx.mp4", "two-tracks-lhv1.mp4", "edit-list-trim.mp4"] {
      let run = mvdump("samples", Fixtures.path(fixture))
      #expect(run.code == .success && run.errors.isEmpty, "\(fixture): \(run.errors)")
    }
  }

  /// An access unit that never ends is cut, and that is said.
  @Test func aStreamWithoutPictures() {
    let sei: [UInt8] = [0, 0, 1, 0x4E, 0x01, 0x80]
    let messages = [[UInt8]](repeating: sei, count: 70_000).flatMap { $0 }
    let stream = Fixtures.bytes("two-views.hevc").array + messages
    let run = mvdump("layers", "-", input: ByteView(stream))
    #expect(run.code == .unreadable)
    #expect(run.errors.contains("over the limit 65536 NAL units of an access unit"))
  }

  /// A set that is too long is named, and is not called damaged.
  @Test func aMessageBeyondTheLimit() {
    let sizes = [UInt8](repeating: 0xFF, count: 4_400) + [0]
    let long = [0, 0, 0, 1, 0x4E, 0x01, 4] + sizes + [UInt8](repeating: 1, count: 4_400 * 255) + [0x80]
    let whole = Fixtures.bytes("two-views.hevc").array
    let run = mvdump("params", "-", input: ByteView(long + whole))
    #expect(run.code == .unreadable)
    #expect(run.errors.contains("PREFIX_SEI_NUT") && run.errors.contains("1048576 bytes of a parameter set"))
  }
}
