// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// `vps_vui_bsp_hrd_params()`: the buffers of bitstream partitions. ISO/IEC 23008-2, F.7.3.2.1.6
public struct BSPHRDParameters: Hashable, Sendable {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, F.7.3.2.1.6"

  /// How an output layer set may be divided.
  public struct OutputLayerSet: Hashable, Sendable {
    /// The partitioning schemes that are written out: for each of its partitions
    /// `layer_included_in_partition_flag[r]`, in bit r. Scheme 0, one layer a partition, is not written out.
    public var signalledSchemes: [[UInt64]] = []
    /// The schedules of scheme 0 and then of those written out; for each of the sub-layers.
    public var schedules: [[[Schedule]]] = []

    /// Scheme 0 alone.
    public init() {}
  }

  /// A delivery schedule: which parameters hold for each partition.
  public struct Schedule: Hashable, Sendable {
    /// For each partition of the scheme.
    public var partitions: [Partition] = []

    /// A schedule of no partitions.
    public init() {}
  }

  /// The parameters of a partition.
  public struct Partition: Hashable, Sendable {
    /// `bsp_hrd_idx`; `nil` where there is only one.
    public var bspHrdIdx: UInt16?
    /// `bsp_sched_idx`
    public var bspSchedIdx: UInt32 = 0

    /// The first parameters.
    public init() {}
  }

  /// The `hrd_parameters()` that come after those of the video parameter set. `cprms_add_present_flag` and
  /// `num_sub_layer_hrd_minus1` are their `commonInfPresentFlag` and `maxNumSubLayersMinus1`.
  public var hrds: [HRDParameters] = []
  /// The output layer sets from 1 on.
  public var outputLayerSets: [OutputLayerSet] = []

  /// No parameters.
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
    try c.elements(
      "output_layer_sets", &outputLayerSets, at: 1..<max(1, scope.outputs.count), minimumBits: 1,
      new: OutputLayerSet()
    ) { c, h, ols throws(ParseError) in
      c.beginStructure("output_layer_set")
      try ols.layout(&c, scope.outputs[h], hrdCount: total)
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
      c, i, ofScheme throws(ParseError) in
      try c.elements("sub_layers", &ofScheme, at: 0..<subLayers, minimumBits: 1, new: []) {
        c, _, ofSubLayer throws(ParseError) in
        try Self.layout(&ofSubLayer, &c, partitions: partitions[i], hrdCount: hrdCount)
      }
    }
  }

  private static func layout(
    _ schedules: inout [BSPHRDParameters.Schedule], _ c: inout some Coder, partitions: Int, hrdCount: Int
  ) throws(ParseError) {
    c.beginStructure("sub_layer")
    var last = UInt32(clamping: max(1, schedules.count) - 1)
    try c.ue("num_bsp_schedules_minus1", &last, in: 0...31)
    try c.elements(
      "schedules", &schedules, at: 0..<(Int(last) + 1), minimumBits: 1, new: BSPHRDParameters.Schedule()
    ) { c, _, schedule throws(ParseError) in
      try c.elements(
        "partitions", &schedule.partitions, at: 0..<partitions, minimumBits: 1,
        new: BSPHRDParameters.Partition()
      ) { c, _, partition throws(ParseError) in
        c.beginStructure("partition")
        try c.u(
          "bsp_hrd_idx", &partition.bspHrdIdx, ceilLog2(hrdCount), if: hrdCount > 1,
          in: 0...UInt16(clamping: hrdCount - 1))
        try c.ue("bsp_sched_idx", &partition.bspSchedIdx, in: 0...31)
        c.endScope()
      }
    }
    c.endScope()
  }
}
