// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVCCoding

// What the decisions about a coding tree unit leave for the writer: the values of its syntax elements, in the order in
// which they are coded, and no more. What follows from other values (split flags, coded block flags of larger blocks,
// contexts) is not kept but derived when it is written.

/// A coding unit. Those of a coding tree unit follow each other in z-scan order: they say how it is split.
struct CodedUnit: BitwiseCopyable {
  /// How the samples of a coding unit are predicted.
  enum Kind: UInt8, BitwiseCopyable {
    /// From the samples around it (MODE_INTRA).
    case intra
    /// From other pictures (MODE_INTER).
    case inter
    /// From other pictures, merged and without a residual (`cu_skip_flag`).
    case skipped
  }

  /// The column of its first luma sample in the picture.
  var x: UInt16 = 0
  /// The row of its first luma sample in the picture.
  var y: UInt16 = 0
  /// Log2 of its width and height in luma samples: 3 to 6.
  var log2Size: UInt8 = 3
  var kind = Kind.intra
  /// How it is divided into prediction units. In an intra unit, only `.whole` and `.quarters`.
  var partMode = PartMode.whole
  /// Whether it has transform units (`rqt_root_cbf`). Always set in an intra unit, and in an inter unit that is merged as
  /// a whole: without a residual that one is skipped.
  var hasResidual = true
  /// CuQpDeltaVal, if its first coded transform unit is the first one of a quantisation group.
  var qpDelta: Int8 = 0

  // Intra units.

  /// How the luma mode of each part is coded: 0 to 2 is a candidate (`mpm_idx`), 3 and more the mode among the others, plus 3
  /// (`rem_intra_luma_pred_mode`). One value for an undivided unit.
  var lumaChoices = SIMD4<UInt8>(repeating: 0)
  /// The luma mode of each part (`IntraPredModeY`), which orders its levels. All four are set, also if the unit is not
  /// divided.
  var lumaModes = SIMD4<UInt8>(repeating: 1)
  /// How the chroma mode is coded; 4 means the mode of luma (`intra_chroma_pred_mode`).
  var chromaChoice: UInt8 = 4
  /// The chroma mode (`IntraPredModeC`), which orders its levels.
  var chromaMode: UInt8 = 1
}

/// A prediction unit of an inter coding unit.
struct CodedPrediction: BitwiseCopyable {
  /// The candidate whose motion it takes; -1 if it has its own (`merge_idx`).
  var mergeIndex: Int8 = -1
  /// The entry of list 0; -1 if the list is not used (`ref_idx_l0`). Not used if merged, like what follows.
  var index0: Int8 = -1
  /// The entry of list 1; -1 if the list is not used (`ref_idx_l1`).
  var index1: Int8 = -1
  /// `mvp_l0_flag`
  var isSecondPredictor0 = false
  /// `mvp_l1_flag`
  var isSecondPredictor1 = false
  /// The difference of the vector of list 0 to its predictor, in quarters of a luma sample (`MvdL0`).
  var difference0 = MotionVector()
  /// The difference of the vector of list 1 to its predictor (`MvdL1`).
  var difference1 = MotionVector()
}

/// A transform unit. Those of a coding unit follow each other in z-scan order: they say how it is split.
struct CodedTransform: BitwiseCopyable {
  /// The luma block has levels that are not 0 (`cbf_luma`).
  static let luma: UInt8 = 1
  /// The Cb block has (`cbf_cb`).
  static let cb: UInt8 = 2
  /// The Cr block has (`cbf_cr`).
  static let cr: UInt8 = 4

  /// Log2 of the width and height of its luma block: 2 to 5.
  var log2Size: UInt8 = 2
  /// Which of its blocks are coded, by bit. The chroma blocks of four units of 4x4 belong to the last of them: the others have
  /// none.
  var coded: UInt8 = 0
}

/// The parameters of sample adaptive offset of a coding tree unit. 7.3.8.3
struct CodedOffsets: BitwiseCopyable {
  /// Whose parameters are used instead.
  enum Merge: UInt8, BitwiseCopyable {
    case none
    case left
    case up
  }

