// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The language codes of the classic Mac OS, which QuickTime movies may have in the media header. QuickTime File Format
/// Specification, "Language Code Values"
package enum MacintoshLanguage {
  /// The language in three letters of ISO 639-2; `nil` for a code that is not known.
  package static func code(_ code: UInt16) -> String? {
    let number = Int(code)
    if first.indices.contains(number) { return first[number] }
    return second.indices.contains(number - 128) ? second[number - 128] : nil
  }

  /// The codes from 0 on.
  private static let first = [
    "eng", "fra", "deu", "ita", "nld", "swe", "spa", "dan", "por", "nor", "heb", "jpn", "ara", "fin",
    "ell", "isl", "mlt", "tur", "hrv", "zho", "urd", "hin", "tha", "kor", "lit", "pol", "hun", "est",
    "lav", "sme", "fao", "fas", "rus", "zho", "nld", "gle", "sqi", "ron", "ces", "slk", "slv", "yid",
    "srp", "mkd", "bul", "ukr", "bel", "uzb", "kaz", "aze", "aze", "hye", "kat", "ron", "kir", "tgk",
    "tuk", "mon", "mon", "pus", "kur", "kas", "snd", "bod", "nep", "san", "mar", "ben", "asm", "guj",
    "pan", "ori", "mal", "kan", "tam", "tel", "sin", "mya", "khm", "lao", "vie", "ind", "tgl", "msa",
    "msa", "amh", "tir", "orm", "som", "swa", "kin", "run", "nya", "mlg", "epo",
  ]

  /// The codes from 128 on.
  private static let second = [
    "cym", "eus", "cat", "lat", "que", "grn", "aym", "tat", "uig", "dzo", "jav",
  ]
}
