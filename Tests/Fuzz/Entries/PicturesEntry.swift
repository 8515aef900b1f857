// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import HEVCDecoding
import MoviePictures
import TestSupport

extension FuzzTarget {
  /// The pictures of these streams have at most so many luma samples; a damaged set may not ask for more.
  private static let maximumLumaSamples = 1 << 15

  static let pictures = FuzzTarget(
    "FuzzPictures", "A byte stream, decoded: every picture of every layer.",
    // Sixteen pictures of a layer with all that is kept of them, for a handful of layers.
    additionalMemory: 256 << 20, countsAllocations: false, seeds: { FuzzSeeds.pictures() },
    mutator: mutatePictures
  ) { bytes, findings in
    var options = HEVCDecoder.Options()
    options.maximumLumaSamples = maximumLumaSamples
    let decoder = HEVCDecoder(options)
    // Every layer of the stream, where there are not too many of them.
    var budget = 400
    // The first two pictures become files, too.
    var rendered = 0
    func check(_ pictures: [DecodedPicture]) {
      for picture in pictures {
        let size = picture.size
        findings.expect(
          size.width > 0 && size.height > 0 && size.width * size.height <= maximumLumaSamples,
          "a picture of \(size)")
        findings.expect(picture.md5(ofPlane: 0) != nil, "a picture without luma")
        for component in 1..<3 {
          findings.expect(
            (picture.md5(ofPlane: component) != nil) == (component < picture.planeCount), "planes")
        }
        guard rendered < 2 else { continue }
        rendered += 1
        let colour = ColourInterpretation(
          matrix: picture.orderCount % 2 == 0 ? .bt709 : .identity, isFullRange: rendered == 1,
          chromaLocation: picture.orderCount % 6)
        let colours = RGBConverter(colour, depth: rendered == 1 ? .eight : .sixteen)
          .convert(CroppedPlanes(picture))
        findings.expect(colours.width == size.width && colours.height == size.height, "colours of \(size)")
        findings.expect(!colours.png().isEmpty, "a PNG of \(size)")
      }
    }
    let units = AnnexBNALUnits(bytes).compactMap { try? $0.get() }
    for (index, unit) in AccessUnitGrouper.group(units).enumerated() {
      check(decoder.decode(unit.units, tag: index))
      // What time one input may take is bounded by the pictures it may begin.
      budget -= unit.units.count { $0.type.isSliceSegment }
      if budget < 0 { break }
    }
    check(decoder.finish())
    _ = decoder.takeFailures()
  }
}

extension FuzzSeeds {
  /// The streams in `fixtures/pictures`: all where they are short, of long ones the beginning.
  static func pictures() -> [(String, [UInt8])] {
    PictureTruth.fixtures.keys.sorted().map { name in
      let units = AnnexBNALUnits(Fixtures.bytes("pictures/\(name).bit")).compactMap { try? $0.get() }
      var kept: [NALUnit] = [], left = 4_000
      for unit in units {
        kept.append(unit)
        left -= unit.bytes.count
        if left < 0 { break }
      }
      return (name, AnnexBNALUnits.join(kept, longStartCodes: false))
    }
  }
}

/// Changes bytes of slice data, where the arithmetic decoder makes other symbols of everything that follows; codes of headers
/// and parameter sets, one at a time; or the order of units.
@Sendable
private func mutatePictures(_ mutation: inout FuzzMutation) {
  let units = AnnexBNALUnits(ByteView(mutation.bytes)).compactMap { try? $0.get() }
  let slices = units.indices.filter { units[$0].type.isSliceSegment }
  guard !slices.isEmpty, !mutation.chance(3) else { return mutateStream(&mutation, prefix: 0) }
  let index = slices[mutation.below(slices.count)]
  var rbsp = units[index].rbsp.array
  // Of a header there are some twenty bytes.
  let start = min(rbsp.count, mutation.chance(4) ? 0 : 4 + mutation.below(20))
  for _ in 0...mutation.below(4) where rbsp.count > start {
    let place = start + mutation.below(rbsp.count - start)
    let length = min(rbsp.count - place, 1 + mutation.below(24))
    switch mutation.below(8) {
    case 0: rbsp.removeSubrange(place..<(place + length))
    case 1: rbsp.insert(contentsOf: (0..<length).map { _ in UInt8(mutation.below(256)) }, at: place)
    case 2:
      // Data of another slice.
      let other = units[slices[mutation.below(slices.count)]].rbsp.array
      let from = mutation.below(other.count)
      rbsp.replaceSubrange(place..<(place + length), with: other[from..<min(other.count, from + length)])
    case 3: for position in place..<(place + length) { rbsp[position] = mutation.chance(2) ? 0 : 0xFF }
    case 4: rbsp.removeSubrange(place...)
    case 5: for position in place..<(place + length) { rbsp[position] = UInt8(mutation.below(256)) }
    default: rbsp[place] ^= 1 << UInt8(mutation.below(8))
    }
  }
  guard let unit = try? NALUnit(units[index].header, rbsp: rbsp) else { return }
  var changed = units
  changed[index] = unit
  mutation.bytes = AnnexBNALUnits.join(changed, longStartCodes: false)
}
