// swift-multiview · SPDX-License-Identifier: Apache-2.0

import BoxCatalogue
import ByteCoding
import ISOBMFF

/// A pair of images for the two eyes, and the properties of the cameras. ISO/IEC 23008-12, 6.5.39, 6.5.40 and 6.8.5
public struct StereoPhoto: Sendable, Hashable {
  /// One of the two cameras.
  public struct Camera: Sendable, Hashable {
    /// The position of the camera in micrometres (`cmex`); `nil` if not specified.
    public var position: [Double]?
    /// Whether the lens is described (`cmin`).
    public var hasIntrinsics = false
    /// The horizontal field of view in degrees; `nil` if not specified, or in a form that is not known.
    public var horizontalFieldOfView: Double?
  }

  /// The group ID.
  public let group: UInt32
  /// The item for the left eye.
  public let left: UInt32
  /// The item for the right eye.
  public let right: UInt32
  /// The camera of the image for the left eye.
  public private(set) var leftCamera = Camera()
  /// The camera of the image for the right eye.
  public private(set) var rightCamera = Camera()
  /// The disparity adjustment, in ten-thousandths of the width of the images; `nil` if not specified.
  public private(set) var disparityAdjustment: Int32?

  /// The distance between the cameras in micrometres; `nil` if one of their positions is not specified.
  public var baseline: Double? {
    guard let left = leftCamera.position, let right = rightCamera.position else { return nil }
    return zip(left, right).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
  }

  /// The camera properties that a spatial photo needs and this one lacks.
  package var lacking: [String] {
    var lacking: [String] = []
    if !leftCamera.hasIntrinsics || !rightCamera.hasIntrinsics { lacking.append("intrinsics (cmin)") }
    if baseline == nil { lacking.append("extrinsics (cmex)") }
    return lacking
  }

  /// Whether both cameras are described.
  public var isSpatial: Bool { lacking.isEmpty }
}

extension StereoPhoto {
  /// The boxes that Apple's frameworks wrote before `cmin` and `cmex` had these names; the fields of the second
  /// are the same.
  private static let earlyIntrinsics = "22cc04c7d6d94e079d904eb6ecbaf3a3"
  private static let earlyExtrinsics = "4363e9145b7d4aab97aebea69803b434"
  /// A box with a number of 32 bits, for the disparity adjustment. No publication describes it: it was seen in
  /// files, at the group or at its images.
  private static let disparity = "de22508536cb436587432f8705e7c78a"

  /// Makes a pair; `nil` for a group that is not a pair.
  fileprivate init?(
    _ group: ItemCollection.Group, _ image: (UInt32) -> UInt32, _ properties: (UInt32) -> [Box]
  ) {
    guard group.isStereoPair else { return nil }
    self.group = group.id
    (left, right) = (image(group.members[0]), image(group.members[1]))
    leftCamera = Camera(properties(left))
    rightCamera = Camera(properties(right))
    for item in [group.id, left, right] where disparityAdjustment == nil {
      disparityAdjustment = properties(item).lazy.compactMap(Self.disparityAdjustment).first
    }
  }
}

extension StereoPhoto {
  /// The disparity adjustment that a property specifies; `nil` if it is another property. `dadj` is a full box.
  /// ISO/IEC 23008-12:2022/Amd 1:2025, 6.5.42
  private static func disparityAdjustment(_ property: Box) -> Int32? {
    let isEarly = property.userType?.hexadecimalText() == disparity
    let offset = isEarly ? 0 : 4
    guard isEarly || property.type == "dadj", property.body.count >= offset + 4 else { return nil }
    return number(property.body, at: offset)
  }

  fileprivate static func number(_ bytes: ByteView, at offset: Int) -> Int32 {
    let four = bytes.slice(offset..<offset + 4)?.array ?? []
    return Int32(bitPattern: four.reduce(0) { $0 << 8 | UInt32($1) })
  }
}

extension StereoPhoto.Camera {
  fileprivate init(_ properties: [Box]) {
    for property in properties {
      let userType = property.userType?.hexadecimalText()
      if let box = property.payload(CameraIntrinsicMatrixProperty.self) {
        hasIntrinsics = true
        // Focal lengths are parts of the width.
        let focal = Double(box.focalLengthX) / Double(1 << box.fractionBits)
        if focal > 0 { horizontalFieldOfView = 2 * Self.degrees(ofTangent: 0.5 / focal) }
      } else if let box = property.payload(CameraExtrinsicMatrixProperty.self) {
        position = [box.positionX, box.positionY, box.positionZ].map { Double($0 ?? 0) }
      } else if userType == StereoPhoto.earlyIntrinsics {
        hasIntrinsics = true
      } else if userType == StereoPhoto.earlyExtrinsics {
        position = Self.position(property.body)
      }
    }
  }
  /// The fields of `cmex`, as far as they are of places.
  private static func position(_ bytes: ByteView) -> [Double]? {
    guard bytes.count >= 4 else { return nil }
    let flags = StereoPhoto.number(bytes, at: 0)
    var offset = 4
    return (0..<3).map { axis in
      guard flags >> axis & 1 != 0, bytes.count >= offset + 4 else { return 0 }
      defer { offset += 4 }
      return Double(StereoPhoto.number(bytes, at: offset))
    }
  }

  /// The angle that has this tangent, which is not negative.
  private static func degrees(ofTangent tangent: Double) -> Double {
    // Half of the angle, four times: what is left of it is small enough for a short series.
    var x = tangent
    for _ in 0..<4 { x /= 1 + (1 + x * x).squareRoot() }
    let square = x * x
    let series = stride(from: 13, through: 1, by: -2).reduce(0.0) { 1 / Double($1) - square * $0 }
    return 16 * x * series * 180 / .pi
  }
}

extension MovieFile {
  /// The pairs of images for the two eyes, with the properties of their cameras.
  ///
  /// ```swift
  /// for photo in movie.stereoPhotos {
  ///   print(photo.left, photo.right, photo.isSpatial, photo.baseline ?? 0)
  /// }
  /// ```
  public var stereoPhotos: [StereoPhoto] {
    guard let tree, let meta = tree.first("meta"), let items, !items.stereoPairs.isEmpty else { return [] }
    let properties = ItemProperties(meta, in: tree)
    let image = items.imageOfMember
    return items.groups.compactMap { group in
      StereoPhoto(group, image) { id in properties.properties(ofItem: id).map { tree.whole($0) } }
    }
  }
}
