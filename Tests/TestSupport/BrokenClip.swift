// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import Multiview

/// A camera clip with two layers, broken as other tools break such clips. What each tool does was determined by
/// running it; here, independent code does the same, one kind of damage at a time.
public struct BrokenClip {
  /// The movie.
  public var movie: RemadeMovie
  /// How it is written.
  public var layout = RemadeMovie.Layout()
  /// The number of samples of a fragment; `nil` for a movie without fragments.
  public var fragmentLength: Int?
  /// The decoding time of the first sample, in a fragmented movie.
  public var startTime: UInt64 = 0

  /// Makes a clip that is not broken.
  public init(_ clip: MovieFile) throws {
    movie = try RemadeMovie(clip)
    layout.offsets = .signedOld
  }

  /// The movie as a file.
  public var encoded: [UInt8] {
    fragmentLength.map { movie.fragmented(samplesEach: $0, startTimes: [startTime]) } ?? movie.encoded(layout)
  }

  // MARK: Boxes

  /// Sets brands of MP4.
  public mutating func makeMP4() {
    movie.fileType = Array("isom".utf8) + [0, 0, 2, 0] + Array("isommp41".utf8)
  }

  /// Removes boxes from the sample entry.
  public mutating func loseOfEntry(_ types: [String]) {
    movie.editEntry { entry in entry.children.removeAll { types.contains($0.type) } }
  }

  /// Removes the metadata of the movie.
  public mutating func loseKeys() { movie.moov.children.removeAll { $0.type == "meta" } }

  /// Sets all dates to 0.
  public mutating func loseDates() {
    movie.moov.patch("mvhd", at: 4, 0, width: 8)
    movie.editTracks { _, trak in
      trak.patch("tkhd", at: 4, 0, width: 8)
      trak.patch("mdia/mdhd", at: 4, 0, width: 8)
    }
  }

  /// Removes all tracks but the first.
  public mutating func loseOtherTracks() { movie.dropOtherTracks() }

  /// Removes boxes from the sample table.
  public mutating func loseGroups() { movie.editTrack { $0.remove(["sgpd", "sbgp"], in: "mdia/minf/stbl") } }

  /// Removes boxes from the track.
  public mutating func loseAperture() { movie.editTrack { $0.remove(["tapt"], in: "") } }

  /// Makes the edit list present the track from another media time on.
  public mutating func setMediaTime(_ time: UInt64) {
    movie.editTrack { $0.patch("edts/elst", at: 12, time) }
  }

  /// Sets the name of the handler that FFmpeg writes.
  public mutating func renameHandler(_ name: String) {
    movie.editTrack { trak in
      trak.edit("mdia/hdlr") { $0.fields = $0.fields.prefix(24) + Array(name.utf8) + [0] }
    }
  }

  // MARK: Configuration records

  /// The arrays of a record: the first byte of each, and its units.
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

  /// Replaces the arrays of a record.
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

  /// The type of a NAL unit.
  public static func type(_ unit: [UInt8]) -> UInt8 { unit[0] >> 1 & 63 }
  /// The layer of a NAL unit.
  public static func layer(_ unit: [UInt8]) -> UInt8 { (unit[0] & 1) << 5 | unit[1] >> 3 }

  /// Moves messages from the record to the beginning of the first sample.
  public mutating func moveMessagesToSamples() {
    let all = arrays("hvcC")
    let messages = all.flatMap(\.units).filter { Self.type($0) == 39 }
    setArrays("hvcC", all.filter { $0.head & 63 != 39 })
    movie.samples[0][0].units = messages + movie.samples[0][0].units
  }

  /// Copies all parameter sets to the beginning of the first sample.
  public mutating func copySetsToSamples() {
    let sets = (arrays("hvcC") + arrays("lhvC")).flatMap(\.units).filter { Self.type($0) < 39 }
    movie.samples[0][0].units = sets + movie.samples[0][0].units
  }

  // MARK: Samples

  /// Removes the composition times.
  public mutating func loseCompositionTimes() { layout.offsets = .none }

  /// Makes a sample of each layer, each with the duration of the original sample.
  ///
  /// - Parameter marksSync: whether the samples of the other layers of a sync sample are sync samples, too.
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
  /// Removes what FFmpeg's muxer always leaves out of a movie that it copies.
  public mutating func copyWithFFmpeg() {
    loseKeys()
    loseDates()
    loseGroups()
    loseAperture()
    layout.offsets = .shifted
    setMediaTime(40)
  }

  /// Makes the movie that FFmpeg's muxer makes from a stream, which has nothing but what is in the stream.
  public mutating func importWithFFmpeg() {
    copyWithFFmpeg()
    loseOtherTracks()
    loseOfEntry(["vexu", "hfov"])
    loseCompositionTimes()
    layout.hasDependencies = false
    renameHandler("VideoHandler")
  }
}
