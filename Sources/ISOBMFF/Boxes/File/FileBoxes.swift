// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

let fileBoxes: [BoxRegistration] = [
  BoxRegistration(FileTypeBox.self),
  BoxRegistration(
    container: "etyp", name: "ExtendedTypeBox", in: [.file, .box("ipco"), .box("otyp")],
    "ISO/IEC 14496-12, 8.17.2", "Combinations of brands that a reader must support."),
  BoxRegistration(TypeCombinationBox.self),
  BoxRegistration(
    container: "otyp", name: "OriginalFileTypeBox", in: [.file, .box("otyp")], "ISO/IEC 14496-12, 8.17.4",
    "The file type that the content had before it was transformed."),
  BoxRegistration(MediaDataBox.self),
  BoxRegistration(IdentifiedMediaDataBox.self),
  BoxRegistration(FreeSpaceBox.self),
  BoxRegistration(CompressedBox.self),
  BoxRegistration(ProgressiveDownloadInfoBox.self),
  BoxRegistration(
    container: "meco", name: "AdditionalMetadataContainerBox", in: [.file, .box("moov"), .box("trak")],
    "ISO/IEC 14496-12, 8.11.7", "More metadata boxes than the one that each level may have."),
  BoxRegistration(MetaboxRelationBox.self),
  BoxRegistration(
    container: "axte", name: "AuxiliaryTracksBox", in: [.file], "Android, auxiliary tracks extension",
    "Another movie, with tracks that go with those of the movie around it.", childScope: .file),
]
