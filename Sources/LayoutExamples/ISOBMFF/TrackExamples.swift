// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import ISOBMFF

extension EditListBox: ExampleProviding {
  package static var examples: [EditListBox] {
    var trim = EditListBox()
    trim.entries = [Entry(editDuration: 300, mediaTime: -1), Entry(editDuration: 1_200, mediaTime: 2_000)]
    var wide = EditListBox()
    wide.version = 1
    wide.flags = 1
    wide.entries = [
      Entry(editDuration: 5_000_000_000, mediaTime: 5_000_000_000),
      Entry(editDuration: 90_000, mediaTime: 0, mediaRateInteger: 0),
      Entry(editDuration: 90_000, mediaTime: 0, mediaRateInteger: 0, mediaRateFraction: 0x4000),
    ]
    return [EditListBox(), trim, wide]
  }
}

extension TrackHeaderBox: ExampleProviding {
  package static var examples: [TrackHeaderBox] {
    var video = TrackHeaderBox()
    video.creationTime = 3_786_480_000
    video.modificationTime = 3_786_480_060
    video.duration = 200
    video.width = 1_920 << 16
    video.height = 1_080 << 16
    var sound = TrackHeaderBox()
    sound.version = 1
    sound.flags = 7
    sound.trackID = 2
    sound.duration = UInt64.max
    sound.layer = -1
    sound.alternateGroup = 1
    sound.volume = 0x0100
    return [video, sound]
  }
}

extension TrackReferenceTypeBox: ExampleProviding {
  package static var examples: [TrackReferenceTypeBox] {
    var sample = TrackReferenceTypeBox()
    sample.trackIDs = [1, 0, 0x0102_0304]
    return [TrackReferenceTypeBox(), sample]
  }
}
