// swift-multiview · SPDX-License-Identifier: Apache-2.0

// The four characters of user data and of the lists of iTunes. QuickTime File Format, "User data atoms".

extension MetadataKey {
  /// The location at which it was taken, in user data (`©xyz`).
  public static let userDataLocation = MetadataKey(rawValue: "©xyz")
  /// The title. (`©nam`)
  public static let title = MetadataKey(rawValue: "©nam")
  /// Who made it. (`©ART`)
  public static let artist = MetadataKey(rawValue: "©ART")
  /// The album. (`©alb`)
  public static let album = MetadataKey(rawValue: "©alb")
  /// A remark. (`©cmt`)
  public static let comment = MetadataKey(rawValue: "©cmt")
  /// Who has the rights. (`©cpy`)
  public static let copyright = MetadataKey(rawValue: "©cpy")
  /// When it was made, in user data. (`©day`)
  public static let userDataCreationDate = MetadataKey(rawValue: "©day")
  /// The description. (`©des`)
  public static let userDataDescription = MetadataKey(rawValue: "©des")
  /// The genre. (`©gen`)
  public static let genre = MetadataKey(rawValue: "©gen")
  /// The maker of the camera, in user data. (`©mak`)
  public static let userDataMake = MetadataKey(rawValue: "©mak")
  /// The camera, in user data. (`©mod`)
  public static let userDataModel = MetadataKey(rawValue: "©mod")
  /// The software, in user data. (`©swr`)
  public static let userDataSoftware = MetadataKey(rawValue: "©swr")
  /// The program that encoded it. (`©too`)
  public static let encodingTool = MetadataKey(rawValue: "©too")
  /// Who wrote it. (`©wrt`)
  public static let writer = MetadataKey(rawValue: "©wrt")
}
