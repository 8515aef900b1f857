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
    /// The schedules in packed form: a partition of a schedule may take a single bit.
    fileprivate var packedSchedules = PackedNumbers()
    /// The schedules of scheme 0 and then of those in the bitstream, each for all sub-layers. Computed on each
    /// access.
    public var schedules: [[[Schedule]]] {
      get { unpackedSchedules }
      set { pack(newValue) }
    }

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
  /// `num_sub_layer_hrd_minus1` are their `commonInfPresentFlag` and `maxNumSubLayersMinus1`. Computed on each
  /// access.
  public var hrds: [HRDParameters] {
    get { packedHRDs.elements }
    set { packedHRDs = PackedList(newValue) }
  }
  private var packedHRDs = PackedList<HRDParameters>()
  private var packedSets = PackedList<OutputLayerSet>()
  /// The output layer sets from 1 on. Computed on each access.
  public var outputLayerSets: [OutputLayerSet] {
    get { packedSets.elements }
    set { packedSets = PackedList(newValue) }
  }

  /// Makes empty parameters.
  public init() {}

  mutating func layout(_ c: inout some Coder, _ scope: VPSVUI.Scope) throws(ParseError) {
    var additional = UInt32(clamping: packedHRDs.count)
    try c.ue("vps_num_add_hrd_params", &additional, in: 0...1024)
    var common = scope.hrdCommon
    try c.elements(
      "hrd", &packedHRDs, at: scope.hrdCount..<(scope.hrdCount + Int(additional)), minimumBits: 3,
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
      packedSets = PackedList()
      return
    }
    try c.elements(
      "output_layer_sets", &packedSets, at: 1..<max(1, scope.outputs.count), minimumBits: 1,
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
    let isDecoding = c.isDecoding
    var numbers = isDecoding ? PackedNumbers() : packedSchedules
    var place = 0
    defer { if isDecoding { packedSchedules = numbers } }
    let schemeCount = numbers.count(partitions.count, isDecoding, &place)
    try c.repeated("bsp_schedules", at: 0..<partitions.count, minimumBits: 1, had: schemeCount) {
      c, i throws(ParseError) in
      let subLayerCount = numbers.count(subLayers, isDecoding, &place)
      try c.repeated("sub_layers", at: 0..<subLayers, minimumBits: 1, had: subLayerCount) {
        c, _ throws(ParseError) in
        try Self.layout(&numbers, &place, &c, partitions: partitions[i], hrdCount: hrdCount)
      }
    }
  }

  /// Codes the schedules of one sub-layer: reading appends the numbers, writing takes them from their place.
  private static func layout(
    _ numbers: inout PackedNumbers, _ place: inout Int, _ c: inout some Coder, partitions: Int, hrdCount: Int
  ) throws(ParseError) {
    let isDecoding = c.isDecoding
    c.beginStructure("sub_layer")
    var count = isDecoding ? 0 : numbers.nextCount(&place)
    var last = UInt32(clamping: max(1, count) - 1)
    do {
      defer { if isDecoding { numbers.append(UInt64(count)) } }
      try c.ue("num_bsp_schedules_minus1", &last, in: 0...31)
      if isDecoding { count = Int(last) + 1 }
    }
    try c.repeated("schedules", at: 0..<(Int(last) + 1), minimumBits: 1, had: count) {
      c, _ throws(ParseError) in
      let partitionCount = numbers.count(partitions, isDecoding, &place)
      try c.repeated("partitions", at: 0..<partitions, minimumBits: 1, had: partitionCount) {
        c, _ throws(ParseError) in
        var partition = BSPHRDParameters.Partition()
        if !isDecoding { partition = .init(unpacking: numbers, at: &place) }
        defer { if isDecoding { partition.pack(into: &numbers) } }
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

  // The numbers are the count of schemes; for each, the count of its sub-layers; for each of these, the count of
  // its schedules; and for each of these, the count of its partitions, followed by the partitions.

  private mutating func pack(_ schedules: [[[BSPHRDParameters.Schedule]]]) {
    packedSchedules.removeAll()
    guard !schedules.isEmpty else { return }
    packedSchedules.append(UInt64(schedules.count))
    for ofScheme in schedules {
      packedSchedules.append(UInt64(ofScheme.count))
      for ofSubLayer in ofScheme {
        packedSchedules.append(UInt64(ofSubLayer.count))
        for schedule in ofSubLayer {
          packedSchedules.append(UInt64(schedule.partitions.count))
          for partition in schedule.partitions { partition.pack(into: &packedSchedules) }
        }
      }
    }
  }

  private var unpackedSchedules: [[[BSPHRDParameters.Schedule]]] {
    let numbers = packedSchedules
    var place = 0
    /// In a damaged structure, the numbers may end before the counts say so.
    func list<Element>(_ next: () -> Element) -> [Element] {
      let count = numbers.nextCount(&place)
      var elements: [Element] = []
      while elements.count < count, place < numbers.bytes.count { elements.append(next()) }
      return elements
    }
    return list {
      list {
        list {
          var schedule = BSPHRDParameters.Schedule()
          schedule.partitions = list { BSPHRDParameters.Partition(unpacking: numbers, at: &place) }
          return schedule
        }
      }
    }
  }
}

extension PackedNumbers {
  /// A count: reading appends it, writing takes it from its place.
  fileprivate mutating func count(_ announced: Int, _ isDecoding: Bool, _ place: inout Int) -> Int {
    guard isDecoding else { return nextCount(&place) }
    append(UInt64(announced))
    return announced
  }
}

extension BSPHRDParameters.Partition: Packable {
  func pack(into numbers: inout PackedNumbers) {
    numbers.append(UInt64(bspSchedIdx) &<< 1 | (bspHrdIdx == nil ? 0 : 1))
    if let bspHrdIdx { numbers.append(UInt64(bspHrdIdx)) }
  }

  init(unpacking numbers: PackedNumbers, at place: inout Int) {
    let first = numbers.next(&place) ?? 0
    bspSchedIdx = UInt32(truncatingIfNeeded: first &>> 1)
    if first & 1 == 1 { bspHrdIdx = UInt16(truncatingIfNeeded: numbers.next(&place) ?? 0) }
  }
}

extension BSPHRDParameters.OutputLayerSet: Packable {
  func pack(into numbers: inout PackedNumbers) {
    numbers.append(UInt64(signalledSchemes.count))
    for scheme in signalledSchemes {
      numbers.append(UInt64(scheme.count))
      for partition in scheme { numbers.append(partition) }
    }
    numbers.append(UInt64(packedSchedules.bytes.count))
    numbers.append(contentsOf: packedSchedules)
  }

  init(unpacking numbers: PackedNumbers, at place: inout Int) {
    for _ in 0..<numbers.nextCount(&place) {
      let count = numbers.nextCount(&place)
      signalledSchemes.append((0..<count).map { _ in numbers.next(&place) ?? 0 })
    }
    let count = numbers.nextCount(&place)
    packedSchedules = numbers.bytes(count, &place)
  }
}
