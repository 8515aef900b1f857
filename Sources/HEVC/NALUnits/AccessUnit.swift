// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// A coded picture: the slice segments of one layer in an access unit.
public struct CodedPicture: Sendable, Hashable {
  /// The layer (`nuh_layer_id`).
  public let layerID: UInt8
  /// The type of its NAL units; pictures of one access unit may have different types.
  public let type: NALUnitType
  /// The slice segments, as indices into the units of the access unit.
  public internal(set) var slices: [Int]
  /// Whether its first slice segment is present.
  public let hasFirstSlice: Bool
}

/// All NAL units of one time: the pictures of all layers, and what belongs to them.
/// ISO/IEC 23008-2, 3.1 and F.3.1
public struct AccessUnit<Unit: NALUnitDescription> {
  /// The units in decoding order.
  public let units: [Unit]
  /// The pictures in decoding order.
  public let pictures: [CodedPicture]
  /// Violations of the rules for the order of its units.
  public let issues: [AccessUnitIssue]

  /// Sorts units that are known to be one access unit, such as a sample of a movie, into pictures.
  public init(_ units: [Unit]) {
    // A closure, not a key path: those of generic types are created each time, and every picture has an access
    // unit.
    var analysis = AccessUnitAnalysis(units.lastIndex { $0.header.type.isVideoCodingLayer })
    for index in units.indices {
      let unit = units[index]
      analysis.add(unit.header, startsPicture: unit.startsPicture, at: index)
    }
    analysis.finish()
    self.units = units
    pictures = analysis.pictures
    issues = analysis.issues
  }

  /// The picture of a layer; `nil` if the access unit does not have one.
  public func picture(layerID: UInt8) -> CodedPicture? { pictures.first { $0.layerID == layerID } }
}

extension AccessUnit: Sendable where Unit: Sendable {}
extension AccessUnit: Equatable where Unit: Equatable {}
extension AccessUnit: Hashable where Unit: Hashable {}

/// Something in an access unit that the standard does not allow.
public struct AccessUnitIssue: Sendable, Hashable {
  /// What is wrong.
  public enum Kind: Sendable, Hashable {
    /// An access unit delimiter is not first. 7.4.2.4.4
    case delimiterNotFirst
    /// There is more than one access unit delimiter.
    case secondDelimiter
    /// A unit that must precede the last slice segment follows it.
    case behindLastSlice
    /// A unit that must follow the first slice segment precedes it.
    case beforeFirstSlice
    /// A unit follows the end of the sequence of its layer.
    case behindEndOfSequence
    /// A unit follows the end of the bitstream.
    case behindEndOfBitstream
    /// The first slice segment of a picture is missing.
    case firstSliceMissing
    /// The slice segments of one picture are of different types.
    case mixedTypes
    /// Pictures are not in ascending order of their layers, or a layer has two. F.7.4.2.4.4
    case layersOutOfOrder
    /// There are pictures, but none of the base layer.
    case baseLayerMissing
    /// There are no pictures.
    case noPicture
    /// A unit of this type cannot belong to its temporal sub-layer. 7.4.2.2
    case temporalID
    /// A decoder must ignore the header: it is damaged, of the reserved layer 63, or without temporal ID.
    case invalidHeader
    /// The end of the bitstream belongs to a layer other than the base layer.
    case endOfBitstreamInLayer
  }

  /// What is wrong.
  public let kind: Kind
  /// The unit, as an index into those of the access unit; 0 if the issue concerns the whole access unit.
  public let unit: Int
}

/// Finds the pictures of an access unit and the issues with its order.
struct AccessUnitAnalysis {
  private(set) var pictures: [CodedPicture] = []
  private(set) var issues: [AccessUnitIssue] = []
  private let lastSlice: Int?
  private var hasDelimiter = false
  private var hasSlice = false
  private var endedLayers: UInt64 = 0
  private var endedBitstream = false

  /// `lastSlice` is the index of the last slice segment.
  init(_ lastSlice: Int?) { self.lastSlice = lastSlice }

  private mutating func report(_ kind: AccessUnitIssue.Kind, _ unit: Int) {
    issues.append(AccessUnitIssue(kind: kind, unit: unit))
  }

  mutating func add(_ header: NALUnitHeader, startsPicture: Bool, at index: Int) {
    guard header.isValid else { return report(.invalidHeader, index) }
    let type = header.type
    if endedBitstream { report(.behindEndOfBitstream, index) }
    if endedLayers >> UInt64(header.layerID) & 1 != 0, type != .endOfBitstream {
      report(.behindEndOfSequence, index)
    }
    if !allowsTemporalID(header) { report(.temporalID, index) }
    switch type {
    case .accessUnitDelimiter where header.layerID == 0:
      if hasDelimiter {
        report(.secondDelimiter, index)
      } else if index > 0 {
        report(.delimiterNotFirst, index)
      }
      hasDelimiter = true
    case .endOfSequence: endedLayers |= 1 << UInt64(header.layerID)
    case .endOfBitstream:
      endedBitstream = true
      if header.layerID != 0 { report(.endOfBitstreamInLayer, index) }
    default: break
    }
    if type.isVideoCodingLayer {
      hasSlice = true
      if type.isSliceSegment { addSlice(header, startsPicture, index) }
    } else if type.mayBeginAccessUnit, type != .accessUnitDelimiter, let lastSlice, index > lastSlice {
      report(.behindLastSlice, index)
    } else if type.followsFirstSlice, !hasSlice {
      report(.beforeFirstSlice, index)
    }
  }

  private mutating func addSlice(_ header: NALUnitHeader, _ startsPicture: Bool, _ index: Int) {
    if !startsPicture, let open = pictures.lastIndex(where: { $0.layerID == header.layerID }) {
      pictures[open].slices.append(index)
      if pictures[open].type != header.type { report(.mixedTypes, index) }
      return
    }
    if !startsPicture { report(.firstSliceMissing, index) }
    if let last = pictures.last, last.layerID >= header.layerID { report(.layersOutOfOrder, index) }
    pictures.append(
      CodedPicture(
        layerID: header.layerID, type: header.type, slices: [index], hasFirstSlice: startsPicture))
  }

  /// Whether a unit of this type may belong to its temporal sub-layer. ISO/IEC 23008-2, 7.4.2.2
  private func allowsTemporalID(_ header: NALUnitHeader) -> Bool {
    let type = header.type
    if type.isRandomAccessPoint || type == .videoParameterSet || type == .sequenceParameterSet
      || type == .endOfSequence || type == .endOfBitstream
    {
      return header.temporalID == 0
    }
    if type == .temporalAccess || type == .temporalAccessNonReference { return header.temporalID > 0 }
    if type == .stepwiseAccess || type == .stepwiseAccessNonReference {
      return header.temporalID > 0 || header.layerID > 0
    }
    return true
  }

  mutating func finish() {
    if pictures.isEmpty {
      if !hasSlice { report(.noPicture, 0) }
    } else if !pictures.contains(where: { $0.layerID == 0 }) {
      report(.baseLayerMissing, pictures.first?.slices.first ?? 0)
    }
  }
}
