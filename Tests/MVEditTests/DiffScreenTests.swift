// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import Foundation
import Multiview
import TestSupport
import Testing

/// The screen of `mvdump diff` for a camera's clip that other tools broke: every line is written here by hand, from what was done.
@Suite struct DiffScreenTests {
  /// A damage, what the screen must say of it, and what is still different after the lines that bring back what is lost.
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var damage: @Sendable (inout BrokenClip) -> Void
    /// The screen without the names of the files, its commands, and the titles of rules; runs of spaces count as one.
    var screen: [String]
    /// The same after its commands; `nil` where there are none.
    var restored: [String]?
    var testDescription: String { name }
  }

  // MARK: Parts of screens

  private static let keys = [
    "mdta/com.apple.quicktime.creationdate 2024-07-12T13:25:29+0200 → nothing",
    "mdta/com.apple.quicktime.location.accuracy.horizontal 4.750133 → nothing",
    "mdta/com.apple.quicktime.make Apple → nothing",
    "mdta/com.apple.quicktime.model iPhone 15 Pro Max → nothing",
    "mdta/com.apple.quicktime.software 17.5.1 → nothing",
    "mdta/com.apple.quicktime.spatial.aggressors-seen 0 → nothing",
    "mdta/com.apple.quicktime.spatial.format-version 1.0 → nothing",
  ]
  private static let metadata =
    ["metadata"] + keys + ["date of creation in the header 2024-07-15T21:11:33Z → nothing"]
  private static let tags = [
    "tags of track 1", "signalled eyes left, right → nothing", "baseline 19.24 mm → nothing",
    "disparity +2 % → nothing", "field of view 63.4° → nothing",
    "projection rectilinear → nothing",
  ]
  private static let sets = [
    "parameter sets of track 1", "PPS of layer 1 in lhvC → nothing", "SPS of layer 1 in lhvC → nothing",
  ]
  private static let layer = [
    "layers of track 1", "layer 1 can be decoded → cannot be decoded without its parameter sets",
  ]
  private static let secondTrack = ["track 2", "timed metadata track ('mebx') 1 sample → nothing"]
  private static let groups = ["sample groups 'sync' of 1 sample → nothing"]
  private static let aperture = ["trak/tapt a box of 68 bytes → nothing"]
  /// What is not as a camera writes it after a repair: the first sample is said to be needed by others.
  private static let rewritten = ["structure of track 1", "dependencies of 1 sample → others"]
  private static let name = ["handler name Core Media Video → VideoHandler"]
  /// Headers that say what one half of the samples lasts.
  private static let headers = [
    "times", "duration in the header of the movie that of the samples → 0.366667 s", "times of track 1",
    "duration in the header of the track that of the samples → 0.366667 s",
    "duration in the header of the media that of the samples → 0.366667 s",
  ]
  private static let brand = ["structure", "major brand qt → isom"]
  private static let broken = "rules of mvdump check that only the second movie breaks"
  private static let fragments = ["note: the samples of the second movie are in fragments"]

  private static let single =
    ["samples of track 1", "pictures of further layers with the base layer → in 11 separate samples"]
    + headers
  private static let lost = secondTrack + metadata

  // MARK: Rows

  static let rows: [Row] = [
    Row(
      name: "A: a stream into hvc1, by FFmpeg 9",
      damage: { clip in
        clip.importWithFFmpeg()
        clip.moveMessagesToSamples()
        clip.loseOfEntry(["lhvC"])
      },
      screen: layer + tags + sets
        + [
          "times of track 1", "presentation of samples 0 to 1 shown → left out by the edit list",
          "presentation time of samples 2, 4 to 6, 8 to 10, the first of them 0.067 s (40/600) → 0 s",
        ] + secondTrack + metadata + ["structure of track 1", "dependencies of 11 samples → nothing"] + groups
        + [
          "place of message 176 of layer 0 hvcC → samples",
          "handler name Core Media Video → VideoHandler",
        ]
        + aperture + [broken, "error MV014", "error MV016", "error MV054"],
      restored: ["structure of track 1", "dependencies of 11 samples → nothing"] + groups
        + ["place of message 176 of layer 0 hvcC → samples"] + name + aperture),
    Row(
      name: "B: a stream into hev1, by FFmpeg 9",
      damage: { clip in
        clip.importWithFFmpeg()
        clip.copySetsToSamples()
        clip.moveMessagesToSamples()
        clip.setArrays("hvcC", clip.arrays("hvcC").map { ($0.head & 0x7F, $0.units) })
        clip.loseOfEntry(["lhvC"])
        clip.movie.editEntry { $0.type = "hev1" }
      },
      screen: tags
        + [
          "times of track 1", "presentation of samples 0 to 1 shown → left out by the edit list",
          "presentation time of samples 2, 4 to 6, 8 to 10, the first of them 0.067 s (40/600) → 0 s",
          "track 1",
          "codec hvc1.1.6.L123.B0 → hev1.1.6.L123.B0",
        ] + secondTrack + metadata + ["structure of track 1", "dependencies of 11 samples → nothing"] + groups
        + [
          "place of PPS of layer 1 lhvC → samples", "place of SPS of layer 1 lhvC → samples",
          "place of message 176 of layer 0 hvcC → samples",
          "handler name Core Media Video → VideoHandler",
        ] + aperture + [broken, "error MV005", "error MV014", "error MV016", "error MV054"],
      restored: rewritten + name + aperture),
    Row(
      name: "C: a stream, by FFmpeg 5.1",
      damage: { clip in
        clip.importWithFFmpeg()
        clip.copySetsToSamples()
        clip.moveMessagesToSamples()
        clip.loseOfEntry(["lhvC"])
        clip.movie.editEntry { entry in entry.edit("hvcC") { $0.fields = [] } }
        clip.splitLayers(marksSync: false)
        clip.setMediaTime(0)
        clip.movie.editTrack { $0.patch("edts/elst", at: 8, 440) }
      },
      screen: ["layers of track 1", "layer 1 can be decoded → not in the first sample"] + tags + single
        + [
          "presentation time of samples 1 to 10, the first of them 0.133 s (80/600) → 0.067 s (40/600)",
          "track 1", "codec hvc1.1.6.L123.B0 → hvc1",
        ] + lost + ["structure of track 1", "dependencies of 11 samples → nothing"] + groups
        + [
          "place of PPS of layer 0 hvcC → samples", "place of PPS of layer 1 lhvC → samples",
          "place of SPS of layer 0 hvcC → samples", "place of SPS of layer 1 lhvC → samples",
          "place of VPS of layer 0 hvcC → samples", "place of message 176 of layer 0 hvcC → samples",
          "handler name Core Media Video → VideoHandler",
        ] + aperture + [
          "trak/mdia/minf/stbl/stsd/entry/hvcC 159 bytes → 8 bytes", broken, "error MV002", "error MV006",
          "error MV017", "error MV054",
        ],
      restored: rewritten + name + aperture),
    Row(
      name: "D: a copy into MOV, by FFmpeg 9",
      damage: { clip in
        clip.copyWithFFmpeg()
        clip.movie.editEntry { entry in
          entry.edit("vexu") { $0.children.reverse() }
        }
        clip.setArrays(
          "hvcC", clip.arrays("hvcC").map { ($0.head & 63 == 39 ? $0.head & 0x7F : $0.head, $0.units) })
        clip.movie.editTracks { index, trak in
          guard index == 1 else { return }
          trak.edit("mdia/hdlr") { $0.fields.replaceSubrange(8..<12, with: Array("url ".utf8)) }
          trak.edit("mdia/minf/stbl/stsd") { $0.children = [] }
          trak.remove(["gmhd"], in: "mdia/minf")
        }
      },
      screen: secondTrack + ["'url' track nothing → 1 sample"] + metadata + ["structure of track 1"] + groups
        + aperture + [broken, "warning MV091"],
      restored: secondTrack + ["'url' track nothing → 1 sample", "structure of track 1"] + groups + aperture
        + [broken, "warning MV091"]),
    Row(
      name: "E: a copy into MP4, by FFmpeg 9",
      damage: { clip in
        clip.makeMP4()
        clip.copyWithFFmpeg()
        clip.loseOtherTracks()
        clip.loseOfEntry(["vexu", "hfov"])
      },
      screen: tags + secondTrack + metadata + brand + ["structure of track 1"] + groups + aperture
        + [broken, "error MV016"],
      restored: secondTrack + brand + ["structure of track 1"] + groups + aperture),
    Row(
      name: "F: a copy, by FFmpeg 5.1",
      damage: { clip in
        clip.copyWithFFmpeg()
        clip.loseOtherTracks()
        clip.loseOfEntry(["lhvC", "vexu", "hfov"])
      },
      screen: layer + tags + sets + secondTrack + metadata + ["structure of track 1"] + groups + aperture
        + [broken, "error MV014", "error MV016"],
      restored: secondTrack + ["structure of track 1"] + groups + aperture),
    Row(
      name: "G: one after the other, by FFmpeg 9",
      damage: { clip in
        clip.copyWithFFmpeg()
        clip.loseOtherTracks()
        clip.loseOfEntry(["lhvC"])
        clip.movie.samples[0] += clip.movie.samples[0]
        clip.movie.editTrack { $0.patch("edts/elst", at: 8, 440) }
      },
      screen: layer + sets + [
        "samples of track 1", "samples 11 to 21 of the second movie nothing → 11 samples",
      ]
        + headers + secondTrack + metadata + ["structure of track 1"] + groups + aperture
        + [broken, "error MV014", "error MV015"],
      restored: ["samples of track 1", "samples 11 to 21 of the second movie nothing → 11 samples"]
        + headers + secondTrack
        + ["structure of track 1"] + groups + aperture),
    Row(
      name: "H: a stream for HLS, by FFmpeg 9",
      damage: { clip in
        clip.makeMP4()
        clip.copyWithFFmpeg()
        clip.loseOtherTracks()
        clip.loseOfEntry(["lhvC", "vexu", "hfov"])
        clip.movie.editTrack { $0.remove(["edts"], in: "") }
        for index in clip.movie.samples[0].indices { clip.movie.samples[0][index].offset += 40 }
        clip.fragmentLength = 11
      },
      screen: layer + tags + sets
        + [
          "times of track 1",
          "presentation time of all 11 samples, all by the same amount 0 s → 0.067 s (40/600)",
        ] + secondTrack + metadata + brand + ["structure of track 1"] + groups + aperture + fragments
        + [broken, "error MV014", "error MV016", "warning MV071"],
      restored: [
        "times of track 1",
        "presentation time of all 11 samples, all by the same amount 0 s → 0.067 s (40/600)",
      ] + secondTrack + brand + ["structure of track 1"] + groups + aperture + fragments
        + [broken, "warning MV071"]),
    Row(
      name: "I: a stream, by mp4ff",
      damage: { clip in
        clip.makeMP4()
        clip.loseKeys()
        clip.loseOtherTracks()
        clip.loseGroups()
        clip.loseAperture()
        clip.loseCompositionTimes()
        clip.movie.editEntry { $0.remove(["cmfy"], in: "vexu/eyes") }
        let messages = clip.movie.samples[0][0].units.filter { BrokenClip.type($0) == 39 }
        clip.movie.samples[0][0].units.removeAll { BrokenClip.type($0) == 39 }
        var arrays = clip.arrays("hvcC")
        arrays[3].units += messages
        clip.setArrays("hvcC", arrays)
      },
      screen: [
        "tags of track 1", "disparity +2 % → nothing", "times of track 1",
        "presentation time of samples 1, 3 to 5, 7 to 10, the first of them 0.133 s (80/600) → 0.033 s (20/600)",
      ] + secondTrack + ["metadata"] + keys + brand + ["structure of track 1"] + groups
        + ["place of message 5 of layer 0 samples → hvcC"] + aperture + [
          broken, "error MV024", "error MV054",
        ],
      restored: brand + ["structure of track 1"] + groups
        + ["place of message 5 of layer 0 samples → hvcC"] + aperture),
    Row(
      name: "J: fragments, by GPAC",
      damage: { clip in
        clip.loseKeys()
        clip.loseGroups()
        clip.movie.editTrack { trak in
          trak.remove(["edts"], in: "")
          let itself = PlainBox.bytes(1, 4)
          trak.children.append(
            PlainBox("tref", PlainBox("sbas", itself).bytes + PlainBox("oref", itself).bytes))
        }
        clip.movie.editEntry { entry in
          entry.edit("colr") { $0.fields = Array("nclx".utf8) + $0.fields.dropFirst(4) + [0] }
        }
        clip.fragmentLength = 4
      },
      screen: ["track 1", "references nothing → oref to track 1; sbas to track 1", "metadata"] + keys + [
        "structure of track 1"
      ]
        + groups
        + fragments + [broken, "warning MV071", "warning MV122"],
      restored: ["track 1", "references nothing → oref to track 1; sbas to track 1", "structure of track 1"]
        + groups + fragments
        + [broken, "warning MV071", "warning MV122"]),
    Row(
      name: "K: all parameter sets in samples",
      damage: { clip in
        clip.copySetsToSamples()
        clip.moveMessagesToSamples()
        clip.setArrays("hvcC", [])
        clip.loseOfEntry(["lhvC"])
      },
      screen: [
        "structure of track 1", "place of PPS of layer 0 hvcC → samples",
        "place of PPS of layer 1 lhvC → samples",
        "place of SPS of layer 0 hvcC → samples", "place of SPS of layer 1 lhvC → samples",
        "place of VPS of layer 0 hvcC → samples", "place of message 176 of layer 0 hvcC → samples", broken,
        "error MV006", "error MV014", "error MV015",
      ], restored: []),
    Row(
      name: "K: parameter sets of the second layer in hvcC",
      damage: { clip in
        clip.setArrays("hvcC", clip.arrays("hvcC") + clip.arrays("lhvC"))
        clip.loseOfEntry(["lhvC"])
      },
      screen: [
        "structure of track 1", "place of PPS of layer 1 lhvC → hvcC", "place of SPS of layer 1 lhvC → hvcC",
        broken,
        "error MV007", "error MV014", "error MV015",
      ], restored: []),
    Row(
      name: "L: a stream with delimiters, by GPAC",
      damage: { clip in
        clip.splitLayers(marksSync: true)
        let messages = clip.arrays("hvcC").last?.units ?? []
        for index in clip.movie.samples[0].indices {
          clip.movie.samples[0][index].units.insert([0x46, 0x01, 0x50], at: 0)
          clip.movie.samples[0][index].offset *= 2
        }
        clip.movie.samples[0][1].units.insert(contentsOf: messages, at: 1)
        clip.movie.editTrack { $0.patch("edts/elst", at: 8, 440) }
      },
      screen: [
        "layers of track 1", "layer 1 can be decoded → not in the first sample", "samples of track 1",
        "pictures of further layers with the base layer → in 11 separate samples",
        "sync samples without the base layer nothing → 1 sample",
      ] + headers + [
        "presentation time of samples 1 to 10, the first of them 0.133 s (80/600) → 0.267 s (160/600)",
        broken, "error MV013",
      ], restored: rewritten),
  ]

  @Test(.enabled(if: Corpus.isPresent), arguments: rows) func theScreenNamesWhatWasDone(row: Row) throws {
    let folder = try TemporaryFolder()
    let original = try #require(Corpus.folder) + "/apple/iphone15promax.mov"
    let name = folder.path + "/broken.mov"
    var clip = try BrokenClip(MovieFile(path: original))
    row.damage(&clip)
    try Data(clip.encoded).write(to: URL(fileURLWithPath: name))
    let run = mvdump("diff", original, name)
    #expect(run.code == .no && run.errors.isEmpty, "\(run.errors)")
    let (screen, commands) = DiffScreen.lines(run.output)
    #expect(screen == row.screen, "\(row.name)")
    guard let restored = row.restored else {
      #expect(commands.isEmpty)
      return
    }
    // The commands, as they are written.
    var last = name
    for command in commands {
      let words = DiffScreen.shellWords(command)
      let made = mvedit(Array(words.dropFirst()))
      #expect(made.code == .success, "\(command): \(made.errors)")
      last = words.firstIndex(of: "-o").map { words[$0 + 1] } ?? last
    }
    let again = DiffScreen.lines(mvdump("diff", original, last).output)
    #expect(again.screen.filter { $0 != "no difference" } == restored, "\(row.name) after \(commands)")
  }

  @Test(.enabled(if: Corpus.isPresent)) func aClipThatIsWrittenAnewIsTheSame() throws {
    let original = try #require(Corpus.folder) + "/apple/iphone15promax.mov"
    let clip = try BrokenClip(MovieFile(path: original))
    let comparison = try MovieComparison(MovieFile(path: original), MovieFile(bytes: clip.encoded))
    #expect(comparison.differences == [])
  }
}
