// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import HEVC

/// One layer of a video: a view for an eye, an alpha plane, a depth map, or a better version of another layer.
public struct VideoLayer: Sendable, Hashable {
  /// nuh_layer_id: AVFoundation's video layer ID.
  public var layerID: UInt8
  /// ViewOrderIdx; `nil` if no VPS gives it.
  public var viewOrderIndex: Int?
  /// ViewId; `nil` if no VPS gives it.
  public var viewID: UInt32?
  /// AuxId: 0 for pictures, 1 for alpha, 2 for depth.
  public var auxiliaryID: Int = 0
  /// DependencyId, of spatial and quality scalability.
  public var dependencyID: Int = 0
  /// DepthLayerFlag, of 3D-HEVC.
  public var isDepth = false
  /// The layers that this one is predicted from.
  public var directReferences: [UInt8] = []
  /// The direct references, and all layers that these are predicted from.
  public var allReferences: [UInt8] = []
  /// The output layer sets that show this layer, by index.
  public var outputLayerSets: [Int] {
    get { packedOutputLayerSets.map(Int.init) }
    set { packedOutputLayerSets = newValue.map { UInt16(clamping: $0) } }
  }
  /// Small: a thousand sets are implied by few bits, in every track of a file.
  private var packedOutputLayerSets: [UInt16] = []
  /// The eye that sees it; `nil` if that is not known, and for layers that no eye sees.
  public var eye: StereoEye?
  /// The size of coded pictures.
  public var codedSize: PictureSize? {
    get { coding.known.codedSize }
    set { coding.known.codedSize = newValue }
  }
  /// The size inside the conformance window, which is shown.
  public var croppedSize: PictureSize? {
    get { coding.known.croppedSize }
    set { coding.known.croppedSize = newValue }
  }
  /// 4:2:0 and the like.
  public var chromaFormat: String? {
    get { coding.known.chromaFormat }
    set { coding.known.chromaFormat = newValue }
  }
  /// Bits of a luma sample.
  public var bitDepthLuma: Int? {
    get { coding.known.bitDepthLuma }
    set { coding.known.bitDepthLuma = newValue }
  }
  /// Bits of a chroma sample.
  public var bitDepthChroma: Int? {
    get { coding.known.bitDepthChroma }
    set { coding.known.bitDepthChroma = newValue }
  }
  /// Profile, tier and level of the layer.
  public var profileTierLevel: ProfileTierLevel? {
    get { coding.known.profileTierLevel }
    set { coding.known.profileTierLevel = newValue }
  }
  /// The active sequence parameter set.
  public var sps: SequenceParameterSet? {
    get { coding.known.sps }
    set { coding.known.sps = newValue }
  }
  private var coding = Coding.unknown

  /// How the layer is coded. Large, and in memory of its own: a track may have 63 layers of which nothing is known, and a
  /// file thousands of such tracks.
  private enum Coding: Hashable, Sendable {
    case unknown
    indirect case described(Known)

    struct Known: Hashable, Sendable {
      var codedSize: PictureSize?
      var croppedSize: PictureSize?
      var chromaFormat: String?
      var bitDepthLuma: Int?
      var bitDepthChroma: Int?
      var profileTierLevel: ProfileTierLevel?
      var sps: SequenceParameterSet?
    }

    var known: Known {
      get { if case .described(let known) = self { known } else { Known() } }
      set { self = newValue == Known() ? .unknown : .described(newValue) }
    }
  }

  /// Whether the parameter sets that its first picture uses were found; if none could be read, those that came with the layer.
  /// The sequence parameter set may be that of a lower layer.
  public var hasParameterSets = false
  /// Whether the first sample has a picture of the layer; `nil` if no sample could be read.
  public var isInSamples: Bool?

  /// Makes a layer of which nothing but the number is known.
  public init(layerID: UInt8) { self.layerID = layerID }

  /// Records how the layer is coded, all at once: each of these properties is kept in memory that changing it replaces.
  mutating func describe(_ format: PictureFormat?, _ sps: SequenceParameterSet?, _ profile: ProfileTierLevel?)
  {
    var known = coding.known
    known.sps = sps
    if let format {
      known.codedSize = format.codedSize
      known.croppedSize = format.croppedSize ?? format.codedSize
      known.chromaFormat = format.chromaFormatName
      known.bitDepthLuma = format.bitDepthLuma
      known.bitDepthChroma = format.bitDepthChroma
    }
    known.profileTierLevel = profile
    coding.known = known
  }

  /// Whether an eye could see it: neither alpha nor depth.
  public var isTexture: Bool { auxiliaryID == 0 && !isDepth }

  /// The role of the layer, in a word.
  public var role: String {
    switch auxiliaryID {
    case 0: isDepth ? "depth" : dependencyID > 0 ? "enhancement" : "view"
    case 1: "alpha"
    case 2: "depth"
    default: "auxiliary \(auxiliaryID)"
    }
  }
}

extension [VideoLayer] {
  /// A layer for each view: of those that show the same one, as layers of quality do, the first.
  var views: [VideoLayer] {
    var known: Set<Int> = []
    return filter { $0.isTexture && known.insert($0.viewOrderIndex ?? Int($0.layerID)).inserted }
  }
}
