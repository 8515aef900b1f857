// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// One line of another tool's list of packets (`packet,key=value,…`).
public struct PacketReading: Equatable, Sendable {
  /// The index of its stream in the file, from 0.
  public var stream = 0
  /// The presentation time, in units of the stream's timescale.
  public var presentationTime: Int64?
  /// The decoding time.
  public var decodeTime: Int64?
  /// The duration.
  public var duration: Int64?
  /// The number of bytes.
  public var size: Int64?
  /// The offset in the file.
  public var position: Int64?
  /// Whether decoding can begin at the packet.
  public var isKey = false
  /// Whether the packet is decoded but not shown.
  public var isDiscarded = false

  /// Reads a line; `nil` if it is not a packet.
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

  /// Returns the packets that the other tool found in a file of the corpus.
  public static func packets(of name: String) -> [PacketReading] {
    (Corpus.truth(name, "ffprobe.packets.csv") ?? "").split(separator: "\n").compactMap { PacketReading($0) }
  }
}
