// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Multiview

extension MovieFile {
  /// When the movie was made: by the camera's metadata, otherwise the user data, otherwise the movie header; `nil` where
  /// none says it. AVFoundation: `AVAsset.creationDate`
  public var creationDate: Date? { creationSecondsSince1970.map(Date.init(timeIntervalSince1970:)) }
}

extension MetadataItem {
  /// The value as a date; `nil` if it is not one. AVFoundation: `AVMetadataItem.dateValue`
  public var dateValue: Date? { secondsSince1970.map(Date.init(timeIntervalSince1970:)) }
}