  /// The parameters of a component.
  struct Component: BitwiseCopyable {
    /// 0 for none, 1 for bands, 2 for edges (`SaoTypeIdx`). Cr has the type of Cb.
    var type: UInt8 = 0
    /// The first band, or the direction of edges (`sao_band_position`, `SaoEoClass`). Cr has the direction of Cb.
    var place: UInt8 = 0
    /// The four offsets with their signs, not scaled. Of edges the first two are at least 0, the others at most 0.
    var offsets = SIMD4<Int8>(repeating: 0)
  }

  var merge = Merge.none
  var luma = Component()
  var cb = Component()
  var cr = Component()

  /// Whether there are offsets.
  var isUsed: Bool { luma.type | cb.type | cr.type != 0 }

  @inline(__always)
  subscript(component: Int) -> Component {
    get { component == 0 ? luma : component == 1 ? cb : cr }
    set {
      if component == 0 { luma = newValue } else if component == 1 { cb = newValue } else { cr = newValue }
    }
  }
}

/// A coding tree unit as the writer needs it: about 16 KB for 64x64 samples, most of it levels.
///
/// A plain value that owns nothing: whoever makes it frees its memory. The search fills it from the front with
/// ``append(_:)-(CodedUnit)`` and the like, or writes the elements and sets the counts.
struct CodedTree: @unchecked Sendable {
  /// The coding units, of which ``unitCount`` are set.
  let units: Memory<CodedUnit>
  /// The prediction units of inter coding units, of which ``predictionCount`` are set. Intra units have none.
  let predictions: Memory<CodedPrediction>
  /// The transform units, of which ``transformCount`` are set. Units without a residual have none.
  let transforms: Memory<CodedTransform>
  /// The levels of all blocks, row by row within a block; ``levelPlace(x:y:component:)`` says where a block begins. What blocks
  /// without a coded block flag have is of no importance.
  let levels: Memory<Int16>
  private let ctbLog2Size: Int

  var unitCount = 0
  var predictionCount = 0
  var transformCount = 0
  var offsets = CodedOffsets()

  /// Allocates memory for coding tree units of this size, with units as small as the standard allows.
  init(ctbLog2Size: Int) {
    let samples = 1 &<< (2 &* ctbLog2Size)
    self.ctbLog2Size = ctbLog2Size
    units = Memory(count: samples &>> 6, repeating: CodedUnit())
    predictions = Memory(count: samples &>> 5, repeating: CodedPrediction())
    transforms = Memory(count: samples &>> 4, repeating: CodedTransform())
    levels = Memory(count: samples &+ samples &>> 1, repeating: 0)
  }

  func free() {
    units.free()
    predictions.free()
    transforms.free()
    levels.free()
  }

  /// Forgets all units; the levels stay.
  mutating func reset() {
    unitCount = 0
    predictionCount = 0
    transformCount = 0
    offsets = CodedOffsets()
  }

  @inline(__always)
  mutating func append(_ unit: CodedUnit) {
    units[unitCount] = unit
    unitCount = unitCount &+ 1
  }

  @inline(__always)
  mutating func append(_ prediction: CodedPrediction) {
    predictions[predictionCount] = prediction
    predictionCount = predictionCount &+ 1
  }

  @inline(__always)
  mutating func append(_ transform: CodedTransform) {
    transforms[transformCount] = transform
    transformCount = transformCount &+ 1
  }

  /// Where the levels of a block begin. `x` and `y` are the luma position of its transform unit in the coding tree unit (or
  /// in the picture); for the chroma blocks of four units of 4x4, that of the first of them.
  @inline(__always)
  func levelPlace(x: Int, y: Int, component: Int) -> Int {
    Self.levelPlace(x: x, y: y, component: component, ctbLog2Size: ctbLog2Size)
  }

  /// The same for coding tree units of a size.
  @inline(__always)
  static func levelPlace(x: Int, y: Int, component: Int, ctbLog2Size: Int) -> Int {
    let mask = 1 &<< ctbLog2Size &- 1
    // Blocks in z-scan order begin at multiples of their size.
    let place = (spread((x & mask) &>> 2) | spread((y & mask) &>> 2) &<< 1) &<< 4
    if component == 0 { return place }
    let samples = 1 &<< (2 &* ctbLog2Size)
    return samples &+ (component == 1 ? 0 : samples &>> 2) &+ place &>> 2
  }

  /// The four bits of a number, with a zero before each.
  @inline(__always)
  private static func spread(_ value: Int) -> Int {
    let pairs = (value | value &<< 2) & 0x33
    return (pairs | pairs &<< 1) & 0x55
  }
}
