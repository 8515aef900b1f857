// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

// Rules about photos: pairs of images for the two eyes, and the description of their cameras.

extension Rule {
  private static let spatialPhotos = "Apple, Creating spatial photos and videos with spatial metadata"

  /// In the order of their names.
  static let ofPhotos: [Rule] = [
    pairIncomplete, pairSizesDiffer, pairWithoutCameras, camerasInOnePlace, disparityOfPhoto,
  ]

  package static let pairIncomplete = Rule(
    "MV117", .error, "A stereo pair does not name two images of the file",
    source: "ISO/IEC 23008-12, 6.8.5", for: [.stereo, .spatial],
    why:
      "The group ster names two images of the file, the left view first, and the group stem names a third for flat "
      + "displays. If one of the two is missing, or both are the same, only one eye has a picture.",
    fix: "Make the group name the two images, or remove the group."
  ) { (context: RuleContext, findings: inout FindingSink) in
    guard context.isStereoPhotoAttempt, let items = context.movie.items else { return }
    for group in items.groups where group.isStereo {
      let count = group.members.count
      guard count < 2 || group.type == "ster" && count > 2 else { continue }
      findings.add(
        "the group \(group.type) has \(count == 1 ? "1 member" : "\(count) members")",
        at: context.place(ofGroup: group.id), found: "\(count)", wanted: "two images")
    }
    // A member may be a group of alternatives.
    let groups = Set(items.groups.map(\.id))
    for pair in context.photos {
      let absent = Set([pair.left, pair.right]).subtracting(groups).sorted().filter { items[$0] == nil }
      guard !absent.isEmpty || pair.left == pair.right else { continue }
      findings.add(
        absent.isEmpty
          ? "both images are item \(pair.left)"
          : "the file has no item \(absent.map { "\($0)" }.joined(separator: " and no item "))",
        at: context.place(of: pair), found: "\(pair.left), \(pair.right)", wanted: "two images")
    }
  }

  package static let pairSizesDiffer = Rule(
    "MV118", .warning, "The images of a stereo pair differ in size", source: spatialPhotos,
    .inferred, for: [.stereo, .spatial],
    why:
      "The two views of a scene are shown over one another. If one is larger, players scale it, crop it, or show one "
      + "eye only.",
    fix: "Write both images in the same size."
  ) { (context: RuleContext, findings: inout FindingSink) in
    guard let items = context.photoItems else { return }
    for pair in context.photos {
      guard let left = items[pair.left], let right = items[pair.right], let width = left.width,
        let height = left.height,
        let otherWidth = right.width, let otherHeight = right.height,
        width != otherWidth || height != otherHeight
      else { continue }
      findings.add(
        "item \(pair.left) is \(width)×\(height), item \(pair.right) is \(otherWidth)×\(otherHeight)",
        at: context.place(of: pair), found: "\(otherWidth)×\(otherHeight)", wanted: "\(width)×\(height)")
    }
  }

  package static let pairWithoutCameras = Rule(
    "MV119", .note, "A stereo pair lacks camera values: stereo, not spatial",
    source: spatialPhotos,
    for: [.spatial],
    why:
      "With the field of view of the cameras and the distance between them, the pair is shown at its true size and "
      + "depth, as a spatial photo. Without them it is a stereo photo. That is right if the cameras are not known.",
    fix:
      "If the cameras are known, give each image its intrinsics (cmin) and its position (cmex). If not, leave them "
      + "out: invented values look wrong."
  ) { (context: RuleContext, findings: inout FindingSink) in
    for pair in context.photos where !pair.lacking.isEmpty {
      let lacking = pair.lacking.joined(separator: " and ")
      findings.add(
        "items \(pair.left) and \(pair.right) do not both have \(lacking)", at: context.place(of: pair),
        wanted: lacking)
    }
  }

  package static let camerasInOnePlace = Rule(
    "MV120", .warning, "The cameras of a stereo pair are not side by side",
    source: "ISO/IEC 23008-12, 6.5.39 and 6.8.5", .inferred, for: [.spatial],
    why:
      "Two cameras in the same place see no depth. If the camera of the right eye is to the left of the other, near "
      + "and far are exchanged. Either a value was never set, or the eyes were swapped.",
    fix:
      "Write the positions of the cameras in micrometres, with the larger x for the right eye, or swap the images in "
      + "the group."
  ) { (context: RuleContext, findings: inout FindingSink) in
    for pair in context.photos {
      guard let left = pair.leftCamera.position, let right = pair.rightCamera.position, left[0] >= right[0]
      else { continue }
      findings.add(
        left == right
          ? "both cameras are in the same place"
          : "the camera of the right eye is not to the right of the other",
        at: context.place(of: pair), found: "x of \(Int(left[0])) and \(Int(right[0])) µm")
    }
  }

  package static let disparityOfPhoto = Rule(
    "MV121", .error, "The disparity adjustment of a stereo pair is out of range",
    source:
      "Apple, kCGImagePropertyGroupImageDisparityAdjustment: −10000 to 10000; ISO/IEC 23008-12:2022/Amd "
      + "1:2025, 6.5.42", .inferred,
    for: [.spatial],
    why:
      "The shift is a fraction of the picture width, up to the whole of it. Readers clip larger values or reject "
      + "them.",
    fix: "Write ten-thousandths of the width, signed: 2 % is 200."
  ) { (context: RuleContext, findings: inout FindingSink) in
    for pair in context.photos {
      guard let value = pair.disparityAdjustment, !(-10_000...10_000).contains(value) else { continue }
      findings.add(
        "the disparity adjustment is \(value)", at: context.place(of: pair), found: "\(value)",
        wanted: "-10000 to 10000")
    }
  }
}

extension RuleContext {
  /// The items of a file that is judged as a photo: one without video.
  fileprivate var photoItems: ItemCollection? { photos.isEmpty ? nil : movie.items }

  fileprivate func place(of pair: StereoPhoto) -> BoxPlace? { place(ofGroup: pair.group) }

  fileprivate func place(ofGroup id: UInt32) -> BoxPlace? {
    let groups = movie.tree?["meta/grpl"]?.children ?? []
    let index = groups.firstIndex {
      ["ster", "stem"].contains($0.type) && $0.payload(EntityToGroupBox.self)?.groupID == id
    }
    return index.map { BoxPlace(path: "meta/grpl/\(groups[$0].type)", offset: groups[$0].offset) }
  }
}
