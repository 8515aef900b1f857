// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import Multiview

/// A clip of a camera with two layers, broken as other tools break such clips: what each of them does was found out by running it. Here
/// the same is done by code of our own, one damage at a time.
public struct BrokenClip {
  /// The movie.
  public var movie: RemadeMovie
  /// How it is written.
  public var layout = RemadeMovie.Layout()
  /// Whether it is written in fragments of as many samples.
  public var fragmentLength: Int?
  /// When the first sample is decoded, in fragments.
  public var startTime: UInt64 = 0

  /// A clip that is not broken yet.
  public init(_ clip: MovieFile) throws {
    movie = try RemadeMovie(clip)
    layout.offsets = .signedOld
  }

  /// The movie as a file.
  public var encoded: [UInt8] {
    fragmentLength.map { movie.fragmented(samplesEach: $0, startTimes: [startTime]) } ?? movie.encoded(layout)
  }

  // MARK: Boxes

  /// Brands of MP4.
  public mutating func makeMP4() {
    movie.fileType = Array("isom".utf8) + [0, 0, 2, 0] + Array("isommp41".utf8)
  }

  /// Takes boxes out of the sample entry.
  public mutating func loseOfEntry(_ types: [String]) {
    movie.editEntry { entry in entry.children.removeAll { types.contains($0.type) } }
  }

  /// Takes the metadata of the movie away.
  public mutating func loseKeys() { movie.moov.children.removeAll { $0.type == "meta" } }

  /// Writes no dates.
  public mutating func loseDates() {
    movie.moov.patch("mvhd", at: 4, 0, width: 8)
    movie.editTracks { _, trak in
      trak.patch("tkhd", at: 4, 0, width: 8)
      trak.patch("mdia/mdhd", at: 4, 0, width: 8)
    }
  }

  /// Takes all tracks but the first away.
  public mutating func loseOtherTracks() { movie.dropOtherTracks() }

  /// Takes boxes out of the sample table.
  public mutating func loseGroups() { movie.editTrack { $0.remove(["sgpd", "sbgp"], in: "mdia/minf/stbl") } }

  /// Takes boxes out of the track.
  public mutating func loseAperture() { movie.editTrack { $0.remove(["tapt"], in: "") } }

  /// Presents the track from another time of its media on.
  public mutating func setMediaTime(_ time: UInt64) {
    movie.editTrack { $0.patch("edts/elst", at: 12, time) }
  }

  /// Calls the handler by the name that FFmpeg gives it.
  public mutating func renameHandler(_ name: String) {
    movie.editTrack { trak in
      trak.edit("mdia/hdlr") { $0.fields = $0.fields.prefix(24) + Array(name.utf8) + [0] }
    }
  }

  // MARK: Configuration records

  /// The arrays of a record: the byte in front of each, and its units.
  public typealias Arrays = [(head: UInt8, units: [[UInt8]])]

  /// Reads the arrays of the record in a box of the first sample entry.
  public func arrays(_ type: String) -> Arrays {
    var found: Arrays = []
    var copy = movie
    copy.editEntry { entry in
      guard let box = entry[type] else { return }
      var position = Self.head(type) + 1
      for _ in 0..<box.fields[position - 1] {
        let head = box.fields[position]
        var units: [[UInt8]] = []
        let count = Int(PlainBox.number(box.fields[(position + 1)..<(position + 3)]))
        position += 3
        for _ in 0..<count {
          let length = Int(PlainBox.number(box.fields[position..<(position + 2)]))
          units.append(Array(box.fields[(position + 2)..<(position + 2 + length)]))
          position += 2 + length
        }
        found.append((head, units))
      }
    }
    return found
  }

  /// Writes the arrays of a record anew.
  public mutating func setArrays(_ type: String, _ arrays: Arrays) {
    movie.editEntry { entry in
      entry.edit(type) { box in
        box.fields = box.fields.prefix(Self.head(type)) + [UInt8(arrays.count)]
        for array in arrays {
          box.fields += [array.head] + PlainBox.bytes(UInt64(array.units.count), 2)
          for unit in array.units { box.fields += PlainBox.bytes(UInt64(unit.count), 2) + unit }
        }
      }
    }
  }

  private static func head(_ type: String) -> Int { type == "hvcC" ? 22 : 5 }

  /// What kind of NAL unit it is.
  public static func type(_ unit: [UInt8]) -> UInt8 { unit[0] >> 1 & 63 }
  /// The layer of a NAL unit.
  public static func layer(_ unit: [UInt8]) -> UInt8 { (unit[0] & 1) << 5 | unit[1] >> 3 }

  /// Messages leave the record, and go in front of the first sample.
  public mutating func moveMessagesToSamples() {
    let all = arrays("hvcC")
    let messages = all.flatMap(\.units).filter { Self.type($0) == 39 }
    setArrays("hvcC", all.filter { $0.head & 63 != 39 })
    movie.samples[0][0].units = messages + movie.samples[0][0].units
  }

  /// All parameter sets go in front of the first sample, too.
  public mutating func copySetsToSamples() {
    let sets = (arrays("hvcC") + arrays("lhvC")).flatMap(\.units).filter { Self.type($0) < 39 }
    movie.samples[0][0].units = sets + movie.samples[0][0].units
  }

  // MARK: Samples

  /// Writes no composition times.
  public mutating func loseCompositionTimes() { layout.offsets = .none }

  /// Makes a sample of each layer, each as long as the whole was.
  ///
  /// - Parameter marksSync: whether the layers above of a sync sample are listed as sync samples.
  public mutating func splitLayers(marksSync: Bool) {
    movie.samples[0] = movie.samples[0].flatMap { sample -> [RemadeMovie.Sample] in
      let units = sample.units
      let second = units.firstIndex { Self.layer($0) > 0 && Self.type($0) < 32 } ?? units.count
      var (base, above) = (sample, sample)
      base.units = Array(units[..<second])
      above.units = Array(units[second...])
      above.isSync = sample.isSync && marksSync
      return [base, above]
    }
  }
}

extension BrokenClip {
  /// What FFmpeg's muxer always leaves out of a movie that it copies.
  public mutating func copyWithFFmpeg() {
    loseKeys()
    loseDates()
    loseGroups()
    loseAperture()
    layout.offsets = .shifted
    setMediaTime(40)
  }

  /// What FFmpeg's muxer makes of a stream: nothing but what is in it.
  public mutating func importWithFFmpeg() {
    copyWithFFmpeg()
    loseOtherTracks()
    loseOfEntry(["vexu", "hfov"])
    loseCompositionTimes()
    layout.hasDependencies = false
    renameHandler("VideoHandler")
  }
}
