// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import MovieEditing
import Multiview
import TestSupport

extension FuzzTarget {
  static let edit = FuzzTarget(
    "FuzzEdit",
    "A movie whose tags, keys and boxes are changed: what is written opens, holds the same samples, and breaks no rule anew.",
    seeds: {
      (FuzzSeeds.movies(whole: false) + FuzzSeeds.smallMovies()).map { name, bytes in
        (name, bytes + [UInt8](repeating: UInt8(truncatingIfNeeded: name.utf8.count), count: seedBytes))
      }
    },
    mutator: { mutation in
      // The last bytes choose the changes; the rest is a movie.
      let choice = Array(mutation.bytes.suffix(seedBytes))
      mutation.bytes.removeLast(choice.count)
      if mutation.chance(3) {
        mutation.bytes += choice.map { _ in UInt8.random(in: 0...255, using: &mutation.random) }
      } else {
        mutateBoxes(&mutation)
        mutation.bytes += choice
      }
    },
    readings: 8
  ) { bytes, findings in
    var limits = Limits.standard
    limits.maximumSamples = 1 << 12
    let movieBytes = bytes.prefix(max(0, bytes.count - seedBytes))
    guard let movie = try? MovieFile(source: MemoryBytes(movieBytes), limits: limits), let tree = movie.tree
    else {
      return
    }
    var random = SeededGenerator(
      seed: bytes.suffix(from: movieBytes.count).array.reduce(7) { $0 &* 257 &+ UInt64($1) })
    let before = EditedState(movie, movieBytes.array)
    findings.checkTags(movie, before, &random)
    findings.checkBoxes(tree, before, limits, &random)
  }

  private static let seedBytes = 8
}

/// What must be the same of a movie before and after.
private struct EditedState {
  /// The samples of each track: number, times, bytes. `nil` for a track with samples that are not in the file as a whole.
  var samples: [[String]?] = []
  var errors: Set<String>
  /// What the bytes alone break.
  var breaches: [String]

  init(_ movie: MovieFile, _ bytes: [UInt8]) {
    breaches = MovieRules(bytes).breaches
    let media = (movie.tree?.boxes ?? []).filter { $0.type == "mdat" }.map {
      UInt64($0.offset + $0.headerSize)..<UInt64(max($0.offset + $0.headerSize, $0.fileRange.upperBound))
    }
    for track in movie.tracks.prefix(8) {
      var lines: [String] = []
      let external = track.externalMedia
      var areThere = true
      let all = try? track.samples()
      for sample in all.map(Array.init) ?? [] where !external.contains(sample.descriptionIndex) {
        let range = sample.range
        // A chunk may be in any box. What fragments point to is looked for in media data alone.
        let isListed = sample.index < all?.table.count ?? 0
        let isThere =
          isListed
          ? range.upperBound <= UInt64(bytes.count)
          : media.contains { $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound }
        guard isThere else {
          areThere = false
          break
        }
        let hash = bytes[Int(range.lowerBound)..<Int(range.upperBound)].reduce(UInt64(5_381)) {
          $0 &* 33 ^ UInt64($1)
        }
        lines.append(
          "\(sample.index) \(sample.decodeTime) \(sample.compositionOffset) \(sample.size) \(hash)")
      }
      samples.append(areThere ? lines : nil)
    }
    var options = CheckOptions()
    options.maximumSamples = 8
    errors = Set(
      movie.check(options).findings.filter { $0.severity == .error && $0.targets.contains(.iso) }.map {
        "\($0.rule.id) \($0.trackID ?? 0)"
      })
  }
}

extension EditedState {
  /// Whether boxes fill what they are in and each is there as often as it must be.
  ///
  /// Of other files the samples alone are compared: which of two headers counts, how far a list of boxes is read, and so which
  /// rules are broken, changes there with the place of the damage.
  var isWhole: Bool {
    // Only what `MovieRules` says of how often a box is there begins with a number, after the name of what it is in.
    !breaches.contains {
      $0.hasSuffix("bytes that no box has") || $0.drop { $0 != " " }.dropFirst().first?.isNumber == true
    }
  }
}

extension FuzzFindings {
  /// Tags and keys, as `mvedit tag` changes them.
  fileprivate mutating func checkTags(
    _ movie: MovieFile, _ before: EditedState, _ random: inout SeededGenerator
  ) {
    guard var editor = try? MovieEditor(movie) else { return }
    editor.allowsContradictions = Bool.random(using: &random)
    for _ in 0..<Int.random(in: 1...4, using: &random) { change(&editor, &random) }
    do {
      let planned = try editor.plannedMovie()
      compare(planned, before, "tagged", changesTags: true, comparingErrors: !editor.allowsContradictions)
    } catch { expect(!error.reason.isEmpty, "refused without a reason") }
  }

