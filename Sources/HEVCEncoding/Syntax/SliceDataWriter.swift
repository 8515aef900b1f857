// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVCCoding

/// Writes the coding tree units of a picture of one slice, in raster scan, as one substream or as one for each row.
/// ISO/IEC 23008-2, 7.3.8.1
final class SliceDataWriter {
  private let values: SliceValues
  private let tables: PictureTables
  private let states = ContextStates()
  /// The contexts after the second coding tree block of a row. 9.3.2.4
  private let rowStates = ContextStates()
  private var writer: SyntaxWriter<ArithmeticEncoder>
  private var address = 0

  /// The substreams that have ended, without emulation prevention.
  private(set) var substreams: [[UInt8]] = []

  init(_ values: SliceValues, _ tables: PictureTables) {
    self.values = values
    self.tables = tables
    writer = SyntaxWriter(ArithmeticEncoder(states: states), values, tables)
    states.initialise(type: values.initType, sliceQp: values.sliceQp)
  }

  deinit {
    states.free()
    rowStates.free()
  }

  /// Whether all coding tree units are written.
  var isComplete: Bool { address == values.widthInCtbs &* values.heightInCtbs }

  /// Writes the next coding tree unit.
  func write(_ tree: CodedTree) {
    let ctbY = address / values.widthInCtbs, ctbX = address &- ctbY &* values.widthInCtbs
    if values.isWavefront, ctbX == 0, ctbY > 0 {
      if values.widthInCtbs > 1 {
        states.copy(from: rowStates)
      } else {
        states.initialise(type: values.initType, sliceQp: values.sliceQp)
      }
    }
    writer.codingTreeUnit(tree, ctbX: ctbX, ctbY: ctbY)
    if values.isWavefront, ctbX == 1 { rowStates.copy(from: states) }
    address = address &+ 1
    writer.sink.terminate(isComplete)
    if isComplete {
      substreams.append(writer.sink.takeSubstream())
    } else if values.isWavefront, ctbX &+ 1 == values.widthInCtbs {
      writer.sink.terminate(true)
      substreams.append(writer.sink.takeSubstream())
    }
  }
}
