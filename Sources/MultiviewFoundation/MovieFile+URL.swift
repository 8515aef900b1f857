// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
import FileAccess
public import Foundation
public import Multiview

extension MovieFile {
  /// Opens the movie in the file that `url` names.
  ///
  /// A movie on a server is opened through a source of its own: see `AsyncByteSource`.
  public init(url: URL, limits: Limits = .standard) throws(MovieError) {
    try self.init(path: url.isFileURL ? url.path : url.absoluteString, limits: limits)
  }

  /// Opens a movie that is in memory.
  public init(data: Data, limits: Limits = .standard) throws(MovieError) {
    try self.init(bytes: data, limits: limits)
  }
}
