// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

@testable import HEVCCoding

/// How many random blocks a kernel is compared with its plain twin on.
enum TwinRounds {
  /// `usual` for each size and depth, or what `MV_TWIN_ROUNDS` says: a million takes a release build.
  static func count(_ usual: Int) -> Int {
    ProcessInfo.processInfo.environment["MV_TWIN_ROUNDS"].flatMap { Int($0) } ?? usual
  }
}

/// A plane of random samples, and the same samples as plain numbers.
struct TwinPlane {
  let plane: Plane
  let width: Int
  let height: Int
  private(set) var samples: [Int]

  init(width: Int, height: Int, depth: Int) {
    self.width = width
    self.height = height
    plane = Plane(width: width, height: height, bitDepth: depth, isWide: depth > 8)
    samples = Array(repeating: 0, count: width * height)
  }

  func free() { plane.free() }

  /// A sample; outside of the plane the nearest one.
  subscript(x: Int, y: Int) -> Int {
    samples[max(0, min(height - 1, y)) * width + max(0, min(width - 1, x))]
  }

  /// New samples: noise, the two ends of the range alone, or a slope with a little noise, as blocks of a picture are.
  mutating func fill(_ random: inout SplitMix) {
    let high = 1 << plane.bitDepth - 1
    let kind = random.next(0...3)
    let slopeX = random.next(-3...3), slopeY = random.next(-3...3), start = random.next(0...high)
    let noise = max(1, high >> random.next(4...7))
    for y in 0..<height {
      for x in 0..<width {
        let value: Int
        switch kind {
        case 0: value = random.next(0...high)
        case 1: value = random.next(0...1) * high
        default: value = start + x * slopeX + y * slopeY + random.next(0...noise)
        }
        self.set(x, y, max(0, min(high, value)))
      }
    }
  }

  mutating func set(_ x: Int, _ y: Int, _ value: Int) {
    samples[y * width + x] = value
    plane[x, y] = value
  }

  /// Whether the plane has the samples of `expected`, row by row: nothing else was written.
  func hasSamples(_ expected: [Int]) -> Bool {
    for y in 0..<height {
      for x in 0..<width where plane[x, y] != expected[y * width + x] { return false }
    }
    return true
  }

  /// Takes the samples of the plane over.
  mutating func accept(_ expected: [Int]) { samples = expected }
}
