// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The language tags of playlists. RFC 5646
enum LanguageTag {
  /// Returns the tag for the language of a track: the two-letter code if a three-letter code has one (RFC 5646,
  /// 2.2.1: the shortest code), otherwise the language itself. `nil` if the language is not specified, or is
  /// not in the form of a tag.
  static func tag(for language: String?) -> String? {
    guard let language, language != "und", isTag(language) else { return nil }
    return shortest[language] ?? language
  }

  /// Returns whether a text has the form of a tag: a language and its subtags, separated by hyphens.
  private static func isTag(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard let first = parts.first, (2...8).contains(first.count) || parts.count > 1 else { return false }
    return parts.enumerated().allSatisfy { index, part in
      (1...8).contains(part.count)
        && part.allSatisfy { byte in
          let letter = byte | 0x20
          return (0x61...0x7A).contains(letter) || (index > 0 && (0x30...0x39).contains(byte))
        }
    }
  }

  /// The codes of ISO 639-1 by those of ISO 639-2: the terminology code and, if it differs, the bibliographic code.
  private static let shortest: [String: String] = {
    var codes: [String: String] = [:]
    for pair in pairs.split(separator: ",") {
      let words = pair.split(whereSeparator: \.isWhitespace)
      if words.count == 2 { codes[String(words[0])] = String(words[1]) }
    }
    return codes
  }()

  private static let pairs = """
    aar aa, abk ab, afr af, aka ak, alb sq, amh am, ara ar, arg an, arm hy, asm as, ava av, ave ae,
    aym ay, aze az, bak ba, bam bm, baq eu, bel be, ben bn, bih bh, bis bi, bod bo, bos bs, bre br,
    bul bg, bur my, cat ca, ces cs, cha ch, che ce, chi zh, chu cu, chv cv, cor kw, cos co, cre cr,
    cym cy, cze cs, dan da, deu de, div dv, dut nl, dzo dz, ell el, eng en, epo eo, est et, eus eu,
    ewe ee, fao fo, fas fa, fij fj, fin fi, fra fr, fre fr, fry fy, ful ff, geo ka, ger de, gla gd,
    gle ga, glg gl, glv gv, gre el, grn gn, guj gu, hat ht, hau ha, heb he, her hz, hin hi, hmo ho,
    hrv hr, hun hu, hye hy, ibo ig, ice is, ido io, iii ii, iku iu, ile ie, ina ia, ind id, ipk ik,
    isl is, ita it, jav jv, jpn ja, kal kl, kan kn, kas ks, kat ka, kau kr, kaz kk, khm km, kik ki,
    kin rw, kir ky, kom kv, kon kg, kor ko, kua kj, kur ku, lao lo, lat la, lav lv, lim li, lin ln,
    lit lt, ltz lb, lub lu, lug lg, mac mk, mah mh, mal ml, mao mi, mar mr, may ms, mkd mk, mlg mg,
    mlt mt, mon mn, mri mi, msa ms, mya my, nau na, nav nv, nbl nr, nde nd, ndo ng, nep ne, nld nl,
    nno nn, nob nb, nor no, nya ny, oci oc, oji oj, ori or, orm om, oss os, pan pa, per fa, pli pi,
    pol pl, por pt, pus ps, que qu, roh rm, ron ro, rum ro, run rn, rus ru, sag sg, san sa, sin si,
    slk sk, slo sk, slv sl, sme se, smo sm, sna sn, snd sd, som so, sot st, spa es, sqi sq, srd sc,
    srp sr, ssw ss, sun su, swa sw, swe sv, tah ty, tam ta, tat tt, tel te, tgk tg, tgl tl, tha th,
    tib bo, tir ti, ton to, tsn tn, tso ts, tuk tk, tur tr, twi tw, uig ug, ukr uk, urd ur, uzb uz,
    ven ve, vie vi, vol vo, wel cy, wln wa, wol wo, xho xh, yid yi, yor yo, zha za, zho zh, zul zu
    """
}
