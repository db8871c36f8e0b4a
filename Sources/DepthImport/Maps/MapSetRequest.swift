public import DepthCore
public import FathomStorage

/// Maps of networks, and a truth to compare them with, in folders and files of any names.
public struct MapSetRequest: Sendable, Hashable, Codable {
  /// Maps of networks; each has a name.
  public var predictions: [MapRequest]
  /// Metres, or counts that ``truthScale`` turns into metres; nil where ``list`` names the files.
  public var truth: MapRequest?
  /// Metres of one count of the truth; nil for reals in metres. Whole numbers need it.
  public var truthScale: Double?
  /// Distances along the ray become planar depth, which takes ``intrinsics``; nil where the names of the files tell.
  public var truthKind: DepthKind?
  /// A folder or file of standard deviations of the truth: metres, or counts of ``truthScale``.
  public var truthDeviation: String?
  /// Standard deviations and confidences of predictions; nil for none.
  public var deviations: [DeviationMaps]?
  /// A folder or file of camera images.
  public var images: String?
  /// A folder or file of masks: truth counts where the mask is not 0.
  public var truthMask: String?
  /// A folder or file of masks: truth does not count where the mask is not 0.
  public var ignoreMask: String?
  /// Ids by pixel, for a breakdown.
  public var idMask: IDMask?
  /// A file of lines `prediction truth [image]`. A line may hold one `NAME=prediction` for each network.
  public var list: String?
  /// How files become frames where no list says so.
  public var matching = MapMatching.automatic
  /// By how many frames the truth of a network's maps comes later in its folder than that rule says, by names of networks.
  public var shifts: [String: Int]?
  public var scenes = SceneGrouping.automatic
  /// nil where maps of another aspect than the truth's are refused.
  public var predictionResize: PredictionResize?
  /// "fx,fy,cx,cy" or "fx,fy,cx,cy,width,height", pixels from the centre of the first; without a size, of the truth.
  public var intrinsics: String?
  /// Distance between the two cameras of a stereo pair, metres.
  public var stereoBaseline: Double?
  /// Where links in the folders are followed out of them.
  public var external = ExternalFolders()

  public init(predictions: [MapRequest], truth: MapRequest?) {
    (self.predictions, self.truth) = (predictions, truth)
  }
}
