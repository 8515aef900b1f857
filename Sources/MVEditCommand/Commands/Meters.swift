// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import FileAccess
import MovieEncoding

/// Says how much of a file is written, where a person waits.
final class WritingMeter {
  private let line: Progress

  init(_ invocation: Invocation) { line = Progress(invocation.surroundings, answersMeanwhile: false) }

  /// The closure that is called while a file is written.
  var show: (WritingProgress) -> Void {
    { [line] in line.show(Self.text($0)) }
  }

  /// Clears the line.
  func clear() { line.clear() }

  /// `43 %, 1.2 GB of 2.8 GB`, or what is known of it.
  static func text(_ progress: WritingProgress) -> String {
    let written = Quantity.bytes(progress.bytesWritten)
    if progress.isVerifying { return "\(written) written, now reading the file to check it" }
    guard let size = progress.expectedSize, size > 0 else { return "\(written) written" }
    let share = min(99, Int(Double(progress.bytesWritten) / Double(size) * 100))
    return "\(share) %, \(written) of \(Quantity.bytes(size))"
  }
}

/// Says how far encoding is, where a person waits.
final class EncodingMeter {
  private let line: Progress
  private let start = ContinuousClock.now

  init(_ surroundings: Surroundings) { line = Progress(surroundings, answersMeanwhile: false) }

  /// How many seconds have passed.
  var seconds: Double {
    let parts = (ContinuousClock.now - start).components
    return Double(parts.seconds) + Double(parts.attoseconds) / 1e18
  }

  func show(_ progress: EncodingProgress) { line.show(Self.text(progress, seconds)) }

  func clear() { line.clear() }

  /// `120 of 300 pictures, 4.5 pictures a second, 1.2 MB, 40 s left`, or what is known of it.
  static func text(_ progress: EncodingProgress, _ seconds: Double) -> String {
    let done = progress.pictures
    var text = "\(done)"
    if let all = progress.expectedPictures { text += " of \(all)" }
    text += " pictures, \(rate(done, seconds)), "
    text += Quantity.bytes(UInt64(clamping: progress.layerBytes.reduce(0, +)))
    if let all = progress.expectedPictures, done > 0, all > done {
      text += ", \(time(seconds / Double(done) * Double(all - done))) left"
    }
    return text
  }

  /// `40 s`, `12 min`, `3 h 20 min`: as exactly as it can be foreseen.
  static func time(_ seconds: Double) -> String {
    let whole = Int(min(max(0, seconds), 1e9).rounded(.up))
    if whole < 90 { return "\(whole) s" }
    let minutes = (whole + 59) / 60
    return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
  }

  /// How many pictures there are in a second.
  static func rate(_ pictures: Int, _ seconds: Double) -> String {
    let tenths = seconds > 0 ? Int(clamping: Int64(min(1e9, Double(pictures) / seconds * 10))) : 0
    return "\(tenths / 10).\(tenths % 10) pictures a second"
  }
}
