// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Names that media files usually have; in a folder such a file is expected to be readable.
package let mediaExtensions: Set<String> = [
  "mov", "mp4", "m4v", "m4a", "m4b", "m4s", "mp4v", "qt", "3gp", "3g2", "cmfv", "cmfa", "cmft", "ismv",
  "heic", "heif",
  "hif", "avif", "hevc", "h265", "265", "bit",
]
