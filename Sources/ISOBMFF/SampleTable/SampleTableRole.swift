// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding

/// What a box of a sample table (`stbl`) specifies, which decides what becomes of it in a track with other samples.
package enum SampleTableRole: Sendable {
  /// The sample entries.
  case entries
  /// When samples are decoded and composed.
  case times
  /// Where decoding can begin, and how samples depend on each other.
  case access
  /// The sizes of samples.
  case sizes
  /// The places of samples in the file.
  case places
  /// Groups of samples.
  case groups
  /// The sizes of parts of samples.
  case subSamples
  /// The sizes and places of data about samples.
  case auxiliary
  /// The degradation priorities of samples.
  case priorities
  /// Nothing about samples.
  case filler

  /// The role of a box; `nil` if it is unknown.
  package init?(_ type: FourCC) {
    switch type {
    case "stsd": self = .entries
    case "stts", "ctts", "cslg": self = .times
    case "stss", "stps", "sdtp": self = .access
    case "stsz", "stz2": self = .sizes
    case "stsc", "stco", "co64": self = .places
    case "sgpd", "sbgp", "csgp": self = .groups
    case "subs": self = .subSamples
    case "saiz", "saio": self = .auxiliary
    case "stdp": self = .priorities
    case "free", "skip", "uuid": self = .filler
    default: return nil
    }
  }

  /// Whether the box can be made from a list of samples with their groups and parts.
  package var isMade: Bool {
    switch self {
    case .times, .access, .sizes, .places, .groups, .subSamples: true
    case .entries, .auxiliary, .priorities, .filler: false
    }
  }
}
