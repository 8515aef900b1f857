// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Adds residuals to samples of at most 12 bits, eight at a time. 8.6.6
enum ResidualRows {
  /// Numbers, held where any sample would be, so that they can be added to one in 16 bits.
  @inline(__always)
  private static func held(_ numbers: Words) -> Words {
    let sign = numbers.signs, beyond = (numbers ^ sign) &- 4095
    return ((beyond & beyond.signs) &+ 4095) ^ sign
  }

  /// Blocks of 4x4 to 32x32, in columns of eight samples.
  @unsafe
  @inline(never)
  static func add(
    _ residual: UnsafePointer<Int16>, to samples: UnsafeMutablePointer<UInt8>, _ stride: Int, _ size: Int
  ) {
    let high = Words(repeating: 255)
    if size >= 8 {
      var x = 0
      while x < size {
        var source = unsafe residual + x, line = unsafe samples + x
        for _ in 0..<size {
          let sum = unsafe (Words(at: line) &+ held(Words(at: source))).held(to: high)
          unsafe UnsafeMutableRawPointer(line).storeBytes(of: sum.bytes, as: SIMD8<UInt8>.self)
          unsafe source += size
          unsafe line += stride
        }
        x = x &+ 8
      }
      return
    }
    var source = unsafe residual, line = unsafe samples
    for _ in 0..<2 {
      let next = unsafe line + stride
      let sum = unsafe (Words(fours: line, next) &+ held(Words(at: source))).held(to: high)
      unsafe sum.store(fours: line, next)
      unsafe source += 8
      unsafe line = next + stride
    }
  }

  @unsafe
  @inline(never)
  static func add(
    _ residual: UnsafePointer<Int16>, to samples: UnsafeMutablePointer<UInt16>, _ stride: Int, _ size: Int,
    _ bitDepth: Int
  ) {
    let high = Words(repeating: Int16(truncatingIfNeeded: 1 &<< bitDepth &- 1))
    if size >= 8 {
      var x = 0
      while x < size {
        var source = unsafe residual + x, line = unsafe samples + x
        for _ in 0..<size {
          let sum = unsafe (Words(at: line) &+ held(Words(at: source))).held(to: high)
          unsafe UnsafeMutableRawPointer(line).storeBytes(of: sum, as: Words.self)
          unsafe source += size
          unsafe line += stride
        }
        x = x &+ 8
      }
      return
    }
    var source = unsafe residual, line = unsafe samples
    for _ in 0..<2 {
      let next = unsafe line + stride
      let sum = unsafe (Words(fours: line, next) &+ held(Words(at: source))).held(to: high)
      unsafe sum.store(fours: line, next)
      unsafe source += 8
      unsafe line = next + stride
    }
  }

  /// The same number for a block of any size that is a multiple of four.
  @unsafe
  @inline(never)
  static func add(
    _ number: Int16, to samples: UnsafeMutablePointer<UInt8>, _ stride: Int, _ size: Int
  ) {
    let numbers = Words(repeating: number), high = Words(repeating: 255)
    var line = unsafe samples
    if size == 4 {
      for _ in 0..<2 {
        let next = unsafe line + stride
        unsafe (Words(fours: line, next) &+ numbers).held(to: high).store(fours: line, next)
        unsafe line = next + stride
      }
      return
    }
    for _ in 0..<size {
      var x = 0
      while x < size {
        let sum = unsafe (Words(at: line + x) &+ numbers).held(to: high)
        unsafe UnsafeMutableRawPointer(line + x).storeBytes(of: sum.bytes, as: SIMD8<UInt8>.self)
        x = x &+ 8
      }
      unsafe line += stride
    }
  }

  @unsafe
  @inline(never)
  static func add(
    _ number: Int16, to samples: UnsafeMutablePointer<UInt16>, _ stride: Int, _ size: Int, _ bitDepth: Int
  ) {
    let numbers = Words(repeating: number)
    let high = Words(repeating: Int16(truncatingIfNeeded: 1 &<< bitDepth &- 1))
    var line = unsafe samples
    if size == 4 {
      for _ in 0..<2 {
        let next = unsafe line + stride
        unsafe (Words(fours: line, next) &+ numbers).held(to: high).store(fours: line, next)
        unsafe line = next + stride
      }
      return
    }
    for _ in 0..<size {
      var x = 0
      while x < size {
        let sum = unsafe (Words(at: line + x) &+ numbers).held(to: high)
        unsafe UnsafeMutableRawPointer(line + x).storeBytes(of: sum, as: Words.self)
        x = x &+ 8
      }
      unsafe line += stride
    }
  }
}
