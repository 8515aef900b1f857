// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// One line of another tool's list of packets (`packet,key=value,…`).
public struct PacketReading: Equatable, Sendable {
  /// Which stream of the file it is in, from 0.
  public var stream = 0
  /// When it is shown, in units of the stream's timescale.
  public var presentationTime: Int64?
  /// When it is decoded.
  public var decodeTime: Int64?
  /// How long it lasts.
  public var duration: Int64?
  /// How many bytes it has.
  public var size: Int64?
  /// Where it begins in the file.
  public var position: Int64?
  /// Whether decoding may begin with it.
  public var isKey = false
  /// Whether it is decoded but not shown.
  public var isDiscarded = false

  /// Reads a line, or answers `nil` where it is no packet.
  public init?(_ line: some StringProtocol) {
    let fields = line.split(separator: ",")
    guard fields.first == "packet" else { return nil }
    for field in fields.dropFirst() {
      let parts = field.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { continue }
      switch parts[0] {
      case "stream_index": stream = Int(parts[1]) ?? 0
      case "pts": presentationTime = Int64(parts[1])
      case "dts": decodeTime = Int64(parts[1])
      case "duration": duration = Int64(parts[1])
      case "size": size = Int64(parts[1])
      case "pos": position = Int64(parts[1])
      case "flags":
        isKey = parts[1].contains("K")
        isDiscarded = parts[1].contains("D")
      default: break
      }
    }
  }

  /// The packets that the other tool finds in a file of the corpus.
  public static func packets(of name: String) -> [PacketReading] {
    (Corpus.truth(name, "ffprobe.packets.csv") ?? "").split(separator: "\n").compactMap { PacketReading($0) }
  }
}