  private func change(_ editor: inout MovieEditor, _ random: inout SeededGenerator) {
    let number = Int.random(in: -2_000_000...2_000_000, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: editor.removeAllTags()
    case 1:
      let keys: [MetadataKey] = [.spatialFormatVersion, .spatialAggressorsSeen, "com.example.key"]
      let key = keys[Int.random(in: keys.indices, using: &random)]
      editor.metadata[key] =
        Bool.random(using: &random) ? nil : editor.metadata.value(of: "\(number)", for: key)
    case 2:
      if let date = CreationDate("20\(10 + abs(number) % 80)-02-03") { editor.setCreationDate(date) }
    default:
      guard let track = editor.stereoTracks().randomElement(using: &random),
        let entry = editor.tracks[track].entries.indices.randomElement(using: &random)
      else { return }
      editor.tracks[track].entries[entry].change(number, &random)
    }
  }

  /// Boxes that say nothing, and another place of the `moov`.
  fileprivate mutating func checkBoxes(
    _ tree: BoxTree, _ before: EditedState, _ limits: Limits, _ random: inout SeededGenerator
  ) {
    var edited = tree
    var options = WriteOptions()
    options.moviePlace = [.unchanged, .first, .last].randomElement(using: &random) ?? .unchanged
    options.usesFreeSpace = Bool.random(using: &random)
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let box = Box("free")
      if Bool.random(using: &random) {
        edited.boxes.insert(
          box, at: Int.random(in: min(1, edited.boxes.count)...edited.boxes.count, using: &random))
      } else if let moov = edited.boxes.firstIndex(where: { $0.type == "moov" }) {
        put(box, into: &edited.boxes[moov], &random)
      }
    }
    // What cannot be written is refused with an error.
    guard let plan = try? edited.writePlan(options) else { return }
    do { compare(try MovieFile(source: plan, limits: limits), before, "with other boxes") } catch {
      // A file of one box that nobody knows is taken for a movie because its size fits, and with another box it is not.
      expect(!before.isWhole || tree.boxes.first?.type != "ftyp", "what is written does not open: \(error)")
    }
  }

  private func put(_ box: Box, into parent: inout Box, _ random: inout SeededGenerator) {
    let inner = parent.children.indices.filter {
      ["trak", "mdia", "minf", "udta"].contains(parent.children[$0].type)
    }
    if let index = inner.randomElement(using: &random), Bool.random(using: &random) {
      put(box, into: &parent.children[index], &random)
    } else {
      parent.children.insert(box, at: Int.random(in: 0...parent.children.count, using: &random))
    }
  }

  private mutating func compare(
    _ movie: MovieFile, _ before: EditedState, _ what: String, changesTags: Bool = false,
    comparingErrors: Bool = true
  ) {
    guard let size = movie.source.size, let bytes = try? movie.source.read(0..<size), bytes.count == Int(size)
    else {
      return note("\(what): cannot be read")
    }
    let after = EditedState(movie, bytes.array)
    let areKept = zip(after.samples, before.samples).allSatisfy { $1 == nil || $0 == $1 }
    expect(areKept && after.samples.count == before.samples.count, "\(what): other samples")
    guard before.isWhole else { return }
    var errors = comparingErrors ? after.errors.subtracting(before.errors).sorted() : []
    // Tags decide which track the movie is judged by, and whether its second layer counts: what is damaged there was damaged before.
    if changesTags { errors.removeAll { $0.hasPrefix("MV082 ") } }
    // What a sample holds that reaches over the end of the file depends on what is written after it: sets, units, order counts.
    if before.samples.contains(nil) {
      errors.removeAll { error in ["MV053 ", "MV055 ", "MV082 "].contains { error.hasPrefix($0) } }
    }
    expect(errors.isEmpty, "\(what): new \(errors)")
    let breaches = MovieRules.new(after.breaches, since: before.breaches)
    expect(breaches.isEmpty, "\(what): \(breaches)")
  }
}

extension EditedEntry {
  /// Sets or removes some tag.
  fileprivate mutating func change(_ number: Int, _ random: inout SeededGenerator) {
    let isRemoved = Int.random(in: 0..<4, using: &random) == 0
    switch Int.random(in: 0..<9, using: &random) {
    case 0:
      stereo.eyes =
        isRemoved ? nil : StereoViewComponents(rawValue: StereoViewComponents.RawValue(abs(number) % 4))
    case 1: stereo.isReversed = isRemoved ? nil : number % 2 == 0
    case 2: stereo.hasAdditionalViews = isRemoved ? nil : number % 2 == 0
    case 3: stereo.heroEye = isRemoved ? nil : number % 2 == 0 ? .left : .right
    case 4: stereo.baseline = isRemoved ? nil : Micrometers(rawValue: UInt32(abs(number)))
    case 5: stereo.disparityAdjustment = isRemoved ? nil : DisparityRatio(rawValue: Int32(number))
    case 6: stereo.fieldOfView = isRemoved ? nil : Millidegrees(rawValue: UInt32(abs(number)))
    case 7: stereo.packing = isRemoved ? nil : number % 2 == 0 ? .sideBySide : .overUnder
    default: swapEyes(inMessage: number % 2 == 0)
    }
  }
}
