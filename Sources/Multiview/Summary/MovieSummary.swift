// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
import HEVC
import ISOBMFF

/// The properties of a movie that a program stores: `Codable`, for JSON, a property list or a database.
///
/// ```swift
/// let json = try JSONEncoder().encode(MovieSummary(movie))
/// ```
///
/// Values that are not known are left out. Keys may be added in minor versions, and are not renamed.
public struct MovieSummary: Codable, Hashable, Sendable {
  /// One layer of a video track.
  public struct Layer: Codable, Hashable, Sendable {
    /// The number of the layer in NAL units. `nuh_layer_id`
    public var layerID: UInt8
    /// The view ID; `nil` if the video parameter set has none.
    public var viewID: UInt32?
    /// The eye that sees it.
    public var eye: StereoEye?
    /// The role of the layer: `view`, `alpha`, `depth`, `enhancement`, or the number of another kind.
    public var role: String
    /// The width of its pictures.
    public var width: Int?
    /// The height of its pictures.
    public var height: Int?

    init(_ layer: VideoLayer) {
      layerID = layer.layerID
      viewID = layer.viewID
      eye = layer.eye
      role = layer.role
      width = layer.croppedSize?.width
      height = layer.croppedSize?.height
    }
  }

  /// The eyes and cameras in the boxes.
  public struct Stereo: Codable, Hashable, Sendable {
    /// How two views are carried.
    public var kind: StereoKind
    /// What spatial video has to have and this lacks, by the names of ``SpatialVerdict/Requirement``.
    public var lackingForSpatial: [String]?
    /// The eye to show if only one can be.
    public var heroEye: StereoEye?
    /// The distance between the cameras.
    public var baselineMicrometers: UInt32?
    /// The shift of the views, in ten-thousandths of the width.
    public var disparityAdjustment: Int32?
    /// How wide the picture is.
    public var horizontalFieldOfViewMillidegrees: UInt32?
    /// How the picture maps to directions of view.
    public var projection: Projection?
    /// How two views share a picture.
    public var packing: ViewPacking?

    init(_ track: Track) {
      let report = track.classificationReport
      let layout = track.stereo
      kind = report.stereoKind
      lackingForSpatial = report.strict?.lacking.map(\.rawValue)
      heroEye = layout.heroEye?.eye
      baselineMicrometers = layout.baseline?.rawValue
      disparityAdjustment = layout.disparityAdjustment?.rawValue
      horizontalFieldOfViewMillidegrees = layout.horizontalFieldOfView?.rawValue
      projection = layout.projection
      packing = layout.packing
    }
  }

  /// One track.
  public struct TrackSummary: Codable, Hashable, Sendable {
    /// The track ID.
    public var id: UInt32
    /// The media type of the track.
    public var mediaType: MediaType
    /// The codec with its parameters. RFC 6381
    public var codecString: String?
    /// What kind of video it is; `nil` for other media.
    public var classification: Classification?
    /// How long its media lasts.
    public var duration: MediaTime?
    /// How many samples it has.
    public var sampleCount: Int?
    /// The language of the media.
    public var language: String?
    /// The width of its pictures in the sample description.
    public var width: Int?
    /// The height of its pictures in the sample description.
    public var height: Int?
    /// Pictures in a second.
    public var frameRate: Double?
    /// How its pictures are turned to be shown.
    public var orientation: PictureOrientation?
    /// Samples of a sound channel in a second.
    public var sampleRate: Double?
    /// The number of sound channels.
    public var channelCount: Int?
    /// Its layers; `nil` for anything but HEVC.
    public var layers: [Layer]?
    /// The eyes and cameras; `nil` for tracks other than video.
    public var stereo: Stereo?

    /// Summarises a track. Its headers, tables and the first sample are read.
    public init(_ track: Track) {
      id = track.id
      mediaType = track.mediaType
      codecString = track.codecString
      duration = track.duration
      sampleCount = track.sampleCount
      language = track.language
      guard track.mediaType.isVisual else {
        let audio = track.audioFormat
        sampleRate = audio?.sampleRate
        channelCount = audio?.channelCount
        return
      }
      classification = track.classification
      width = track.displaySize?.width
      height = track.displaySize?.height
      frameRate = track.nominalFrameRate
      orientation = track.orientation
      if track.isHEVC { layers = track.layers.map(Layer.init) }
      stereo = Stereo(track)
    }
  }

  /// What kind of movie it is.
  public var classification: Classification
  /// What kind of file it is: `isobmff`, or `hevc` for a raw stream.
  public var container: String
  /// The brand under which it was written.
  public var majorBrand: FourCC?
  /// How many bytes the file has.
  public var byteCount: UInt64?
  /// How long it lasts.
  public var duration: MediaTime?
  /// When it was made, in seconds since the beginning of 1970 in UTC.
  public var creationSecondsSince1970: Double?
  /// The location at which it was taken.
  public var location: GeographicLocation?
  /// Its tracks.
  public var tracks: [TrackSummary]
  /// The pairs of images for the two eyes; `nil` for a file without images.
  public var stereoPhotoCount: Int?
  /// The attributes for a playlist; `nil` if there is nothing to stream.
  public var playlist: PlaylistAttributes?

  /// Summarises a movie. Its headers, tables and first samples are read.
  public init(_ movie: MovieFile) {
    classification = movie.classification
    container = movie.container.kind.rawValue
    majorBrand = movie.container.majorBrand
    byteCount = movie.source.size
    duration = movie.duration
    creationSecondsSince1970 = movie.creationSecondsSince1970
    location = movie.location
    tracks = movie.tracks.map(TrackSummary.init)
    stereoPhotoCount = movie.items?.stereoPairs.count
    playlist = movie.playlistAttributes
  }
}
