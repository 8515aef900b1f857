// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import ISOBMFF

extension MovieExtendsHeaderBox: ExampleProviding {
  package static var examples: [MovieExtendsHeaderBox] {
    var short = MovieExtendsHeaderBox()
    short.fragmentDuration = 6_000
    var wide = short
    wide.version = 1
    wide.fragmentDuration = 0x1_0000_0000
    return [short, wide]
  }
}

extension TrackExtendsBox: ExampleProviding {
  package static var examples: [TrackExtendsBox] {
    var sample = TrackExtendsBox()
    sample.defaultSampleDuration = 1_001
    sample.defaultSampleFlags = .nonSync
    return [TrackExtendsBox(), sample]
  }
}

extension MovieHeaderBox: ExampleProviding {
  package static var examples: [MovieHeaderBox] {
    var short = MovieHeaderBox()
    short.creationTime = 3_786_480_000
    short.modificationTime = 3_786_480_060
    short.duration = 200
    short.nextTrackID = 2
    var wide = short
    wide.version = 1
    wide.timescale = 90_000
    wide.duration = 5_000_000_000
    wide.posterTime = 12
    wide.matrix = TransformationMatrix(a: 0, b: 0x10000, c: -0x10000, d: 0, x: 0x0438_0000)
    return [short, wide]
  }
}

extension ObjectDescriptorBox: ExampleProviding {
  package static var examples: [ObjectDescriptorBox] {
    var profiles = ObjectDescriptor()
    profiles.descriptors = [Descriptor(.init(rawValue: 14), .other(ByteView([0, 0, 0, 1])))]
    var usual = ObjectDescriptorBox()
    usual.descriptors = [Descriptor(.movieInitialObject, .objectDescriptor(profiles), lengthByteCount: 4)]
    var elsewhere = ObjectDescriptor()
    elsewhere.id = 2
    elsewhere.url = ByteView("https://example.com/od".utf8)
    var remote = ObjectDescriptorBox()
    remote.descriptors = [Descriptor(.movieInitialObject, .objectDescriptor(elsewhere))]
    var plain = ObjectDescriptor()
    plain.isInitial = false
    var other = ObjectDescriptorBox()
    other.descriptors = [Descriptor(.movieObject, .objectDescriptor(plain))]
    return [usual, remote, other]
  }
}
