// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import Multiview

// The code of the article "Adding a box".

/// How somebody rates a movie, and the languages of the remarks.
struct RatingNumberBox: VersionedFullBox {
  static let info = BoxInfo(
    ["rtnm"], name: "rating number", in: [.box("udta")], "Example Corporation, Ratings, 2.1",
    "How somebody rates the movie.", versions: 0...1)

  var version: UInt8 = 0
  var flags: UInt32 = 0
  /// From 0 to 100.
  var rating: UInt8 = 0
  var reserved: UInt8 = 0
  /// When it was given; of version 1.
  var time: UInt32?
  /// The languages of remarks.
  var languages: [UInt16] = []

  init() {}

  mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...1)
    try c.u8("rating", &rating, in: 0...100)
    try c.reserved("reserved", &reserved, bits: 8, expecting: 0)
    try c.u("time", &time, 32, if: version == 1)
    var count = UInt16(clamping: languages.count)
    try c.u16("language_count", &count)
    try c.array("language", &languages, count: count, bits: 16, .language)
  }
}

func readRating(_ bytes: [UInt8]) throws {
  let registry = try BoxRegistry.standard.adding([BoxRegistration(RatingNumberBox.self)])
  let tree = BoxTree(ByteView(bytes), registry: registry)
  print(tree["moov/udta/rtnm"]?.payload(RatingNumberBox.self)?.rating ?? 0)
}

func writeRating(_ tree: inout BoxTree) throws {
  var rating = RatingNumberBox()
  rating.rating = 80
  try tree.insert(Box("rtnm", rating), in: "moov/udta")
}

func readRatingsByUserType(_ bytes: ByteView) throws -> BoxTree {
  let userType = "a5d40b30-e814-11dd-ba2f-0800200c9a66"
  let registry = try BoxRegistry.standard.adding(
    [], userTypes: [(userType, BoxRegistration(RatingNumberBox.self))])
  return BoxTree(bytes, registry: registry)
}
