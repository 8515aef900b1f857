// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// `vps_vui_bsp_hrd_params()`: the buffers of bitstream partitions. ISO/IEC 23008-2, F.7.3.2.1.6
public struct BSPHRDParameters: Hashable, Sendable {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, F.7.3.2.1.6"

  /// How an output layer set may be divided into partitions.
  public struct OutputLayerSet: Hashable, Sendable {
    /// The partitioning schemes in the bitstream: for each of their partitions,
    /// `layer_included_in_partition_flag[r]` in bit r. Scheme 0, one layer per partition, is not in the bitstream.
    public var signalledSchemes: [[UInt64]] = []
    /// The schedules of scheme 0 and then of those in the bitstream, each for all sub-layers.
    public var schedules: [[[Schedule]]] = []

    /// Makes a set with scheme 0 alone.
    public init() {}
  }

  /// A delivery schedule: the parameters of each partition.
  public struct Schedule: Hashable, Sendable {
    /// The parameters of each partition of the scheme.
    public var partitions: [Partition] = []

    /// Makes a schedule without partitions.
    public init() {}
  }

  /// The parameters of a partition.
  public struct Partition: Hashable, Sendable {
    /// The index of the HRD parameters; `nil` if there is only one (`bsp_hrd_idx`).
    public var bspHrdIdx: UInt16?
    /// The index of the delivery schedule in these HRD parameters (`bsp_sched_idx`).
    public var bspSchedIdx: UInt32 = 0

    /// Makes a partition that uses the first parameters.
    public init() {}
  }

  /// The `hrd_parameters()` that follow those of the video parameter set. `cprms_add_present_flag` and
  /// `num_sub_layer_hrd_minus1` are their `commonInfPresentFlag` and `maxNumSubLayersMinus1`.
  public var hrds: [HRDParameters] = []
  /// The output layer sets from 1 on.
  public var outputLayerSets: [OutputLayerSet] = []

  /// How many partitions all schedules may have together: a partition takes a bit, and this is far above every real
  /// stream.
  private static let maximumPartitions = 16_384

  /// Makes empty parameters.
  public init() {}

  mutating func layout(_ c: inout some Coder, _ scope: VPSVUI.Scope) throws(ParseError) {
    var additional = UInt32(clamping: hrds.count)
    try c.ue("vps_num_add_hrd_params", &additional, in: 0...1024)
    var common = scope.hrdCommon
    try c.elements(
      "hrd", &hrds, at: scope.hrdCount..<(scope.hrdCount + Int(additional)), minimumBits: 3,
      new: HRDParameters()
    ) { c, i, hrd throws(ParseError) in
      c.beginStructure("hrd")
      if i > 0 {
        try c.flag("cprms_add_present_flag", &hrd.commonInfPresentFlag)
      } else {
        hrd.commonInfPresentFlag = true
      }
      var subLayers = UInt32(hrd.maxNumSubLayersMinus1)
      try c.ue("num_sub_layer_hrd_minus1", &subLayers, in: 0...UInt32(scope.maxSubLayersMinus1))
      hrd.maxNumSubLayersMinus1 = UInt8(clamping: subLayers)
      hrd.inheritedCommon = common
      try c.group("hrd_parameters", &hrd)
      common = hrd.effectiveCommon
      c.endScope()
    }
    let total = scope.hrdCount + Int(additional)
    guard total > 0 else {
      outputLayerSets = []
      return
    }
    var left = Self.maximumPartitions
    try c.elements(
      "output_layer_sets", &outputLayerSets, at: 1..<max(1, scope.outputs.count), minimumBits: 1,
      new: OutputLayerSet()
    ) { c, h, ols throws(ParseError) in
      c.beginStructure("output_layer_set")
      try ols.layout(&c, scope.outputs[h], hrdCount: total)
      left -= ols.schedules.joined().joined().reduce(0) { $0 + $1.partitions.count }
      guard left >= 0 else {
        throw c.failure(
          .limitExceeded(
            limit: "of \(Self.maximumPartitions) partitions", value: UInt64(Self.maximumPartitions - left)),
          "bsp_schedules")
      }
      c.endScope()
    }
  }
}

extension BSPHRDParameters.OutputLayerSet {
  fileprivate mutating func layout(
    _ c: inout some Coder, _ layers: OutputLayers, hrdCount: Int
  ) throws(ParseError) {
    var schemes = UInt32(clamping: signalledSchemes.count)
    try c.ue("num_signalled_partitioning_schemes", &schemes, in: 0...16)
    let width = layers.layerSet.count
    try c.elements(
      "partitioning_schemes", &signalledSchemes, at: 1..<(Int(schemes) + 1), minimumBits: 1 + width, new: []
    ) { c, _, scheme throws(ParseError) in
      c.beginStructure("scheme")
      var last = UInt32(clamping: max(1, scheme.count) - 1)
      try c.ue("num_partitions_in_scheme_minus1", &last, in: 0...UInt32(clamping: max(1, width) - 1))
      try c.elements("partitions", &scheme, at: 0..<(Int(last) + 1), minimumBits: width, new: 0) {
        c, _, partition throws(ParseError) in
        try c.flags("layer_included_in_partition_flag", &partition, at: 0..<width)
      }
      c.endScope()
    }
    let partitions = [width] + signalledSchemes.map(\.count)
    let subLayers = layers.maxSubLayersMinus1 + 1
    try c.elements("bsp_schedules", &schedules, at: 0..<partitions.count, minimumBits: 1, new: []) {
      c, i, scheme throws(ParseError) in
      try c.elements("sub_layers", &scheme, at: 0..<subLayers, minimumBits: 1, new: []) {
        c, _, subLayer throws(ParseError) in
        c.beginStructure("sub_layer")
        var last = UInt32(clamping: max(1, subLayer.count) - 1)
        try c.ue("num_bsp_schedules_minus1", &last, in: 0...31)
        try c.elements(
          "schedules", &subLayer, at: 0..<(Int(last) + 1), minimumBits: 1, new: BSPHRDParameters.Schedule()
        ) { c, _, schedule throws(ParseError) in
          try schedule.layout(&c, partitions: partitions[i], hrdCount: hrdCount)
        }
        c.endScope()
      }
    }
  }
}

extension BSPHRDParameters.Schedule {
  fileprivate mutating func layout(
    _ c: inout some Coder, partitions count: Int, hrdCount: Int
  ) throws(ParseError) {
    try c.elements(
      "partitions", &partitions, at: 0..<count, minimumBits: 1, new: BSPHRDParameters.Partition()
    ) { c, _, partition throws(ParseError) in
      c.beginStructure("partition")
      try c.u(
        "bsp_hrd_idx", &partition.bspHrdIdx, ceilLog2(hrdCount), if: hrdCount > 1,
        in: 0...UInt16(clamping: hrdCount - 1))
      try c.ue("bsp_sched_idx", &partition.bspSchedIdx, in: 0...31)
      c.endScope()
    }
  }
}
