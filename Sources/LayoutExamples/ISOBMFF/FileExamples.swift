// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import ISOBMFF

extension MediaDataBox: ExampleProviding {
  package static var examples: [MediaDataBox] {
    var sample = MediaDataBox()
    sample.data = ByteView([0, 0, 0, 2, 0x09, 0x10])
    return [MediaDataBox(), sample]
  }
}

extension IdentifiedMediaDataBox: ExampleProviding {
  package static var examples: [IdentifiedMediaDataBox] {
    var sample = IdentifiedMediaDataBox()
    sample.imdaIdentifier = 7
    sample.data = ByteView([0, 0, 0, 2, 0x09, 0x10])
    return [sample]
  }
}

extension FreeSpaceBox: ExampleProviding {
  package static var examples: [FreeSpaceBox] {
    var sample = FreeSpaceBox()
    sample.data = ByteView(Array("IsoMedia File Produced with GPAC".utf8))
    return [FreeSpaceBox(), sample]
  }
}

extension CompressedBox: ExampleProviding {
  package static var examples: [CompressedBox] {
    var sample = CompressedBox()
    sample.data = ByteView([0x63, 0x60, 0, 0])
    return [sample]
  }
}

extension ProgressiveDownloadInfoBox: ExampleProviding {
  package static var examples: [ProgressiveDownloadInfoBox] {
    var sample = ProgressiveDownloadInfoBox()
    sample.entries = .of([Entry(rate: 64_000, initialDelay: 12_000), Entry(rate: 1_000_000, initialDelay: 0)])
    return [sample]
  }
}

extension FileTypeBox: ExampleProviding {
  package static var examples: [FileTypeBox] {
    [
      FileTypeBox("mp42", minorVersion: 1, compatibleBrands: ["isom", "mp41", "mp42"]),
      FileTypeBox("qt  ", minorVersion: 0x2005_0300, compatibleBrands: []),
    ]
  }
}
