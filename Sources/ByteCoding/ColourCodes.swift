// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The names of the colour code points that video streams and movie files share. ISO/IEC 23091-2 (H.273), clause 8
public enum ColourCodes {
  /// The name of a value of `colour_primaries`.
  public static func primaries(_ code: Int64) -> String? {
    switch code {
    case 1: "BT.709"
    case 2: "unspecified"
    case 4: "BT.470 M"
    case 5: "BT.470 B/G"
    case 6: "BT.601"
    case 7: "SMPTE 240"
    case 8: "film"
    case 9: "BT.2020"
    case 10: "CIE XYZ"
    case 11: "P3 DCI"
    case 12: "P3 D65"
    case 22: "EBU 3213"
    default: nil
    }
  }

  /// The name of a value of `transfer_characteristics`.
  public static func transfer(_ code: Int64) -> String? {
    switch code {
    case 1: "BT.709"
    case 2: "unspecified"
    case 4: "gamma 2.2"
    case 5: "gamma 2.8"
    case 6: "BT.601"
    case 7: "SMPTE 240"
    case 8: "linear"
    case 9: "logarithmic 100:1"
    case 10: "logarithmic 316:1"
    case 11: "IEC 61966-2-4"
    case 12: "BT.1361"
    case 13: "sRGB"
    case 14: "BT.2020, 10 bits"
    case 15: "BT.2020, 12 bits"
    case 16: "PQ"
    case 17: "ST 428-1"
    case 18: "HLG"
    default: nil
    }
  }

  /// The name of a value of `matrix_coefficients`.
  public static func matrix(_ code: Int64) -> String? {
    switch code {
    case 0: "RGB"
    case 1: "BT.709"
    case 2: "unspecified"
    case 4: "FCC"
    case 5: "BT.470 B/G"
    case 6: "BT.601"
    case 7: "SMPTE 240"
    case 8: "YCgCo"
    case 9: "BT.2020"
    case 10: "BT.2020, constant luminance"
    case 11: "YDzDx"
    case 12: "from primaries"
    case 13: "from primaries, constant luminance"
    case 14: "ICtCp"
    case 15: "IPT-C2"
    case 16: "YCgCo-Re"
    case 17: "YCgCo-Ro"
    default: nil
    }
  }
}
